// Edits as marked text. Each kind differs in shape as well as in colour: a wavy line below what was read as
// something else, a box around what is missing, a line through what is too much.
const EQUAL = 0, SUBSTITUTED = 1, MISSING = 2, SURPLUS = 3, EQUAL_BUT_BREAKS = 4;
const EDIT_NAMES = ["", "read as another", "missing in the hypothesis", "in the hypothesis only"];

// The ground truth of a row.
function gtText(edits) {
  return edits.map(([kind, gt, hyp]) => {
    if (kind === SURPLUS) return el("span", { class: "gap", title: `too much here: ${gt}`, "aria-hidden": "true" });
    if (kind === EQUAL) return gt;
    return marked(kind, gt, kind === SUBSTITUTED ? `read as ${hyp}` : EDIT_NAMES[kind]);
  });
}

// What was read for it; a line break of HYP is drawn.
function hypText(edits) {
  return edits.map(([kind, gt, hyp]) => {
    if (kind === MISSING) return el("span", { class: "gap", title: `missing here: ${gt}`, "aria-hidden": "true" });
    if (kind === EQUAL) return broken(hyp ?? gt);
    if (kind === SURPLUS) return marked(kind, gt, EDIT_NAMES[kind]);
    return marked(kind, hyp, `for ${gt}`);
  });
}

function marked(kind, text, title) {
  const tag = ["", "mark", "ins", "del"][kind];
  return el(tag, { title }, broken(text));
}

function broken(text) {
  return text.split("\n").flatMap((piece, at) => at ? [lineBreak(), piece] : [piece]);
}

function lineBreak() {
  return el("span", { class: "break", title: "here a line of the hypothesis ends" }, " ⏎ ");
}

// Words are marked as a whole, with the blanks between them.
function spaced(edits) {
  return edits.flatMap((edit, at) => at ? [[EQUAL, " "], edit] : [edit]);
}

function legend() {
  return el("p", { class: "legend" },
    el("mark", {}, "read as another"), " ", el("ins", {}, "missing"), " ", el("del", {}, "too much"), " ",
    el("span", { class: "break" }, "⏎"), " line end of the hypothesis");
}
