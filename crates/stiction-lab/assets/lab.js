// The lab: the first screen, and the doors to the others.
import { h, svg, field, select } from "./dom.js";
import { ask, follow, problem } from "./jobs.js";
import * as log from "./log.js";
import { film } from "./film.js";
import { lawFrame } from "./frame.js";
import * as map from "./map.js";
import * as scenario from "./scenario.js";

const content = document.getElementById("content");

/** A block that is pulled over a table by a spring, as the simulator computes it. */
async function picture() {
  const data = await ask("api/picture");
  const [times, , , force] = data.columns;
  const places = [{ name: "hand.x", unit: "m" }, { name: "block.x", unit: "m" }];
  const node = svg("stick-slip: the force of a spring that pulls a block");
  const points = times.map((t, k) => [t, force[k]]);
  const draw = (t) => {
    const k = times.findIndex((other) => other >= t);
    plot(node, { x: "t [s]", y: "spring [N]", lines: [{ points, style: "a" }], mark: points[Math.max(k, 0)] });
  };
  const { stage, play, row } = film(data, places, [{ kind: "spring", between: ["hand", "block"] }], draw);
  // those who do not want things to move start it themselves
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) requestAnimationFrame(() => play(true));
  return h("div", {}, stage, node, row);
}

function first(start) {
  const door = (href, name, text) => h("a", { class: "door", href }, h("strong", {}, name), text);
  const moving = h("div", { class: "picture" });
  picture().then((node) => moving.append(node), () => {});
  return h("div", { class: "stack" },
    h("section", { class: "hero" },
      h("div", {}, h("h1", {}, "stiction lab"), h("p", {}, "Friction: model it, simulate it, identify it from measured data, compensate it."),
        h("p", { class: "note" }, `Version ${start.version}. Everything runs on this machine, and every result shows the command that gives it.`)),
      moving),
    h("div", { class: "doors" },
      door("#/log", "A log file", "Drop a measured record: what is in it, which law it follows, how well each number is known."),
      door("#/scenario", "A scenario", "Run a machine with friction, or write one: traces, phase portrait, energies, bodies in motion."),
      door("#/law", "A law", "Move its sliders and watch the curve, the loops, break-away and stick-slip."),
      door("#/map", "A map", "Vary two values of a scenario; look into any point.")));
}

function laws(start) {
  const frame = lawFrame();
  const pick = select(start.laws.map(({ name, summary }) => [name, `${name}: ${summary}`]), "lugre", { id: "law" });
  const show = () => frame.setAttribute("src", `law/${encodeURIComponent(pick.value)}`);
  pick.addEventListener("change", show);
  show();
  return h("div", { class: "stack" }, h("section", {}, h("h1", {}, "A law"), field("Law", pick)), frame);
}

const PAGES = { "": first, log: log.page, scenario: scenario.page, law: laws, map: map.page };
const kept = new Map();

async function route(start) {
  const name = location.hash.replace(/^#\/?/, "");
  if (name === "content") return;
  const make = PAGES[name] ?? first;
  // a page keeps what is on it while another one is shown
  if (!kept.has(make)) kept.set(make, make(start));
  content.replaceChildren(kept.get(make));
  document.title = [document.querySelector(`nav a[href="#/${name}"]`)?.textContent, "stiction lab"].filter(Boolean).join(" · ");
  document.querySelectorAll("nav a").forEach((link) => {
    if (link.getAttribute("href") === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
}

// a file that is dropped beside the place for it must not replace the page
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());

try {
  const start = await ask("api/start");
  addEventListener("hashchange", () => route(start));
  await route(start);
  follow().catch(() => {});
  document.body.dataset.ready = "1";
} catch (error) {
  content.replaceChildren(problem(error));
}
