// The page of measured data: drop a file, see what is in it, identify, compare, compensate, export.
import { h, table, field, select, textInput, number } from "./dom.js";
import { ask, run, problem, downloads, fileOf } from "./jobs.js";
import { Traces } from "./traces.js";
import { lawFrame } from "./frame.js";
import { written } from "./scenario.js";

const LAWS = [["auto", "the best law"], ["coulomb", "coulomb"], ["stiction", "stiction: Coulomb and viscous"], ["stribeck", "stribeck"],
  ["lugre", "lugre, along the motion"], ["dahl", "dahl, along the motion"], ["elasto-plastic", "elasto-plastic, along the motion"], ["gms", "gms, along the motion"]];
const KNOWN = { well: "well known", loosely: "loosely known", not: "not known from this record", given: "given", held: "held at the law's own value", bound: "at its bound" };

const megabytes = (bytes) => Math.floor(bytes / 2 ** 20);
const remarks = (list) => (list.length === 0 ? null : h("ul", { class: "remarks" }, list.map(({ tone, text }) => h("li", { class: `tone-${tone}` }, text))));

/** What was found about the file. */
function audit(data) {
  const time = data.time;
  const bad = [];
  if (time) {
    if (!time.uniform) bad.push("the samples are not equally spaced");
    if (time.gaps.count) bad.push(`${time.gaps.count} gaps in time, the longest ${number(time.gaps.longest)} ${time.unit ?? "s"}`);
    for (const [key, words] of [["repeated", "times are repeated"], ["backwards", "times run backwards"], ["missing", "times are missing"]]) {
      if (time[key].count) bad.push(`${time[key].count} ${words}, first in row ${time[key].first_row}`);
    }
  } else bad.push("no time column is recognised: name it below");
  if (data.cut) bad.push("the last line is incomplete and was left out");
  for (const signal of data.signals) {
    if (signal.missing.count) bad.push(`${signal.name}: ${signal.missing.count} values are missing`);
    if (signal.min?.saturated || signal.max?.saturated) bad.push(`${signal.name} seems saturated`);
    if (signal.constant) bad.push(`${signal.name} is constant`);
  }
  const rows = data.signals.map((signal) => [signal.name, signal.unit ?? "", signal.min?.value, signal.max?.value, signal.mean, signal.deviation, signal.quantum ?? ""]);
  const rate = time ? `, ${number(time.span[1] - time.span[0])} ${time.unit ?? "s"} long, a sample every ${number(time.step.median)} ${time.unit ?? "s"}` : "";
  return h("div", {}, h("p", {}, `${data.format}: ${data.rows} rows, ${data.columns.length} columns${rate}.`),
    bad.length > 0 ? h("ul", { class: "remarks" }, bad.map((text) => h("li", { class: "tone-doubt" }, text))) : h("p", {}, "Nothing is wrong with it."),
    table(["column", "unit", "lowest", "highest", "mean", "deviation", "resolution"], rows));
}

/** One result of an identification. */
function finding(found) {
  // an end that is not known is none
  const interval = (list) => (list ? `${number(list[0]) || "−∞"} … ${number(list[1]) || "∞"}` : "");
  const estimates = Object.entries(found.estimates).map(([name, e]) => [name, e.value, e.unit, e.error ?? "", interval(e.interval), KNOWN[e.known] ?? e.known]);
  const scores = Object.entries(found.scores).map(([name, value]) => [name, value]);
  const unknown = Object.entries(found.estimates).filter(([, e]) => e.known === "not" || e.known === "bound").map(([name]) => name);
  return h("section", { class: "long" }, h("h2", {}, found.title),
    unknown.length > 0 ? h("p", {}, h("strong", {}, "The data cannot tell: "), unknown.join(", "), ".") : null,
    table(["parameter", "value", "unit", "± standard error", "95 % interval", "how well"], estimates),
    remarks(found.remarks),
    scores.length > 0 ? h("details", {}, h("summary", {}, "Scores"), table(["score", "value"], scores)) : null,
    Object.values(found.tables).map((t) => h("details", { open: /^laws/i.test(t.title) }, h("summary", {}, t.title),
      table(t.columns, t.rows.map((row) => [row.name, ...row.values.map((x) => x ?? "")])))));
}

function pictures(job) {
  const files = job.files.filter((file) => file.name.endsWith(".svg"));
  return h("div", { class: "pictures" }, files.map((file) => h("a", { href: fileOf(job, file.name), target: "_blank" },
    h("img", { src: fileOf(job, file.name), alt: `picture ${file.name}`, loading: "lazy" }))));
}

