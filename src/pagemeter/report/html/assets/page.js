// One page: its picture and its lines, linked in both directions.
import { cellsView, hasCells } from "./cells.js";
import { button, byId, el } from "./dom.js";
import { number, percent, plural } from "./figures.js";
import { filterControls, isActive, noFilter } from "./filters.js";
import { imageOf, sizeOf } from "./geometry.js";
import { legend } from "./marks.js";
import { matchingOf } from "./matching.js";
import { orderMeasure, orderView } from "./order.js";
import { listedPages } from "./pages.js";
import { pictureSide, showInPicture } from "./picture.js";
import { filterRows, rowsView } from "./rows.js";
import { drawSnippets, pitchOf } from "./snippets.js";
import { splitter } from "./split.js";
import { address, go, replaceAddress, shownSystems, state, systemOfPage, withSystem } from "./state.js";
import { loadPage, pageScore, report } from "./store.js";
import { verdictButton } from "./verdicts.js";

/** @type {{ block: import("./types").Block | null, models: import("./types").Model[], view: import("./view").View | null, index: Map<string, any[]> }} */
export const opened = { block: null, models: [], view: null, index: new Map() };
const filter = noFilter();
const CENTRING = 6;  // frames

/** @param {number} page */
export async function pageSection(page) {
  const systems = shownSystems();
  const block = await loadPage(page, systems);
  Object.assign(opened, { block, models: [], view: null, index: new Map() });
  if (!block) return el("p", { class: "note" }, "The details of this page were omitted to limit the size of the report.");
  const shown = (system) => (state.view === "order" ? orderMeasure(block.systems[system], state.measure) : state.measure);
  const models = systems.map((system) => matchingOf(block, system, shown(system))).filter((model) => model !== null);
  opened.models = models;
  if (!models.length) return el("section", {}, pageHead(page, block), el("p", { class: "note" }, "This measure was not evaluated on this page."));
  const snippets = { image: false, list: /** @type {any} */ (null) };
  const draw = () => { if (snippets.image && snippets.list) drawSnippets(snippets.list); };
  const picture = pictureSide(page, block, models[0], () => { snippets.image = true; draw(); });
  opened.view = picture?.view ?? null;
  const pitch = pitchOf(block, sizeOf(block, models[0].system)?.[1] ?? picture?.height ?? 1000);
  const hasImages = picture !== null && imageOf(block.systems[models[0].system].image, page) !== null;
  const texts = textSide(page, block, models, pitch, hasImages);
  snippets.list = texts.querySelector("#rows");
  snippets.list?.classList.toggle("with-snippets", hasImages);
  const sides = el("div", { class: "sides" });
  sides.append(...(picture ? [picture.node, splitter(sides), texts] : [texts]));
  const section = el("section", { class: "page", id: "page" }, pageHead(page, block), sides);
  opened.index = indexOf(section);
  linkSides(section);
  draw();
  return section;
}

/** @param {number} page @param {import("./types").Block} block */
function pageHead(page, block) {
  const { pages, systems } = report.overview;
  const system = systemOfPage(page);
  const score = pageScore(page, state.measure, system);
  const read = block.systems[system];
  const files = [block.file, read?.file].filter(Boolean);
  const chosen = shownSystems();
  return el("div", { class: "page-head" },
    el("nav", { class: "tools", "aria-label": "Pages" },
      button("‹", "Previous page (p)", () => turnPage(-1), { "aria-label": "Previous page" }), button("›", "Next page (n)", () => turnPage(1), { "aria-label": "Next page" }),
      el("a", { href: address({ page: null, line: null }) }, "All pages")),
    el("h2", { tabindex: -1 }, pages.name[page]),
    el("p", { class: "figures" }, score ? [el("b", {}, `${state.measure} ${percent(score.rate)}`),
      ` · ${plural(score.errors, "error")}: ${number(score.ins)} missing, ${number(score.dels)} extra, ${number(score.sub)} wrong · GT ${number(score.nGt)}`]
      : `${state.measure} was not evaluated on this page`),
    el("div", { class: "tools" }, verdictButton(pages.name[page], null), button("Full screen", "Full screen (f)", toggleFullScreen, { id: "full" })),
    el("p", { class: "note files" }, files.join(" · ")),
    read?.warnings.length > 0 && el("details", {}, el("summary", {}, plural(read.warnings.length, "warning")),
      el("ul", {}, read.warnings.map((text) => el("li", {}, text)))),
    systems.length > 1 && el("fieldset", { class: "tools", id: "systems" }, el("legend", {}, "Side by side, up to three"),
      systems.map((name, system) => el("label", {}, el("input", { type: "checkbox", value: system, checked: chosen.includes(system),
        onchange: () => go({ systems: withSystem(system) }) }), el("bdi", {}, name)))));
}

// Shows the page alone on the screen, or ends that.
export function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else byId("page")?.requestFullscreen?.();
}

// Opens the previous or next page in the order of the table.
/** @param {number} by */
export function turnPage(by) {
  const listed = listedPages().filter((page) => report.overview.pages.details[page]);
  const next = listed[listed.indexOf(/** @type {number} */ (state.page)) + by];
  if (next !== undefined) go({ page: next, line: null });
}

