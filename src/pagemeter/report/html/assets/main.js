// The start: unpack the overview, then draw the view in the address, whenever it changes.
function overviewSections() {
  const { overview } = report;
  const failed = overview.failed.length > 0 && el("details", { class: "failed" },
    el("summary", {}, `${plural(overview.failed.length, "page")} failed`),
    el("ul", {}, overview.failed.map(([page, error]) => el("li", {}, `${page}: ${error}`))));
  return [totalsSection(), failed, chartsSection(), pagesSection(), confusionsSection(), signatureSection()]
    .flat().filter(Boolean);
}

function signatureSection() {
  const { signature, version, reproduce } = report.overview;
  const code = el("code", {}, signature);
  const copy = button("Copy", "Copy the signature", () => navigator.clipboard?.writeText(signature));
  return el("section", { id: "signature", "aria-label": "Signature" }, el("h2", {}, "Signature"),
    el("p", { class: "note" }, reproduce),
    el("p", {}, code, " ", copy), el("p", { class: "note" }, `Made by pagemeter ${version}.`));
}

let drawing = 0;

async function draw() {
  const before = { ...state };
  readState();
  const current = ++drawing;
  byId("measure").value = state.measure;
  byId("system").value = String(state.system);
  const same = before.page === state.page && before.measure === state.measure && before.view === state.view
    && before.system === state.system && before.other === state.other && opened.block;
  if (!same) {
    const content = state.page === null ? overviewSections() : [await pageSection(state.page)];
    if (current !== drawing) return;
    if (state.page === null) Object.assign(opened, { block: null, models: [], view: null });
    byId("main").replaceChildren(...content);
    document.title = state.page === null ? "pagemeter report" : `${report.overview.pages.name[state.page]} – pagemeter report`;
    if (before.page !== state.page) scrollTo(0, 0);
  }
  if (state.page !== null && state.line !== null) showLine(state.line);
}

// Dark or light: as chosen before, else as in the system.
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function storedTheme() {
  try { return localStorage.getItem("pagemeter-theme"); } catch { return null; } // a browser may forbid storage
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
}

function followTheme() {
  setTheme(storedTheme() ?? (systemDark.matches ? "dark" : "light"));
}

function switchTheme() {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  try { localStorage.setItem("pagemeter-theme", document.documentElement.dataset.theme); } catch { /* the choice is lost */ }
}

async function start() {
  followTheme();
  systemDark.addEventListener("change", followTheme);
  report.overview = await unpack("overview");
  const { measures, systems } = report.overview;
  byId("measure").append(...measures.map(({ id, meaning }) => el("option", { value: id, title: meaning }, id)));
  byId("system").append(...systems.map((name, at) => el("option", { value: at }, name)));
  byId("system-choice").hidden = systems.length < 2;
  byId("measure").addEventListener("change", (event) => go({ measure: event.target.value }));
  byId("system").addEventListener("change", (event) => go({ system: Number(event.target.value), other: null }));
  byId("home").addEventListener("click", () => go({ page: null, line: null }));
  byId("theme").addEventListener("click", switchTheme);
  byId("help").addEventListener("click", showKeys);
  addEventListener("hashchange", draw);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address contains the view
    byId("main").focus();
  });
  listenToKeys();
  await draw();
  document.documentElement.dataset.ready = "yes";
}

start();
