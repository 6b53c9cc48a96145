// Confusions (ground truth → recognised), with links to examples.
const FAULTS = {
  substitution: ["Wrong", "ground truth → recognised"],
  insertion: ["Missing", "in the ground truth only"],
  deletion: ["Extra", "in the hypothesis only"],
};
const FIRST_ROWS = 15;
const NAME_LENGTH = 22;  // characters of a page's name

function confusionsSection() {
  return Object.entries(report.overview.confusions[state.system]).map(([measure, confusions]) => {
    const [gt, hyp] = confusions.unmatched;
    const unit = measure.startsWith("CER") ? ["character", "Characters"] : ["word", "Words"];
    return el("section", { class: "confusions", "data-measure": measure, "aria-label": `Confusions of ${unit[0]}s` },
      el("h2", {}, `${unit[1]}: confusions (ground truth → recognised)`),
      el("p", { class: "note" }, `By ${measure}, in matched lines. Not included: ${plural(gt, unit[0])} of the ground truth `
        + `in lines without a match, and ${plural(hyp, unit[0])} of the hypothesis without a match.`),
      el("div", { class: "columns" }, Object.keys(FAULTS).map((fault) => faultTable(measure, fault, confusions[fault]))));
  });
}

function faultTable(measure, fault, { total, top }) {
  const [title, meaning] = FAULTS[fault];
  const most = top[0]?.[2] ?? 1;
  const body = el("tbody", {}, top.slice(0, FIRST_ROWS).map((one) => confusionRow(measure, one, most)));
  const rest = top.slice(FIRST_ROWS);
  const more = rest.length > 0 && button(`${rest.length} more`, "Show more rows", () => {
    body.append(...rest.map((one) => confusionRow(measure, one, most)));
    more.remove();
  });
  return el("div", { class: `fault ${fault}` },
    el("h3", {}, `${title} `, el("small", {}, `${number(total)} ×, ${meaning}`)),
    top.length ? el("table", {}, body) : el("p", { class: "note" }, "None."), more);
}

function confusionRow(measure, [gt, hyp, count, names, examples], most) {
  const text = [gt && el("bdi", { class: "glyphs" }, gt), gt && hyp && " → ", hyp && el("bdi", { class: "glyphs" }, hyp)];
  return el("tr", {},
    el("th", { scope: "row" }, text, names && el("small", {}, names)),
    el("td", {}, number(count), el("span", { class: "bar", "aria-hidden": "true" },
      el("span", { class: "plain", style: `width:${(100 * count / most).toFixed(1)}%` }))),
    el("td", { class: "places" }, examples.map(([page, line], at) => {
      const again = examples[at - 1]?.[0] === page;
      return [at > 0 && (again ? ", " : " "), exampleLink(page, line, measure, again)];
    })));
}

// A link to a line; the name of the page is shown only before the first of its lines.
function exampleLink(page, line, measure, again) {
  const name = report.overview.pages.name[page];
  const link = pageLink(page, `${again ? "" : `${shorten(name, NAME_LENGTH)}:`}${line + 1}`, { line, measure, view: "lines" });
  link.title ||= `${name}, line ${line + 1}`;
  return link;
}
