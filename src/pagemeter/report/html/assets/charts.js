// Two pictures of all pages: how rates are spread, and how two measures go together.
const CHART = { width: 460, height: 230, left: 46, right: 22, top: 24, bottom: 34 };
const BINS = 25, TICKS = 5;

function chartsSection() {
  if (report.overview.pages.name.length < 2) return null;
  const ids = measureIds();
  let across = ids.find((id) => id !== state.measure) ?? ids[0];
  const place = el("div", {}, scatter(across));
  const choice = select({ id: "across", "aria-label": "Measure across", onchange: () => {
    across = choice.value;
    place.replaceChildren(scatter(across));
  } }, ids.map((id) => [id, id]), across);
  return el("section", { id: "charts", "aria-label": "Charts" },
    el("figure", {}, el("figcaption", {}, `Pages by their ${state.measure}`), histogram()),
    el("figure", {}, el("figcaption", {}, `${state.measure} and `, choice, ", a point a page"), place));
}

function pageRates(measure) {
  return report.overview.pages.name.map((_, page) => pageScore(page, measure)?.rate ?? null);
}

function histogram() {
  const rates = pageRates(state.measure).filter((rate) => rate !== null);
  const top = upperEnd(rates);
  const bins = new Array(BINS).fill(0);
  for (const rate of rates) bins[Math.min(BINS - 1, Math.floor(BINS * rate / top))] += 1;
  const most = Math.max(...bins, 1);
  const step = Math.ceil(most / TICKS);
  const { x, y, frame } = axes(top, step * Math.min(TICKS, Math.ceil(most / step)), state.measure, "pages", number, step);
  bins.forEach((count, bin) => {
    if (!count) return;
    const [from, to] = [bin * top / BINS, (bin + 1) * top / BINS];
    const range = bin === BINS - 1 ? `${percent(from, 1)} and more` : `${percent(from, 1)} to ${percent(to, 1)}`;
    frame.append(svg("rect", {
      class: `fill tone${tone((from + to) / 2)}`, x: x(from) + 0.5, y: y(count),
      width: Math.max(1, x(to) - x(from) - 1), height: y(0) - y(count),
    }, svg("title", {}, `${plural(count, "page")}, ${range}`)));
  });
  return frame;
}

function scatter(across) {
  const [first, second] = [pageRates(across), pageRates(state.measure)];
  const [mostX, mostY] = [upperEnd(first), upperEnd(second)];
  const { x, y, frame } = axes(mostX, mostY, across, state.measure, (rate) => short(rate, mostY));
  first.forEach((rate, page) => {
    if (rate === null || second[page] === null) return;
    const name = report.overview.pages.name[page];
    frame.append(svg("circle", {
      class: `point tone${tone(second[page])}`, "data-page": page, r: 4,
      cx: x(Math.min(rate, mostX)), cy: y(Math.min(second[page], mostY)),
    }, svg("title", {}, `${name}: ${across} ${percent(rate)}, ${state.measure} ${percent(second[page])}`)));
  });
  frame.addEventListener("click", (event) => {
    const page = event.target.closest("[data-page]")?.dataset.page;
    if (page !== undefined && report.overview.pages.details[page]) go({ page: Number(page), line: null });
  });
  return frame;
}

// Where the axis ends: pages beyond are drawn at its end, so that a few do not hide the others.
function upperEnd(rates) {
  const sorted = rates.filter((rate) => rate !== null && Number.isFinite(rate)).sort((a, b) => a - b);
  const high = sorted[Math.ceil(0.98 * (sorted.length - 1))] ?? 0;
  return Math.max(0.01, niceAbove(1.05 * high));
}

function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-4)));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((end) => end >= value);
}

// The frame of a chart: ticks across at fifths, and up at every step.
function axes(mostX, mostY, nameX, nameY, formatY, stepY = mostY / TICKS) {
  const { width, height, left, right, top, bottom } = CHART;
  const x = (value) => left + (width - left - right) * value / mostX;
  const y = (value) => height - bottom - (height - top - bottom) * value / mostY;
  const frame = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${nameX} and ${nameY}` });
  for (let at = 0; at <= mostY + 1e-9; at += stepY) {
    frame.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(at), y2: y(at) }),
      svg("text", { x: left - 6, y: y(at) + 4, "text-anchor": "end" }, formatY(at)));
  }
  for (let tick = 0; tick <= TICKS; tick += 1) {
    const at = mostX * tick / TICKS;
    frame.append(svg("text", { x: x(at), y: height - bottom + 14, "text-anchor": "middle" }, short(at, mostX)));
  }
  frame.append(svg("text", { x: width - right, y: height - 4, "text-anchor": "end", class: "axis" }, nameX),
    svg("text", { x: 2, y: 10, class: "axis" }, nameY));
  return { x, y, frame };
}

function short(rate, most) {
  return percent(rate, most <= 0.05 ? 1 : 0);
}
