// Traces of a table that the server holds: a plot for each unit, a window chosen by dragging, one column over another.
import { h, svg } from "./dom.js";
import { post } from "./jobs.js";

const STYLES = ["a", "b", "c", "d", "soft"];

function legend(names) {
  return h("div", { class: "legend" }, names.map((name, k) => h("span", {}, h("b", { class: `${STYLES[k % 5]}-key` }), name)));
}

/** Columns of a table, as the server thins them. A column has its place in the table, or a name that no other has. */
export async function series(source, columns, window) {
  return post("api/series", { ...source, columns: columns.map((column) => column.place ?? column.name), window });
}

/**
 * Plots over the first of the columns, which is time; the others are chosen by check boxes. `columns` have name, unit and perhaps place.
 */
export class Traces {
  constructor(source, columns, chosen) {
    this.source = source;
    this.time = columns[0];
    this.others = columns.slice(1);
    this.chosen = new Set(chosen);
    this.window = null;
    this.plots = h("div", { class: "plot-list" });
    this.reset = h("button", { type: "button", hidden: true, onclick: () => this.look(null) }, "Whole time");
    const box = (column) => {
      const { name, unit } = column;
      const change = (event) => {
        this.chosen[event.target.checked ? "add" : "delete"](column);
        this.draw();
      };
      return h("label", {}, h("input", { type: "checkbox", checked: this.chosen.has(column), onchange: change }), ` ${name}${unit ? ` [${unit}]` : ""}`);
    };
    this.node = h("div", { class: "traces" }, h("details", { open: this.others.length < 16 }, h("summary", {}, "Columns"),
      h("div", { class: "checks" }, this.others.slice(0, 200).map(box))),
      h("div", { class: "row" }, h("span", { class: "note" }, "Drag across a plot to look closer."), this.reset), this.plots);
    this.draw();
  }
  look(window) {
    this.window = window;
    this.reset.hidden = !window;
    return this.draw();
  }
  async draw() {
    // a plot for each unit; the server gives at most 11 columns at once
    const shown = this.others.filter((column) => this.chosen.has(column)).slice(0, 11);
    const data = shown.length > 0
      ? await series(this.source, [this.time, ...shown], this.window)
      : { columns: [[]] };
    const units = [...new Set(shown.map((column) => column.unit ?? ""))];
    this.plots.replaceChildren(...units.map((unit) => {
      const group = shown.map((column, k) => [column, data.columns[k + 1] ?? []]).filter(([column]) => (column.unit ?? "") === unit);
      const names = group.map(([column]) => column.name);
      const node = svg(names.join(", "));
      const time = data.columns[0] ?? [];
      const lines = group.map(([, values], k) => ({ points: values.map((y, j) => [time[j], y]), style: STYLES[k % 5] }));
      const y = unit || names.length > 1 ? `[${unit || "-"}]` : names[0];
      plot(node, { x: `${this.time.name} [${this.time.unit || "s"}]`, y, lines, zero: false });
      this.choose(node, time);
      return h("figure", {}, legend(names), node);
    }));
    this.plots.dataset.drawn = String(Number(this.plots.dataset.drawn ?? 0) + 1);
  }
  /** A window of time by dragging. */
  choose(node, time) {
    const [low, high] = range(time);
    const { width, left, right, top, bottom, height } = FRAME;
    const at = (event) => {
      const box = node.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width;
      return Math.min(width - right, Math.max(left, x));
    };
    let [from, mark] = [null, null];
    node.addEventListener("pointerdown", (event) => {
      from = at(event);
      mark = element("rect", { class: "choice", x: from, y: top, width: 0, height: height - top - bottom });
      node.append(mark);
      node.setPointerCapture(event.pointerId);
    });
    node.addEventListener("pointermove", (event) => {
      if (from === null) return;
      mark.setAttribute("x", Math.min(from, at(event)));
      mark.setAttribute("width", Math.abs(at(event) - from));
    });
    node.addEventListener("pointerup", (event) => {
      const ends = [from, at(event)].sort((a, b) => a - b).map((x) => low + ((x - left) / (width - left - right)) * (high - low));
      mark?.remove();
      from = null;
      if (ends[1] - ends[0] > 0.01 * (high - low)) this.look(ends);
    });
  }
}

/** One column over another. */
export function portrait(source, columns, [x, y]) {
  const node = svg("phase portrait");
  const names = columns.map((column) => column.name);
  const label = (name) => `${name} [${columns.find((column) => column.name === name)?.unit || "-"}]`;
  const pick = (name) => h("select", { "aria-label": "column" }, names.map((other) => h("option", { value: other, selected: other === name }, other)));
  const [first, second] = [pick(x), pick(y)];
  const draw = async () => {
    const data = await series(source, [names[0], first.value, second.value].map((name) => ({ name })));
    const points = (data.columns[1] ?? []).map((value, k) => [value, data.columns[2][k]]);
    plot(node, { x: label(first.value), y: label(second.value), lines: [{ points, style: "a" }], zero: false });
  };
  first.addEventListener("change", draw);
  second.addEventListener("change", draw);
  draw();
  return h("figure", {}, h("h2", {}, "Phase portrait"), h("div", { class: "row" }, h("span", { class: "fields" }, second, first)), node);
}
