// What is shown, kept in the address, so that it can be linked to and the way back works.
const state = { page: null, measure: "", system: 0, other: null, line: null, view: "lines" };

function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const whole = (name, most) => {
    const value = Number.parseInt(given.get(name) ?? "", 10);
    return value >= 0 && value < most ? value : null;
  };
  const { systems } = report.overview;
  state.page = pageNamed(given.get("page"));
  state.line = whole("line", Infinity);
  state.system = whole("system", systems.length) ?? 0;
  state.other = whole("other", systems.length);
  if (state.other === state.system) state.other = null;
  state.view = given.get("view") === "order" ? "order" : "lines";
  const asked = given.get("measure");
  if (measureIds().includes(asked)) state.measure = asked;
  else if (!measureIds().includes(state.measure)) state.measure = measureIds()[0] ?? "";
}

// The page of an address: by its name, or by its number if no page has this name.
function pageNamed(asked) {
  const { name } = report.overview.pages;
  const at = name.indexOf(asked);
  if (at >= 0) return at;
  return /^\d+$/.test(asked ?? "") && Number(asked) < name.length ? Number(asked) : null;
}

// What an address calls a page: its name, so that it stays valid when pages are added; its number if another page
// before it has the same name.
function nameOf(page) {
  const { name } = report.overview.pages;
  return name.indexOf(name[page]) === page ? name[page] : page;
}

function address(changes) {
  const next = { ...state, ...changes };
  const given = new URLSearchParams();
  if (next.page !== null) given.set("page", nameOf(next.page));
  given.set("measure", next.measure);
  if (next.system) given.set("system", next.system);
  if (next.page !== null && next.other !== null) given.set("other", next.other);
  if (next.page !== null && next.view !== "lines") given.set("view", next.view);
  if (next.page !== null && next.line !== null) given.set("line", next.line);
  return `#${given}`;
}

function go(changes) {
  location.hash = address(changes);
}

// Changes the address without a step in the history.
function note(changes) {
  Object.assign(state, changes);
  history.replaceState(null, "", address({}));
}

function pageLink(page, text, more = {}) {
  if (!report.overview.pages.details[page]) {
    return el("span", { title: "Left out of the report for its size" }, text);
  }
  return el("a", { href: address({ page, line: null, ...more }) }, text);
}
