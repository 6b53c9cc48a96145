// The first screen: what was compared, the rate with its interval, the error budget, a few sentences, the worst pages.
import { el, svg } from "./dom.js";
import { number, percent, plural, ratio, shorten, tone } from "./figures.js";
import { bounds, imageOf, linesOf, sizeOf, toPath } from "./geometry.js";
import { comparing, mainSystem, pageLink, state, systemOfPage } from "./state.js";
import { comparedPages, loadPage, pageScore, report, severalSystems } from "./store.js";

const MOST_NAME = 40;  // characters of a page's name

export function storySection() {
  const { overview } = report;
  const story = comparing() ? overview.story : overview.stories[mainSystem()];
  if (!story?.measure) return null;
  return el("section", { id: "story", "aria-label": "Summary" },
    aboutLine(),
    el("div", { class: "headline" },
      el("p", { class: "rate" }, el("b", {}, story.rate), " ", el("span", {}, story.measure,
        story.interval && ` · ${story.interval}`)),
      el("ul", { class: "sentences" }, story.sentences.map((text) => el("li", {}, el("bdi", {}, text))))),
    !comparing() && budgetFigures(true),
    worstPages());
}

// What was compared, when, and by which version.
function aboutLine() {
  const { gt, hyps, pages, lines, date, version, systems } = report.overview;
  const names = severalSystems() ? (comparing() ? systems : [systems[mainSystem()]]) : hyps;
  const several = plural(names.length, "system");
  const compared = comparedPages();
  const count = compared.length < pages.name.length ? `${number(compared.length)} of ${plural(pages.name.length, "page")} compared` : plural(compared.length, "page");
  return el("h2", {}, el("bdi", {}, names.length > 3 ? several : names.join(", ") || "Hypothesis"),
    gt && [el("small", {}, " compared with "), el("bdi", {}, gt)],
    el("small", { class: "about" }, `${count} · ${plural(lines, "line")} · ${date} · pagemeter ${version}`));
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
/** @param {boolean} first only that of the unit of the headline, or only the others */
export function budgetFigures(first) {
  const budgets = report.overview.budgets[mainSystem()];
  const unit = report.overview.stories[mainSystem()].measure?.slice(0, 3);
  const headline = budgets.find(({ measure }) => measure.slice(0, 3) === unit) ?? budgets[0];
  return budgets.filter((budget) => (budget === headline) === first).map(({ measure, rate, note: remark, shares }) => {
    const label = ([, name, value, , extra]) => `${value} ${name}${extra ? ` (${extra})` : ""}`;
    const text = shares.map(label).join(" + ");
    return el("figure", { class: "budget", id: `budget-${measure.slice(0, 3)}` },
      el("div", { class: "stack", role: "img", "aria-label": `${measure} ${percent(rate)} = ${text}` },
        shares.map(([cause, name, value, share]) =>
          el("span", { class: `cause ${cause}`, style: `flex-grow:${share}`, title: `${name}: ${value} %, ${CAUSES[cause]}` },
            el("span", {}, name)))),
      el("figcaption", {}, el("b", {}, `${measure} ${percent(rate)}`), " = ",
        shares.map((share, at) => [at > 0 && " + ", el("span", { class: "share", title: CAUSES[share[0]] },
          el("span", { class: `key ${share[0]}`, "aria-hidden": "true" }), label(share))]), remark && ` (${remark})`));
  });
}

// Small pictures of the pages with most errors. They are drawn after the first screen, because their details must be unpacked.
function worstPages() {
  const { overview } = report;
  if (!overview.worst.length || overview.pages.name.length < 2) return null;
  const measure = (comparing() ? overview.story : overview.stories[mainSystem()])?.measure ?? state.measure;
  const list = el("ul", { class: "thumbnails" }, overview.worst.map((page) => {
    const frame = svg("svg", { class: "thumbnail", viewBox: "0 0 3 4", "aria-hidden": "true" });
    if (overview.pages.details[page]) onceVisible(frame, () => drawThumbnail(frame, page));
    const scores = (comparing() ? overview.systems.map((_, system) => pageScore(page, measure, system)) : [pageScore(page, measure)]).filter((score) => score !== null);
    return el("li", {}, pageLink(page, [frame, el("bdi", { title: overview.pages.name[page] }, shorten(overview.pages.name[page], MOST_NAME))]),
      rateRange(scores).map((text) => el("small", {}, text)));
  }));
  return el("div", { class: "worst" }, el("h3", {}, `Pages with most errors by ${measure}`), list);
}

// The rate and errors of a page, or the range of the rates of several systems.
function rateRange(scores) {
  if (!scores.length) return ["not evaluated"];
  if (scores.length === 1) return [percent(scores[0].rate), plural(scores[0].errors, "error")];
  const rates = scores.map(({ rate }) => rate);
  return [`${percent(Math.min(...rates))} to ${percent(Math.max(...rates))}`];
}

// Calls a function when an element comes into sight for the first time.
/** @param {Element} element @param {() => unknown} callback */
export function onceVisible(element, callback) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    callback();
  }, { rootMargin: "600px" });
  observer.observe(element);
}

// A page without positions: a bar for each line.
function drawBars(frame, lines) {
  const most = Math.max(1, ...lines.map(([length]) => length));
  frame.setAttribute("viewBox", `-4 -2 108 ${Math.max(130, 4 * lines.length + 4)}`);
  frame.append(...lines.map(([length, rate], at) => svg("path", { class: `ink tone${tone(rate)}`, d: `M0 ${4 * at + 3}h${Math.max(1, 100 * length / most).toFixed(1)}` })));
}

// The image of a page, and its lines in the tones of their rates.
async function drawThumbnail(frame, page) {
  const system = systemOfPage(page);
  const block = await loadPage(page, [system]);
  const read = block?.systems[system];
  if (!block || !read) return;
  const rates = new Map((read.measures[state.measure]?.lines ?? []).map(([gt, errors]) => [gt, ratio(errors, linesOf(block, state.measure)[gt])]));
  const outlines = block.lines.map(([, , points, closed], gt) => ({ points, closed, tone: `tone${tone(rates.get(gt) ?? 1)}` }));
  if (!block.lines.length) outlines.push(...read.lines.map(([, points, closed]) => ({ points, closed, tone: "tone4 extra" })));
  if (!outlines.some(({ points }) => points.length)) {
    const texts = block.lines.length ? block.lines.map(([text], gt) => [text.length, rates.get(gt) ?? 1])
      : (Object.values(read.words)[0] ?? []).map((words) => [words.join(" ").length, 1]);
    drawBars(frame, texts);
    return;
  }
  const size = sizeOf(block, system);
  const box = size ? [0, 0, ...size] : bounds(block, [read]);
  frame.setAttribute("viewBox", box.join(" "));
  const href = imageOf(read.image, page);
  if (href && size) frame.append(svg("image", { href, width: size[0], height: size[1], preserveAspectRatio: "none" }));
  for (const { points, closed, tone: name } of outlines) {
    if (points.length) frame.append(svg("path", { class: `ink ${name}`, d: toPath(points) + (closed ? "Z" : "") }));
  }
}

