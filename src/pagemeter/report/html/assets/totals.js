// The totals: one row per measure with its meaning, the default measures first and the others on request; the
// additional sections; the tables of a comparison.
import { curveChart } from "./charts.js";
import { button, el, plainTable, scroller } from "./dom.js";
import { bar, number, percent, plural, rateText } from "./figures.js";
import { comparing, go, mainSystem, state } from "./state.js";
import { report, severalSystems } from "./store.js";
import { budgetFigures } from "./story.js";

const shown = { all: false };

export function totalsSection() {
  const { overview } = report;
  return el("section", { id: "totals", "aria-label": "Totals" },
    el("h2", {}, "Measures"),
    !comparing() && [totalsTable(), budgetFigures(false)],
    (comparing() || !severalSystems()) && overview.tables.map(comparedTable),
    el("ul", { class: "notes" }, overview.notes.map((text) => el("li", {}, text))));
}

function totalsTable() {
  const { overview } = report;
  const totals = overview.totals[mainSystem()];
  const most = Math.max(...Object.values(totals).map((score) => score.rate ?? 0), 0.01);
  const intervals = overview.intervals[mainSystem()];
  const hasIntervals = Object.keys(intervals).length > 0;
  const [[, rateHeading, rateMeaning], ...columns] = overview.columns;
  const heads = [["measure"], [rateHeading, rateMeaning], ["", "bar of the rate"], hasIntervals ? [overview.confidence] : null,
    ...columns.map(([, heading, meaning]) => [heading, meaning])].filter((head) => head !== null);
  const known = overview.measures.filter(({ id }) => totals[id]);
  const first = known.some((measure) => measure.default) ? known.filter((measure) => measure.default) : known.slice(0, 6);
  const others = known.filter((measure) => !first.includes(measure));
  const row = (measure) => totalRow(measure, totals[measure.id], columns, most, hasIntervals && (intervals[measure.id] ?? null));
  const body = el("tbody", {}, first.map(row));
  if (shown.all || others.some(({ id }) => id === state.measure)) body.append(...others.map(row));
  const more = body.children.length < known.length && button(`${plural(others.length, "more measure")}`, "Show all measures", () => {
    shown.all = true;
    body.append(...others.map(row));
    more.remove();
  }, { id: "all-measures" });
  return [scroller("Measures", el("table", { class: "totals" },
    el("thead", {}, el("tr", {}, heads.map(([heading, title]) => (heading ? el("th", { scope: "col", title }, heading) : el("td", {}))))),
    body)), more];
}

function totalRow(measure, score, columns, most, interval) {
  const chosen = measure.id === state.measure;
  const star = score.canonical ? "" : " *";
  return el("tr", { class: chosen ? "chosen" : null, "data-measure": measure.id },
    el("th", { scope: "row" }, el("div", {},
      button(measure.id + star, "Show this measure", () => go({ measure: measure.id }), { "aria-pressed": String(chosen) }),
      el("small", {}, measure.meaning))),
    el("td", { class: "rate" }, rateText(score)),
    el("td", {}, bar(score.rate ?? Infinity, most)),
    interval !== false && el("td", {}, interval ?? "–"),
    columns.map(([name, , , kind]) => el("td", {}, kind === "share" ? percent(score[name]) : number(score[name]))));
}

// A table of a comparison. If it has several rows per measure, only those of the chosen measure are shown.
function comparedTable([title, headings, rows]) {
  const several = new Set(rows.map(([first]) => first)).size < rows.length;
  return plainTable(title, headings, several ? rows.filter(([first]) => first === state.measure) : rows);
}

// The additional sections, each with notes, tables and curves.
export function additionalSections() {
  return report.overview.sections.map((section) => el("section", { id: section.id, "aria-label": section.title },
    el("h2", {}, section.title),
    section.notes.map((text) => el("p", { class: "note" }, text)),
    el("div", { class: "columns" }, section.curves.map(curveChart)),
    section.tables.map(([title, headings, rows]) => plainTable(title, headings, rows))));
}
