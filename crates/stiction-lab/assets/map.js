// The page of maps: two values of a scenario are varied; a point shows its run, a rectangle is computed more finely.
import { h, svg, field, select, textInput, number } from "./dom.js";
import { run, problem, downloads } from "./jobs.js";
import { series } from "./traces.js";
import { scenarioChoice, shown } from "./scenario.js";

/** Dark to bright, also without colours: steps of a scale whose lightness rises evenly. */
const SCALE = ["#352a5a", "#3b4a87", "#33689a", "#2b85a0", "#2aa19a", "#4cbb86", "#8ed06b", "#d4df55", "#fbe93e"];
/** On a telephone it is laid out narrower, so that its text can be read. */
const NARROW = matchMedia("(max-width: 30rem)").matches;
const FRAME_OF_MAP = { width: NARROW ? 380 : 640, height: NARROW ? 330 : 460, left: 66, right: NARROW ? 82 : 96, top: 14, bottom: 46 };

/** A rectangle that is chosen. */
const MARK = { fill: "none", stroke: "#fff", "stroke-width": 2, "stroke-dasharray": "5 3", "pointer-events": "none" };

function colour(share) {
  const place = Math.min(SCALE.length - 1.001, Math.max(0, share * (SCALE.length - 1)));
  const parts = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
  const [a, b] = [parts(SCALE[Math.floor(place)]), parts(SCALE[Math.floor(place) + 1])];
  return `rgb(${a.map((x, k) => Math.round(x + (place % 1) * (b[k] - x))).join(" ")})`;
}

/** Edges of the cells around values that are sorted. */
function edges(values) {
  if (values.length === 1) return [values[0] - 0.5, values[0] + 0.5];
  const inner = values.slice(1).map((x, k) => (x + values[k]) / 2);
  return [2 * values[0] - inner[0], ...inner, 2 * values[values.length - 1] - inner[inner.length - 1]];
}

