// Two charts of all pages: a histogram of one rate, and a scatter plot of two rates.
import { el, select, svg } from "./dom.js";
import { number, percent, plural, tone } from "./figures.js";
import { labelSpace, niceAbove, upperEnd } from "./layout.js";
import { go, mainSystem, state } from "./state.js";
import { measureIds, pageScore, report, severalSystems } from "./store.js";

const CHART = { width: 460, height: 230, left: 40, right: 22, top: 24, bottom: 34 };
const BINS = 25, TICKS = 5;
const BEYOND = 34;  // pixels after the break of an axis, for infinite rates (pages without ground truth text)

export function chartsSection() {
  if (report.overview.pages.name.length < 2) return null;
  return el("section", { id: "charts", "aria-label": "Charts" },
    el("figure", {}, el("figcaption", {}, `Number of pages by ${ownName()}`), histogram()), scatterFigure());
}

// A scatter plot of the chosen rates against others, null if there are no others.
function scatterFigure() {
  const rivals = rivalRates();
  if (!rivals.length) return null;
  const container = el("div", {}, scatter(rivals[0]));
  const choice = select({ id: "across", "aria-label": "Measure or system on the horizontal axis", onchange: () =>
    container.replaceChildren(scatter(rivals[choice.value])) }, rivals.map(({ name }, at) => [at, name]), 0);
  return el("figure", {}, el("figcaption", {}, `${ownName()} and `, choice, ", one point per page"), container);
}

function ownName() {
  return severalSystems() ? `${state.measure} of ${report.overview.systems[mainSystem()]}` : state.measure;
}

// Rates that can be compared with the chosen measure of the chosen system: other systems, then other measures.
function rivalRates() {
  const systems = report.overview.systems.map((name, system) => ({ name, system, measure: state.measure }));
  const measures = measureIds().map((measure) => ({ name: measure, system: mainSystem(), measure }));
  return [...systems, ...measures].filter(({ system, measure }) => system !== mainSystem() || measure !== state.measure);
}

function pageRates(measure, system = mainSystem()) {
  return report.overview.pages.name.map((_, page) => pageScore(page, measure, system)?.rate ?? null);
}

function histogram() {
  const rates = pageRates(state.measure).filter((rate) => rate !== null);
  const top = upperEnd(rates);
  const bins = new Array(BINS).fill(0);
  for (const rate of rates.filter(Number.isFinite)) bins[Math.min(BINS - 1, Math.floor(BINS * rate / top))] += 1;
  const infinite = rates.filter(isInfinite).length;
  const most = Math.max(...bins, infinite, 1);
  const step = Math.ceil(most / TICKS);
  const { x, y, frame } = axes(top, step * Math.min(TICKS, Math.ceil(most / step)), state.measure, "pages", number,
    { step, beyondX: infinite > 0 });
  const column = (count, rate, left, width, range) => frame.append(svg("rect", {
    class: `fill tone${tone(rate)}`, x: left, y: y(count), width, height: y(0) - y(count),
  }, svg("title", {}, `${plural(count, "page")}, ${range}`)));
  if (infinite) column(infinite, Infinity, x(Infinity) - 6, 12, "∞: no text in the ground truth");
  bins.forEach((count, bin) => {
    if (!count) return;
    const [from, to] = [bin * top / BINS, (bin + 1) * top / BINS];
    const range = bin === BINS - 1 ? `${percent(from, 1)} or more` : `${percent(from, 1)} to ${percent(to, 1)}`;
    column(count, (from + to) / 2, x(from) + 0.5, Math.max(1, x(to) - x(from) - 1), range);
  });
  return frame;
}

