// The page of scenarios: choose or write one, see what is wrong where it is wrong, run it, look at it.
import { h, table, field, select } from "./dom.js";
import { ask, post, run, problem, downloads } from "./jobs.js";
import { Traces, portrait } from "./traces.js";
import { motion } from "./motion.js";

/** An editor with numbers of lines, of which one can be marked. */
function editor(change) {
  const lines = h("div", { class: "lines", "aria-hidden": "true" });
  const text = h("textarea", { spellcheck: "false", wrap: "off", "aria-label": "scenario in TOML", "aria-describedby": "verdict" });
  let wrong = null;
  // a text area prints only what is in sight
  const paper = h("pre", { class: "on-paper", "aria-hidden": "true" });
  const number = () => {
    paper.textContent = text.value;
    const count = text.value.split("\n").length;
    lines.replaceChildren(...Array.from({ length: count }, (_, k) => h("div", { class: k + 1 === wrong ? "wrong" : "" }, String(k + 1))));
    lines.scrollTop = text.scrollTop;
  };
  text.addEventListener("input", () => {
    number();
    change();
  });
  text.addEventListener("scroll", () => (lines.scrollTop = text.scrollTop));
  return {
    node: h("div", {}, h("div", { class: "editor" }, lines, text), paper),
    get text() {
      return text.value;
    },
    set text(value) {
      text.value = value;
      number();
      change();
    },
    mark(line) {
      wrong = line ?? null;
      number();
    },
    go(line, column) {
      const before = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      text.focus();
      text.setSelectionRange(before + column - 1, before + column - 1);
    },
  };
}

function energies(energy) {
  const rows = [["stored before", energy.before, "in"], ["work done on it", energy.work, "in"], ["taken by friction", energy.friction, "out"],
    ["taken by dampers", energy.damping, "out"], ["lost in impacts", energy.impact, "out"], ["stored after", energy.after, "out"]];
  const most = Math.max(...rows.map((row) => Math.abs(row[1]))) || 1;
  const bar = (value, kind) => {
    const node = element("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true", height: 12 });
    node.append(element("rect", { width: (100 * Math.abs(value)) / most, height: 8, class: kind === "in" ? "bar-in" : "bar-out" }));
    return node;
  };
  return h("figure", {}, h("h2", {}, "Energy [J]"), h("div", { class: "bars" },
    rows.flatMap(([name, value, kind]) => [h("span", {}, name), bar(value, kind), h("span", {}, short(value))])),
    h("figcaption", {}, `What comes in is what goes out, to ${short(energy.error)} J.`));
}

/** Everything about a run. */
export async function shown(job, links) {
  const { result } = job;
  const columns = Object.entries(result.units).map(([name, unit]) => ({ name, unit }));
  const source = { job: job.id, file: "trace.csv" };
  const places = columns.filter((column) => column.name.endsWith(".x")).map((column) => column.name);
  const forces = columns.filter((column) => column.name.endsWith(".force")).map((column) => column.name);
  const speeds = columns.filter((column) => column.name.endsWith(".v")).map((column) => column.name);
  const names = [...places.slice(0, 2), ...speeds.slice(0, 1), ...forces.slice(0, 2)];
  const chosen = columns.filter((column) => names.includes(column.name));
  const traces = new Traces(source, columns, chosen.length > 0 ? chosen : columns.slice(1, 4));
  const stretch = columns.find((column) => column.name.endsWith(".stretch"))?.name;
  const axes = [stretch ?? places[0] ?? columns[0].name, speeds[0] ?? columns[1]?.name ?? columns[0].name];
  const measures = Object.entries(result.measures).map(([name, value]) => [name, value ?? "did not happen"]);
  return h("div", { class: "stack" },
    result.notes.map((note) => h("p", { class: "note" }, note)),
    await motion(source, columns, links),
    h("div", { class: "two" },
      h("figure", {}, h("h2", {}, "Traces"), traces.node),
      h("div", { class: "stack" }, portrait(source, columns, axes), energies(result.energy),
        measures.length > 0 ? h("figure", {}, h("h2", {}, "Measures"), table(["measure", "value"], measures)) : null,
        h("figure", {}, h("h2", {}, `Events: ${result.stats.events}`),
          table(["t [s]", "contact", "event"], result.events.slice(0, 12).map((event) => [event.t, event.contact, event.kind])),
          result.events.length > 12 ? h("p", { class: "note" }, "The first twelve; events.csv has all.") : null),
        downloads(job))));
}

