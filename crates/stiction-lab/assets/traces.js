// Traces of a table that the server holds: a plot for each unit, a window of time that all of them share, one column over another.
import { h, svg } from "./dom.js";
import { post, problem } from "./jobs.js";

const STYLES = ["a", "b", "c", "d", "soft"];

/** Columns of a table, as the server thins them. A column has its place in the table, or a name that no other has. */
export async function series(source, columns, window) {
  return post("api/series", { ...source, columns: columns.map((column) => column.place ?? column.name), window });
}

/**
 * Plots over the first of the columns, which is time, one for each unit; the others are chosen by check boxes. `columns` have name, unit and perhaps place.
 */
export class Traces {
  constructor(source, columns, chosen) {
    this.source = source;
    this.time = columns[0];
    this.others = columns.slice(1);
    this.chosen = new Set(chosen);
    this.window = null;
    /** Plots by the label of their scale. They stay where they are while what they show changes, so that none loses the focus. */
    this.figures = new Map();
    this.plots = h("div", { class: "plot-list" });
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
      h("p", { class: "note" }, "Point at a plot, or tap it, to read its values; drag across it to look closer, double-click for the whole time (keys: arrows, plus, minus, 0)."), this.plots);
    this.draw();
  }
  look(view) {
    this.window = view?.x ?? null;
    return this.draw();
  }
  /** The plot with a scale, made when it is first needed. */
  figure(scale) {
    if (!this.figures.has(scale)) {
      const node = svg("traces");
      const explorer = explore(node, (view) => this.look(view));
      this.figures.set(scale, { node, explorer, frame: h("figure", {}, node, explorer.below) });
    }
    return this.figures.get(scale);
  }
  async draw() {
    // the server gives at most 11 columns at once
    const shown = this.others.filter((column) => this.chosen.has(column)).slice(0, 11);
    const asked = (this.asked = {});
    let data = { columns: [[]] };
    try {
      if (shown.length > 0) data = await series(this.source, [this.time, ...shown], this.window);
    } catch (error) {
      this.plots.replaceChildren(problem(error));
      return;
    }
    // another window was asked for in the meantime
    if (asked !== this.asked) return;
    // columns without a unit may be anything: each has a scale of its own
    const scaleOf = ({ name, unit }) => (unit ? `[${unit}]` : name);
    const scales = [...new Set(shown.map(scaleOf))];
    const frames = scales.map((scale) => this.figure(scale).frame);
    if (frames.length !== this.plots.children.length || frames.some((frame, k) => frame !== this.plots.children[k])) this.plots.replaceChildren(...frames);
    const time = data.columns[0] ?? [];
    for (const y of scales) {
      const { node, explorer } = this.figure(y);
      const group = shown.map((column, k) => [column, data.columns[k + 1] ?? []]).filter(([column]) => scaleOf(column) === y);
      const names = group.map(([column]) => column.name);
      const lines = group.map(([, values], k) => ({ points: values.map((y, j) => [time[j], y]), style: STYLES[k % 5], name: names[k] }));
      node.setAttribute("aria-label", `${names.join(" and ")} over ${this.time.name}`.replaceAll(":", " "));
      explorer.view = this.window ? { x: this.window } : null;
      plot(node, { x: `${this.time.name} [${this.time.unit || "s"}]`, y, lines, zero: false, view: explorer.view ?? undefined });
      // a plot that is first shown while a part is in sight can be widened, too
      if (!this.window) this.whole = node.drawn.xs;
      else node.whole ??= [this.whole, node.drawn.ys];
      explorer.refresh();
    }
    this.plots.dataset.drawn = String(Number(this.plots.dataset.drawn ?? 0) + 1);
  }
}

/** One column over another. */
export function portrait(source, columns, [x, y]) {
  const node = svg("phase portrait");
  const names = columns.map((column) => column.name);
  const label = (name) => `${name} [${columns.find((column) => column.name === name)?.unit || "-"}]`;
  const pick = (name, axis) => h("select", { "aria-label": `column on the ${axis} axis` }, names.map((other) => h("option", { value: other, selected: other === name }, other)));
  const [first, second] = [pick(x, "horizontal"), pick(y, "vertical")];
  let points = [];
  const show = (view) => {
    plot(node, { x: label(first.value), y: label(second.value), lines: [{ points, style: "a" }], zero: false, view: view ?? undefined });
    explorer.refresh();
  };
  const explorer = explore(node, show);
  const draw = async () => {
    const data = await series(source, [names[0], first.value, second.value].map((name) => ({ name })));
    points = (data.columns[1] ?? []).map((value, k) => [value, data.columns[2][k]]);
    explorer.view = null;
    show(null);
  };
  first.addEventListener("change", draw);
  second.addEventListener("change", draw);
  draw();
  return h("figure", {}, h("h2", {}, "Phase portrait"), h("div", { class: "row" }, second, "over", first), node, explorer.below);
}
