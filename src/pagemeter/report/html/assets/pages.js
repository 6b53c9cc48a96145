// The table of pages: sorted by any column, filtered by name and kind, 50 rows at a time.
import { button, el, scroller, select } from "./dom.js";
import { bar, number, percent, plural, tone } from "./figures.js";
import { comparing, pageLink, state, systemOfPage } from "./state.js";
import { measureIds, pageScore, report } from "./store.js";

const ROWS_SHOWN = 50;
const NAME_ORDER = new Intl.Collator("en", { numeric: true });
/** @type {{ sort: string | null, down: boolean, filter: string, kind: string, part: number, all: boolean }} */
const table = { sort: null, down: true, filter: "", kind: "all", part: 0, all: false };

const PAGE_KINDS = [
  ["all", "all pages"], ["errors", "with errors"], ["clean", "without errors"], ["missed", "without hypothesis"],
  ["warnings", "with warnings"],
];

export function pagesSection() {
  const body = el("div", { id: "page-table" });
  const draw = () => body.replaceChildren(...pageTable(draw));
  const redraw = (change) => { Object.assign(table, change, { part: 0 }); draw(); };
  draw();
  return el("section", { id: "pages", "aria-label": "Pages" },
    el("h2", {}, "Pages"),
    el("div", { class: "tools" },
      el("input", { type: "search", id: "filter", placeholder: "Filter by name ( / )", "aria-label": "Filter by name",
        value: table.filter, oninput: (event) => redraw({ filter: event.target.value }) }),
      select({ id: "kind", "aria-label": "Kind of pages", onchange: (event) => redraw({ kind: event.target.value }) },
        PAGE_KINDS, table.kind),
      !comparing() && otherMeasures().length > 0 && el("label", {}, el("input", { type: "checkbox", id: "all-columns", checked: table.all,
        onchange: (event) => redraw({ all: event.target.checked }) }), "all measures")),
    comparing() && el("p", { class: "note" }, `${state.measure} of each system; a cell leads to the page as read by the system.`),
    body);
}

// The columns of rates: the chosen measure and the default ones or, of several systems, the chosen measure of each.
function rateColumns() {
  const { systems } = report.overview;
  if (!comparing()) {
    const others = table.all ? measureIds() : firstMeasures();
    const ids = [state.measure, ...others.filter((id) => id !== state.measure)];
    return ids.map((id) => ({ key: id, text: id, system: /** @type {number | null} */ (null), score: (page) => pageScore(page, id) }));
  }
  return systems.map((name, system) => ({ key: `system${system}`, text: name, system: /** @type {number | null} */ (system), score: (page) => pageScore(page, state.measure, system) }));
}

function firstMeasures() {
  const chosen = report.overview.measures.filter((measure) => measure.default).map(({ id }) => id);
  return chosen.length ? chosen : measureIds().slice(0, 6);
}

function otherMeasures() {
  return measureIds().filter((id) => id !== state.measure && !firstMeasures().includes(id));
}

// The difference between systems on a page: the highest rate minus the lowest; -1 if a system lacks the page.
export function spread(page) {
  const rates = rateColumns().map((column) => column.score(page)?.rate ?? null).filter((rate) => rate !== null);
  if (rates.length < report.overview.systems.length) return -1;
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  return low === high ? 0 : high - low;
}

function sortColumn() {
  const known = ["name", "lines", "spread", ...rateColumns().map((column) => column.key)];
  return table.sort !== null && known.includes(table.sort) ? table.sort : rateColumns()[0].key;
}

function sortValue(page, column) {
  const { pages } = report.overview;
  if (column in pages) return pages[column][page];
  if (column === "spread") return spread(page);
  return rateColumns().find(({ key }) => key === column)?.score(page)?.rate ?? -1;
}

