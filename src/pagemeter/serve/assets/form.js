// The form of the local page: files are sent, evaluated, and the report is opened.
import { button, byId, el } from "./dom.js";
import { chosenFiles, describeFiles, droppedFiles, titleOf } from "./files.js";
import { startTheme, switchTheme } from "./theme.js";

const SIDES = { gt: "Ground truth", hyp: "Recognised pages" };
const MOST_NAMES = 5;
const AT_ONCE = 4; // files that are sent at the same time
const POLL = 300; // milliseconds between two questions about progress
const OPEN = "#open="; // before the job whose report is opened as soon as it is written
const byNumber = new Intl.Collator("en", { numeric: true });
const ACTIVE = ["receiving", "waiting", "running"];

/** @type {any} */
const data = JSON.parse(byId("data").textContent);
/** @type {Record<string, import("./files.js").Files>} */
const chosen = { gt: new Map(), hyp: new Map() };
/** @type {{ opening: string | null, polling: boolean }} */
const current = { opening: null, polling: false };
/** @type {Map<string, any>} */
const drawn = new Map(); // the entry of each job; an entry that does not change stays as it is

// Files

function drawSide(side) {
  const area = document.querySelector(`[data-side="${side}"]`);
  const files = chosen[side];
  const choose = (text, attributes) => {
    const input = el("input", { type: "file", hidden: true, "aria-label": text, multiple: true, ...attributes,
      onchange: () => addFiles(side, chosenFiles(input.files)) });
    return [button(text, `${text} of the ${SIDES[side].toLowerCase()}`, () => input.click()), input];
  };
  const names = [...files.keys()].sort(byNumber.compare);
  area?.replaceChildren(
    el("h3", { id: `${side}-title` }, SIDES[side]),
    el("p", {}, "Drop files or folders here, or choose them:"),
    el("p", { class: "tools" }, choose("Choose files", {}), choose("Choose a folder", { webkitdirectory: true })),
    ...(names.length ? [
      el("p", { class: "chosen" }, describeFiles(files), " ", button("Clear", `Clear the ${SIDES[side].toLowerCase()}`, () => clearSide(side))),
      el("ul", { class: "names" }, names.slice(0, MOST_NAMES).map((name) => el("li", {}, name)),
        names.length > MOST_NAMES && el("li", {}, "…")),
    ] : []));
}

function clearSide(side) {
  chosen[side] = new Map();
  drawSide(side);
}

/** @param {string} side @param {import("./files.js").Files} files */
function addFiles(side, files) {
  for (const [name, file] of files) chosen[side].set(name, file);
  drawSide(side);
  say("");
  warn("");
}

function listenToDrops() {
  for (const area of document.querySelectorAll(".drop")) {
    const side = /** @type {HTMLElement} */ (area).dataset.side ?? "";
    area.addEventListener("dragover", () => area.classList.add("over"));
    area.addEventListener("dragleave", () => area.classList.remove("over"));
    area.addEventListener("drop", async (event) => {
      area.classList.remove("over");
      try {
        addFiles(side, await droppedFiles(/** @type {DragEvent} */ (event).dataTransfer ?? new DataTransfer()));
      } catch { warn("The dropped files cannot be read. Choose them with the buttons."); }
    });
  }
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault()); // else they are opened
}

// Settings

function drawSettings() {
  byId("preset").append(...data.presets.map(({ name, label }) => el("option", { value: name }, label)));
  byId("preset").addEventListener("change", describePreset);
  byId("measures").append(...data.measures.map(({ id, meaning }) => el("label", {},
    el("input", { type: "checkbox", value: id }), " ", el("code", {}, id), ` – ${meaning}`)));
  describePreset();
}

function describePreset() {
  byId("about-preset").textContent = data.presets.find(({ name }) => name === byId("preset").value)?.about ?? "";
}

// Messages

function say(text, ...more) {
  byId("status").replaceChildren(...(text ? [text, ...more] : []));
}

function warn(text) {
  byId("alert").replaceChildren(...(text ? [el("p", { class: "wrong" }, text)] : []));
}

// Requests. Addresses are relative, so they contain the token of this page.

