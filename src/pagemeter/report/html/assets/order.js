// The order view: both sides in their own reading order, and a band between matched lines. Crossing bands are lines
// in another order; bands that divide or join are split or merged lines.
import { el, svg } from "./dom.js";
import { plural, ratio, tone } from "./figures.js";
import { textOfWords, unitOf } from "./matching.js";
import { state } from "./state.js";

const STEP = 26, GUTTER = 120;

export function orderView(block, model) {
  const system = block.systems[model.system];
  const hyps = system.words[model.unit].map(textOfWords);
  const height = STEP * Math.max(block.lines.length, hyps.length);
  const bands = svg("svg", { class: "bands", viewBox: `0 0 ${GUTTER} ${height}`, width: GUTTER, height, "aria-hidden": "true" });
  for (const row of model.rows) {
    if (row.gt !== null) row.parts.forEach((part) => bands.append(band(row, part)));
  }
  const side = (name, texts, attributes) => el("ol", { class: name }, texts.map((text, at) =>
    el("li", { tabindex: 0, dir: "auto", title: text, ...attributes(at) }, el("span", { class: "number" }, at + 1), text || " ")));
  return el("div", {},
    el("p", { class: "note", id: "crossings" }, orderNote(model)),
    el("div", { class: "order", id: "order" },
      side("gt text", block.lines.map((line) => line[0]), (at) => ({ "data-gt": at })),
      bands,
      side("hyp text", hyps, (at) => ({ "data-hyp": at, class: model.hyps[at].rows.some((row) => row.gt !== null) ? null : "lost" }))));
}

// True if matched lines of a measure can cross: not with R, and bags of words match no lines.
function mayCross(id) {
  return !id.startsWith("BOW") && !/:.*R/.test(id);
}

// The measure that this view shows: if no lines of the chosen one can cross, the same one without R, or the closest
// evaluated one.
export function orderMeasure(read, id) {
  if (mayCross(id)) return id;
  const free = Object.keys(read?.measures ?? {}).filter(mayCross);
  return free.find((other) => other === withoutOrder(id)) ?? free.find((other) => unitOf(other) === unitOf(id)) ?? free[0] ?? id;
}

function withoutOrder(id) {
  return id.replace("BOW", "WER").replace(/:R/, ":").replace(/:$/, "");
}

function orderNote(model) {
  const why = state.measure.startsWith("BOW") ? "matches single words" : "matches lines in reading order only";
  if (!mayCross(model.id)) {
    return `${model.id} ${why}, so it cannot show lines in another order. Evaluate ${withoutOrder(model.id)} as well to see them.`;
  }
  const crossed = model.rows.filter((row) => row.moved).length;
  const text = crossed ? `${plural(crossed, "line")} at another position in the reading order (dashed).` : "All matched lines are in the same order.";
  return model.id === state.measure ? text : `${state.measure} ${why}; this view shows the matching of ${model.id}. ${text}`;
}

function band(row, part) {
  const [y1, y2] = [STEP * (row.gt + 0.5), STEP * (part.line + 0.5)];
  const middle = GUTTER / 2;
  return svg("path", {
    class: `band tone${tone(ratio(row.errors, row.n))}${row.moved ? " moved" : ""}`, "data-gt": row.gt, "data-hyp": part.line,
    d: `M0 ${y1}C${middle} ${y1} ${middle} ${y2} ${GUTTER} ${y2}`,
  });
}