/** The map; `pick` gets the values of a cell, `refine` those of a rectangle, `tell` what is pointed at. */
function draw(data, names, measure, { pick, refine, tell }) {
  const [xs, ys, zs] = data.columns;
  const sorted = (values) => [...new Set(values)].sort((a, b) => a - b);
  const [xValues, yValues] = [sorted(xs), sorted(ys)];
  const [xEdges, yEdges] = [edges(xValues), edges(yValues)];
  const finite = zs.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const { width, height, left, right, top, bottom } = FRAME_OF_MAP;
  const px = (x) => left + ((x - xEdges[0]) / (xEdges[xEdges.length - 1] - xEdges[0])) * (width - left - right);
  const py = (y) => height - bottom - ((y - yEdges[0]) / (yEdges[yEdges.length - 1] - yEdges[0])) * (height - top - bottom);
  const node = svg(`map of ${measure}`);
  node.setAttribute("aria-description", "Arrow keys go from point to point, Enter shows its run; Shift with arrow keys chooses a rectangle, which Enter computes more finely");
  // the points are buttons, which a picture would hide from listeners
  node.setAttribute("role", "group");
  const cells = new Map();
  /** Of all points one can be reached by Tab, so that those after the map are not hundreds of keys away. */
  let reached = null;
  const reach = (cell) => {
    reached?.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    reached = cell;
  };
  /** The rectangle of cells that keys have chosen: where it begins, and the values at its ends. */
  let chosen = null;
  const choose = (first, last) => {
    chosen?.mark.remove();
    chosen = null;
    if (!first) return;
    const across = (k, edges, values) => {
      const [low, high] = [first[k], last[k]].sort((a, b) => a - b);
      // the outer cells reach beyond the values that were computed; a rectangle does not
      return [Math.max(edges[low], values[0]), Math.min(edges[high + 1], values[values.length - 1])];
    };
    const ends = [across(0, xEdges, xValues), across(1, yEdges, yValues)];
    const [[x1, x2], [y1, y2]] = ends;
    const mark = element("rect", { ...MARK, x: px(x1), width: px(x2) - px(x1), y: py(y2), height: py(y1) - py(y2) });
    node.append(mark);
    chosen = { first, ends, mark };
    tell(`${names[0]} ${number(x1)} to ${number(x2)}, ${names[1]} ${number(y1)} to ${number(y2)}: Enter computes it more finely`);
  };
  node.setAttribute("viewBox", `0 0 ${width} ${height}`);
  xs.forEach((x, k) => {
    const [i, j] = [xValues.indexOf(x), yValues.indexOf(ys[k])];
    const known = Number.isFinite(zs[k]);
    const cell = element("rect", {
      class: "cell", tabindex: "-1", role: "button", x: px(xEdges[i]), width: px(xEdges[i + 1]) - px(xEdges[i]) + 0.5,
      y: py(yEdges[j + 1]), height: py(yEdges[j]) - py(yEdges[j + 1]) + 0.5, fill: known ? colour((zs[k] - low) / (high - low || 1)) : "none",
      "aria-label": `${names[0]} ${number(x)}, ${names[1]} ${number(ys[k])}: ${known ? number(zs[k]) : "no value"}`,
    });
    cell.append(element("title", {}, cell.getAttribute("aria-label")));
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    cell.addEventListener("keydown", (event) => {
      const by = steps[event.key];
      const to = by && [i + by[0], j + by[1]];
      const enters = event.key === "Enter" || event.key === " ";
      if (by || enters) event.preventDefault();
      if (enters && chosen) refine(chosen.ends);
      else if (enters) pick([x, ys[k]]);
      else if (event.key === "Escape" || (by && !event.shiftKey)) choose(null);
      if (!to || !cells.has(to.join())) return;
      const first = chosen?.first ?? [i, j];
      cells.get(to.join()).focus();
      if (event.shiftKey) choose(first, to);
    });
    for (const type of ["focus", "pointerenter"]) cell.addEventListener(type, () => tell(cell.getAttribute("aria-label")));
    cell.addEventListener("focus", () => reach(cell));
    cell.point = [x, ys[k]];
    cells.set([i, j].join(), cell);
    node.append(cell);
    if (!reached) reach(cell);
  });
  for (const value of ticks(xEdges[0], xEdges[xEdges.length - 1], NARROW ? 3 : 5)) node.append(element("text", { class: "tick", x: px(value), y: height - bottom + 18, "text-anchor": "middle" }, short(value)));
  for (const value of ticks(yEdges[0], yEdges[yEdges.length - 1])) node.append(element("text", { class: "tick", x: left - 8, y: py(value) + 4, "text-anchor": "end" }, short(value)));
  const middle = (top + height - bottom) / 2;
  node.append(element("text", { class: "axis", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, names[0]),
    element("text", { class: "axis", x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }, names[1]));
  const bar = Array.from({ length: 40 }, (_, k) => element("rect", { x: width - right + 18, width: 16, y: height - bottom - ((k + 1) / 40) * (height - top - bottom), height: (height - top - bottom) / 40 + 0.5, fill: colour(k / 39) }));
  node.append(...bar, element("text", { class: "tick", x: width - right + 38, y: height - bottom }, short(low)), element("text", { class: "tick", x: width - right + 38, y: top + 10 }, short(high)));

  // a click is a point, a drag is a rectangle
  const at = (event) => {
    const box = node.getBoundingClientRect();
    const inside = (value, a, b) => Math.min(b, Math.max(a, value));
    return [inside(((event.clientX - box.left) / box.width) * width, left, width - right), inside(((event.clientY - box.top) / box.height) * height, top, height - bottom)];
  };
  let [from, mark] = [null, null];
  node.addEventListener("pointerdown", (event) => {
    from = { at: at(event), cell: event.target };
    choose(null);
    mark = element("rect", MARK);
    node.append(mark);
    node.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [x, y] = at(event);
    for (const [key, value] of Object.entries({ x: Math.min(x, from.at[0]), y: Math.min(y, from.at[1]), width: Math.abs(x - from.at[0]), height: Math.abs(y - from.at[1]) })) mark.setAttribute(key, value);
  });
  node.addEventListener("pointercancel", () => {
    mark?.remove();
    from = null;
  });
  node.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [x, y] = at(event);
    mark.remove();
    const begin = from;
    from = null;
    if (Math.abs(x - begin.at[0]) < 6 && Math.abs(y - begin.at[1]) < 6) {
      if (begin.cell.point) pick(begin.cell.point);
      return;
    }
    // the outer cells reach beyond the values that were computed; a rectangle does not
    const back = (value, edges, values, a, b) => {
      const there = edges[0] + ((value - a) / (b - a)) * (edges[edges.length - 1] - edges[0]);
      return Math.min(values[values.length - 1], Math.max(values[0], there));
    };
    const ends = (list) => list.sort((a, b) => a - b);
    refine([ends([x, begin.at[0]].map((value) => back(value, xEdges, xValues, left, width - right))),
      ends([y, begin.at[1]].map((value) => back(value, yEdges, yValues, height - bottom, top)))]);
  });
  return node;
}

