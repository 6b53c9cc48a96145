// The view of lines: each line of the ground truth beside the text that it was matched with.
function rowsView(block, models) {
  const list = el("ol", { class: `rows${models.length > 1 ? " two" : ""}`, id: "rows" });
  list.append(headRow(models));
  const seconds = models[1] ? new Map(models[1].rows.filter((row) => row.gt !== null).map((row) => [row.gt, row])) : null;
  for (const row of models[0].rows) list.append(rowItem(block, models[0], row, seconds));
  if (models[1]) {
    for (const row of models[1].rows) if (row.gt === null) list.append(rowItem(block, models[1], row, null, 1));
  }
  return list;
}

function headRow(models) {
  const names = models.map((model) => report.overview.systems[model.system] || "hypothesis");
  return el("li", { class: "head", "aria-hidden": "true" }, el("span", {}), el("span", {}, names.length > 1 ? `ground truth, marked for ${names[0]}` : "ground truth"),
    names.map((name) => el("span", {}, name)));
}

function rowItem(block, model, row, seconds, column = 0) {
  const isLeft = row.gt === null;
  const hyps = row.parts.map((part) => part.line).join(" ");
  const other = seconds?.get(row.gt);
  const errors = row.errors + (other?.errors ?? 0);
  return el("li", {
    class: rowClass(row, errors), "data-gt": row.gt, "data-hyp": isLeft ? hyps : null, tabindex: 0,
    id: isLeft ? null : `line${row.gt}`,
  },
  el("span", { class: "number" }, isLeft ? "+" : String(row.gt + 1),
    el("span", { class: `dot tone${tone(ratio(row.errors, row.n))}`, title: rowRate(row) })),
  el("span", { class: "gt text", dir: "auto" }, isLeft ? el("em", {}, "no match") : gtText(rowEdits(block, model, row))),
  isLeft && column === 1 && el("span", {}),
  hypCell(block, model, row),
  seconds && (isLeft ? el("span", {}) : hypCell(block, { unit: model.unit, id: model.id }, other)));
}

function rowClass(row, errors) {
  const classes = [errors ? "wrong" : "right"];
  if (row.gt === null) classes.push("left");
  else if (!row.parts.length && row.n) classes.push("lost");
  if (row.moved) classes.push("moved");
  return classes.join(" ");
}

function rowRate(row) {
  if (row.gt === null) return `${plural(row.errors, "error")}, no match in the ground truth`;
  return `${plural(row.errors, "error")} of ${number(row.n)}`;
}

function rowEdits(block, model, row) {
  const edits = row.edits ?? (row.n ? [[MISSING, block.lines[row.gt][0]]] : []);
  return model.unit === "CER" ? edits : withSpaces(edits);
}

function hypCell(block, model, row) {
  const lost = !row || (!row.edits && row.gt !== null);
  const text = lost ? (row?.n ? el("em", {}, "no match") : null) : hypSide(block, model, row);
  return el("span", { class: "hyp text", dir: "auto" }, text, !lost && el("span", { class: "badges" }, badges(row)));
}

function hypSide(block, model, row) {
  if (!model.id.startsWith("BOW") || row.gt === null) return hypText(rowEdits(block, model, row));
  return hypText(rowEdits(block, model, row).filter(([kind]) => kind === EQUAL));
}

// Badges of a line that was split, matched in part or moved, or that has no match.
function badges(row) {
  if (row.bag) return [];
  const badges = [];
  const lines = row.parts.map((part) => part.line + 1);
  if (row.gt !== null && lines.length > 1) badges.push(["split", `matched with lines ${lines.join(", ")} of the hypothesis`]);
  const piece = row.parts.find((part) => part.to - part.from < part.of);
  if (piece && row.gt !== null) badges.push(["part", `words ${piece.from + 1} to ${piece.to} of ${piece.of} in line ${piece.line + 1} of the hypothesis`]);
  if (row.moved) badges.push(["moved", `line ${lines[0]} of the hypothesis, at another position in the reading order`]);
  if (row.gt === null) badges.push(["left over", `line ${lines.join(", ")} of the hypothesis, no match in the ground truth`]);
  return badges.map(([name, title]) => el("span", { class: "badge", title }, name));
}

// Shows only rows that contain a text, and with `wrongOnly` only rows with errors.
function filterRows(list, text, wrongOnly) {
  const wanted = text.toLowerCase();
  let shown = 0;
  for (const row of list.querySelectorAll("li:not(.head)")) {
    const hidden = (wrongOnly && row.classList.contains("right")) || (wanted && !row.textContent.toLowerCase().includes(wanted));
    row.hidden = Boolean(hidden);
    shown += hidden ? 0 : 1;
  }
  return shown;
}
