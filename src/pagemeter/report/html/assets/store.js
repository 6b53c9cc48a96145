// The data of the report: the overview at once, a page when it is opened.
const KEPT = 12;
const report = { overview: null, pages: new Map() };

async function unpack(id) {
  const element = byId(id);
  if (!element) return null;
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

async function loadPage(page) {
  if (!report.pages.has(page)) {
    await parsed();
    report.pages.set(page, await unpack(`p${page}`));
    if (report.pages.size > KEPT) report.pages.delete(report.pages.keys().next().value);
  }
  return report.pages.get(page);
}

// The blocks of pages stand behind this script: they are there when the file has been read to its end.
function parsed() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
}

function embeddedImage(page) {
  return byId(`i${page}`)?.textContent ?? null;
}

// The errors and the size of a page by a measure, null where it was not evaluated.
function pageScore(page, measure, system = state.system) {
  const columns = report.overview.counts[system][measure];
  if (!columns || columns.cor[page] === null || columns.cor[page] === undefined) return null;
  const [ins, dels, sub, cor] = ["ins", "dels", "sub", "cor"].map((name) => columns[name][page]);
  const errors = ins + dels + sub;
  const nGt = ins + sub + cor;
  return { ins, dels, sub, cor, errors, nGt, rate: ratio(errors, nGt), bound: columns.bound[page] };
}

function measureIds() {
  return report.overview.measures.map((measure) => measure.id);
}
