// The totals: a row a measure with what it means, and where errors come from.
function totalsSection() {
  const { overview } = report;
  const totals = overview.totals[state.system];
  const rates = Object.values(totals).map((score) => score.rate ?? 0);
  const most = Math.max(...rates, 0.01);
  const intervals = overview.intervals[state.system];
  const between = Object.keys(intervals).length > 0;
  const heads = ["measure", "rate", "", between && overview.confidence, "errors", "INS", "DEL", "SUB", "COR", "GT",
    "precision", "recall"].filter((head) => head !== false);
  return el("section", { id: "totals", "aria-label": "Totals" },
    el("h2", {}, "Totals"),
    el("div", { class: "scroll" }, el("table", { class: "totals" },
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, overview.measures.map((measure) => totals[measure.id] &&
        totalRow(measure, totals[measure.id], most, between && (intervals[measure.id] ?? null)))))),
    budgetSection(),
    overview.tables.map(plainTable),
    el("ul", { class: "notes" }, overview.notes.map((text) => el("li", {}, text))));
}

function totalRow(measure, score, most, interval) {
  const chosen = measure.id === state.measure;
  const cells = [score.errors, score.ins, score.dels, score.sub, score.cor, score.n_gt];
  const exact = score.canonical ? "" : " *";
  return el("tr", { class: chosen ? "chosen" : null, "data-measure": measure.id },
    el("th", { scope: "row" }, el("div", {},
      button(measure.id + exact, "Show this measure", () => go({ measure: measure.id }), { "aria-pressed": String(chosen) }),
      el("small", {}, measure.meaning))),
    el("td", { class: "rate" }, rateText(score)),
    el("td", {}, bar(score.rate ?? Infinity, most)),
    interval !== false && el("td", {}, interval ?? "–"),
    cells.map((value) => el("td", {}, number(value))),
    el("td", {}, percent(score.precision)), el("td", {}, percent(score.recall)));
}

// A table of a comparison; one that has several rows a measure shows those of the chosen one.
function plainTable([title, headings, rows]) {
  const several = new Set(rows.map(([first]) => first)).size < rows.length;
  const shown = several ? rows.filter(([first]) => first === state.measure) : rows;
  return el("div", { class: "scroll" }, el("h3", {}, title), el("table", { class: "plain-table" },
    el("thead", {}, el("tr", {}, headings.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, shown.map(([first, ...others]) => el("tr", {}, el("th", { scope: "row" }, first), others.map((text) => el("td", {}, text)))))));
}

const CAUSES = {
  recognition: "characters or words that were not read right, wherever the lines stand",
  segmentation: "lines cut or joined where the ground truth does not",
  order: "lines read in another order",
  position: "lines found elsewhere on the page",
};

// One bar for each unit: the rate of the strictest measure, divided among its causes.
function budgetSection() {
  return report.overview.budgets[state.system].map(({ measure, rate, note: remark, shares }) => {
    const said = shares.map(([, name, number]) => `${number} ${name}`).join(" + ");
    return el("figure", { class: "budget", id: `budget-${measure.slice(0, 3)}` },
      el("figcaption", {}, el("b", {}, `${measure} ${percent(rate)}`), " = ",
        shares.map(([cause, name, number], at) => [at > 0 && " + ", el("span", { class: "share" },
          el("span", { class: `key ${cause}`, "aria-hidden": "true" }), `${number} ${name}`)]), remark && ` (${remark})`),
      el("div", { class: "stack", role: "img", "aria-label": said }, shares.map(([cause, name, number, share]) =>
        el("span", { class: `cause ${cause}`, style: `flex-grow:${share}`, title: `${name}: ${number} %, ${CAUSES[cause]}` },
          el("span", {}, name)))));
  });
}
