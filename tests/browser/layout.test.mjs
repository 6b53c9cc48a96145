// Unit tests of the layout of charts and pictures.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, cropOf, labelSpace, linePitch, niceAbove, repetitions, upperEnd, zoomBox } from "../../src/pagemeter/report/html/assets/layout.js";

test("axes end at round numbers that are not below the values", () => {
  assert.deepEqual([0.003, 0.01, 0.11, 0.21, 0.26, 0.9, 1, 123].map(niceAbove).map((end) => Number(end.toPrecision(3))),
    [0.005, 0.01, 0.2, 0.25, 0.5, 1, 1, 200]);
});

test("an axis leaves out outliers and infinite rates", () => {
  assert.equal(upperEnd([null, Infinity, 0, 0.1]), 0.2);
  assert.equal(upperEnd([]), 0.01);
  assert.ok(upperEnd([...new Array(99).fill(0.05), 50]) < 0.2);
});

test("long labels of an axis get more space", () => {
  assert.equal(labelSpace(["5 %"], 40), 40);
  assert.ok(labelSpace(["1,234,567 %"], 40) > 11 * 6);
});

test("repeated items are one segment", () => {
  assert.deepEqual(repetitions(["a", "b", "b", "b", "c"]), [{ from: 0, to: 1, times: 1 }, { from: 1, to: 2, times: 3 }, { from: 4, to: 5, times: 1 }]);
  assert.deepEqual(repetitions(["x", "y", "x", "y", "x", "y", "x"]), [{ from: 0, to: 2, times: 3 }, { from: 6, to: 7, times: 1 }]);
  assert.deepEqual(repetitions(new Array(399).fill("the same")), [{ from: 0, to: 1, times: 399 }]);
  assert.deepEqual(repetitions([]), []);
});

test("every item is in exactly one segment", () => {
  let seed = 7;
  const random = (most) => { seed = (seed * 1103515245 + 12345) % 2 ** 31; return seed % most; };
  for (let round = 0; round < 300; round += 1) {
    const items = Array.from({ length: random(30) }, () => "abc"[random(1 + random(3))]);
    const again = repetitions(items).flatMap(({ from, to, times }) => Array.from({ length: times }, () => items.slice(from, to)).flat());
    assert.deepEqual(again, items);
  }
});

test("a line is cropped by its outline", () => {
  const crop = cropOf([10, 100, 210, 100], 0, 30, 10, 99);
  assert.equal(crop.degrees, 0);
  assert.ok(crop.x < 0 && crop.x > -10 && crop.width > 200 && crop.width < 215);
  assert.ok(crop.y < -30 && crop.y + crop.height > 10);
});

test("without an outline the distance of lines gives the height", () => {
  const crop = cropOf([10, 100, 210, 100], 0, 0, 0, 40);
  assert.ok(crop.height > 40 && crop.height < 60);
});

test("a line that rises is turned, and one from right to left is not upside down", () => {
  assert.equal(Math.round(cropOf([0, 100, 100, 0], 0, 9, 3, 20).degrees), -45);
  assert.equal(Math.round(Math.abs(cropOf([200, 50, 0, 50], 0, 9, 3, 20).degrees)), 0);
  assert.equal(Math.round(cropOf([50, 200, 50, 0], 0, 9, 3, 20).degrees), -90);
});

test("an outline without a baseline is cropped by its box", () => {
  const crop = cropOf([10, 20, 110, 20, 110, 40, 10, 40], 1, 0, 0, 9);
  assert.deepEqual([crop.x, crop.y, crop.width, crop.height], [8, 18, 104, 24]);
  assert.equal(cropOf([5, 5], 1, 0, 0, 9), null);
  assert.equal(cropOf([], 0, 0, 0, 9), null);
});

test("the pitch is the distance of lines in a column", () => {
  const column = (left) => [0, 1, 2, 3].map((row) => [left, 100 + 50 * row, left + 80, 100 + 50 * row]);
  assert.equal(linePitch([...column(0), ...column(200).map((points) => points.map((value, at) => value + (at % 2 ? 17 : 0)))], 900), 50);
  assert.equal(linePitch([], 800), 20);
});

test("the view of a line is inside the page, in the shape of the page", () => {
  for (const box of [[10, 5, 90, 15], [0, 0, 1000, 40], [950, 1490, 999, 1500], [10, 10, 20, 1400]]) {
    const [left, top, width, height] = zoomBox(box, [0, 0, 1000, 1500]);
    assert.ok(left >= 0 && top >= 0 && left + width <= 1000.001 && top + height <= 1500.001);
    assert.ok(Math.abs(height / width - 1.5) < 1e-9);
    assert.ok(left <= box[0] && left + width >= box[2]);
  }
  assert.deepEqual(boxOf([5, 1, 2, 9]), [2, 1, 5, 9]);
});
