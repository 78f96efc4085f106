// Line plots as SVG, drawn anew at every change.
const FRAME = { width: 460, height: 290, left: 64, right: 12, top: 12, bottom: 42 };
/** The narrowest that a plot is laid out. */
const NARROWEST = 280;

/** The frame of a plot: on a narrow screen it is as wide as the plot is there, so that its text keeps its size. */
function frameOf(svg) {
  const shown = svg.getBoundingClientRect().width || FRAME.width;
  const width = Math.round(Math.min(FRAME.width, Math.max(NARROWEST, shown)));
  return { ...FRAME, width, height: Math.round((width / FRAME.width) * FRAME.height) };
}

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

/** A number at a tick: as many digits as tell it from its neighbours. */
function tickText(x, [low, high]) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const digits = Math.ceil(Math.log10(size / (high - low))) + 2;
  return digits <= 3 || x === 0 ? short(x) : String(Number(x.toPrecision(Math.min(12, digits))));
}

/** About as many round numbers between two others. */
function ticks(low, high, about = 5) {
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const steps = [0.5, 1, 2, 5, 10].map((k) => k * power);
  const within = (step) => {
    const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  };
  const coarse = steps.findIndex((step, k) => k > 0 && step >= raw);
  const found = within(steps[coarse]);
  // one number alone does not make a scale
  return found.length > 1 ? found : within(steps[coarse - 1]);
}

/** The lowest and the highest of some values: a loop, since a hundred thousand arguments are too many for Math.min. */
function ends(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const x of values) {
    if (!Number.isFinite(x)) continue;
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return low <= high ? [low, high] : [0, 0];
}

/** Some room around the lowest and the highest. */
function range(values) {
  let [low, high] = ends(values);
  if (low === high) {
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

/** The axes of a plot: what is in sight, as `view` has it or as the lines need it. */
function axes(lines, zero, view) {
  const all = function* (i, from, to) {
    for (const { points } of lines) for (const p of points) if (from <= p[0] && p[0] <= to) yield p[i];
  };
  const x = view?.x ?? range(all(0, -Infinity, Infinity));
  if (view?.y) return [x, view.y];
  const inside = ends(all(1, ...(view?.x ?? [-Infinity, Infinity])));
  return [x, range(zero ? [...inside, 0] : inside)];
}

/** Places on the screen of the values of an axis, and back. */
function place([low, high], from, to) {
  const px = (value) => from + ((value - low) / (high - low)) * (to - from);
  return Object.assign(px, { back: (at) => low + ((at - from) / (to - from)) * (high - low) });
}

/**
 * Draws lines `{ points, style, name }` with axes; `x` and `y` name the axes with their units. The vertical axis begins at zero, or holds it,
 * unless `zero` is false. `view` has the ends of an axis in sight, as `{ x: [low, high] }`; without them all is in sight. What is drawn is kept in
 * `svg.drawn`.
 */
function plot(svg, content) {
  const { x, y, lines, mark, zero = true, view } = content;
  svg.frame = frameOf(svg);
  const { width, height, left, right, top, bottom } = svg.frame;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const [xs, ys] = axes(lines, zero, view);
  const [px, py] = [place(xs, left, width - right), place(ys, height - bottom, top)];
  const parts = [];
  // a number at a tick takes up to 50 units
  for (const value of ticks(...xs, Math.min(5, Math.floor((width - left - right) / 50)))) {
    parts.push(element("line", { class: "grid", x1: px(value), x2: px(value), y1: top, y2: height - bottom }));
    parts.push(element("text", { class: "tick", x: px(value), y: height - bottom + 16, "text-anchor": "middle" }, tickText(value, xs)));
  }
  for (const value of ticks(...ys)) {
    parts.push(element("line", { class: value === 0 ? "zero" : "grid", x1: left, x2: width - right, y1: py(value), y2: py(value) }));
    parts.push(element("text", { class: "tick", x: left - 6, y: py(value) + 4, "text-anchor": "end" }, tickText(value, ys)));
  }
  parts.push(element("text", { class: "axis", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x));
  const middle = (top + height - bottom) / 2;
  parts.push(element("text", { class: "axis", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, y));
  // an inner drawing cuts off what lies beside the axes
  const inner = element("svg", { x: left, y: top, width: width - left - right, height: height - top - bottom, viewBox: `${left} ${top} ${width - left - right} ${height - top - bottom}` });
  for (const { points, style } of lines) inner.append(element("polyline", { class: `line ${style}`, points: path(points, px, py, width) }));
  if (mark) inner.append(element("circle", { class: "mark", cx: px(mark[0]), cy: py(mark[1]), r: 4 }));
  svg.replaceChildren(...parts, inner);
  svg.drawn = { x, y, lines, px, py, xs, ys };
  svg.content = content;
  if (!svg.observer) {
    svg.observer = new ResizeObserver(() => svg.isConnected && frameOf(svg).width !== svg.frame.width && plot(svg, svg.content));
    svg.observer.observe(svg);
  }
  if (!view) svg.whole = [xs, ys];
  // for those who do not see it
  const last = ends(lines[lines.length - 1].points.map((p) => p[1]));
  svg.setAttribute("aria-label", `${svg.getAttribute("aria-label").split(":")[0]}: ${y} from ${short(last[0])} to ${short(last[1])}`);
}

/** The corners of a line on the screen. Of a long line that goes from left to right each column of pixels has its lowest and highest point. */
function path(points, px, py, width) {
  const finite = points.filter((p) => Number.isFinite(p[0]) && Number.isFinite(p[1]));
  const corner = (p) => `${px(p[0]).toFixed(2)},${py(p[1]).toFixed(2)}`;
  if (finite.length < 4 * width || finite.some((p, k) => k > 0 && p[0] < finite[k - 1][0])) return finite.map(corner).join(" ");
  // two columns to a unit of the drawing, and one for all that lies beside it on either side
  const column = (k) => Math.min(2 * width, Math.max(-1, Math.floor(2 * px(finite[k][0]))));
  const corners = [];
  for (let first = 0, next; first < finite.length; first = next) {
    const here = column(first);
    let [low, high] = [first, first];
    for (next = first; next < finite.length && column(next) === here; next++) {
      if (finite[next][1] < finite[low][1]) low = next;
      if (finite[next][1] > finite[high][1]) high = next;
    }
    corners.push(...[...new Set([first, Math.min(low, high), Math.max(low, high), next - 1])].map((k) => corner(finite[k])));
  }
  return corners.join(" ");
}

/** As `plot`, with units that suit people: `x` and `y` are name and unit of the axes. */
function plotInScaledUnits(svg, { x: [xName, xUnit], y: [yName, yUnit], lines, mark, view }) {
  const largest = (i) => lines.reduce((most, line) => line.points.reduce((m, p) => (Math.abs(p[i]) > m ? Math.abs(p[i]) : m), most), 0);
  const [xFactor, xScaled] = scaledUnit(largest(0), xUnit);
  const [yFactor, yScaled] = scaledUnit(largest(1), yUnit);
  const scaled = (p) => [xFactor * p[0], yFactor * p[1]];
  plot(svg, {
    x: `${xName} [${xScaled}]`,
    y: `${yName} [${yScaled}]`,
    lines: lines.map((line) => ({ ...line, points: line.points.map(scaled) })),
    mark: mark && scaled(mark),
    view,
  });
}
