// Search for lines in all pages. Pages are unpacked one after the other, so the first lines are shown at once.
import { button, byId, el } from "./dom.js";
import { number, percent, plural, ratio } from "./figures.js";
import { filterControls, isActive, noFilter, passes } from "./filters.js";
import { gtText, hypText } from "./marks.js";
import { matchingOf } from "./matching.js";
import { rowEdits } from "./rows.js";
import { mainSystem, pageLink, state } from "./state.js";
import { glance, report } from "./store.js";

const MOST_FOUND = 200;
const find = { filter: noFilter(), run: 0 };

export function findSection() {
  const list = el("ol", { class: "found text", id: "found-lines" });
  const status = el("span", { role: "status", class: "note", id: "find-status" });
  const stop = button("Stop", "Stop the search", () => {
    find.run += 1;
    stop.hidden = true;
    status.textContent += " Stopped.";
  }, { hidden: true });
  const start = async () => {
    const current = ++find.run;
    stop.hidden = false;
    await search(current, list, status);
    if (current === find.run) stop.hidden = true;
  };
  const controls = filterControls(find.filter, () => {}, { searchId: "find", label: "Search lines of all pages" });
  return el("section", { id: "find-all", "aria-label": "Search in all pages" },
    el("h2", {}, "Find lines in all pages"),
    el("form", { class: "tools", role: "search", onsubmit: (event) => { event.preventDefault(); start(); } },
      controls.nodes, el("button", { id: "find-start" }, "Find"), stop, status),
    list);
}

// Opens the search with a confusion.
/** @param {string} gt @param {string} hyp */
export function findConfusion(gt, hyp) {
  Object.assign(find.filter, noFilter(), { gt, hyp });
  const section = findSection();
  byId("find-all").replaceWith(section);
  section.scrollIntoView({ block: "start" });
  byId("find-start").click();
}

// Lists the lines that pass the filter, until it is stopped or another search begins.
async function search(current, list, status) {
  list.replaceChildren();
  if (!isActive(find.filter)) {
    status.textContent = "Give a text or choose a filter.";
    return;
  }
  const { pages: { name, details } } = report.overview;
  const [system, measure] = [mainSystem(), state.measure];
  let found = 0;
  for (let page = 0; page < name.length; page += 1) {
    if (!details[page]) continue;
    const block = await glance(page, system);
    if (current !== find.run || !list.isConnected) return;
    const model = block && matchingOf(block, system, measure);
    if (!block || !model) continue;
    for (const row of model.rows) {
      if (!passes(find.filter, row, block, model, name[page])) continue;
      found += 1;
      if (found <= MOST_FOUND) list.append(foundLine(page, block, model, row));
    }
    status.textContent = `${plural(found, "line")} in ${number(page + 1)} of ${plural(name.length, "page")} by ${measure}${found > MOST_FOUND ? `; the first ${MOST_FOUND} are shown` : ""}`;
  }
  status.textContent = `${plural(found, "line")} found by ${measure}${found > MOST_FOUND ? `; the first ${MOST_FOUND} are shown` : ""}`;
}

function foundLine(page, block, model, row) {
  const name = report.overview.pages.name[page];
  const where = row.gt === null ? `${name}, extra` : `${name}:${row.gt + 1}`;
  const edits = row.gt === null ? [] : rowEdits(block, model, row);
  return el("li", {},
    el("span", {}, pageLink(page, where, { line: row.gt, view: "lines" }), row.gt !== null && el("small", {}, ` ${percent(ratio(row.errors, row.n), 1)}`)),
    row.gt !== null && el("span", { dir: "auto", class: "gt" }, gtText(edits)),
    el("span", { dir: "auto", class: "hyp" }, row.texts ? el("del", {}, row.texts.map(({ text }) => text).join(" ⏎ ").slice(0, 400)) : row.edits ? hypText(edits) : el("em", {}, "no match")));
}
