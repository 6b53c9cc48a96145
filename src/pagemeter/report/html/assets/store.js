// The data of the report: the overview is unpacked at the start, a page when it is opened.
const MOST_LOADED = 12;  // pages in memory
const report = { overview: null, pages: new Map() };

async function unpack(id) {
  const element = byId(id);
  if (!element) return null;
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// A page with the hypotheses of these systems; null if it was omitted from the report.
async function loadPage(page, systems) {
  await parsed();
  if (!report.pages.has(page)) {
    const block = await unpack(`page${page}`);
    report.pages.set(page, block && { ...block, systems: {} });
    if (report.pages.size > MOST_LOADED) report.pages.delete(report.pages.keys().next().value);
  }
  const block = report.pages.get(page);
  for (const system of block ? systems : []) block.systems[system] ??= await unpack(`read${page}-${system}`);
  return block;
}

// Resolves when the document is parsed, because the blocks of pages come after this script.
function parsed() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
}

function embeddedImage(page) {
  return byId(`image${page}`)?.textContent ?? null;
}

// The counts and the rate of a page by a measure, null if it was not evaluated.
function pageScore(page, measure, system = state.system) {
  const columns = report.overview.counts[system][measure];
  if ((columns?.cor[page] ?? null) === null) return null;
  const [ins, dels, sub, cor] = ["ins", "dels", "sub", "cor"].map((name) => columns[name][page]);
  const errors = ins + dels + sub;
  const nGt = ins + sub + cor;
  return { ins, dels, sub, cor, errors, nGt, rate: ratio(errors, nGt), bound: columns.bound[page] };
}

function severalSystems() {
  return report.overview.systems.length > 1;
}

function measureIds() {
  return report.overview.measures.map((measure) => measure.id);
}
