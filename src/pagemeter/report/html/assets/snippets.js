// The image of each line above its text, cropped from the image of the page. A crop refers to the one image of the
// picture and is drawn when it comes into sight, so that long pages stay quick.
import { svg } from "./dom.js";
import { cropOf, linePitch } from "./layout.js";

const THINNEST = 0.004;  // of its length: a line that is drawn at all

/** @param {import("./types").Block} block @param {number} height */
export function pitchOf(block, height) {
  return linePitch(block.lines.filter((line) => !line[3]).map((line) => line[2]), height);
}

// The placeholder of the image of a line, in its final shape; null without a position.
/** @param {import("./types").Points} points @param {number} closed @param {number} up @param {number} down @param {number} pitch */
export function snippet(points, closed, up, down, pitch) {
  const crop = cropOf(points, closed, up, down, pitch);
  if (!crop || crop.height < THINNEST * crop.width) return null;
  const node = svg("svg", { class: "snippet", viewBox: `${crop.x} ${crop.y} ${crop.width} ${crop.height}`, "aria-hidden": "true",
    style: `aspect-ratio: ${crop.width.toFixed(1)} / ${crop.height.toFixed(1)}` });
  node.dataset.turn = `rotate(${(-crop.degrees).toFixed(2)}) translate(${-crop.originX} ${-crop.originY})`;
  return node;
}

// Draws the images of lines as they come into sight, once the image of the page is loaded.
/** @param {Element} list */
export function drawSnippets(list) {
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      const node = /** @type {SVGElement} */ (target);
      node.append(svg("g", { transform: node.dataset.turn }, svg("use", { href: "#scan" })));
    }
  }, { rootMargin: "400px" });
  for (const node of list.querySelectorAll(".snippet")) observer.observe(node);
}
