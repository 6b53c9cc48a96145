// The table of a page as a grid, if the file of the ground truth has cells.
import { el, scroller } from "./dom.js";
import { ratio, tone } from "./figures.js";
import { gtText, hypText } from "./marks.js";
import { rowEdits } from "./rows.js";

/** @param {import("./types").Block} block */
export function hasCells(block) {
  return (block.cells ?? []).length > 0;
}

// Each cell has its ground truth, and below it what was recognised. Lines outside cells are in the view of lines.
/** @param {import("./types").Block} block @param {import("./types").Model} model */
export function cellsView(block, model) {
  const rows = new Map(model.rows.filter((row) => row.gt !== null).map((row) => [row.gt, row]));
  /** @type {Map<number, Map<number, number[]>>} */
  const grid = new Map();
  for (const [line, row, column] of block.cells ?? []) {
    const cells = grid.get(row) ?? new Map();
    cells.set(column, [...(cells.get(column) ?? []), line]);
    grid.set(row, cells);
  }
  const columns = [...new Set((block.cells ?? []).map(([, , column]) => column))].sort((a, b) => a - b);
  const cell = (lines) => el("td", {}, lines.map((line) => {
    const row = rows.get(line);
    if (!row) return null;
    const edits = rowEdits(block, model, row);
    return el("div", { class: `cell tone${tone(ratio(row.errors, row.n))}`, "data-gt": line, tabindex: 0 },
      el("span", { class: "gt", dir: "auto" }, gtText(edits)),
      row.errors > 0 && el("span", { class: "hyp", dir: "auto" }, row.edits ? hypText(edits) : el("em", {}, "no match")));
  }));
  return scroller("Table", el("table", { class: "cells text", id: "cells" }, el("tbody", {},
    [...grid.keys()].sort((a, b) => a - b).map((row) => el("tr", {}, columns.map((column) => cell(grid.get(row)?.get(column) ?? [])))))));
}
