// Unit tests of the rows that the page view shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gridsOf } from "../../src/pagemeter/report/html/assets/cells.js";
import { longestAscending, matchingOf, textOfWords } from "../../src/pagemeter/report/html/assets/matching.js";

const block = (lines, words, measure) => ({
  file: "", size: null, lines: lines.map((text) => [text, null, [], 1, 0, 0]), types: {}, n: { CER: lines.map((text) => text.length) },
  systems: { 0: { file: "", size: null, image: null, warnings: [], types: {}, lines: words.map(() => [null, [], 1, 0, 0]), words: { CER: words }, edits: [], measures: { "CER:S": measure } } },
});

test("a line without a match is missed, and text without a match follows the line before it", () => {
  const model = matchingOf(block(["one", "two"], [["one"], ["x", "y"]], { lines: [[0, 0, -1, [0, 1]]], left: [[1, 3, 2]] }), 0, "CER:S");
  assert.deepEqual(model.rows.map(({ gt, errors, kinds }) => [gt, errors, kinds]), [[0, 0, 0], [null, 2, 4], [1, 3, 2]]);
  assert.deepEqual(model.rows[1].texts, [{ line: 1, text: "x y" }]);
});

test("neighbouring runs without a match are one row with the sum of their errors", () => {
  const model = matchingOf(block(["one"], [["one"], ["x"], ["x"], ["x"]], { lines: [[0, 0, -1, [0, 1]]], left: [[1, 2, 1], [2, 3, 1], [3, 4, 1]] }), 0, "CER:S");
  assert.deepEqual(model.rows.map(({ errors }) => errors), [0, 3]);
  assert.deepEqual(model.rows[1].texts.map(({ line }) => line), [1, 2, 3]);
});

test("a pair that is not alike keeps its kinds", () => {
  const model = matchingOf(block(["one"], [["xyz"]], { lines: [[0, 3, 0, [0, 1], 24]], left: [] }), 0, "CER:S");
  assert.equal(model.rows[0].kinds, 24);
});

test("lines outside the longest ascending sequence are moved", () => {
  assert.deepEqual(longestAscending([3, 0, 1, 2]), [1, 2, 3]);
  const model = matchingOf(block(["a", "b", "c"], [["b"], ["c"], ["a"]], { lines: [[0, 0, -1, [2, 3]], [1, 0, -1, [0, 1]], [2, 0, -1, [1, 2]]], left: [] }), 0, "CER:S");
  assert.deepEqual(model.rows.map(({ moved }) => moved), [true, false, false]);
});

test("words that begin with a word joiner follow without a space", () => {
  assert.equal(textOfWords(["a", "b", "\u2060c"]), "a bc");
});

test("tables are separate grids, whatever the order of their cells", () => {
  const byColumn = [[0, 0, 0], [1, 1, 0], [2, 0, 1], [3, 1, 1], [4, 1, 1]];
  const second = [[5, 0, 0], [6, 0, 1]];
  const grids = gridsOf([...byColumn, ...second]);
  assert.deepEqual(grids.map((grid) => [...grid].map(([row, columns]) => [row, [...columns]])), [
    [[0, [[0, [0]], [1, [2]]]], [1, [[0, [1]], [1, [3, 4]]]]],
    [[0, [[0, [5]], [1, [6]]]]],
  ]);
});