export function page(start) {
  const [place, results] = [h("div", { class: "map" }), h("div", { class: "stack", id: "results" })];
  const choice = scenarioChoice(start, (found) => (go.disabled = Boolean(found.error)));
  const axis = (path, from, to) => ({ path: textInput(path), from: textInput(from), to: textInput(to), count: textInput("12") });
  const [x, y] = [axis("k", "0.5", "8"), axis("hand.v", "0.3", "4")];
  const measure = textInput("v_max");
  const list = h("div", {});
  const row = (name, a) => h("div", { class: "fields four" }, field(name, a.path, "a number of the scenario"), field("from", a.from), field("to", a.to), field("points", a.count));
  /** What a field says as a number; an empty one says none. */
  const value = (input, name) => {
    const found = input.value.trim() === "" ? NaN : Number(input.value);
    if (!Number.isFinite(found)) throw Object.assign(new Error(`${name}: '${input.value}' is no number`), { hint: "write it with a decimal point, such as 0.5 or 1e-3" });
    return found;
  };
  const vary = (a) => {
    const name = a.path.value.trim();
    const count = value(a.count, `points of ${name}`);
    if (!Number.isInteger(count) || count < 1) throw new Error(`points of ${name}: '${a.count.value}' is no whole number above zero`);
    return { path: name, from: value(a.from, `${name} from`), to: value(a.to, `${name} to`), count, log: false };
  };
  /** The ends of the maps in which rectangles were drawn. */
  const wider = [];
  const sweep = async (again) => {
    try {
      const job = await run(again ?? { do: "sweep", scenario: choice.source, vary: [vary(x), vary(y)], measure: measure.value.trim() });
      const names = [x, y].map((a) => a.path.value.trim());
      const measured = job.result.measures[0];
      const data = await series({ job: job.id, file: job.files[0].name }, [...names, measured.name].map((name) => ({ name })));
      const said = h("output", { class: "below" });
      const fill = (ends) => {
        [x, y].forEach((a, k) => [a.from.value, a.to.value] = ends[k]);
        sweep();
      };
      const refine = (ends) => {
        wider.push([x, y].map((a) => [a.from.value, a.to.value]));
        fill(ends.map((pair) => pair.map((value) => String(Number(value.toPrecision(4))))));
      };
      const back = wider.length > 0 ? h("button", { type: "button", onclick: () => fill(wider.pop()) }, "Back to the wider map") : null;
      const node = draw(data, names, measured.name, { pick: (point) => look(names, point), refine, tell: (text) => (said.textContent = text) });
      const focused = place.contains(document.activeElement);
      place.replaceChildren(h("figure", {}, h("h2", {}, `${measured.name} [${measured.unit || "-"}]`), node, h("div", { class: "row" }, said, back),
        h("figcaption", {}, "Click a cell to see its run; draw a rectangle to compute it more finely (with keys: arrows, Shift with arrows, Enter). A blank cell: what is measured did not happen, or the run failed."),
        h("pre", { class: "command" }, job.command), downloads(job)));
      // a new map takes the focus of the one before it
      if (focused) node.querySelector(".cell[tabindex='0']")?.focus();
    } catch (error) {
      place.replaceChildren(problem(error, sweep));
    }
  };
  const look = async (names, point) => {
    try {
      const links = await choice.links();
      const job = await run({ do: "run", scenario: choice.source, set: names.map((name, k) => [name, point[k]]) });
      results.replaceChildren(h("h2", {}, names.map((name, k) => `${name} = ${number(point[k])}`).join(", ")), await shown(job, links));
    } catch (error) {
      results.replaceChildren(problem(error));
    }
  };
  const tell = async () => {
    try {
      const job = await run({ do: "sweep-list", scenario: choice.source });
      const names = (entries) => entries.map((entry) => entry.path ?? entry.name).join(", ");
      list.replaceChildren(h("p", { class: "note" }, `To vary: ${names(job.result.vary)}.`), h("p", { class: "note" }, `To measure: ${names(job.result.measure)}.`));
    } catch (error) {
      list.replaceChildren(problem(error));
    }
  };
  const go = h("button", { type: "button", class: "main", id: "sweep", onclick: () => {
    wider.length = 0;
    sweep();
  } }, "Compute the map");
  return h("div", { class: "stack" }, h("section", {}, h("h1", {}, "A map"), choice.node, row("Across", x), row("Up", y),
    h("div", { class: "fields narrow" }, field("Measure", measure, "in colours")), h("div", { class: "row" }, go, h("button", { type: "button", onclick: tell }, "What can be varied and measured?")), list), place, results);
}
