// Verdicts of the reader on lines and pages: the ground truth is wrong, ignore it, or it is interesting. They are kept
// in the browser, and exported for `pagemeter eval --verdicts`. A verdict belongs to the text of a line, so it is
// found again when lines are added.
import { button, byId, el } from "./dom.js";
import { plural } from "./figures.js";
import { pageLink } from "./state.js";
import { report } from "./store.js";

const VERDICTS = [["gt wrong", "GT wrong"], ["ignore", "Ignore"], ["interesting", "Interesting"]];
const FORMAT = "pagemeter-verdicts";

/** @type {{ list: import("./types").Verdict[], stored: boolean }} */
const known = { list: [], stored: true };

function storageKey() {
  return `${FORMAT}:${report.overview.gt}`;
}

export function loadVerdicts() {
  try {
    known.list = validVerdicts(JSON.parse(localStorage.getItem(storageKey()) ?? "[]"));
  } catch { known.stored = false; } // a browser may forbid storage, or another program may have written this
}

function storeVerdicts() {
  try { localStorage.setItem(storageKey(), JSON.stringify(known.list)); } catch { known.stored = false; }
  for (const node of document.querySelectorAll("#verdicts")) node.replaceWith(verdictsSection());
}

// The verdicts in data from outside; others are ignored.
/** @param {any} data @returns {import("./types").Verdict[]} */
export function validVerdicts(data) {
  const list = Array.isArray(data) ? data : data?.verdicts;
  if (!Array.isArray(list)) return [];
  const isText = (value) => typeof value === "string";
  return list.filter((one) => one && isText(one.page) && VERDICTS.some(([name]) => name === one.verdict))
    .map(({ page, line, id, text, verdict, note }) => ({
      page, line: Number.isInteger(line) ? line : null, id: isText(id) ? id : null, text: isText(text) ? text : null,
      verdict, note: isText(note) ? note : "",
    }));
}

// The verdict on a line, or on the page if no line is given.
/** @param {string} page @param {number | null} gt @param {import("./types").GtLine} [line] */
export function verdictOf(page, gt, line) {
  return known.list.find((one) => isOf(one, page, gt, line)) ?? null;
}

// A line is the same if its text and number, or its text and id, are the same.
function isOf(one, page, gt, line) {
  if (one.page !== page) return false;
  if (gt === null || !line) return one.text === null;
  return one.text === line[0] && (one.line === gt + 1 || (one.id !== null && one.id === line[1]));
}

/** @param {string} page @param {number | null} gt @param {import("./types").GtLine | undefined} line @param {string} verdict @param {string} note */
function setVerdict(page, gt, line, verdict, note) {
  known.list = known.list.filter((one) => !isOf(one, page, gt, line));
  if (verdict) known.list.push({ page, line: gt === null ? null : gt + 1, id: line?.[1] ?? null, text: line?.[0] ?? null, verdict, note });
  storeVerdicts();
}

export function verdictName(verdict) {
  return VERDICTS.find(([name]) => name === verdict)?.[1] ?? "";
}

// The button that opens the dialog of a line or page, and shows its verdict.
/** @param {string} page @param {number | null} gt @param {import("./types").GtLine} [line] */
export function verdictButton(page, gt, line) {
  const node = button("", "", () => askVerdict(page, gt, line, () => show()), { class: "verdict" });
  const what = gt === null ? "page" : `line ${gt + 1}`;
  const show = () => {
    const one = verdictOf(page, gt, line);
    node.textContent = one ? `⚑ ${verdictName(one.verdict)}` : gt === null ? "⚑ Mark page" : "⚑";
    node.classList.toggle("set", Boolean(one));
    node.title = one ? `${verdictName(one.verdict)}${one.note ? `: ${one.note}` : ""}` : `Give a verdict on this ${gt === null ? "page" : "line"} (x)`;
    if (gt !== null) node.setAttribute("aria-label", one ? `Verdict on ${what}: ${node.title}` : `Give a verdict on ${what}`);
  };
  show();
  return node;
}

function askVerdict(page, gt, line, onchange) {
  const dialog = byId("ask");
  const one = verdictOf(page, gt, line);
  const choice = (value, text) => el("label", {}, el("input", { type: "radio", name: "verdict", value, checked: (one?.verdict ?? "") === value }), ` ${text}`);
  const note = el("textarea", { id: "verdict-note", rows: 3 });
  note.value = one?.note ?? "";
  const form = el("form", { method: "dialog" },
    el("fieldset", {}, el("legend", {}, "Verdict"), choice("", "None"), VERDICTS.map(([value, text]) => choice(value, text))),
    el("label", {}, "Note", note),
    el("p", { class: "note" }, "“GT wrong” and “Ignore” are left out by pagemeter eval --verdicts."),
    el("p", {}, el("button", { value: "save", class: "primary" }, "Save"), " ", el("button", { value: "cancel" }, "Cancel")));
  dialog.replaceChildren(el("h2", {}, gt === null ? "Page" : `Line ${gt + 1}`), line && el("p", { class: "text", dir: "auto" }, line[0]), form);
  dialog.onclose = () => {
    if (dialog.returnValue !== "save") return;
    setVerdict(page, gt, line, form.elements.verdict.value, note.value.trim());
    onchange();
  };
  dialog.returnValue = "";
  dialog.showModal();
}

// All verdicts, with export and import.
export function verdictsSection() {
  const { name } = report.overview.pages;
  const here = known.list.filter((one) => name.includes(one.page));
  const file = el("input", { type: "file", accept: ".json,application/json", class: "sr", tabindex: -1, "aria-label": "File of verdicts", onchange: importFile });
  return el("section", { id: "verdicts", "aria-label": "Verdicts" },
    el("h2", {}, "Verdicts"),
    el("p", { class: "note" }, "Mark lines and pages with ⚑ or the key x. Verdicts are kept in this browser",
      known.stored ? ". " : ", but it forbids to store them, so export them before you close the report. ",
      "Export them to share them, or to evaluate without them: ", el("code", {}, "pagemeter eval --verdicts FILE"), "."),
    here.length > 0 && el("ul", { class: "plain" }, here.map((one) => el("li", {},
      el("b", {}, verdictName(one.verdict)), " ", pageLink(name.indexOf(one.page), `${one.page}${one.line === null ? "" : `:${one.line}`}`, { line: one.line === null ? null : one.line - 1 }),
      " ", el("bdi", { class: "text" }, one.text ?? "the whole page"), one.note && el("small", {}, ` ${one.note}`)))),
    el("div", { class: "tools" },
      button(`Export ${plural(here.length, "verdict")}`, "Save as a JSON file", () => exportFile(here), { id: "export-verdicts", disabled: here.length === 0 }),
      button("Import", "Add the verdicts of a JSON file", () => file.click()), file));
}

// The content of the file of verdicts.
/** @param {import("./types").Verdict[]} verdicts */
export function verdictFile(verdicts) {
  return `${JSON.stringify({ format: FORMAT, version: 1, verdicts }, null, 1)}\n`;
}

function exportFile(verdicts) {
  const url = URL.createObjectURL(new Blob([verdictFile(verdicts)], { type: "application/json" }));
  const link = el("a", { href: url, download: "verdicts.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function importFile(event) {
  const [file] = event.target.files;
  if (!file) return;
  let read = [];
  try { read = validVerdicts(JSON.parse(await file.text())); } catch { /* not a file of verdicts */ }
  for (const one of read) {
    known.list = known.list.filter((other) => !(other.page === one.page && other.line === one.line && other.text === one.text));
    known.list.push(one);
  }
  storeVerdicts();
}
