// Keyboard shortcuts.
import { byId, el } from "./dom.js";
import { hasCells } from "./cells.js";
import { opened, showLine, shownView, toggleFullScreen, turnPage } from "./page.js";
import { go, replaceAddress, state } from "./state.js";
import { measureIds } from "./store.js";
import { switchTheme } from "./theme.js";

const KEYS = [
  ["j, k", "next, previous line"], ["e", "next line with errors"], ["n, p", "next, previous page"],
  ["v", "switch between lines, order and table"], ["m", "next measure"], ["/", "search"], ["x", "verdict on the line with the focus"],
  ["+, -, 0", "zoom in, zoom out, whole page"], ["arrows", "move the picture while it has the focus"],
  ["f", "full screen"], ["t", "switch between dark and light"], ["Esc", "all pages"], ["?", "this list"],
];

export function showKeys() {
  const dialog = byId("keys");
  dialog.replaceChildren(el("h2", {}, "Keyboard shortcuts"),
    el("dl", {}, KEYS.map(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)])),
    el("form", { method: "dialog" }, el("button", {}, "Close")));
  dialog.showModal();
}

// Moves to the next visible line in a direction, any line or one with errors.
function stepLine(by, wrongOnly = false) {
  const rows = [...(byId("page")?.querySelectorAll("#rows > li:not(.head), #order .gt > li") ?? [])]
    .filter((row) => !row.hidden && (!wrongOnly || row.classList.contains("wrong")));
  const focused = document.activeElement?.closest?.("#rows > li, #order li");
  const all = [...(byId("page")?.querySelectorAll("#rows > li, #order .gt > li") ?? [])];
  const here = all.indexOf(focused);
  const next = by > 0 ? rows.find((row) => all.indexOf(row) > here) : rows.findLast((row) => all.indexOf(row) < here);
  if (!next) return;
  next.scrollIntoView({ block: "nearest" });
  next.focus();
  if (next.dataset.gt !== undefined) {
    replaceAddress({ line: Number(next.dataset.gt) });
    showLine(Number(next.dataset.gt), false);
  }
}

function nextView() {
  const views = ["lines", "order", ...(opened.block && hasCells(opened.block) ? ["table"] : [])];
  go({ view: views[(views.indexOf(shownView(opened.block)) + 1) % views.length] });
}

const ACTIONS = {
  j: () => stepLine(1), k: () => stepLine(-1), e: () => stepLine(1, true),
  n: () => state.page !== null && turnPage(1), p: () => state.page !== null && turnPage(-1),
  v: () => state.page !== null && nextView(), f: () => state.page !== null && toggleFullScreen(),
  x: () => /** @type {any} */ (document.activeElement?.closest("#rows > li")?.querySelector("button.verdict"))?.click(),
  m: () => go({ measure: measureIds()[(measureIds().indexOf(state.measure) + 1) % measureIds().length] }),
  "/": () => (byId("search") ?? byId("filter"))?.focus(),
  "+": () => opened.view?.zoom(1 / 1.5), "-": () => opened.view?.zoom(1.5), 0: () => opened.view?.reset(),
  t: () => switchTheme(), Escape: () => { if (!document.fullscreenElement) go({ page: null, line: null }); }, "?": showKeys,
};

export function listenToKeys() {
  document.addEventListener("keydown", (/** @type {any} */ event) => {
    const typing = event.target.closest?.("input:not([type=checkbox], [type=range]), select, textarea, dialog");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing) {
      if (event.key === "Escape" && event.target.blur) event.target.blur();
      return;
    }
    const action = ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
