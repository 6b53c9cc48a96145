// The current view. It is part of the address, so it can be linked to and the back button works.
const state = { page: null, measure: "", system: 0, other: null, line: null, view: "lines" };

function readState() {
  const params = new URLSearchParams(location.hash.slice(1));
  const whole = (name, most) => {
    const value = Number.parseInt(params.get(name) ?? "", 10);
    return value >= 0 && value < most ? value : null;
  };
  const { systems } = report.overview;
  state.page = pageNamed(params.get("page"));
  state.line = whole("line", Infinity);
  state.system = whole("system", systems.length) ?? 0;
  state.other = whole("other", systems.length);
  if (state.other === state.system) state.other = null;
  state.view = params.get("view") === "order" ? "order" : "lines";
  const asked = params.get("measure");
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

// The page in an address: its name, so that the address stays valid when pages are added, or its number if an
// earlier page has the same name.
function addressName(page) {
  const { name } = report.overview.pages;
  return name.indexOf(name[page]) === page ? name[page] : page;
}

function address(changes) {
  const next = { ...state, ...changes };
  const params = new URLSearchParams();
  if (next.page !== null) params.set("page", addressName(next.page));
  params.set("measure", next.measure);
  if (next.system) params.set("system", next.system);
  if (next.page !== null && next.other !== null) params.set("other", next.other);
  if (next.page !== null && next.view !== "lines") params.set("view", next.view);
  if (next.page !== null && next.line !== null) params.set("line", next.line);
  return `#${params}`;
}

function go(changes) {
  location.hash = address(changes);
}

// Changes the address without adding to the history.
function replaceAddress(changes) {
  Object.assign(state, changes);
  history.replaceState(null, "", address({}));
}

function pageLink(page, text, more = {}) {
  if (!report.overview.pages.details[page]) {
    return el("span", { title: "Details omitted to limit the size of the report" }, text);
  }
  return el("a", { href: address({ page, line: null, ...more }) }, text);
}
