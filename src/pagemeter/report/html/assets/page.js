// One page: its picture and its lines, linked in both directions.
const opened = { block: null, models: [], view: null, list: null };

async function pageSection(page) {
  const systems = [state.system, state.other].filter((system) => system !== null);
  const block = await loadPage(page, systems);
  if (!block) return el("p", { class: "note" }, "The details of this page were omitted to limit the size of the report.");
  const shown = (system) => (state.view === "order" ? orderMeasure(block.systems[system], state.measure) : state.measure);
  const models = systems.map((system) => withSystem(matchingOf(block, system, shown(system)), system)).filter(Boolean);
  Object.assign(opened, { block, models, view: null, list: null });
  if (!models.length) return el("section", {}, pageHead(page, block), el("p", { class: "note" }, "This measure was not evaluated on this page."));
  const section = el("section", { class: "page", id: "page" }, pageHead(page, block),
    el("div", { class: "sides" }, pictureSide(page, block, models[0]), textSide(block, models)));
  linkSides(section);
  return section;
}

function withSystem(model, system) {
  return model && Object.assign(model, { system });
}

function pageHead(page, block) {
  const { pages, systems } = report.overview;
  const score = pageScore(page, state.measure);
  const read = block.systems[state.system];
  const files = [block.file, read?.file].filter(Boolean);
  const step = (by) => () => turnPage(by);
  const others = systems.map((name, at) => [String(at), name]).filter(([at]) => Number(at) !== state.system);
  return el("div", { class: "page-head" },
    el("nav", { class: "tools", "aria-label": "Pages" },
      button("‹", "Previous page (p)", step(-1)), button("›", "Next page (n)", step(1)),
      el("a", { href: address({ page: null, line: null }) }, "All pages")),
    el("h2", { tabindex: -1 }, pages.name[page]),
    el("p", { class: "figures" }, score ? [el("b", {}, `${state.measure} ${percent(score.rate)}`),
      ` · ${plural(score.errors, "error")}: ${number(score.ins)} missing, ${number(score.dels)} extra, ${number(score.sub)} wrong · GT ${number(score.nGt)}`]
      : `${state.measure} was not evaluated on this page`),
    el("p", { class: "note files" }, files.join(" · ")),
    read?.warnings.length > 0 && el("details", {}, el("summary", {}, plural(read.warnings.length, "warning")),
      el("ul", {}, read.warnings.map((text) => el("li", {}, text)))),
    others.length > 0 && el("label", { class: "tools" }, "Compare with ",
      select({ id: "other", onchange: (event) => go({ other: event.target.value === "" ? null : Number(event.target.value) }) },
        [["", "no other system"], ...others], state.other === null ? "" : String(state.other))));
}

// Opens the previous or next page in the order of the table.
function turnPage(by) {
  const listed = listedPages().filter((page) => report.overview.pages.details[page]);
  const next = listed[listed.indexOf(state.page) + by];
  if (next !== undefined) go({ page: next, line: null });
}

function pictureSide(page, block, model) {
  const { image } = block.systems[model.system];
  if (!hasPositions(block, model) && !image) return null;
  const { picture, frame } = pageSvg(block, model);
  opened.view = new View(picture, frame, block.lines.length);
  addImage(picture, image, page, sizeOf(block, model.system), (size) => opened.view.reset(size));
  const toggle = (name, text, on) => el("label", {}, el("input", { type: "checkbox", checked: on, "data-toggle": name,
    onchange: (event) => picture.classList.toggle(`no-${name}`, !event.target.checked) }), text);
  picture.classList.add("no-paths");
  return el("div", { class: "picture" },
    el("div", { class: "tools" },
      button("+", "Zoom in (+)", () => opened.view.zoom(1 / 1.5)), button("−", "Zoom out (-)", () => opened.view.zoom(1.5)),
      button("All", "Whole page (0)", () => opened.view.reset()),
      toggle("gts", "ground truth", true), toggle("hyps", "hypothesis", true), image && toggle("scan", "image", true), toggle("paths", "reading order", false)),
    picture,
    el("p", { class: "note", id: "image-note" }, image?.note ?? (image?.embedded && !embeddedImage(page) ? "The image was omitted to limit the size of the report." : "")),
    el("p", { class: "legend" }, TONE_NAMES.map((name, at) => el("span", { class: `swatch tone${at}` }, name)),
      el("span", { class: "swatch solid" }, "ground truth"), el("span", { class: "swatch dashed" }, "hypothesis")));
}

