// The start: unpack the overview, then draw the view in the address, whenever it changes.
import { chartsSection } from "./charts.js";
import { rankingSection } from "./compare.js";
import { confusionsSection } from "./confusions.js";
import { button, byId, el } from "./dom.js";
import { plural } from "./figures.js";
import { findSection } from "./find.js";
import { listenToKeys, showKeys } from "./keys.js";
import { opened, pageSection, showLine } from "./page.js";
import { pagesSection } from "./pages.js";
import { comparing, go, readState, state } from "./state.js";
import { report, unpack } from "./store.js";
import { storySection } from "./story.js";
import { startTheme, switchTheme } from "./theme.js";
import { additionalSections, totalsSection } from "./totals.js";
import { loadVerdicts, verdictsSection } from "./verdicts.js";

function overviewSections() {
  const { overview } = report;
  const failed = overview.failed.length > 0 && el("details", { class: "failed" },
    el("summary", {}, `${plural(overview.failed.length, "page")} failed`),
    el("ul", {}, overview.failed.map(([page, error]) => el("li", {}, `${page}: ${error}`))));
  return [
    storySection(), comparing() && rankingSection(), failed, comparing() && pagesSection(), totalsSection(), additionalSections(),
    !comparing() && pagesSection(), chartsSection(), findSection(), confusionsSection(), verdictsSection(), signatureSection(),
  ].flat().filter(Boolean);
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
let drawn = { ...state };

async function draw() {
  readState();
  const current = ++drawing;
  byId("measure").value = state.measure;
  byId("system").value = comparing() ? "" : String(state.systems[0] ?? 0);
  const same = drawn.page === state.page && drawn.measure === state.measure && drawn.view === state.view
    && drawn.systems.join() === state.systems.join() && opened.block;
  if (!same) {
    const content = state.page === null ? overviewSections() : [await pageSection(state.page)];
    if (current !== drawing) return;
    if (state.page === null) Object.assign(opened, { block: null, models: [], view: null, index: new Map() });
    byId("main").replaceChildren(...content);
    document.title = state.page === null ? "pagemeter report" : `${report.overview.pages.name[state.page]} – pagemeter report`;
    if (drawn.page !== state.page) scrollTo(0, 0);
    drawn = { ...state };
  }
  if (state.page !== null && state.line !== null) showLine(state.line);
}

async function start() {
  startTheme();
  report.overview = await unpack("overview");
  const { measures, systems } = report.overview;
  loadVerdicts();
  byId("measure").append(...measures.map(({ id, meaning }) => el("option", { value: id, title: meaning }, id)));
  byId("system").append(el("option", { value: "" }, "all systems"), ...systems.map((name, at) => el("option", { value: at }, name)));
  byId("system-choice").hidden = systems.length < 2;
  byId("measure").addEventListener("change", (event) => go({ measure: event.target.value }));
  byId("system").addEventListener("change", (event) => go({ systems: event.target.value === "" ? [] : [Number(event.target.value)] }));
  byId("home").addEventListener("click", () => go({ page: null, line: null }));
  byId("theme").addEventListener("click", switchTheme);
  byId("help").addEventListener("click", showKeys);
  addEventListener("hashchange", draw);
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault(); // the address contains the view
    byId("main").focus();
  });
  listenToKeys();
  await draw();
  document.documentElement.dataset.ready = "yes";
}

start();
