// The table of a page as a grid, if the file of the ground truth has cells.
import { el, scroller } from "./dom.js";
import { ratio, tone } from "./figures.js";
import { gtText, hypText } from "./marks.js";
import { rowEdits } from "./rows.js";

/** @param {import("./types").Block} block */
export function hasCells(block) {
  return (block.cells ?? []).length > 0;
}

// The lines of each table by row and column. A new table begins where a cell is reached again.
/** @param {[line: number, row: number, column: number][]} cells @returns {Map<number, Map<number, number[]>>[]} */
export function gridsOf(cells) {
  /** @type {Map<number, Map<number, number[]>>[]} */
  const grids = [];
  let last = "";
  for (const [line, row, column] of cells) {
    const place = `${row},${column}`;
    if (!grids.length || (place !== last && grids[grids.length - 1].get(row)?.has(column))) grids.push(new Map());
    last = place;
    const grid = grids[grids.length - 1];
    const columns = grid.get(row) ?? new Map();
    columns.set(column, [...(columns.get(column) ?? []), line]);
    grid.set(row, columns);
  }
  return grids;
}

// Each cell has its ground truth, and below it what was recognised. Lines outside cells are in the view of lines.
/** @param {import("./types").Block} block @param {import("./types").Model} model */
export function cellsView(block, model) {
  const rows = new Map(model.rows.filter((row) => row.gt !== null).map((row) => [row.gt, row]));
  const cell = (lines) => el("td", {}, lines.map((line) => {
    const row = rows.get(line);
    if (!row) return null;
    const edits = rowEdits(block, model, row);
    return el("div", { class: `cell tone${tone(ratio(row.errors, row.n))}`, "data-gt": line, tabindex: 0 },
      el("span", { class: "gt", dir: "auto" }, gtText(edits)),
      row.errors > 0 && el("span", { class: "hyp", dir: "auto" }, row.edits ? hypText(edits) : el("em", {}, "no match")));
  }));
  const table = (grid) => {
    const columns = [...new Set([...grid.values()].flatMap((row) => [...row.keys()]))].sort((a, b) => a - b);
    return el("table", { class: "cells text" }, el("tbody", {},
      [...grid.keys()].sort((a, b) => a - b).map((row) => el("tr", {}, columns.map((column) => cell(grid.get(row).get(column) ?? []))))));
  };
  return scroller("Table", el("div", { id: "cells" }, gridsOf(block.cells ?? []).map(table)));
}
