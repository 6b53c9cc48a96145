// The table of pages: sorted by any column, filtered by name and kind, a leaf at a time.
const LEAF = 50;
const NAMES = new Intl.Collator("en", { numeric: true });
const table = { sort: null, down: true, filter: "", kind: "all", leaf: 0 };

const KINDS = [
  ["all", "all pages"], ["errors", "with errors"], ["clean", "without errors"], ["missed", "without hypothesis"],
  ["warnings", "with warnings"],
];

function pagesSection() {
  const body = el("div", { id: "page-table" });
  const draw = () => body.replaceChildren(...pageTable(draw));
  const again = (change) => { Object.assign(table, change, { leaf: 0 }); draw(); };
  draw();
  return el("section", { id: "pages", "aria-label": "Pages" },
    el("h2", {}, "Pages"),
    el("div", { class: "tools" },
      el("input", { type: "search", id: "filter", placeholder: "Name contains … ( / )", "aria-label": "Filter by name",
        value: table.filter, oninput: (event) => again({ filter: event.target.value }) }),
      select({ id: "kind", "aria-label": "Kind of pages", onchange: (event) => again({ kind: event.target.value }) },
        KINDS, table.kind)),
    body);
}

// The columns of rates: measures of one system or, of several, the chosen measure of each and how they differ.
function rateColumns() {
  const { systems } = report.overview;
  if (!severalSystems()) {
    const ids = [state.measure, ...measureIds().filter((id) => id !== state.measure)];
    return ids.map((id) => ({ key: id, text: id, score: (page) => pageScore(page, id) }));
  }
  const order = [state.system, ...systems.keys()].filter((system, at, all) => all.indexOf(system) === at);
  return order.map((system) => ({ key: `system${system}`, text: systems[system], score: (page) => pageScore(page, state.measure, system) }));
}

// How much the systems differ on a page: the highest rate less the lowest.
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

// The pages of the table in its order; sorted by the chosen measure, worst first, unless told otherwise.
function listedPages() {
  const { pages } = report.overview;
  const wanted = table.filter.toLowerCase();
  const kept = pages.name.map((_, page) => page)
    .filter((page) => pages.name[page].toLowerCase().includes(wanted) && ofKind(page, table.kind));
  const column = sortColumn();
  const order = table.down ? -1 : 1;
  const values = new Map(kept.map((page) => [page, sortValue(page, column)]));
  const compare = column === "name"
    ? (a, b) => order * NAMES.compare(values.get(a), values.get(b))
    : (a, b) => order * (values.get(a) === values.get(b) ? 0 : values.get(a) - values.get(b));
  return kept.sort((a, b) => compare(a, b) || a - b);
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
  const shown = listed.slice(table.leaf * LEAF, (table.leaf + 1) * LEAF);
  return [
    el("div", { class: "scroll" }, el("table", { class: "pages" },
      el("thead", {}, el("tr", {}, heading("name", "page", draw), heading("lines", "lines", draw),
        columns.map(({ key, text }) => heading(key, text, draw)),
        severalSystems() && heading("spread", "difference", draw))),
      el("tbody", {}, shown.map((page) => pageRow(page, columns))))),
    leaves(listed.length, draw),
  ];
}

function heading(column, text, draw) {
  const current = sortColumn() === column;
  const turn = () => {
    Object.assign(table, { sort: column, down: current ? !table.down : column !== "name", leaf: 0 });
    draw();
  };
  const arrow = current ? (table.down ? " ▾" : " ▴") : "";
  return el("th", { scope: "col", "data-column": column, "aria-sort": current ? (table.down ? "descending" : "ascending") : null },
    button(text + arrow, "Sort by this column", turn));
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
    ? [percent(score.rate), bar(score.rate, 0.5), score.bound < score.errors && el("small", {}, "or less")] : "–");
}

function leaves(count, draw) {
  const last = Math.max(0, Math.ceil(count / LEAF) - 1);
  const turn = (step) => { table.leaf = Math.min(last, Math.max(0, table.leaf + step)); draw(); };
  const from = count ? table.leaf * LEAF + 1 : 0;
  return el("div", { class: "tools" },
    el("span", { id: "listed", role: "status" }, `${number(from)} to ${number(Math.min(count, (table.leaf + 1) * LEAF))} of ${plural(count, "page")}`),
    last > 0 && button("Back", "The pages before", () => turn(-1), { disabled: table.leaf === 0 }),
    last > 0 && button("More", "The pages after", () => turn(1), { disabled: table.leaf === last }));
}
