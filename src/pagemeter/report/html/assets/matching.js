// The matching of a measure on a page, as the views need it.
//
// rows: one for each GT line in order, and one for each run of HYP text without a match, after the row whose words
// precede it. A row has the GT line (null for a run without a match), its edits, and its parts: the pieces of HYP
// lines that it was matched with. hyps: for each HYP line the rows that were matched with a piece of it.
import { EDIT } from "./edits.js";
import { ratio } from "./figures.js";

export const KIND = { misread: 1, missed: 2, invented: 4, replaced: 8, unlike: 16 };

/**
 * @param {import("./types").Block} block @param {number} system @param {string} id
 * @returns {import("./types").Model | null}
 */
export function matchingOf(block, system, id) {
  const read = block.systems[system];
  const measure = read?.measures[id];
  if (!measure) return null;
  const unit = unitOf(id);
  const words = wordList(read.words[unit]);
  /** @type {import("./types").Row[]} */
  const rows = block.lines.map((_, gt) => {
    const n = block.n[unit][gt];
    return { gt, errors: n, n, edits: null, parts: [], kinds: n ? KIND.missed : 0 };
  });
  const bag = id.startsWith("BOW");
  for (const [gt, errors, edits, taken, kinds] of measure.lines) {
    const places = bag ? taken : range(taken[0], taken[1]);
    Object.assign(rows[gt], {
      bag, errors, edits: editsOf(block.lines[gt][0], read.edits[edits]), parts: partsOf(words, places),
      kinds: errors ? kinds ?? (bag ? KIND.missed : KIND.misread) : 0,
      first: places.length ? Math.min(...places) : null,
      last: places.length ? Math.max(...places) : null,
    });
  }
  sortEqualLines(block, rows, id);
  markMoved(rows, id);
  const left = measure.left.map(([from, to, size]) => leftOverRow(words, from, to, size));
  const all = withLeftOver(rows, left);
  return { id, unit, rows: all, words, hyps: hypLines(read, all), system };
}

/** @param {string} id */
export function unitOf(id) {
  return id.startsWith("CER") ? "CER" : "WER";
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

// A word that begins with this character follows the previous word of its line without a space.
const NO_SPACE = "\u2060";

/** @param {string[]} words */
export function textOfWords(words) {
  return words.join(" ").replaceAll(" " + NO_SPACE, "");
}

// All words of the page with their line and their index in it. `gap` is the space before the word.
/** @param {string[][]} lines @returns {import("./types").Word[]} */
function wordList(lines) {
  return lines.flatMap((words, line) => words.map((word, at) => {
    const close = word.startsWith(NO_SPACE);
    return { text: close ? word.slice(1) : word, gap: at ? (close ? "" : " ") : "\n", line, at, of: words.length };
  }));
}

// The edits as [kind, texts …]; the end of a HYP line among equal tokens is part of the text.
/** @param {string} text @param {any[] | undefined} flat @returns {import("./types").Edit[]} */
function editsOf(text, flat) {
  if (!flat) return [[EDIT.equal, text]];
  /** @type {any[]} */
  const edits = [];
  for (let at = 0; at < flat.length;) {
    const kind = flat[at];
    const texts = kind === EDIT.substituted || kind === EDIT.equalButBreaks ? 2 : 1;
    edits.push([kind === EDIT.equalButBreaks ? EDIT.equal : kind, ...flat.slice(at + 1, at + 1 + texts)]);
    at += 1 + texts;
  }
  return edits;
}

// The pieces of HYP lines that a row was matched with, in the order of HYP.
/** @param {import("./types").Word[]} words @param {number[]} places @returns {import("./types").Part[]} */
function partsOf(words, places) {
  /** @type {import("./types").Part[]} */
  const parts = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const { line, at, of } = words[place];
    const last = parts.at(-1);
    if (last?.line === line) last.to = at + 1;
    else parts.push({ line, from: at, to: at + 1, of });
  }
  return parts;
}

/** @returns {import("./types").Row} */
function leftOverRow(words, from, to, size) {
  const texts = [];
  for (const place of range(from, to)) {
    const { line, text, gap } = words[place];
    const last = texts.at(-1);
    if (last?.line === line) last.text += gap + text;
    else texts.push({ line, text });
  }
  const parts = partsOf(words, range(from, to));
  return { gt: null, errors: size, n: 0, edits: null, parts, first: from, last: to - 1, kinds: KIND.invented, texts };
}

// Lines of equal text can exchange their matches at no cost, unless positions count. Sorted as in HYP, none looks moved.
function sortEqualLines(block, rows, id) {
  if (id.startsWith("BOW") || /:.*G/.test(id)) return;
  const alike = new Map();
  for (const row of rows.filter(({ parts }) => parts.length)) {
    const text = block.lines[row.gt][0];
    alike.set(text, [...(alike.get(text) ?? []), row]);
  }
  for (const same of alike.values()) {
    const matches = same.map((row) => ({ ...row })).sort((a, b) => a.first - b.first);
    same.forEach((row, at) => Object.assign(row, matches[at], { gt: row.gt }));
  }
}

// Marks the rows outside the longest sequence in which both sides have the same order.
function markMoved(rows, id) {
  if (id.startsWith("BOW")) return;
  const matched = rows.filter((row) => row.parts.length);
  const stays = new Set(longestAscending(matched.map((row) => row.first)).map((at) => matched[at]));
  for (const row of matched) row.moved = !stays.has(row);
}

// The indices of a longest ascending subsequence (patience sorting).
/** @param {number[]} values */
export function longestAscending(values) {
  /** @type {number[]} */
  const tails = [];
  const before = new Array(values.length).fill(-1);
  values.forEach((value, at) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]] < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low ? tails[low - 1] : -1;
    tails[low] = at;
  });
  const chain = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]) chain.push(at);
  return chain.reverse();
}

// Inserts the text without a match after the row that has the words just before it; neighbouring runs are one row.
function withLeftOver(rows, left) {
  const after = new Map();
  const ends = rows.filter((row) => row.last !== null && row.last !== undefined).sort((a, b) => a.last - b.last);
  let next = 0;
  for (const run of left) {
    while (next < ends.length && ends[next].last < run.first) next += 1;
    const anchor = next ? ends[next - 1] : null;
    const before = after.get(anchor);
    if (!before) after.set(anchor, run);
    else {
      const isSame = before.texts.at(-1).line === run.texts[0].line;
      if (isSame) before.texts.at(-1).text += ` … ${run.texts[0].text}`;
      before.texts.push(...run.texts.slice(isSame ? 1 : 0));
      before.parts.push(...run.parts);
      Object.assign(before, { errors: before.errors + run.errors, last: run.last });
    }
  }
  const behind = (row) => (after.has(row) ? [after.get(row)] : []);
  return [...behind(null), ...rows.flatMap((row) => [row, ...behind(row)])];
}

// For each HYP line: the rows that were matched with a piece of it, and the mean of their rates, weighted by words.
/** @param {import("./types").Read} read @param {import("./types").Row[]} rows @returns {import("./types").HypSummary[]} */
function hypLines(read, rows) {
  /** @type {import("./types").HypSummary[]} */
  const lines = read.lines.map(() => ({ rows: [], words: 0, wrong: 0, rate: 0 }));
  for (const row of rows) {
    const rate = row.gt === null ? 1 : Math.min(1, ratio(row.errors, row.n));
    for (const part of row.parts) {
      const line = lines[part.line];
      line.rows.push(row);
      line.words += part.to - part.from;
      line.wrong += rate * (part.to - part.from);
    }
  }
  for (const line of lines) line.rate = ratio(line.wrong, line.words);
  return lines;
}
