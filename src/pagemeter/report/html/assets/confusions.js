// What was read for what, with the way to where it happened.
const FAULTS = {
  substitution: ["Read as another", "in the ground truth → as it was read"],
  insertion: ["Missing", "in the ground truth, not in the hypothesis (INS)"],
  deletion: ["Too much", "in the hypothesis only (DEL)"],
};
const FIRST = 15;
const NAME = 22;  // characters of a page's name that find room

function confusionsSection() {
  const found = report.overview.confusions[state.system];
  return Object.entries(found).map(([measure, confusions]) => {
    const [gt, hyp] = confusions.unmatched;
    const unit = measure.startsWith("CER") ? ["character", "Characters"] : ["word", "Words"];
    return el("section", { class: "confusions", "data-measure": measure, "aria-label": `Confusions of ${unit[0]}s` },
      el("h2", {}, `${unit[1]}: what was read for what`),
      el("p", { class: "note" }, `By ${measure}, in lines that were matched. Beside these, ${plural(gt, unit[0])} of the `
        + `ground truth in lines that got nothing, and ${plural(hyp, unit[0])} of the hypothesis that no line got.`),
      el("div", { class: "columns" }, Object.keys(FAULTS).map((fault) => faultTable(measure, fault, confusions[fault]))));
  });
}

function faultTable(measure, fault, { total, top }) {
  const [title, meaning] = FAULTS[fault];
  const most = top[0]?.[2] ?? 1;
  const body = el("tbody", {}, top.slice(0, FIRST).map((one) => confusionRow(measure, one, most)));
  const rest = top.slice(FIRST);
  const more = rest.length > 0 && button(`${rest.length} more`, "Show more of these", () => {
    body.append(...rest.map((one) => confusionRow(measure, one, most)));
    more.remove();
  });
  return el("div", { class: `fault ${fault}` },
    el("h3", {}, `${title} `, el("small", {}, `${number(total)} ×, ${meaning}`)),
    top.length ? el("table", {}, body) : el("p", { class: "note" }, "None."), more);
}

function confusionRow(measure, [gt, hyp, count, names, places], most) {
  const text = [gt && el("bdi", { class: "glyphs" }, gt), gt && hyp && " → ", hyp && el("bdi", { class: "glyphs" }, hyp)];
  return el("tr", {},
    el("th", { scope: "row" }, text, names && el("small", {}, names)),
    el("td", {}, number(count), el("span", { class: "bar", "aria-hidden": "true" },
      el("span", { class: "plain", style: `width:${(100 * count / most).toFixed(1)}%` }))),
    el("td", { class: "places" }, places.map(([page, line], at) => {
      const again = places[at - 1]?.[0] === page;
      return [at > 0 && (again ? ", " : " "), placeLink(page, line, measure, again)];
    })));
}

// The name of the page stands before the first of its lines only.
function placeLink(page, line, measure, again) {
  const name = report.overview.pages.name[page];
  const link = pageLink(page, `${again ? "" : `${shortened(name, NAME)}:`}${line + 1}`, { line, measure, view: "lines" });
  link.title ||= `${name}, line ${line + 1}`;
  return link;
}