/** What can be done with an identified law. */
/** Methods of compensation side by side. */
function compared(done) {
  const { unit, methods, verdict } = done.result;
  const [factor, name] = scaledUnit(Math.max(...methods.map((m) => m.peak ?? 0)), unit);
  const length = (x) => (typeof x === "number" ? factor * x : "");
  const row = (m) => [m.method, m.failure ? `failed: ${m.failure}` : length(m.rms), length(m.peak), m.hunting ? `± ${number(length(m.hunting.amplitude))}` : "no",
    m.chatters ? `± ${number(m.chatter)}` : m.jumps ? `jumps ± ${number(m.jumps)}` : "no", m.noise_over_none, m.as_without ? "makes no difference here" : m.without_effect.map((gain) => `${gain} has no effect`).join(", ")];
  return h("div", { class: "stack" }, h("h3", {}, "Compensation"), verdict ? h("p", {}, h("strong", {}, "Verdict: "), verdict) : null,
    table(["method", `rms error [${name}]`, `largest error [${name}]`, "hunts by", `chatters [${unit === "rad" ? "N·m" : "N"}]`, "noise over none", ""], methods.map(row)), pictures(done), downloads(done));
}

/** Laws that were found, on this record and on those before, and how well each predicts the record that is open. */
const found = [];
function comparison(file, columns) {
  const section = h("section", { class: "long" });
  const judge = async () => {
    for (const one of found) {
      if (one.judged[file]) continue;
      const job = await run({ do: "identify", file, options: columns(), check: one.job });
      one.judged[file] = job.result.findings[0].scores;
    }
  };
  const button = h("button", { type: "button", class: "main", onclick: () => judge().then(show, (error) => section.append(problem(error))) }, "Judge them all on this record");
  const show = () => {
    const cells = ({ title, record, rms, judged }) => [title, record, rms, judged[file] ? 100 * judged[file].relative : "", judged[file]?.rms ?? ""];
    section.replaceChildren(h("h2", {}, "Laws side by side"),
      h("p", { class: "note" }, "Every law that is identified is kept here, also when another record is dropped. Judging predicts the friction of the open record by each of them, without fitting anything."),
      table(["law", "found in", "rms error there", "of the friction here not predicted [%]", "rms error here"], found.map(cells)), button);
  };
  show();
  return section;
}

function onwards(job, start) {
  const out = h("div", {});
  const act = (request, show) => async () => {
    try {
      out.replaceChildren(await show(await run(request())));
    } catch (error) {
      out.replaceChildren(problem(error));
    }
  };
  const servos = start.scenarios.filter(({ name }) => /^(a12|a13|servo|rig-servo|axis)/.test(name)).map(({ name, title }) => [name, `${name}: ${title}`]);
  const servo = select([...servos, ["", "the text on the page Scenario"]], "axis");
  const chosen = () => {
    const source = servo.value ? { name: servo.value } : written();
    if (!source) throw Object.assign(new Error("no scenario is written yet"), { hint: "open the page Scenario, start from 'axis', and give it your mass and your gains" });
    return source;
  };
  const methods = textInput("none,feedforward,observer,dob");
  const sample = textInput("0.001");
  const kind = select([["controller-c", "a controller in C"], ["controller-rust", "a controller in Rust"], ["law-c", "the law in C"], ["law-python", "the law in Python"], ["law-matlab", "the law in MATLAB"]], "controller-c");
  return h("section", { class: "long" }, h("h2", {}, "Use it"),
    h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: act(() => ({ do: "export", model: job.id, what: "page" }), (done) =>
      lawFrame(fileOf(done, done.files[0].name))) }, "Sliders"),
      h("a", { href: fileOf(job, "report.html"), target: "_blank" }, "The report as a page")),
    h("div", { class: "fields form" }, field("Servo to compensate", servo, "its controller and its own friction; the methods know the law found here"), field("Methods", methods)),
    h("button", { type: "button", class: "main", onclick: act(() => ({ do: "compensate", scenario: chosen(), model: job.id, methods: methods.value.split(",").map((word) => word.trim()) }), compared) }, "Compare compensators"),
    h("div", { class: "fields form" }, field("Export", kind), field("Sample time [s]", sample, "of controllers")),
    h("button", { type: "button", class: "main", onclick: act(() => ({ do: "export", model: job.id, what: kind.value, sample: Number(sample.value) || null }), downloads) }, "Export"),
    out);
}

