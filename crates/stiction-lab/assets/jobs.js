// Requests to the server, and the job that runs: its command, its progress, and the button that stops it.
import { h } from "./dom.js";

/** The answer as JSON; a refusal is thrown with its hint. */
export async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("the lab does not answer: is 'stiction lab' still running?");
  }
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error ?? response.statusText), { hint: answer.hint, status: response.status });
  return answer;
}

export const post = (path, value) => ask(path, { method: "POST", body: typeof value === "string" ? value : JSON.stringify(value) });

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const bar = document.getElementById("job");

/** What the messages say about how far it is. */
function progress(lines) {
  for (const line of [...lines].reverse()) {
    const percent = line.match(/(\d+) % done/);
    if (percent) return Number(percent[1]) / 100;
    const points = line.match(/(\d+) of (\d+) points/);
    if (points) return points[1] / points[2];
  }
  return undefined;
}

/** What the bar shows of a job: parts that stay while it runs, so that none loses the focus. */
function parts(job) {
  const copied = (button) => {
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy command"), 1500);
  };
  const copy = h("button", { type: "button", onclick: () => navigator.clipboard?.writeText(job.command).then(() => copied(copy)) }, "Copy command");
  const made = {
    id: job.id,
    state: h("strong", {}),
    progress: h("progress", { max: 1, "aria-label": "progress" }),
    stop: h("button", { type: "button", id: "stop", onclick: () => post(`api/jobs/${job.id}/stop`, {}).catch(() => {}) }, "Stop"),
    hide: h("button", { type: "button", onclick: () => {
      bar.hidden = true;
      document.getElementById("content").focus();
    } }, "Hide"),
    after: h("div", {}),
    // what a listener is told: that it began and how it ended, not every tenth of a second
    told: h("span", { class: "unseen", role: "status" }),
  };
  bar.replaceChildren(h("div", { class: "row" }, made.state, made.progress, h("code", { class: "command" }, job.command), copy, made.stop, made.hide, made.told), made.after);
  return made;
}
let shown = null;

function show(job) {
  if (shown?.id !== job.id) shown = parts(job);
  const running = job.state === "running";
  const done = running ? progress(job.lines) : undefined;
  bar.hidden = false;
  bar.dataset.state = job.state;
  shown.state.className = job.state === "failed" ? "error" : "";
  shown.state.textContent = `${job.state}, ${job.seconds.toFixed(1)} s`;
  if (done === undefined) shown.progress.removeAttribute("value");
  else shown.progress.value = done;
  const focused = !running && document.activeElement === shown.stop;
  shown.progress.hidden = shown.stop.hidden = !running;
  shown.hide.hidden = running;
  if (focused) shown.hide.focus();
  const told = running ? "The job runs." : `The job is ${job.state}.`;
  if (shown.told.textContent !== told) shown.told.textContent = told;
  if (running) return;
  const last = job.lines.filter((line) => !/^note: (\d+ %|\d+ of)/.test(line));
  // a job that was stopped has what it computed until then
  const kept = job.state !== "done" && job.files.length > 0;
  shown.after.replaceChildren(...[
    last.length > 0 ? h("details", { open: job.state === "failed" },
      h("summary", {}, `messages (${last.length})`), last.map((line) => h("div", { class: /^error/.test(line) ? "error" : "note" }, line))) : null,
    kept ? h("p", { class: "note" }, "The results are incomplete: they end where the job did.") : null,
    kept ? downloads(job) : null,
  ].filter((part) => part !== null));
}

/** Shows a job until it ends; gives its report. */
async function watch(begun) {
  let job = begun;
  for (let pause = 40; job.state === "running"; pause = Math.min(400, pause * 1.3)) {
    show(job);
    await wait(pause);
    job = await ask(`api/jobs/${job.id}`);
  }
  show(job);
  return job;
}

/** Shows the job that runs, if there is one: another page may have started it, or this one before it was loaded anew. */
export async function follow() {
  const { running } = await ask("api/jobs");
  if (running !== null) await watch(await ask(`api/jobs/${running}`));
}

/** Runs a job to its end; gives its report, with what the command printed as `result`. */
export async function run(request) {
  const buttons = document.querySelectorAll("button.main");
  buttons.forEach((button) => (button.disabled = true));
  try {
    const begun = await post("api/jobs", request).catch((error) => {
      // so that it can be stopped here, too
      if (error.status === 409) follow().catch(() => {});
      throw error;
    });
    const job = await watch(begun);
    if (job.state !== "done") {
      const error = job.lines.find((line) => line.startsWith("error: "))?.slice(7) ?? `the job ${job.state}`;
      const hint = job.lines.find((line) => line.startsWith("hint: "))?.slice(6);
      throw Object.assign(new Error(error), { hint, job });
    }
    job.result = await ask(`api/jobs/${job.id}/result`);
    document.body.dataset.jobs = String(Number(document.body.dataset.jobs ?? 0) + 1);
    return job;
  } finally {
    buttons.forEach((button) => (button.disabled = false));
  }
}

/** An error where it belongs on the page; `again` takes the request that goes on with a job that was stopped. */
export function problem(error, again) {
  const { job } = error;
  if (job?.goes_on && again) {
    return h("p", { class: "row" }, "Stopped. What was found until then is kept.", h("button", { type: "button", class: "main", onclick: () => again({ do: "resume", job: job.id }) }, "Go on"));
  }
  return h("p", { class: "error", role: "alert" }, error.message, error.hint ? h("span", { class: "note" }, ` ${error.hint}`) : null);
}

/** The address of a file of a job. */
export const fileOf = (job, name) => `api/jobs/${job.id}/files/${name.split("/").map(encodeURIComponent).join("/")}`;

/** Links to all files of a job. */
export function downloads(job) {
  const size = (bytes) => (bytes > 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`);
  return h("details", { class: "files" }, h("summary", {}, `Files (${job.files.length})`),
    h("p", {}, h("a", { href: `api/jobs/${job.id}/archive`, download: "" }, "Save all as one archive")),
    h("ul", {}, job.files.map((file) =>
      h("li", {}, h("a", { href: fileOf(job, file.name), target: /\.(html|svg|png|json)$/.test(file.name) ? "_blank" : undefined }, file.name), ` ${size(file.size)}`))));
}