function textSide(block, models) {
  const isOrder = state.view === "order";
  const view = isOrder ? orderView(block, models[0]) : rowsView(block, models);
  opened.list = isOrder ? null : view;
  const status = el("span", { role: "status", class: "note", id: "found" });
  const search = el("input", { type: "search", id: "search", placeholder: "Search lines ( / )", "aria-label": "Search lines" });
  const wrong = el("input", { type: "checkbox", id: "wrong-only" });
  const refilter = () => {
    const shown = filterRows(view, search.value, wrong.checked);
    status.textContent = search.value || wrong.checked ? plural(shown, "line") : "";
  };
  search.addEventListener("input", refilter);
  wrong.addEventListener("change", refilter);
  const tab = (name, text) => button(text, `${text} (v)`, () => go({ view: name }), { "aria-pressed": String(state.view === name) });
  return el("div", { class: "texts" },
    el("div", { class: "tools" }, tab("lines", "Lines"), tab("order", "Order"),
      !isOrder && search, !isOrder && el("label", {}, wrong, "only lines with errors"), status),
    !isOrder && legend(), view);
}

// An element of a line, under the pointer or with the focus, highlights all elements of this line and its partners.
function linkSides(section) {
  for (const name of ["mouseover", "focusin"]) section.addEventListener(name, (event) => highlight(section, event.target));
  section.addEventListener("mouseleave", () => highlight(section, null));
  section.addEventListener("click", (event) => {
    const gt = partnersOf(event.target)?.gts[0];
    if (gt === undefined || opened.view?.dragged || event.target.closest("a, button, input")) return;
    replaceAddress({ line: gt });
    showLine(gt, !event.target.closest("#rows, #order"));
  });
}

function partnersOf(target) {
  const element = target?.closest?.("[data-gt], [data-hyp]");
  if (!element) return null;
  const { rows, hyps } = opened.models[0];
  const gt = element.dataset.gt === undefined ? null : Number(element.dataset.gt);
  const own = (element.dataset.hyp ?? "").split(" ").filter(Boolean).map(Number);
  const gts = gt !== null ? [gt] : own.flatMap((line) => hyps[line].rows.map((row) => row.gt)).filter((at) => at !== null);
  const lines = gt !== null ? rows.filter((row) => row.gt === gt).flatMap((row) => row.parts.map((part) => part.line)) : own;
  return { gts, hyps: lines };
}

// Marks all elements of the line of an element and of its partners: "lit" under the pointer, "picked" after a click.
function highlight(section, target, name = "lit") {
  for (const marked of section.querySelectorAll(`.${name}`)) marked.classList.remove(name);
  const partners = partnersOf(target);
  if (!partners) return;
  const wanted = [...partners.gts.map((gt) => `[data-gt="${gt}"]`), ...partners.hyps.map((hyp) => `[data-hyp~="${hyp}"]:not([data-gt])`)];
  if (wanted.length) section.querySelectorAll(wanted.join()).forEach((node) => node.classList.add(name));
}

// Scrolls to a line on both sides and marks it.
function showLine(gt, scroll = true) {
  const row = byId(`line${gt}`) ?? document.querySelector(`#order [data-gt="${gt}"]`);
  if (!row) return;
  if (scroll) row.scrollIntoView({ block: "center" });
  row.focus({ preventScroll: true });
  highlight(byId("page"), row, "picked");
  const points = opened.block.lines[gt][2];
  if (points.length) opened.view?.show(points[0], points[1]);
}
