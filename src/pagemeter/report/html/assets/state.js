// The current view. It is part of the address, so it can be linked to and the back button works. Numbers in
// addresses count from 1, as on the screen.
import { el } from "./dom.js";
import { hasPage, measureIds, report, severalSystems } from "./store.js";

const MOST_SYSTEMS = 3;  // side by side
const VIEWS = ["lines", "order", "table"];

/**
 * The chosen systems are none for a comparison of all.
 * @type {{ page: number | null, measure: string, systems: number[], line: number | null, view: string }}
 */
export const state = { page: null, measure: "", systems: [], line: null, view: "lines" };

export function readState() {
  const params = new URLSearchParams(location.hash.slice(1));
  const { systems, pages } = report.overview;
  state.page = named(params.get("page"), pages.name);
  const line = Number.parseInt(params.get("line") ?? "", 10);
  state.line = line >= 1 ? line - 1 : null;
  const chosen = params.getAll("system").map((name) => named(name, systems)).filter((system) => system !== null);
  state.systems = severalSystems() ? [...new Set(chosen)].slice(0, MOST_SYSTEMS) : [];
  state.view = VIEWS.find((view) => view === params.get("view")) ?? "lines";
  const asked = params.get("measure");
  if (asked && measureIds().includes(asked)) state.measure = asked;
  else if (!measureIds().includes(state.measure)) state.measure = report.overview.ranking?.measure ?? measureIds()[0] ?? "";
}

// True if the overview shows all systems, not one.
export function comparing() {
  return severalSystems() && state.systems.length !== 1;
}

// The systems that the page view shows side by side: those chosen, or the first that have the page.
export function shownSystems() {
  if (state.systems.length) return state.systems;
  const { page } = state;
  return [...report.overview.systems.keys()].filter((system) => page === null || hasPage(page, system)).slice(0, severalSystems() ? MOST_SYSTEMS : 1);
}

// The system whose numbers are shown where there is place for one.
export function mainSystem() {
  return state.systems[0] ?? 0;
}

// The system whose numbers of a page are shown: the first of those chosen, or of all, that has the page.
/** @param {number} page */
export function systemOfPage(page) {
  const chosen = state.systems.length ? state.systems : [...report.overview.systems.keys()];
  return chosen.find((system) => hasPage(page, system)) ?? mainSystem();
}

// Adds a system to those side by side, or removes it; the first one leaves if there are too many.
/** @param {number} system */
export function withSystem(system) {
  const shown = shownSystems();
  if (shown.includes(system)) return shown.length > 1 ? shown.filter((one) => one !== system) : shown;
  return [...shown, system].slice(-MOST_SYSTEMS);
}

// The index of a name in an address, or of its number if nothing has this name.
/** @param {string | null} asked @param {string[]} names */
function named(asked, names) {
  if (asked === null) return null;
  const at = names.indexOf(asked);
  if (at >= 0) return at;
  return /^\d+$/.test(asked) && Number(asked) >= 1 && Number(asked) <= names.length ? Number(asked) - 1 : null;
}

// What an address contains: the name, so that it stays valid when others are added, or the number if an earlier one
// has the same name.
/** @param {number} at @param {string[]} names */
function addressName(at, names) {
  return names.indexOf(names[at]) === at ? names[at] : String(at + 1);
}

/** @param {Partial<typeof state>} changes */
export function address(changes) {
  const next = { ...state, ...changes };
  const { pages, systems } = report.overview;
  const params = new URLSearchParams();
  if (next.page !== null) params.set("page", addressName(next.page, pages.name));
  params.set("measure", next.measure);
  for (const system of next.systems) params.append("system", addressName(system, systems));
  if (next.page !== null && next.view !== "lines") params.set("view", next.view);
  if (next.page !== null && next.line !== null) params.set("line", String(next.line + 1));
  return `#${params}`;
}

// Changes the state at once, so that the next key starts from it; the view is drawn when the address has changed.
/** @param {Partial<typeof state>} changes */
export function go(changes) {
  Object.assign(state, changes);
  location.hash = address({});
}

// Changes the address without adding to the history.
/** @param {Partial<typeof state>} changes */
export function replaceAddress(changes) {
  Object.assign(state, changes);
  history.replaceState(null, "", address({}));
}

/** @param {number} page @param {any} text @param {Partial<typeof state>} [more] */
export function pageLink(page, text, more = {}) {
  if (!report.overview.pages.details[page]) {
    return el("span", { title: "Details omitted to limit the size of the report" }, text);
  }
  return el("a", { href: address({ page, line: null, ...more }) }, text);
}
