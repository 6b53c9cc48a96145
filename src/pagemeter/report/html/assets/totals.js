// The totals: one row per measure with its meaning, and the error budgets.
function totalsSection() {
  const { overview } = report;
  const totals = overview.totals[state.system];
  const rates = Object.values(totals).map((score) => score.rate ?? 0);
  const most = Math.max(...rates, 0.01);
  const intervals = overview.intervals[state.system];
  const hasIntervals = Object.keys(intervals).length > 0;
  const [[, rateHeading, rateMeaning], ...columns] = overview.columns;
  const heads = [["measure"], [rateHeading, rateMeaning], [""], hasIntervals && [overview.confidence],
    ...columns.map(([, heading, meaning]) => [heading, meaning])].filter(Boolean);
  return el("section", { id: "totals", "aria-label": "Totals" },
    el("h2", {}, "Totals"),
    el("div", { class: "scroll" }, el("table", { class: "totals" },
      el("thead", {}, el("tr", {}, heads.map(([heading, title]) => el("th", { scope: "col", title }, heading)))),
      el("tbody", {}, overview.measures.map((measure) => totals[measure.id] &&
        totalRow(measure, totals[measure.id], columns, most, hasIntervals && (intervals[measure.id] ?? null)))))),
    budgetSection(),
    overview.tables.map(plainTable),
    el("ul", { class: "notes" }, overview.notes.map((text) => el("li", {}, text))));
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
function plainTable([title, headings, rows]) {
  const several = new Set(rows.map(([first]) => first)).size < rows.length;
  const shown = several ? rows.filter(([first]) => first === state.measure) : rows;
  return el("div", { class: "scroll" }, el("h3", {}, title), el("table", { class: "plain-table" },
    el("thead", {}, el("tr", {}, headings.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, shown.map(([first, ...others]) => el("tr", {}, el("th", { scope: "row" }, first), others.map((text) => el("td", {}, text)))))));
}

const CAUSES = {
  recognition: "missing, extra and wrong characters or words, wherever their lines are",
  misread: "errors in lines that were read",
  missed: "lines or long parts of lines that were not read",
  invented: "extra lines or long extra parts of lines",
  replaced: "other text instead of that of the page",
  segmentation: "lines that are split or merged differently",
  order: "lines in another reading order",
  position: "lines at another position on the page",
};

// One bar per unit: the rate of the strictest measure, divided by cause, and recognition by kind.
function budgetSection() {
  return report.overview.budgets[state.system].map(({ measure, rate, note: remark, shares }) => {
    const label = ([, name, number, , extra]) => `${number} ${name}${extra ? ` (${extra})` : ""}`;
    const text = shares.map(label).join(" + ");
    return el("figure", { class: "budget", id: `budget-${measure.slice(0, 3)}` },
      el("figcaption", {}, el("b", {}, `${measure} ${percent(rate)}`), " = ",
        shares.map((share, at) => [at > 0 && " + ", el("span", { class: "share" },
          el("span", { class: `key ${share[0]}`, "aria-hidden": "true" }), label(share))]), remark && ` (${remark})`),
      el("div", { class: "stack", role: "img", "aria-label": text }, shares.map(([cause, name, number, share]) =>
        el("span", { class: `cause ${cause}`, style: `flex-grow:${share}`, title: `${name}: ${number} %, ${CAUSES[cause]}` },
          el("span", {}, name)))));
  });
}
