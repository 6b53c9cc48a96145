// Confusions (ground truth → recognised), with links to examples.
import { button, el } from "./dom.js";
import { number, plural, shorten } from "./figures.js";
import { findConfusion } from "./find.js";
import { unitOf } from "./matching.js";
import { mainSystem, pageLink, state } from "./state.js";
import { report } from "./store.js";

const FAULTS = {
  substitution: ["Wrong", "ground truth → recognised"],
  insertion: ["Missing", "in the ground truth only"],
  deletion: ["Extra", "in the hypothesis only"],
};
const FIRST_ROWS = 15;
const NAME_LENGTH = 22;  // characters of a page's name
const MOST_LETTERS = 60;  // of one side of a confusion

export function confusionsSection() {
  const { systems, confusions: all } = report.overview;
  const of = systems.length > 1 ? ` of ${systems[mainSystem()]}` : "";
  return Object.entries(all[mainSystem()]).map(([measure, confusions]) => {
    const [gt, hyp] = confusions.unmatched;
    const unit = unitOf(measure) === "CER" ? ["character", "Characters"] : ["word", "Words"];
    return el("section", { class: "confusions", "data-measure": measure, "aria-label": `Confusions of ${unit[0]}s` },
      el("h2", {}, `${unit[1]}: confusions${of} (ground truth → recognised)`),
      el("p", { class: "note" }, `By ${measure}, in matched lines. Not included: ${plural(gt, unit[0])} of the ground truth `
        + `in lines without a match, and ${plural(hyp, unit[0])} of the hypothesis without a match.`),
      el("div", { class: "columns" }, Object.keys(FAULTS).map((fault) => faultList(measure, fault, confusions[fault]))));
  });
}

function faultList(measure, fault, { total, top }) {
  const [title, meaning] = FAULTS[fault];
  const most = top[0]?.[2] ?? 1;
  const list = el("ol", { class: "plain" }, top.slice(0, FIRST_ROWS).map((one) => confusionItem(measure, one, most)));
  const rest = top.slice(FIRST_ROWS);
  const more = rest.length > 0 && button(`${rest.length} more`, "Show more rows", () => {
    list.append(...rest.map((one) => confusionItem(measure, one, most)));
    more.remove();
  });
  return el("div", { class: `fault ${fault}` },
    el("h3", {}, `${title} `, el("small", {}, `${number(total)} ×, ${meaning}`)),
    top.length ? list : el("p", { class: "note" }, "None."), more);
}

function confusionItem(measure, [gt, hyp, count, names, examples], most) {
  const side = (text) => text && el("bdi", { class: "glyphs", title: [...text].length > MOST_LETTERS ? text : null }, shorten(text, MOST_LETTERS));
  const text = [side(gt), gt && hyp && " → ", side(hyp)];
  const isUnit = measure.startsWith(state.measure.slice(0, 3));
  return el("li", {},
    el("div", { class: "confusion" }, el("span", { class: "what" }, text, names && el("small", {}, names)),
      el("span", { class: "count" }, number(count)), el("span", { class: "bar", "aria-hidden": "true" },
        el("span", { class: "plain", style: `width:${(100 * count / most).toFixed(1)}%` }))),
    el("div", { class: "places" }, examples.map(([page, line], at) => {
      const again = examples[at - 1]?.[0] === page;
      return [at > 0 && (again ? ", " : " "), exampleLink(page, line, measure, again)];
    }), isUnit && count > examples.length && [" ", button("all", "Find all lines with this confusion", () => findConfusion(plainText(gt), plainText(hyp)), { class: "small" })]));
}

// The text of a confusion, in which invisible characters are signs or code points.
function plainText(text) {
  return text.replaceAll("␣", " ").replaceAll("◌", "").replaceAll("⏎", "\n")
    .replace(/\[U\+([0-9A-F]{4,6})\]/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)));
}

// A link to a line; the name of the page is shown only before the first of its lines.
function exampleLink(page, line, measure, again) {
  const name = report.overview.pages.name[page];
  const link = pageLink(page, `${again ? "" : `${shorten(name, NAME_LENGTH)}:`}${line + 1}`, { line, measure, view: "lines" });
  link.title ||= `${name}, line ${line + 1}`;
  return link;
}
