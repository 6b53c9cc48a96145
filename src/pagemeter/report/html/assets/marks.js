// Edits as marked text. The kinds differ in shape as well as in colour: a wavy line below wrong text, a box around
// missing text, and a line through extra text. Screen readers read the kind before the text (see page.css).
import { el } from "./dom.js";
import { EDIT } from "./edits.js";
import { repetitions } from "./layout.js";

const EDIT_NAMES = ["", "wrong", "missing in the hypothesis", "extra: in the hypothesis only"];
const LONG_TEXT = 160;  // letters of extra text in which repetitions are looked for

// The ground truth of a row.
/** @param {import("./types").Edit[]} edits */
export function gtText(edits) {
  return edits.map(([kind, gt, hyp]) => {
    if (kind === EDIT.extra) return el("span", { class: "gap", title: `extra here: ${gt}`, "aria-hidden": "true" });
    if (kind === EDIT.equal) return gt;
    return marked(kind, gt, kind === EDIT.substituted ? `recognised as ${hyp}` : EDIT_NAMES[kind]);
  });
}

// The hypothesis of a row; its line breaks are drawn.
/** @param {import("./types").Edit[]} edits */
export function hypText(edits) {
  return edits.map(([kind, gt, hyp]) => {
    if (kind === EDIT.missing) return el("span", { class: "gap", title: `missing here: ${gt}`, "aria-hidden": "true" });
    if (kind === EDIT.equal) return withBreaks(hyp ?? gt);
    if (kind === EDIT.extra) return marked(kind, gt, EDIT_NAMES[kind]);
    return marked(kind, hyp ?? "", `ground truth: ${gt}`);
  });
}

// A whole line that was missed, or that was invented.
/** @param {number} kind @param {string} text @param {string} title */
export function whole(kind, text, title) {
  const node = marked(kind, text, title);
  node.classList.add("whole");
  return node;
}

/** @param {number} kind @param {string} text @param {string} title */
function marked(kind, text, title) {
  const tag = ["", "mark", "ins", "del"][kind];
  if (kind === EDIT.extra && text.length > LONG_TEXT) return el(tag, { title }, withRepetitions(text));
  return el(tag, { title }, withBreaks(text));
}

// A long text in which repeated words are shown once, with the number of times.
/** @param {string} text */
function withRepetitions(text) {
  const words = text.split(/([ \n])/).filter((_, at) => at % 2 === 0);
  return repetitions(words, 4).flatMap(({ from, to, times }) => [
    words.slice(from, to).join(" "), times > 1 ? el("b", { class: "times" }, ` × ${times}`) : null, " ",
  ]);
}

/** @param {string} text */
function withBreaks(text) {
  return text.split("\n").flatMap((piece, at) => at ? [lineBreak(), piece] : [piece]);
}

function lineBreak() {
  return el("span", { class: "break", title: "a line of the hypothesis ends here" }, " ⏎ ");
}

// Edits of words, separated by spaces.
/** @param {import("./types").Edit[]} edits @returns {import("./types").Edit[]} */
export function withSpaces(edits) {
  return edits.flatMap((edit, at) => at ? [/** @type {import("./types").Edit} */ ([EDIT.equal, " "]), edit] : [edit]);
}

export function legend() {
  return el("p", { class: "legend" },
    el("mark", {}, "wrong"), " ", el("ins", {}, "missing"), " ", el("del", {}, "extra"), " ",
    el("span", {}, el("span", { class: "break" }, "⏎"), " end of a line of the hypothesis"));
}
