// A moving picture of the bodies of a run: blocks slide on rails, discs turn, springs and dampers join them.
import { h, svg } from "./dom.js";

const [LANE, EDGE, SIZE] = [52, 96, 30];
/** How wide it is laid out: on a telephone less, so that its text can be read. */
const WIDTH = matchMedia("(max-width: 30rem)").matches ? 380 : 640;
/** Length of the picture at normal speed [s]. */
const LENGTH = 12;

/** The value of a column at a time, on the straight line between two rows. */
function at(times, values, t) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  const share = span > 0 ? Math.min(1, Math.max(0, (t - times[low]) / span)) : 0;
  return values[low] + share * (values[high] - values[low]);
}

function coil(x1, y1, x2, y2, kind) {
  if (kind === "contact") return "";
  const [dx, dy] = [x2 - x1, y2 - y1];
  const long = Math.hypot(dx, dy) || 1;
  const point = (s, side) => `${(x1 + s * dx - (side * dy) / long).toFixed(1)},${(y1 + s * dy + (side * dx) / long).toFixed(1)}`;
  if (kind !== "spring") return `M${point(0, 0)} L${point(1, 0)}`;
  const turns = Array.from({ length: 12 }, (_, k) => point(0.12 + (0.76 * (k + 0.5)) / 12, k % 2 ? 6 : -6));
  return `M${point(0, 0)} L${point(0.12, 0)} L${turns.join(" L")} L${point(0.88, 0)} L${point(1, 0)}`;
}

/** The picture itself, a row of controls, and the function that starts it; columns of `data` are time and those of `places`. */
export function film(data, places, links, each = () => {}) {
  const times = data.columns[0];
  const bodies = places.map((column, k) => ({
    name: column.name.replace(/\.[^.]+$/, ""),
    turns: column.unit === "rad",
    values: data.columns[k + 1],
    y: LANE * k + 28,
  }));
  const sliding = bodies.filter((body) => !body.turns);
  const all = range(sliding.flatMap((body) => body.values).concat(sliding.length ? [] : [0, 1]));
  // where bodies travel far together, the picture goes with them
  const apart = times.map((_, j) => sliding.map((body) => body.values[j])).map((row) => Math.max(...row) - Math.min(...row));
  const spread = sliding.length > 1 ? Math.max(...apart) : 0;
  const follows = spread > 0 && all[1] - all[0] > 5 * spread;
  const span = follows ? 2.2 * spread : all[1] - all[0];
  const stage = svg("bodies in motion", "stage");
  stage.setAttribute("viewBox", `0 0 ${WIDTH} ${LANE * bodies.length + 28}`);
  const rails = bodies.map((body) => element("line", { class: "rail", x1: EDGE, x2: WIDTH - 10, y1: body.y + SIZE / 2, y2: body.y + SIZE / 2 }));
  const names = bodies.map((body) => element("text", { x: 4, y: body.y + 5 }, body.name.slice(0, 12)));
  const marks = Array.from({ length: 12 }, () => element("text", { class: "tick", "text-anchor": "middle", y: LANE * bodies.length + 20 }));
  const ticksOf = Array.from({ length: 12 }, () => element("line", { class: "grid", y1: 4, y2: LANE * bodies.length + 6 }));
  const shapes = bodies.map((body) => {
    if (!body.turns) return element("rect", { class: "body", y: body.y - SIZE / 2, width: SIZE, height: SIZE, rx: 4 });
    const group = element("g");
    group.append(element("circle", { class: "body", r: SIZE / 2 + 4 }), element("line", { class: "spoke", x1: 0, x2: SIZE / 2 + 4, y1: 0, y2: 0 }));
    return group;
  });
  const joints = links
    .map(({ kind, between }) => ({ kind, ends: between.map((name) => bodies.find((body) => body.name === name)) }))
    .filter(({ kind, ends }) => ["spring", "damper"].includes(kind) && ends.every((body) => body && !body.turns))
    .map((joint) => ({ ...joint, path: element("path", { class: "link" }) }));
  stage.append(...ticksOf, ...rails, ...joints.map((joint) => joint.path), ...shapes, ...names, ...marks);

  const [begin, end] = [times[0], times[times.length - 1]];
  let [t, playing, before, waiting] = [begin, false, null, null];
  const clock = h("output", {});
  const slider = h("input", { type: "range", min: 0, max: 1, step: 0.0005, value: 0, "aria-label": "time" });
  const speed = h("select", { "aria-label": "speed" }, [0.1, 0.3, 1, 3].map((x) => h("option", { value: String(x), selected: x === 1 }, `× ${x}`)));
  const show = () => {
    const now = bodies.map((body) => at(times, body.values, t));
    const here = now.filter((_, k) => !bodies[k].turns);
    const middle = follows ? (Math.max(...here) + Math.min(...here)) / 2 : (all[0] + all[1]) / 2;
    const px = (x) => EDGE + SIZE / 2 + ((x - middle) / span + 0.5) * (WIDTH - EDGE - SIZE - 12);
    const where = bodies.map((body, k) => (body.turns ? EDGE + (WIDTH - EDGE) / 2 : px(now[k])));
    bodies.forEach((body, k) => {
      if (body.turns) shapes[k].setAttribute("transform", `translate(${where[k]} ${body.y}) rotate(${(-now[k] * 180) / Math.PI})`);
      else shapes[k].setAttribute("x", where[k] - SIZE / 2);
    });
    for (const { kind, ends, path } of joints) {
      const [a, b] = ends.map((body) => bodies.indexOf(body));
      path.setAttribute("d", coil(where[a], bodies[a].y, where[b], bodies[b].y, kind));
    }
    const grid = sliding.length > 0 ? ticks(middle - span / 2, middle + span / 2, WIDTH < 500 ? 3 : 5).slice(0, 12) : [];
    marks.forEach((mark, k) => {
      const value = grid[k];
      const x = value === undefined ? -99 : px(value);
      mark.setAttribute("x", x);
      mark.textContent = value === undefined ? "" : quantityText(value, "m");
      ticksOf[k].setAttribute("x1", x);
      ticksOf[k].setAttribute("x2", x);
    });
    clock.textContent = `t = ${short(t)} s of ${short(end)} s`;
    slider.value = (t - begin) / (end - begin);
    each(t);
  };
  const frame = (stamp) => {
    if (!playing) return;
    // it waits while another page is shown
    if (!stage.isConnected) {
      before = null;
      waiting = setTimeout(() => requestAnimationFrame(frame), 300);
      return;
    }
    if (before !== null) t += ((stamp - before) / 1000) * ((end - begin) / LENGTH) * Number(speed.value);
    before = stamp;
    if (t >= end) t = begin;
    show();
    requestAnimationFrame(frame);
  };
  const button = h("button", { type: "button", onclick: () => play(!playing) }, "Play");
  const play = (on) => {
    clearTimeout(waiting);
    playing = on;
    before = null;
    button.textContent = on ? "Pause" : "Play";
    if (on) requestAnimationFrame(frame);
  };
  slider.addEventListener("input", () => {
    play(false);
    t = begin + Number(slider.value) * (end - begin);
    show();
  });
  show();
  return { stage, follows, play, row: h("div", { class: "row" }, button, speed, slider, clock) };
}

/** Shows the run in a figure of a page, and starts it unless the reader wants nothing to move. */
export function moving(figure, run) {
  const picture = film(run, run.places, run.links);
  const note = picture.follows ? "The picture goes with the bodies; the scale below moves." : null;
  figure.replaceChildren(picture.stage, picture.row, h("figcaption", {}, note));
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) requestAnimationFrame(() => picture.play(true));
  return picture;
}
