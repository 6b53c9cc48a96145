// The table of pages: sorted by any column, filtered by name and kind, 50 rows at a time.
const ROWS_SHOWN = 50;
const NAME_ORDER = new Intl.Collator("en", { numeric: true });
const table = { sort: null, down: true, filter: "", kind: "all", part: 0 };

const KINDS = [
  ["all", "all pages"], ["errors", "with errors"], ["clean", "without errors"], ["missed", "without hypothesis"],
  ["warnings", "with warnings"],
];

function pagesSection() {
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
        KINDS, table.kind)),
    body);
}

// The columns of rates: all measures of one system, or the chosen measure of each of several systems.
function rateColumns() {
  const { systems } = report.overview;
  if (!severalSystems()) {
    const ids = [state.measure, ...measureIds().filter((id) => id !== state.measure)];
    return ids.map((id) => ({ key: id, text: id, score: (page) => pageScore(page, id) }));
  }
  const order = [state.system, ...systems.keys()].filter((system, at, all) => all.indexOf(system) === at);
  return order.map((system) => ({ key: `system${system}`, text: systems[system], score: (page) => pageScore(page, state.measure, system) }));
}

// The difference between systems on a page: the highest rate minus the lowest.
function spread(page) {
  const rates = rateColumns().map((column) => column.score(page)?.rate ?? null).filter((rate) => rate !== null);
  return rates.length ? Math.max(...rates) - Math.min(...rates) : -1;
}

function sortColumn() {
  const known = ["name", "lines", "spread", ...rateColumns().map((column) => column.key)];
  return known.includes(table.sort) ? table.sort : rateColumns()[0].key;
}

function sortValue(page, column) {
  const { pages } = report.overview;
  if (column in pages) return pages[column][page];
  if (column === "spread") return spread(page);
  return rateColumns().find(({ key }) => key === column).score(page)?.rate ?? -1;
}

// The pages of the table in its order; by default sorted by the chosen measure, worst first.
function listedPages() {
  const { pages } = report.overview;
  const wanted = table.filter.toLowerCase();
  const chosen = pages.name.map((_, page) => page)
    .filter((page) => pages.name[page].toLowerCase().includes(wanted) && ofKind(page, table.kind));
  const column = sortColumn();
  const order = table.down ? -1 : 1;
  const values = new Map(chosen.map((page) => [page, sortValue(page, column)]));
  const compare = column === "name"
    ? (a, b) => order * NAME_ORDER.compare(values.get(a), values.get(b))
    : (a, b) => order * (values.get(a) === values.get(b) ? 0 : values.get(a) - values.get(b));
  return chosen.sort((a, b) => compare(a, b) || a - b);
}

function ofKind(page, kind) {
  const { missed, warnings } = report.overview;
  if (kind === "missed") return missed[state.system][page] > 0;
  if (kind === "warnings") return warnings[state.system][page] > 0;
  if (kind === "all") return true;
  return (pageScore(page, state.measure)?.errors > 0) === (kind === "errors");
}

function pageTable(draw) {
  const listed = listedPages();
  const columns = rateColumns();
  const shown = listed.slice(table.part * ROWS_SHOWN, (table.part + 1) * ROWS_SHOWN);
  return [
    el("div", { class: "scroll" }, el("table", { class: "pages" },
      el("thead", {}, el("tr", {}, heading("name", "page", draw), heading("lines", "lines", draw),
        columns.map(({ key, text }) => heading(key, text, draw)),
        severalSystems() && heading("spread", "difference", draw))),
      el("tbody", {}, shown.map((page) => pageRow(page, columns))))),
    partButtons(listed.length, draw),
  ];
}

function heading(column, text, draw) {
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
  return el("tr", {},
    el("th", { scope: "row" }, pageLink(page, name[page]),
      missed[state.system][page] > 0 && el("small", {}, "no hypothesis"),
      warnings[state.system][page] > 0 && el("small", {}, plural(warnings[state.system][page], "warning"))),
    el("td", {}, number(lines[page])),
    columns.map(({ score }, at) => rateCell(score(page), at === 0)),
    severalSystems() && el("td", {}, spread(page) < 0 ? "–" : percent(spread(page))));
}

function rateCell(score, first) {
  return el("td", { class: first ? "rate" : null }, score
    ? [percent(score.rate), bar(score.rate, 0.5), score.bound < score.errors && el("small", {}, "upper bound")] : "–");
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
