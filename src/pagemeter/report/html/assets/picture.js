// The picture beside the text: the image with the lines of both sides, and its controls.
import { button, el } from "./dom.js";
import { TONE_NAMES } from "./figures.js";
import { addImage, hasPositions, pageSvg, sizeOf } from "./geometry.js";
import { boxOf } from "./layout.js";
import { embeddedImage } from "./store.js";
import { View } from "./view.js";

const follow = { zoom: true };

/**
 * The picture of a page, or null if there is nothing to draw.
 * @param {number} page @param {import("./types").Block} block @param {import("./types").Model} model @param {() => void} onimage
 */
export function pictureSide(page, block, model, onimage) {
  const { image } = block.systems[model.system];
  if (!hasPositions(block, model) && !image) return null;
  const { picture, frame } = pageSvg(block, model);
  const view = new View(picture, frame, block.lines.length);
  const size = sizeOf(block, model.system);
  addImage(picture, image, page, size, (own) => {
    if (own) view.reset(own);
    onimage();
  });
  const check = (text, on, onchange, more = {}) => el("label", {}, el("input", { type: "checkbox", checked: on, onchange: (event) => onchange(event.target.checked), ...more }), text);
  const toggle = (name, text, on) => check(text, on, (checked) => picture.classList.toggle(`no-${name}`, !checked), { "data-toggle": name });
  picture.classList.add("no-paths");
  const node = el("div", { class: "picture" },
    el("div", { class: "tools" },
      button("+", "Zoom in (+)", () => view.zoom(1 / 1.5)), button("−", "Zoom out (-)", () => view.zoom(1.5)),
      button("All", "Whole page (0)", () => view.reset()),
      check("zoom to the chosen line", follow.zoom, (on) => { follow.zoom = on; }, { id: "follow" })),
    el("details", { class: "layers" }, el("summary", {}, "Layers"),
      el("div", { class: "tools" },
        toggle("gts", "ground truth", true), toggle("hyps", "hypothesis", true), image && toggle("scan", "image", true), toggle("paths", "reading order", false),
        check("only lines with errors", false, (on) => picture.classList.toggle("only-wrong", on), { id: "outline-wrong" }),
        el("label", {}, "opacity ", el("input", { type: "range", id: "opacity", min: 0, max: 100, value: 100,
          oninput: (event) => picture.style.setProperty("--overlay", String(event.target.value / 100)) })))),
    picture,
    el("p", { class: "note", id: "image-note" }, image?.note ?? (image?.embedded && !embeddedImage(page) ? "The image was omitted to limit the size of the report." : "")),
    el("p", { class: "legend" }, TONE_NAMES.map((name, at) => el("span", { class: `swatch tone${at}` }, name)),
      el("span", { class: "swatch solid" }, "ground truth"), el("span", { class: "swatch dashed" }, "hypothesis")));
  return { node, view, height: frame[3] };
}

// Shows a line in the picture.
/** @param {View | null} view @param {number[]} points */
export function showInPicture(view, points) {
  if (!view || !points.length) return;
  if (follow.zoom) view.zoomTo(boxOf(points));
  else view.show(points[0], points[1]);
}
