// Edits as marked text. The kinds differ in shape as well as in colour: a wavy line below wrong text, a box around
// missing text, and a line through extra text.
const EQUAL = 0, SUBSTITUTED = 1, MISSING = 2, EXTRA = 3, EQUAL_BUT_BREAKS = 4;
const EDIT_NAMES = ["", "wrong", "missing in the hypothesis", "extra: in the hypothesis only"];

// The ground truth of a row.
function gtText(edits) {
  return edits.map(([kind, gt, hyp]) => {
    if (kind === EXTRA) return el("span", { class: "gap", title: `extra here: ${gt}`, "aria-hidden": "true" });
    if (kind === EQUAL) return gt;
    return marked(kind, gt, kind === SUBSTITUTED ? `recognised as ${hyp}` : EDIT_NAMES[kind]);
  });
}

// The hypothesis of a row; its line breaks are drawn.
function hypText(edits) {
  return edits.map(([kind, gt, hyp]) => {
    if (kind === MISSING) return el("span", { class: "gap", title: `missing here: ${gt}`, "aria-hidden": "true" });
    if (kind === EQUAL) return withBreaks(hyp ?? gt);
    if (kind === EXTRA) return marked(kind, gt, EDIT_NAMES[kind]);
    return marked(kind, hyp, `ground truth: ${gt}`);
  });
}

function marked(kind, text, title) {
  const tag = ["", "mark", "ins", "del"][kind];
  return el(tag, { title }, withBreaks(text));
}

function withBreaks(text) {
  return text.split("\n").flatMap((piece, at) => at ? [lineBreak(), piece] : [piece]);
}

function lineBreak() {
  return el("span", { class: "break", title: "a line of the hypothesis ends here" }, " ⏎ ");
}

// Edits of words, separated by spaces.
function withSpaces(edits) {
  return edits.flatMap((edit, at) => at ? [[EQUAL, " "], edit] : [edit]);
}

function legend() {
  return el("p", { class: "legend" },
    el("mark", {}, "wrong"), " ", el("ins", {}, "missing"), " ", el("del", {}, "extra"), " ",
    el("span", { class: "break" }, "⏎"), " end of a line of the hypothesis");
}