/** A choice of a scenario with its text, and its check; `checked` gets every check. */
export function scenarioChoice(start, checked) {
  const verdict = h("div", { id: "verdict", class: "verdict", role: "status" });
  let [timer, state] = [null, {}];
  const check = async () => {
    const asked = edit.text;
    let found;
    try {
      found = await post("api/check", asked);
    } catch (error) {
      // another page checks a text at the same time
      if (error.status === 409) {
        clearTimeout(timer);
        timer = setTimeout(check, 500);
        return;
      }
      found = { error: error.message, hint: error.hint };
    }
    // an answer to an older text
    if (asked !== edit.text) return;
    state = { ...found, text: asked };
    edit.mark(found.line);
    const place = found.line ? h("button", { type: "button", onclick: () => edit.go(found.line, found.column) }, `line ${found.line}, column ${found.column}`) : null;
    verdict.replaceChildren(found.error
      ? h("p", { class: "error" }, place, " ", found.error, found.hint ? h("span", { class: "note" }, ` ${found.hint}`) : null)
      : h("p", {}, h("span", { class: "good" }, "✓ "), `${found.title || "This scenario"}: ${found.count} columns, ${short(found.end)} s`),
      ...(found.notes ?? []).map((note) => h("p", { class: "note" }, note)));
    checked(found);
  };
  const edit = editor(() => {
    clearTimeout(timer);
    timer = setTimeout(check, 250);
  });
  const pick = select(start.scenarios.map(({ name, title }) => [name, title ? `${name}: ${title}` : name]), "a7", { "aria-label": "scenario" });
  const load = async () => {
    const asked = pick.value;
    const found = await ask(`api/scenarios/${encodeURIComponent(asked)}`);
    // another one was chosen in the meantime, whose text may have come earlier
    if (asked === pick.value) edit.text = found.text;
  };
  pick.addEventListener("change", load);
  const ready = load();
  return {
    node: h("div", {}, field("Start from", pick), edit.node, verdict),
    ready,
    pick,
    edit,
    /** What joins the bodies of the text that is there now. */
    async links() {
      if (state.text !== edit.text) await check();
      return state.text === edit.text ? state.links : [];
    },
    get source() {
      return { name: pick.value, text: edit.text };
    },
  };
}

/** The scenario that stands on its page, once that was opened. */
export const written = () => latest?.source;
let latest = null;

export function page(start) {
  const results = h("div", { id: "results" });
  const choice = (latest = scenarioChoice(start, (found) => (button.disabled = Boolean(found.error))));
  const button = h("button", { type: "button", class: "main", id: "run", onclick: go }, "Run");
  const save = h("button", { type: "button", onclick: () => {
    const link = h("a", { href: URL.createObjectURL(new Blob([choice.edit.text], { type: "text/plain" })), download: `${choice.pick.value}.toml` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } }, "Save the text");
  async function go() {
    try {
      const links = await choice.links();
      const job = await run({ do: "run", scenario: choice.source });
      results.replaceChildren(await shown(job, links));
    } catch (error) {
      results.replaceChildren(problem(error));
    }
  }
  return h("div", { class: "stack" },
    h("section", {}, h("h1", {}, "A scenario"),
      h("p", { class: "note" }, "Bodies, springs, contacts and controllers as text. It is checked while you write. A table or law in a file: drop it on the page of log files, and name it without a folder."),
      choice.node, h("div", { class: "row" }, button, save)),
    results);
}
