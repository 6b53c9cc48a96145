// The data of the report: the overview is unpacked at the start, a page when it is opened.
import { byId } from "./dom.js";
import { ratio } from "./figures.js";
import { mainSystem } from "./state.js";

const MOST_LOADED = 12;  // pages in memory
/** @type {{ overview: import("./types").Overview, pages: Map<number, import("./types").Block | null> }} */
export const report = { overview: /** @type {any} */ (null), pages: new Map() };

/** @param {string} id @returns {Promise<any>} */
export async function unpack(id) {
  const element = byId(id);
  if (!element) return null;
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// A page with the hypotheses of these systems; null if it was omitted from the report.
/** @param {number} page @param {number[]} systems */
export async function loadPage(page, systems) {
  await parsed();
  if (!report.pages.has(page)) {
    report.pages.set(page, await unpackPage(page));
    if (report.pages.size > MOST_LOADED) report.pages.delete(/** @type {number} */ (report.pages.keys().next().value));
  }
  const block = report.pages.get(page) ?? null;
  for (const system of block ? systems : []) {
    if (block && !block.systems[system]) block.systems[system] = await unpack(`read${page}-${system}`);
  }
  return block;
}

// A page that is not kept in memory, for a search in all pages.
/** @param {number} page @param {number} system @returns {Promise<import("./types").Block | null>} */
export async function glance(page, system) {
  await parsed();
  const block = await unpackPage(page);
  if (block) block.systems[system] = await unpack(`read${page}-${system}`);
  return block;
}

async function unpackPage(page) {
  const block = await unpack(`page${page}`);
  return block && { ...block, systems: {} };
}

// Resolves when the document is parsed, because the blocks of pages come after this script.
function parsed() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
}

/** @param {number} page @returns {string | null} */
export function embeddedImage(page) {
  return byId(`image${page}`)?.textContent ?? null;
}

// The counts and the rate of a page by a measure, null if it was not evaluated.
/** @param {number} page @param {string} measure @param {number} [system] @returns {import("./types").Score | null} */
export function pageScore(page, measure, system = mainSystem()) {
  const columns = report.overview.counts[system][measure];
  if ((columns?.cor[page] ?? null) === null) return null;
  const [ins, dels, sub, cor] = ["ins", "dels", "sub", "cor"].map((name) => /** @type {number} */ (columns[name][page]));
  const errors = ins + dels + sub;
  const nGt = ins + sub + cor;
  return { ins, dels, sub, cor, errors, nGt, rate: ratio(errors, nGt), bound: columns.bound[page] ?? 0 };
}

// True if a system has a page; pages without hypothesis may have been skipped.
/** @param {number} page @param {number} system */
export function hasPage(page, system) {
  return (report.overview.missed[system][page] ?? null) !== null;
}

// The pages that all systems have. The totals of a comparison are over these.
export function comparedPages() {
  const { pages, systems } = report.overview;
  return [...pages.name.keys()].filter((page) => systems.every((_, system) => hasPage(page, system)));
}

export function severalSystems() {
  return report.overview.systems.length > 1;
}

export function measureIds() {
  return report.overview.measures.map((measure) => measure.id);
}
