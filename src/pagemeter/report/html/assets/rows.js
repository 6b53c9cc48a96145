// The view of lines: each line of the ground truth beside the text that it was matched with.
import { el } from "./dom.js";
import { EDIT } from "./edits.js";
import { number, percent, plural, ratio, tone } from "./figures.js";
import { passes } from "./filters.js";
import { repetitions } from "./layout.js";
import { gtText, hypText, whole, withSpaces } from "./marks.js";
import { KIND } from "./matching.js";
import { snippet } from "./snippets.js";
import { report } from "./store.js";
import { verdictButton } from "./verdicts.js";

/**
 * @typedef {{ list: any, items: { row: import("./types").Row, model: import("./types").Model, node: any }[] }} Rows
 * @param {number} page @param {import("./types").Block} block @param {import("./types").Model[]} models @param {number} pitch
 * @returns {Rows}
 */
export function rowsView(page, block, models, pitch) {
  const list = el("ol", { class: "rows", id: "rows", style: `--systems: ${models.length}` });
  list.append(headRow(models));
  const others = models.slice(1).map((model) => new Map(model.rows.filter((row) => row.gt !== null).map((row) => [row.gt, row])));
  const items = [];
  const add = (row, model, column) => {
    const node = rowItem({ page, block, models, pitch }, row, column, others.map((rows) => rows.get(row.gt) ?? null));
    list.append(node);
    items.push({ row, model, node });
  };
  for (const row of models[0].rows) add(row, models[0], 0);
  models.slice(1).forEach((model, at) => model.rows.forEach((row) => { if (row.gt === null) add(row, model, at + 1); }));
  return { list, items };
}

function headRow(models) {
  const names = models.map((model) => report.overview.systems[model.system] || "hypothesis");
  return el("li", { class: "head", "aria-hidden": "true" }, el("span", {}), el("span", {}, names.length > 1 ? `ground truth, marked for ${names[0]}` : "ground truth"),
    names.map((name) => el("span", {}, name)));
}

function rowItem({ page, block, models, pitch }, row, column, others) {
  const model = models[column];
  const isLeft = row.gt === null;
  const hyps = row.parts.map((part) => part.line).join(" ");
  const errors = row.errors + others.reduce((sum, other) => sum + (other?.errors ?? 0), 0);
  const line = isLeft ? null : block.lines[row.gt];
  const read = block.systems[model.system];
  const points = line ? line.slice(2) : read.lines[row.parts[0]?.line]?.slice(1);
  return el("li", {
    class: rowClass(row, errors), "data-gt": row.gt, "data-hyp": isLeft ? hyps : null, tabindex: 0,
    id: isLeft ? null : `line${row.gt}`,
  },
  el("span", { class: "number" }, isLeft ? "+" : String(row.gt + 1),
    el("span", { class: `dot tone${tone(ratio(row.errors, row.n))}`, title: rowTitle(row), role: "img", "aria-label": rowTitle(row) }),
    line && verdictButton(report.overview.pages.name[page], row.gt, line)),
  points && snippet(points[0], points[1], points[2], points[3], pitch),
  el("span", { class: "gt text", dir: "auto" }, isLeft ? el("em", {}, "no match") : gtSide(block, model, row)),
  models.map((one, at) => {
    if (isLeft) return at === column ? hypCell(block, model, row) : el("span", {});
    return hypCell(block, one, at ? others[at - 1] : row);
  }));
}

function rowClass(row, errors) {
  const classes = [errors ? "wrong" : "right"];
  if (row.gt === null) classes.push("left");
  else if (!row.parts.length && row.n) classes.push("lost");
  if (row.moved) classes.push("moved");
  return classes.join(" ");
}

function rowTitle(row) {
  if (row.gt === null) return `${plural(row.errors, "error")}, no match in the ground truth`;
  return `${plural(row.errors, "error")} of ${number(row.n)}`;
}

