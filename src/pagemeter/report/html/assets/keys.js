// Keyboard shortcuts.
const KEYS = [
  ["j, k", "next, previous line"], ["e", "next line with errors"], ["n, p", "next, previous page"],
  ["v", "switch between lines and order"], ["m", "next measure"], ["/", "search"],
  ["+, -, 0", "zoom in, zoom out, whole page"], ["arrows", "move the picture while it has the focus"],
  ["t", "switch between dark and light"], ["Esc", "all pages"], ["?", "this list"],
];

function showKeys() {
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
    showLine(state.line, false);
  }
}

const ACTIONS = {
  j: () => stepLine(1), k: () => stepLine(-1), e: () => stepLine(1, true),
  n: () => state.page !== null && turnPage(1), p: () => state.page !== null && turnPage(-1),
  v: () => state.page !== null && go({ view: state.view === "order" ? "lines" : "order" }),
  m: () => go({ measure: measureIds()[(measureIds().indexOf(state.measure) + 1) % measureIds().length] }),
  "/": () => (byId("search") ?? byId("filter"))?.focus(),
  "+": () => opened.view?.zoom(1 / 1.5), "-": () => opened.view?.zoom(1.5), 0: () => opened.view?.reset(),
  t: () => switchTheme(), Escape: () => go({ page: null, line: null }), "?": showKeys,
};

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input[type=search], select, dialog");
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