function textSide(page, block, models, pitch, hasImages) {
  const tabs = [["lines", "Lines"], ["order", "Order"], ...(hasCells(block) ? [["table", "Table"]] : [])];
  const tab = (/** @type {string[]} */ [name, text]) => button(text, `${text} (v)`, () => go({ view: name }), { "aria-pressed": String(shownView(block) === name) });
  const view = shownView(block);
  const head = el("div", { class: "tools" }, tabs.map(tab));
  if (view === "order") return el("div", { class: "texts" }, head, orderView(block, models[0]));
  if (view === "table") return el("div", { class: "texts" }, head, legend(), cellsView(block, models[0]));
  const rows = rowsView(page, block, models, pitch);
  const status = el("span", { role: "status", class: "note", id: "found" });
  const wrong = el("input", { type: "checkbox", id: "wrong-only", checked: filter.kind === "wrong" });
  const name = report.overview.pages.name[page];
  const refilter = () => {
    wrong.checked = filter.kind === "wrong";
    const shown = filterRows(rows, filter, block, name);
    status.textContent = isActive(filter) ? plural(shown, "line") : "";
  };
  const controls = filterControls(filter, refilter);
  wrong.addEventListener("change", () => {
    filter.kind = wrong.checked ? "wrong" : "";
    controls.nodes[1].value = filter.kind;
    refilter();
  });
  const images = el("input", { type: "checkbox", id: "snippets", checked: true, onchange: (event) => rows.list.classList.toggle("no-snippets", !event.target.checked) });
  head.append(...[controls.nodes[0], el("label", {}, wrong, "only lines with errors"), controls.nodes[1], hasImages && el("label", {}, images, "images of lines"), status, controls.nodes[2]].filter(Boolean));
  if (isActive(filter)) refilter();
  return el("div", { class: "texts" }, head, legend(), rows.list);
}

// The view of the address, if the page has it.
export function shownView(block) {
  return state.view === "table" && !hasCells(block) ? "lines" : state.view;
}

// The elements of each line, by side and number.
function indexOf(section) {
  const index = new Map();
  const add = (key, node) => index.set(key, [...(index.get(key) ?? []), node]);
  for (const node of section.querySelectorAll("[data-gt], [data-hyp]")) {
    if (node.dataset.gt !== undefined) add(`gt${node.dataset.gt}`, node);
    else for (const hyp of node.dataset.hyp.split(" ")) add(`hyp${hyp}`, node);
  }
  return index;
}

// An element of a line, under the pointer or with the focus, highlights all elements of this line and its partners.
function linkSides(section) {
  for (const name of ["mouseover", "focusin"]) section.addEventListener(name, (event) => highlight(event.target));
  section.addEventListener("mouseleave", () => highlight(null));
  section.addEventListener("click", (event) => {
    const gt = partnersOf(event.target)?.gts[0];
    if (gt === undefined || opened.view?.dragged || event.target.closest("a, button, input, summary")) return;
    replaceAddress({ line: gt });
    showLine(gt, !event.target.closest("#rows, #order, #cells"));
  });
}

function partnersOf(target) {
  const element = target?.closest?.("[data-gt], [data-hyp]");
  if (!element) return null;
  const { rows, hyps } = opened.models[0];
  const gt = element.dataset.gt === undefined ? null : Number(element.dataset.gt);
  const own = (element.dataset.hyp ?? "").split(" ").filter(Boolean).map(Number);
  const gts = gt !== null ? [gt] : own.flatMap((line) => (hyps[line]?.rows ?? []).map((row) => row.gt)).filter((at) => at !== null);
  const lines = gt !== null ? rows.filter((row) => row.gt === gt).flatMap((row) => row.parts.map((part) => part.line)) : own;
  return { gts, hyps: lines };
}

const highlighted = { lit: new Set(), picked: new Set() };

// Marks all elements of the line of an element and of its partners: "lit" under the pointer, "picked" after a click.
/** @param {any} target @param {"lit" | "picked"} name */
function highlight(target, name = "lit") {
  const partners = partnersOf(target);
  const keys = partners ? [...partners.gts.map((gt) => `gt${gt}`), ...partners.hyps.map((hyp) => `hyp${hyp}`)] : [];
  const nodes = new Set(keys.flatMap((key) => opened.index.get(key) ?? []));
  for (const node of highlighted[name]) if (!nodes.has(node)) node.classList.remove(name);
  for (const node of nodes) node.classList.add(name);
  highlighted[name] = nodes;
}

// Scrolls to a row, again in the next frames, because rows have their height only after they come into sight.
function centre(row, frames) {
  row.scrollIntoView({ block: "center" });
  if (frames) requestAnimationFrame(() => { if (row.isConnected) centre(row, frames - 1); });
}

// Scrolls to a line on both sides and marks it.
/** @param {number} gt */
export function showLine(gt, scroll = true) {
  const row = byId(`line${gt}`) ?? document.querySelector(`#order [data-gt="${gt}"], #cells [data-gt="${gt}"]`);
  if (!row) return;
  if (scroll) centre(row, CENTRING);
  row.focus({ preventScroll: true });
  highlight(row, "picked");
  showInPicture(opened.view, opened.block?.lines[gt]?.[2] ?? []);
}