/** @param {import("./types").Block} block @param {import("./types").Model} model @param {import("./types").Row} row */
export function rowEdits(block, model, row) {
  /** @type {import("./types").Edit[]} */
  const missing = [[EDIT.missing, block.lines[row.gt ?? 0][0]]];
  const edits = row.edits ?? (row.n ? missing : []);
  return model.unit === "CER" ? edits : withSpaces(edits);
}

// Lines that match badly are shown as a whole: coloured letters would look like a match.
function isUnlike(row) {
  return (row.kinds & KIND.unlike) > 0;
}

function gtSide(block, model, row) {
  const text = block.lines[row.gt][0];
  if (isUnlike(row)) return whole(EDIT.missing, text, `missed: the recognised text is another one, ${percent(ratio(row.errors, row.n), 0)} errors`);
  if (!row.edits && row.n) return whole(EDIT.missing, text, "missed: no match in the hypothesis");
  return gtText(rowEdits(block, model, row));
}

function hypCell(block, model, row) {
  const lost = !row || (!row.edits && row.gt !== null);
  const text = lost ? (row?.n ? el("em", {}, "no match") : null) : hypSide(block, model, row);
  return el("span", { class: "hyp text", dir: "auto", "data-system": report.overview.systems[model.system] || null }, text, !lost && el("span", { class: "badges" }, badges(row)));
}

function hypSide(block, model, row) {
  if (row.gt === null) return leftText(row);
  const edits = rowEdits(block, model, row);
  if (model.id.startsWith("BOW")) return hypText(edits.filter(([kind]) => kind === EDIT.equal));
  if (!isUnlike(row)) return hypText(edits);
  const text = edits.map(([kind, gt, hyp]) => (kind === EDIT.missing ? "" : hyp ?? gt)).join("");
  return whole(EDIT.extra, text, "invented: other text than in the ground truth");
}

// Text without a match: one line per HYP line, and repeated lines once.
function leftText(row) {
  const texts = row.texts.map(({ text }) => text);
  return repetitions(texts).map(({ from, to, times }) => {
    const lines = texts.slice(from, to).map((text) => el("div", {}, whole(EDIT.extra, text, "extra: in the hypothesis only")));
    if (times === 1) return lines;
    const what = to - from === 1 ? "the same line" : `the same ${to - from} lines`;
    return el("div", { class: "repeated" }, el("b", {}, `${number(times)} × ${what}`), lines);
  });
}

// Badges of a line that was split, matched in part or moved, or that has no match.
function badges(row) {
  if (row.bag) return [];
  const badges = [];
  const lines = row.parts.map((part) => part.line + 1);
  if (isUnlike(row)) badges.push(["other text", "less than half of the longer text is right, and no long part of it"]);
  if (row.gt !== null && lines.length > 1) badges.push(["split", `matched with lines ${lines.join(", ")} of the hypothesis`]);
  const piece = row.parts.find((part) => part.to - part.from < part.of);
  if (piece && row.gt !== null) badges.push(["part", `words ${piece.from + 1} to ${piece.to} of ${piece.of} in line ${piece.line + 1} of the hypothesis`]);
  if (row.moved) badges.push(["moved", `line ${lines[0]} of the hypothesis, at another position in the reading order`]);
  if (row.gt === null) badges.push(["extra", `line ${lines.slice(0, 20).join(", ")} of the hypothesis, no match in the ground truth`]);
  return badges.map(([name, title]) => el("span", { class: "badge", title }, name));
}

// Shows only the rows that pass a filter, and returns their number.
/** @param {Rows} rows @param {import("./types").Filter} filter @param {import("./types").Block} block @param {string} page */
export function filterRows({ items }, filter, block, page) {
  let shown = 0;
  for (const { row, model, node } of items) {
    const hidden = !passes(filter, row, block, model, page);
    if (node.hidden !== hidden) node.hidden = hidden;
    shown += hidden ? 0 : 1;
  }
  return shown;
}
