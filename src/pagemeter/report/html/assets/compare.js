// The comparison of systems: the ranking with intervals and groups as a dot plot.
import { el, svg } from "./dom.js";
import { percent } from "./figures.js";
import { niceAbove } from "./layout.js";
import { address } from "./state.js";
import { report } from "./store.js";

const ROW = 26, NAMES = 190, PLOT = 380, GROUP = 16, TOP = 8, AXIS = 22;

export function rankingSection() {
  const { ranking } = report.overview;
  if (!ranking?.rows.length) return null;
  return el("section", { id: "ranking", "aria-label": "Ranking" },
    el("h2", {}, `Ranking by ${ranking.measure}`),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranking" }, dotPlot(ranking)),
    el("p", { class: "note" }, "A dot is the rate of a system, and the line is its confidence interval. ",
      letters(ranking).length > 0 && "Systems with a bar in the same column do not differ significantly. ",
      "A name leads to the pages of the system."));
}

// The letters of the groups, in their order.
function letters({ rows }) {
  return [...new Set(rows.flatMap(([, , , , , groups]) => [...groups]))].sort();
}

function dotPlot(ranking) {
  const { rows } = ranking;
  const groups = letters(ranking);
  const ends = rows.flatMap(([, , rate, , high]) => [rate, high]).filter((value) => value !== null);
  const most = niceAbove(1.02 * Math.max(...ends, 0.001));
  const width = NAMES + PLOT + 30 + GROUP * groups.length;
  const height = TOP + ROW * rows.length + AXIS;
  const x = (rate) => NAMES + PLOT * Math.min(1, rate / most);
  const plot = svg("svg", { class: "chart dots", viewBox: `0 0 ${width} ${height}`, role: "group", style: `width:${width}px`,
    "aria-label": `Ranking by ${ranking.measure}` });
  for (let tick = 0; tick <= 5; tick += 1) {
    const at = most * tick / 5;
    plot.append(svg("line", { class: "grid", x1: x(at), x2: x(at), y1: TOP, y2: height - AXIS }),
      svg("text", { x: x(at), y: height - 6, "text-anchor": "middle" }, percent(at, most < 0.05 ? 1 : 0)));
  }
  rows.forEach(([name, rank, rate, low, high, own], row) => {
    const y = TOP + ROW * (row + 0.5);
    const system = report.overview.systems.indexOf(name);
    const interval = low !== null && high !== null ? `, ${percent(low)} to ${percent(high)}` : "";
    const text = `${rank}. ${name}: ${rate === null ? "∞" : percent(rate)}${interval}${own ? `, group ${own}` : ""}`;
    plot.append(svg("a", { href: address({ systems: [system], page: null, line: null }), "data-system": system, "aria-label": text },
      svg("title", {}, text),
      svg("text", { x: 0, y: y + 4, class: "name" }, `${rank}  ${name.length > 24 ? `${name.slice(0, 11)}…${name.slice(-12)}` : name}`)));
    if (low !== null && high !== null) plot.append(svg("line", { class: "whisker", x1: x(low), x2: x(high), y1: y, y2: y }));
    if (rate !== null) plot.append(svg("circle", { class: "dot-mark", cx: x(rate), cy: y, r: 4.5 }));
    groups.forEach((letter, column) => {
      if (!own.includes(letter)) return;
      const left = NAMES + PLOT + 24 + GROUP * column;
      plot.append(svg("line", { class: "group", x1: left, x2: left, y1: y - ROW / 2 + 2, y2: y + ROW / 2 - 2 }));
      const previous = rows[row - 1]?.[5] ?? "";
      if (previous.includes(letter)) plot.append(svg("line", { class: "group", x1: left, x2: left, y1: y - ROW / 2 - 3, y2: y }));
    });
  });
  return plot;
}
