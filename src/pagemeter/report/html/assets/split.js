// The split between picture and text: a separator that is dragged, or moved by the arrow keys.
import { el } from "./dom.js";

const NARROWEST = 15, WIDEST = 85, KEY_STEP = 5;
const split = { share: 40 };  // per cent of the width, for the picture

/** @param {HTMLElement} sides */
export function splitter(sides) {
  const set = (share) => {
    split.share = Math.round(Math.min(WIDEST, Math.max(NARROWEST, share)));
    sides.style.setProperty("--split", `${split.share}%`);
    node.setAttribute("aria-valuenow", String(split.share));
  };
  const node = el("div", { class: "splitter", role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": "Width of the picture",
    "aria-valuemin": NARROWEST, "aria-valuemax": WIDEST, title: "Drag, or press the arrow keys, to resize" });
  const drag = (event) => {
    const { left, width } = sides.getBoundingClientRect();
    set(100 * (event.clientX - left) / width);
  };
  node.addEventListener("pointerdown", (event) => {
    node.setPointerCapture(event.pointerId);
    node.addEventListener("pointermove", drag);
    event.preventDefault();
  });
  for (const name of ["pointerup", "pointercancel"]) node.addEventListener(name, () => node.removeEventListener("pointermove", drag));
  node.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP, Home: -100, End: 100 }[event.key];
    if (by === undefined) return;
    set(split.share + by);
    event.preventDefault();
    event.stopPropagation();
  });
  set(split.share);
  return node;
}