// The pages of the table in its order; by default sorted by the chosen measure, worst first.
export function listedPages() {
  const { pages } = report.overview;
  const wanted = table.filter.toLowerCase();
  const chosen = pages.name.map((_, page) => page)
    .filter((page) => pages.name[page].toLowerCase().includes(wanted) && isOfKind(page, table.kind));
  const column = sortColumn();
  const order = table.down ? -1 : 1;
  const values = new Map(chosen.map((page) => [page, sortValue(page, column)]));
  const compare = column === "name"
    ? (a, b) => order * NAME_ORDER.compare(values.get(a), values.get(b))
    : (a, b) => order * (values.get(a) === values.get(b) ? 0 : values.get(a) - values.get(b));
  return chosen.sort((a, b) => compare(a, b) || a - b);
}

function isOfKind(page, kind) {
  const { missed, warnings } = report.overview;
  if (kind === "missed") return (missed[systemOfPage(page)][page] ?? 0) > 0;
  if (kind === "warnings") return (warnings[systemOfPage(page)][page] ?? 0) > 0;
  if (kind === "all") return true;
  return ((pageScore(page, state.measure)?.errors ?? 0) > 0) === (kind === "errors");
}

function pageTable(draw) {
  const listed = listedPages();
  const columns = rateColumns();
  const shown = listed.slice(table.part * ROWS_SHOWN, (table.part + 1) * ROWS_SHOWN);
  return [
    scroller("Table of pages", el("table", { class: `pages${comparing() ? " heat" : ""}` },
      el("thead", {}, el("tr", {}, heading("name", "page", draw), heading("lines", "lines", draw),
        columns.map(({ key, text }) => heading(key, text, draw)),
        comparing() && heading("spread", "difference", draw))),
      el("tbody", {}, shown.map((page) => pageRow(page, columns))))),
    partButtons(listed.length, draw),
  ];
}

export function heading(column, text, draw) {
  const current = sortColumn() === column;
  const sort = () => {
    Object.assign(table, { sort: column, down: current ? !table.down : column !== "name", part: 0 });
    draw();
  };
  const arrow = current ? (table.down ? " ▾" : " ▴") : "";
  return el("th", { scope: "col", "data-column": column, "aria-sort": current ? (table.down ? "descending" : "ascending") : null },
    button(text + arrow, "Sort by this column", sort));
}

function pageRow(page, columns) {
  const { pages: { name, lines }, missed, warnings } = report.overview;
  const warned = warnings[systemOfPage(page)][page] ?? 0;
  return el("tr", {},
    el("th", { scope: "row" }, pageLink(page, name[page]),
      (missed[systemOfPage(page)][page] ?? 0) > 0 && el("small", {}, "no hypothesis"),
      warned > 0 && el("small", {}, plural(warned, "warning"))),
    el("td", {}, number(lines[page])),
    columns.map(({ score, system }, at) => (system === null ? rateCell(score(page), at === 0) : heatCell(page, system, score(page)))),
    comparing() && el("td", {}, spread(page) < 0 ? "–" : percent(spread(page))));
}

function rateCell(score, first) {
  return el("td", { class: first ? "rate" : null }, score
    ? [percent(score.rate), bar(score.rate, 0.5), score.bound < score.errors && el("small", {}, "upper bound")] : "–");
}

// A cell of the map of pages and systems, in the tone of its rate.
function heatCell(page, system, score) {
  if (!score) return el("td", {}, "–");
  return el("td", { class: `heat-cell tone${tone(score.rate)}` }, pageLink(page, percent(score.rate), { systems: [system] }));
}

function partButtons(count, draw) {
  const last = Math.max(0, Math.ceil(count / ROWS_SHOWN) - 1);
  const turn = (step) => { table.part = Math.min(last, Math.max(0, table.part + step)); draw(); };
  const from = count ? table.part * ROWS_SHOWN + 1 : 0;
  return el("div", { class: "tools" },
    el("span", { id: "listed", role: "status" }, `${number(from)} to ${number(Math.min(count, (table.part + 1) * ROWS_SHOWN))} of ${plural(count, "page")}`),
    last > 0 && button("Previous", "Previous pages", () => turn(-1), { disabled: table.part === 0 }),
    last > 0 && button("Next", "Next pages", () => turn(1), { disabled: table.part === last }));
}
