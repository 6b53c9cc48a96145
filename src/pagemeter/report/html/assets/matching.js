// The matching of a measure on a page, as the views need it.
//
// rows: one for each GT line in order, and one for each run of HYP words without a match, after the row whose words
// precede it. A row has the GT line (null for a run without a match), its edits, and its parts: the pieces of HYP
// lines that it was matched with. hyps: for each HYP line the rows that were matched with a piece of it.
function matchingOf(block, system, id) {
  const read = block.systems[system];
  const measure = read?.measures[id];
  if (!measure) return null;
  const unit = id.startsWith("CER") ? "CER" : "WER";
  const words = wordList(read.words[unit]);
  const rows = block.lines.map((_, gt) => ({ gt, errors: block.n[unit][gt], n: block.n[unit][gt], edits: null, parts: [] }));
  for (const [gt, errors, edits, taken] of measure.lines) {
    const places = id.startsWith("BOW") ? taken : range(...taken);
    Object.assign(rows[gt], { bag: id.startsWith("BOW"), errors, edits: editsOf(block.lines[gt][0], read.edits[edits]), parts: partsOf(words, places) });
    rows[gt].first = places.length ? Math.min(...places) : null;
    rows[gt].last = places.length ? Math.max(...places) : null;
  }
  sortEqualLines(block, rows, id);
  markMoved(rows, id);
  const left = measure.left.map(([from, to, size]) => leftOverRow(words, from, to, size));
  const all = withLeftOver(rows, left);
  return { id, unit, rows: all, words, hyps: hypLines(read, all) };
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

// A word that begins with this character follows the previous word of its line without a space.
const NO_SPACE = "\u2060";

function textOfWords(words) {
  return words.join(" ").replaceAll(" " + NO_SPACE, "");
}

// All words of the page with their line and their index in it. `gap` is the space before the word.
function wordList(lines) {
  return lines.flatMap((words, line) => words.map((word, at) => {
    const close = word.startsWith(NO_SPACE);
    return { text: close ? word.slice(1) : word, gap: at ? (close ? "" : " ") : "\n", line, at, of: words.length };
  }));
}

// The edits as [kind, texts …]; the end of a HYP line among equal tokens is part of the text.
function editsOf(text, flat) {
  if (!flat) return [[EQUAL, text]];
  const edits = [];
  for (let at = 0; at < flat.length;) {
    const kind = flat[at];
    const texts = kind === SUBSTITUTED || kind === EQUAL_BUT_BREAKS ? 2 : 1;
    edits.push([kind === EQUAL_BUT_BREAKS ? EQUAL : kind, ...flat.slice(at + 1, at + 1 + texts)]);
    at += 1 + texts;
  }
  return edits;
}

// The pieces of HYP lines that a row was matched with, in the order of HYP.
function partsOf(words, places) {
  const parts = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const { line, at, of } = words[place];
    const last = parts.at(-1);
    if (last?.line === line) last.to = at + 1;
    else parts.push({ line, from: at, to: at + 1, of });
  }
  return parts;
}

function leftOverRow(words, from, to, size) {
  const text = range(from, to).map((place) => (place > from ? words[place].gap : "") + words[place].text).join("");
  return { gt: null, errors: size, n: 0, edits: [[EXTRA, text]], parts: partsOf(words, range(from, to)), first: from, last: to - 1 };
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
function longestAscending(values) {
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

// Inserts each run without a match after the row that has the words just before it.
function withLeftOver(rows, left) {
  const after = new Map();
  const ends = rows.filter((row) => row.last !== null && row.last !== undefined).sort((a, b) => a.last - b.last);
  for (const run of left) {
    let anchor = null;
    for (const row of ends) {
      if (row.last >= run.first) break;
      anchor = row;
    }
    after.set(anchor, [...(after.get(anchor) ?? []), run]);
  }
  return [...(after.get(null) ?? []), ...rows.flatMap((row) => [row, ...(after.get(row) ?? [])])];
}

// For each HYP line: the rows that were matched with a piece of it, and the mean of their rates, weighted by words.
function hypLines(read, rows) {
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