export function page(start) {
  const about = h("div", { class: "stack" });
  const results = h("div", { class: "stack", id: "results" });
  const input = h("input", { type: "file", id: "file" });
  const drop = h("label", { class: "drop" }, input, h("strong", {}, "Drop a log file here"), h("br"),
    h("span", { class: "note" }, `or choose one: CSV and other text, JSON, MATLAB, HDF5, Parquet, MCAP; up to ${megabytes(start.upload)} MB. It stays on this machine.`));
  input.addEventListener("change", () => input.files[0] && take(input.files[0]));
  for (const [type, over] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
    drop.addEventListener(type, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", over);
      if (type === "drop" && event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
    });
  }

  async function take(file) {
    results.replaceChildren();
    about.replaceChildren(h("p", {}, `reading ${file.name} …`));
    try {
      if (file.size > start.upload) throw Object.assign(new Error(`${file.name} is longer than ${megabytes(start.upload)} MB`), { hint: "start the lab with --upload MB, or use the command: stiction identify FILE" });
      const plain = file.name.replace(/[^A-Za-z0-9._-]+/g, "-") || "data";
      const stored = await ask(`api/files/${encodeURIComponent(plain)}`, { method: "POST", body: file });
      const job = await run({ do: "data", file: stored.file });
      about.replaceChildren(...look(file.name, stored.file, job.result));
    } catch (error) {
      about.replaceChildren(problem(error));
    }
  }

  function look(name, file, data) {
    const numbers = data.columns.map((column, place) => ({ ...column, place })).filter((column) => !column.text);
    const time = numbers.find((column) => column.name === data.time?.column) ?? numbers[0];
    const others = numbers.filter((column) => column !== time);
    const list = h("datalist", { id: "columns" }, numbers.map((column) => h("option", { value: column.name }, column.unit ?? "")));
    const inputs = {
      position: textInput("", { list: "columns" }),
      force: textInput("", { list: "columns" }),
      velocity: textInput("", { list: "columns" }),
      time: textInput("", { list: "columns" }),
      known: textInput(""),
      load: textInput("", { list: "columns" }),
      mass: textInput(""),
      filter: textInput(""),
      delay: textInput(""),
      rest: textInput(""),
    };
    // what says how a law is found, and not what the record is
    const ofFit = ["mass", "filter", "delay", "rest"];
    const law = select(LAWS, "auto");
    const find = select([["", "what suits the law"], ["sliding", "sliding friction"], ["presliding", "presliding"], ["breakaway", "break-away"]], "");
    const profile = h("input", { type: "checkbox", id: "profile" });
    const go = async (again) => {
      results.replaceChildren(h("p", { class: "note" }, "identifying …"));
      const options = Object.entries(inputs).map(([option, node]) => [option, node.value]);
      if (!find.value) options.push(["model", law.value]);
      else options.push(["find", find.value]);
      if (profile.checked && !profile.disabled) options.push(["profile", ""]);
      try {
        const job = await run(again ?? { do: "identify", file, options });
        const { result } = job;
        const has = job.files.some((file) => file.name === "model.toml");
        if (has) found.push({ job: job.id, title: result.findings[0].title, record: name, rms: result.findings[0].scores.rms, judged: {} });
        const columns = () => Object.entries(inputs).filter(([option]) => !ofFit.includes(option)).map(([option, node]) => [option, node.value]);
        results.replaceChildren(
          h("section", {}, h("h1", {}, "What was found"), h("pre", { class: "command" }, job.command), remarks(result.remarks)),
          ...result.findings.map(finding),
          h("section", { class: "long" }, h("h2", {}, "Curves and residuals"), pictures(job), downloads(job)),
          has ? comparison(file, columns) : "",
          has ? onwards(job, start) : "",
        );
      } catch (error) {
        results.replaceChildren(problem(error, go));
      }
    };
    // laws that are fitted to sliding alone have such intervals anyway
    const suits = () => (profile.disabled = Boolean(find.value) || !LAWS.find(([name]) => name === law.value)[1].endsWith("along the motion"));
    for (const choice of [law, find]) choice.addEventListener("change", suits);
    suits();
    const traces = new Traces({ file }, [time, ...others], others.slice(0, 3));
    return [
      h("section", {}, h("h2", { class: "file-name" }, name), audit(data)),
      h("div", { class: "two" },
        h("figure", {}, h("h2", {}, "The record"), traces.node),
        h("section", { class: "beside form" }, h("h2", {}, "Identify"),
          h("p", { class: "note" }, "Leave a field empty to let the program recognise the column. A field takes a column or an expression, such as 35.15*vir."),
          list,
          h("div", { class: "fields" }, field("Position", inputs.position, "m or rad"), field("Force", inputs.force, "N or N·m"),
            field("Velocity", inputs.velocity, "else from the position"), field("Time", inputs.time, "s"),
            field("Mass", inputs.mass, "if known; 0 if the force is friction"), field("Known force", inputs.known, "such as gravity")),
          h("details", {}, h("summary", {}, "More"), h("div", { class: "fields" },
            field("Load", inputs.load, "what presses, if it changes, such as a pressure"), field("Filter", inputs.filter, "such as butterworth:4:100 [Hz]"),
            field("Delay", inputs.delay, "of the force after the motion [s], or auto"), field("Rest", inputs.rest, "speed below which samples are left out [m/s]"))),
          h("div", { class: "fields" }, field("Law", law), field("Find", find)),
          h("label", { class: "row" }, profile, "Profile likelihoods", h("span", { class: "note" }, "of laws along the motion; takes longer")),
          h("button", { type: "button", class: "main", id: "identify", onclick: () => go() }, "Identify"))),
    ];
  }
  return h("div", { class: "stack" }, h("section", {}, h("h1", {}, "A log file"), drop), about, results);
}
