// The view by order: both sides in their own reading order, and a band between lines that were matched. Bands that
// cross are lines read in another order; bands that part or join are lines that were split or merged.
const STEP = 26, GUTTER = 120;

function orderView(block, model) {
  const system = block.systems[model.system];
  const hyps = system.words[model.unit].map((words) => words.join(" "));
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

// Whether lines that a measure matches can cross: not with R, and bags of words match no lines.
function mayCross(id) {
  return !id.startsWith("BOW") && !/:.*R/.test(id);
}

// The measure that this view shows: where the chosen one lets nothing cross, the same one without R, or the next
// best that was evaluated.
function orderMeasure(read, id) {
  if (mayCross(id)) return id;
  const unit = id.startsWith("CER") ? "CER" : "WER";
  const free = Object.keys(read?.measures ?? {}).filter(mayCross);
  return free.find((other) => other === withoutOrder(id)) ?? free.find((other) => other.startsWith(unit)) ?? free[0] ?? id;
}

function withoutOrder(id) {
  return id.replace("BOW", "WER").replace(/:R/, ":").replace(/:$/, "");
}

function orderNote(model) {
  const why = state.measure.startsWith("BOW") ? "matches single words" : "matches in the same order only";
  if (!mayCross(model.id)) {
    return `${model.id} ${why}, so it cannot show lines in another order. Evaluate ${withoutOrder(model.id)} too to see them.`;
  }
  const crossed = model.rows.filter((row) => row.moved).length;
  const said = crossed ? `${plural(crossed, "line")} read at another place in the order (dashed).` : "All matched lines are in the same order.";
  return model.id === state.measure ? said : `${state.measure} ${why}; this is what ${model.id} matched. ${said}`;
}

function band(row, part) {
  const [y1, y2] = [STEP * (row.gt + 0.5), STEP * (part.line + 0.5)];
  const middle = GUTTER / 2;
  return svg("path", {
    class: `band tone${tone(ratio(row.errors, row.n))}${row.moved ? " moved" : ""}`, "data-gt": row.gt, "data-hyp": part.line,
    d: `M0 ${y1}C${middle} ${y1} ${middle} ${y2} ${GUTTER} ${y2}`,
  });
}