function scatter({ name: across, system, measure }) {
  const [first, second] = [pageRates(measure, system), pageRates(state.measure)];
  const sameMeasure = measure === state.measure;  // of two systems: one scale, and a diagonal
  const both = upperEnd([...first, ...second]);
  const [mostX, mostY] = sameMeasure ? [both, both] : [upperEnd(first), upperEnd(second)];
  const { x, y, frame } = axes(mostX, mostY, across, ownName(), (rate) => short(rate, mostY),
    { beyondX: first.some(isInfinite), beyondY: second.some(isInfinite) });
  if (sameMeasure) frame.append(svg("line", { class: "grid", x1: x(0), y1: y(0), x2: x(mostX), y2: y(mostY) }));
  first.forEach((rate, page) => {
    if (rate === null || second[page] === null) return;
    frame.append(svg("circle", {
      class: `point tone${tone(second[page])}`, "data-page": page, r: 4,
      cx: x(isInfinite(rate) ? rate : Math.min(rate, mostX)),
      cy: y(isInfinite(second[page]) ? second[page] : Math.min(second[page], mostY)),
    }, svg("title", {}, `${report.overview.pages.name[page]}: ${across} ${percent(rate)}, ${ownName()} ${percent(second[page])}`)));
  });
  frame.addEventListener("click", (event) => {
    const page = event.target.closest("[data-page]")?.dataset.page;
    if (page !== undefined && report.overview.pages.details[page]) go({ page: Number(page), line: null });
  });
  return frame;
}

function isInfinite(rate) {
  return rate === Infinity;
}

// The frame of a chart: horizontal ticks at fifths, vertical ticks at every step, and breaks before infinite values.
function axes(mostX, mostY, nameX, nameY, formatY, { step = mostY / TICKS, beyondX = false, beyondY = false } = {}) {
  const { width, height, right, top, bottom } = CHART;
  const labels = [];
  for (let at = 0; at <= mostY + 1e-9; at += step) labels.push(formatY(at));
  const left = labelSpace(labels, CHART.left);
  const end = width - right - (beyondX ? BEYOND : 0);
  const above = top + (beyondY ? BEYOND : 0);
  const x = (value) => (isInfinite(value) ? end + 0.7 * BEYOND : left + (end - left) * value / mostX);
  const y = (value) => (isInfinite(value) ? above - 0.7 * BEYOND : height - bottom - (height - above - bottom) * value / mostY);
  const frame = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${nameX} and ${nameY}` });
  for (let at = 0; at <= mostY + 1e-9; at += step) {
    frame.append(svg("line", { class: "grid", x1: left, x2: end, y1: y(at), y2: y(at) }),
      svg("text", { x: left - 6, y: y(at) + 4, "text-anchor": "end" }, formatY(at)));
  }
  for (let tick = 0; tick <= TICKS; tick += 1) {
    const at = mostX * tick / TICKS;
    frame.append(svg("text", { x: x(at), y: height - bottom + 14, "text-anchor": "middle" }, short(at, mostX)));
  }
  if (beyondX) {
    frame.append(breakMark(end + 0.3 * BEYOND, height - bottom), svg("text", { x: x(Infinity), y: height - bottom + 14, "text-anchor": "middle" }, "∞"));
  }
  if (beyondY) frame.append(breakMark(left, above - 0.3 * BEYOND), svg("text", { x: left - 6, y: y(Infinity) + 4, "text-anchor": "end" }, "∞"));
  frame.append(svg("text", { x: width - right, y: height - 4, "text-anchor": "end", class: "axis" }, nameX),
    svg("text", { x: 2, y: 10, class: "axis" }, nameY));
  return { x, y, frame };
}

// Two strokes that mark a break of an axis.
function breakMark(x, y) {
  return svg("path", { class: "break", d: `M${x - 5} ${y + 4}l4 -8M${x + 1} ${y + 4}l4 -8` });
}

function short(rate, most) {
  return percent(rate, most <= 0.05 ? 1 : 0);
}

// A curve of an additional section: a line through its points, with axes from 0.
/** @param {import("./types").Curve} curve */
export function curveChart({ name, x: nameX, y: nameY, points }) {
  const [mostX, mostY] = [0, 1].map((axis) => niceAbove(Math.max(1e-3, ...points.map((point) => point[axis]))));
  const { x, y, frame } = axes(mostX, mostY, nameX, nameY, (value) => short(value, mostY));
  frame.append(svg("path", { class: "curve", d: points.map(([px, py], at) => `${at ? "L" : "M"}${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join("") }));
  return el("figure", {}, el("figcaption", {}, name), frame);
}
