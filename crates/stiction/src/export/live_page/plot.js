// Line plots as SVG, drawn anew at every change.
const FRAME = { width: 460, height: 290, left: 64, right: 12, top: 12, bottom: 42 };

/** The namespace of drawings, as the browser knows it. */
const DRAWING = new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg").namespaceURI;

function element(name, attributes = {}, text) {
  const node = document.createElementNS(DRAWING, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** A number for people: three digits. */
function short(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(2) : x.toPrecision(3);
  return text.includes("e") ? text.replace(/\.?0+e/, "e").replace("e+", "e") : String(Number(text));
}

/** About five round numbers between two others. */
function ticks(low, high) {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}

function range(values) {
  const finite = values.filter(Number.isFinite);
  let [low, high] = [Math.min(...finite), Math.max(...finite)];
  if (!(high > low)) {
    const around = Math.abs(low) || 1;
    [low, high] = [low - around, high + around];
  }
  const margin = 0.04 * (high - low);
  return [low - margin, high + margin];
}

/** Units that have larger or smaller ones: factor and name for quantities of some size. */
const SCALED = ["m", "m/s", "N", "N·m", "rad", "rad/s", "s"];
function scaledUnit(size, unit) {
  // forces and times in their own unit as far as people read them so
  if (!SCALED.includes(unit) || !(size > 0) || size >= 0.05) return size >= 1e4 && SCALED.slice(2, 4).includes(unit) ? [1e-3, `k${unit}`] : [1, unit];
  if (size >= 5e-5) return [1e3, `m${unit}`];
  return size >= 5e-8 ? [1e6, `µ${unit}`] : [1e9, `n${unit}`];
}

/** A quantity for people, such as 1.2 mm. */
function quantityText(x, unit) {
  const [factor, name] = scaledUnit(Math.abs(x), unit);
  return `${short(factor * x)} ${name}`;
}

/** Draws lines `{ points, style }` with axes; `x` and `y` name the axes with their units. The vertical axis begins at zero, or holds it, unless `zero` is false. */
function plot(svg, { x, y, lines, mark, zero = true }) {
  const { width, height, left, right, top, bottom } = FRAME;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const all = lines.flatMap((line) => line.points);
  const [x0, x1] = range(all.map((p) => p[0]));
  const [y0, y1] = range(all.map((p) => p[1]).concat(zero ? 0 : []));
  const px = (value) => left + ((value - x0) / (x1 - x0)) * (width - left - right);
  const py = (value) => height - bottom - ((value - y0) / (y1 - y0)) * (height - top - bottom);
  const parts = [];
  for (const value of ticks(x0, x1)) {
    parts.push(element("line", { class: "grid", x1: px(value), x2: px(value), y1: top, y2: height - bottom }));
    parts.push(element("text", { class: "tick", x: px(value), y: height - bottom + 16, "text-anchor": "middle" }, short(value)));
  }
  for (const value of ticks(y0, y1)) {
    parts.push(element("line", { class: value === 0 ? "zero" : "grid", x1: left, x2: width - right, y1: py(value), y2: py(value) }));
    parts.push(element("text", { class: "tick", x: left - 6, y: py(value) + 4, "text-anchor": "end" }, short(value)));
  }
  parts.push(element("text", { class: "axis", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x));
  const middle = (top + height - bottom) / 2;
  parts.push(element("text", { class: "axis", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, y));
  for (const { points, style } of lines) {
    const path = points.filter((p) => p.every(Number.isFinite)).map((p) => `${px(p[0]).toFixed(2)},${py(p[1]).toFixed(2)}`);
    parts.push(element("polyline", { class: `line ${style}`, points: path.join(" ") }));
  }
  if (mark) parts.push(element("circle", { class: "mark", cx: px(mark[0]), cy: py(mark[1]), r: 4 }));
  svg.replaceChildren(...parts);
  // for those who do not see it
  const last = lines[lines.length - 1].points.map((p) => p[1]).filter(Number.isFinite);
  const title = svg.getAttribute("aria-label").split(":")[0];
  svg.setAttribute("aria-label", `${title}: ${y} from ${short(Math.min(...last))} to ${short(Math.max(...last))}`);
}

/** As `plot`, with units that suit people: `x` and `y` are name and unit of the axes. */
function plotInScaledUnits(svg, { x: [xName, xUnit], y: [yName, yUnit], lines, mark }) {
  const largest = (i) => lines.reduce((most, line) => line.points.reduce((m, p) => (Math.abs(p[i]) > m ? Math.abs(p[i]) : m), most), 0);
  const [xFactor, xScaled] = scaledUnit(largest(0), xUnit);
  const [yFactor, yScaled] = scaledUnit(largest(1), yUnit);
  const scaled = (p) => [xFactor * p[0], yFactor * p[1]];
  plot(svg, {
    x: `${xName} [${xScaled}]`,
    y: `${yName} [${yScaled}]`,
    lines: lines.map((line) => ({ ...line, points: line.points.map(scaled) })),
    mark: mark && scaled(mark),
  });
}
