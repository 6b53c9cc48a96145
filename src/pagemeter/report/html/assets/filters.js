// Which lines are shown: by text, kind of error, type, confusion and rate. The same filter works on one page and on all.
import { button, el, select } from "./dom.js";
import { EDIT } from "./edits.js";
import { ratio } from "./figures.js";
import { KIND, textOfWords } from "./matching.js";
import { report } from "./store.js";
import { verdictOf } from "./verdicts.js";

const LINE_KINDS = [
  ["", "all lines"], ["wrong", "lines with errors"], ["misread", "misread"], ["missed", "missed"], ["invented", "invented"],
  ["replaced", "replaced"], ["moved", "moved"], ["split", "split or in part"], ["marked", "with a verdict"],
];

/** @returns {import("./types").Filter} */
export function noFilter() {
  return { text: "", side: "both", kind: "", type: "", gt: "", hyp: "", rate: 0 };
}

/** @param {import("./types").Filter} filter */
export function isActive(filter) {
  return Boolean(filter.text || filter.kind || filter.type || filter.gt || filter.hyp || filter.rate);
}

/**
 * True if a row passes.
 * @param {import("./types").Filter} filter @param {import("./types").Row} row @param {import("./types").Block} block
 * @param {import("./types").Model} model @param {string} page
 */
export function passes(filter, row, block, model, page) {
  return ofKind(filter.kind, row, block, page) && ofType(filter.type, row, block, model)
    && (!filter.rate || rowRate(row) >= filter.rate) && hasConfusion(filter, row, block)
    && (!filter.text || hasText(filter, row, block, model));
}

function rowRate(row) {
  return row.gt === null ? 1 : ratio(row.errors, row.n);
}

function ofKind(kind, row, block, page) {
  if (!kind) return true;
  if (kind === "wrong") return row.errors > 0;
  if (kind === "moved") return Boolean(row.moved);
  if (kind === "split") return row.gt !== null && (row.parts.length > 1 || row.parts.some((part) => part.to - part.from < part.of));
  if (kind === "marked") return row.gt !== null && verdictOf(page, row.gt, block.lines[row.gt]) !== null;
  return (row.kinds & KIND[kind]) > 0;
}

// The type of a GT line, or of the HYP line of a row without a match.
function ofType(type, row, block, model) {
  if (!type) return true;
  const { types } = row.gt === null ? block.systems[model.system] : block;
  const line = row.gt ?? row.parts[0]?.line;
  const own = Object.keys(types ?? {}).find((name) => types[name].includes(line)) ?? "text";
  return own === type;
}

// Substitutions of several letters are looked at one by one.
function hasConfusion({ gt, hyp }, row, block) {
  if (!gt && !hyp) return true;
  const edits = row.edits ?? (row.gt === null ? [] : [[EDIT.missing, block.lines[row.gt][0]]]);
  return edits.some(([kind, first, second]) => {
    if (kind === EDIT.substituted) {
      const [left, right] = [[...first], [...second]];
      const one = left.length === right.length && left.some((letter, at) => letter === gt && right[at] === hyp);
      return one || (first === gt && second === hyp) || (Boolean(gt) !== Boolean(hyp) && (first === gt || second === hyp));
    }
    if (kind === EDIT.missing) return Boolean(gt) && !hyp && first.includes(gt);
    return kind === EDIT.extra && Boolean(hyp) && !gt && first.includes(hyp);
  });
}

function hasText({ text, side }, row, block, model) {
  const wanted = text.toLowerCase();
  const gt = row.gt === null ? "" : block.lines[row.gt][0];
  if (side !== "hyp" && gt.toLowerCase().includes(wanted)) return true;
  return side !== "gt" && hypOf(row, block, model).toLowerCase().includes(wanted);
}

// The text of the hypothesis of a row, without marks.
function hypOf(row, block, model) {
  if (row.texts) return row.texts.map(({ text }) => text).join(" ");
  const lines = block.systems[model.system].words[model.unit];
  return row.parts.map(({ line, from, to }) => textOfWords(lines[line].slice(from, to))).join(" ");
}

/**
 * The controls of a filter. They change it, and call a function.
 * @param {import("./types").Filter} filter @param {() => void} onchange
 */
export function filterControls(filter, onchange, { searchId = "search", label = "Search lines" } = {}) {
  const change = (name, read = (value) => value) => (event) => { Object.assign(filter, { [name]: read(event.target.value) }); onchange(); };
  const field = (text, node) => el("label", {}, text, " ", node);
  const letters = (name, title) => el("input", { type: "text", class: "letters", value: filter[name], "aria-label": title, title, oninput: change(name) });
  const reset = () => {
    Object.assign(filter, noFilter());
    for (const node of more.querySelectorAll("input, select")) node.value = "";
    search.value = "";
    kind.value = "";
    onchange();
  };
  const search = el("input", { type: "search", id: searchId, placeholder: `${label}${searchId === "search" ? " ( / )" : ""}`, "aria-label": label,
    value: filter.text, oninput: change("text"), onchange: change("text") });
  const kind = select({ "aria-label": "Kind of errors", class: "kinds", onchange: change("kind") }, LINE_KINDS, filter.kind);
  const more = el("details", { class: "more-filters", open: Boolean(filter.type || filter.gt || filter.hyp || filter.rate) },
    el("summary", {}, "More filters"),
    el("div", { class: "tools" },
      field("Search in", select({ onchange: change("side", (value) => value || "both") }, [["both", "both sides"], ["gt", "ground truth"], ["hyp", "hypothesis"]], filter.side)),
      field("Type", select({ class: "types", onchange: change("type") }, [["", "all types"], ...report.overview.types.map((type) => [type, type])], filter.type)),
      el("span", {}, "Confusion ", letters("gt", "Ground truth of the confusion"), " → ", letters("hyp", "Recognised text of the confusion")),
      field("Rate at least", el("input", { type: "number", class: "least", min: 0, step: 1, value: filter.rate ? 100 * filter.rate : "",
        oninput: change("rate", (value) => Number(value) / 100 || 0) })), "%",
      button("Reset", "Show all lines", reset)));
  return { search, nodes: [search, kind, more] };
}