/** @param {string} method @param {string} address @param {any} [body] */
async function request(method, address, body) {
  let response;
  try {
    response = await fetch(address, { method, body });
  } catch {
    throw new Error("pagemeter does not answer. Start it again, and open the new address.");
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The request failed with status ${response.status}.`);
  return answer;
}

async function evaluateFiles() {
  warn("");
  const missing = Object.keys(SIDES).find((side) => !chosen[side].size);
  if (missing) {
    warn(`Add the ${SIDES[missing].toLowerCase()} first.`);
    return;
  }
  byId("evaluate").disabled = true;
  /** @type {any} */
  let job = null;
  try {
    job = await request("POST", "jobs", JSON.stringify({ title: titleOf(chosen.gt, chosen.hyp) }));
    await sendFiles(job.id);
    const measures = [...document.querySelectorAll("#measures input:checked")].map((input) => /** @type {HTMLInputElement} */ (input).value);
    await request("POST", `jobs/${job.id}/evaluation`, JSON.stringify({ preset: byId("preset").value, measures }));
    current.opening = job.id;
    say("Evaluating; the report opens as soon as it is written.");
    await poll();
  } catch (error) {
    warn(/** @type {Error} */ (error).message);
    say("");
    if (job) await request("DELETE", `jobs/${job.id}`).catch(() => null);
  } finally {
    byId("evaluate").disabled = false;
  }
}

// Sends all files, some at the same time, and shows how many have arrived.
async function sendFiles(id) {
  const waiting = Object.keys(SIDES).flatMap((side) => [...chosen[side]].map(([name, file]) => ({ side, name, file })));
  const progress = el("progress", { max: waiting.length, value: 0, "aria-label": "Files sent" });
  say("Receiving files ", progress);
  const send = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      await request("PUT", `jobs/${id}/${one.side}?name=${encodeURIComponent(one.name)}`, one.file);
      progress.value += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, send));
  } finally {
    waiting.length = 0; // after a failure the others stop
  }
}

// Reports

async function poll() {
  if (current.polling) return;
  current.polling = true;
  try {
    for (;;) {
      const { jobs } = await request("GET", "jobs");
      drawJobs(jobs);
      const opening = jobs.find(({ id }) => id === current.opening);
      if (!ACTIVE.includes(opening?.state)) {
        current.opening = null;
        say("");
        if (opening?.state === "done") location.assign(`jobs/${opening.id}/report.html`);
        else if (opening) warn(opening.error);
      }
      if (!current.opening && !jobs.some(({ state }) => state === "waiting" || state === "running")) return;
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  } finally {
    current.polling = false;
  }
}

function drawJobs(jobs) {
  const focused = document.activeElement?.getAttribute("data-key");
  const entries = [
    ...data.reports.map(({ name, address }) => el("li", {}, el("a", { href: address, class: "title" }, name))),
    ...jobs.map((job) => {
      const key = JSON.stringify(job);
      if (drawn.get(job.id)?.key !== key) drawn.set(job.id, { key, node: jobEntry(job) });
      return drawn.get(job.id).node;
    }),
  ];
  byId("reports").hidden = !entries.length;
  byId("jobs").replaceChildren(...entries);
  if (focused) /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${focused}"]`))?.focus();
}

function jobEntry(job) {
  const { id, title, created, state, done, pages, messages, error } = job;
  const remove = button(ACTIVE.includes(state) ? "Stop" : "Remove", `${ACTIVE.includes(state) ? "Stop" : "Remove"} ${title}`,
    () => removeJob(id), { "data-key": `remove-${id}` });
  const head = state === "done"
    ? el("a", { href: `jobs/${id}/report.html`, class: "title", "data-key": `open-${id}` }, title)
    : el("span", { class: "title" }, title);
  const save = state === "done" && el("a", { href: `jobs/${id}/report.html`, download: `${title}.html`, title: `Save the report of ${title}`,
    "data-key": `save-${id}` }, "Save");
  return el("li", { "data-job": id, "data-state": state }, head, " ", el("small", {}, created), " ", save, " ", remove,
    ACTIVE.includes(state) && el("div", {}, progressText(job), " ",
      state === "running" && el("progress", { max: pages || 1, value: pages ? done : null, "aria-label": `Progress of ${title}` })),
    error && el("p", { class: "wrong" }, error),
    messages.length > 0 && el("details", {},
      el("summary", { "data-key": `more-${id}` }, `${messages.length} message${messages.length === 1 ? "" : "s"}`),
      el("ul", {}, messages.map((text) => el("li", {}, text)))));
}

function progressText({ state, done, pages }) {
  if (state === "receiving") return "Receiving files";
  if (state === "waiting") return "Waiting for the evaluation before it";
  return pages ? `${done.toLocaleString("en-GB")} of ${pages.toLocaleString("en-GB")} pages` : "Evaluating";
}

async function removeJob(id) {
  try {
    await request("DELETE", `jobs/${id}`);
    if (current.opening === id) {
      current.opening = null;
      say("");
    }
    drawJobs((await request("GET", "jobs")).jobs);
  } catch (error) {
    warn(/** @type {Error} */ (error).message);
  }
}

async function start() {
  startTheme();
  byId("theme").addEventListener("click", switchTheme);
  Object.keys(SIDES).forEach(drawSide);
  drawSettings();
  listenToDrops();
  byId("evaluate").addEventListener("click", evaluateFiles);
  drawJobs(data.jobs);
  current.opening = location.hash.startsWith(OPEN) ? location.hash.slice(OPEN.length) : null;
  history.replaceState(null, "", location.pathname); // "back" leads to the form
  document.documentElement.dataset.ready = "yes";
  await poll().catch((error) => warn(error.message));
}

start();
