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
  const crossed = model.rows.filter((row) => row.moved).length;
  return el("div", {},
    el("p", { class: "note", id: "crossings" }, crossed
      ? `${plural(crossed, "line")} read at another place in the order (dashed).` : "Both sides have the same order."),
    el("div", { class: "order", id: "order" },
      side("gt text", block.lines.map((line) => line[0]), (at) => ({ "data-gt": at })),
      bands,
      side("hyp text", hyps, (at) => ({ "data-hyp": at, class: model.hyps[at].rows.some((row) => row.gt !== null) ? null : "lost" }))));
}

function band(row, part) {
  const [y1, y2] = [STEP * (row.gt + 0.5), STEP * (part.line + 0.5)];
  const middle = GUTTER / 2;
  return svg("path", {
    class: `band tone${tone(ratio(row.errors, row.n))}${row.moved ? " moved" : ""}`, "data-gt": row.gt, "data-hyp": part.line,
    d: `M0 ${y1}C${middle} ${y1} ${middle} ${y2} ${GUTTER} ${y2}`,
  });
}
