// The page as an SVG picture: its image, if there is one, and the lines of both sides drawn over it.
import { byId, svg } from "./dom.js";
import { ratio, tone } from "./figures.js";
import { textOfWords, unitOf } from "./matching.js";
import { embeddedImage } from "./store.js";

/** @param {import("./types").Block} block @param {import("./types").Model} model */
export function pageSvg(block, model) {
  const system = block.systems[model.system];
  const size = sizeOf(block, model.system);
  const frame = size ? [0, 0, ...size] : bounds(block, [system]);
  const gts = new Map(model.rows.filter((row) => row.gt !== null).map((row) => [row.gt, row]));
  const picture = svg("svg", { id: "picture", viewBox: frame.join(" "), tabindex: 0, role: "application",
    style: `aspect-ratio: ${frame[2]} / ${frame[3]}`, "aria-label": "Picture of the page: + and - zoom, arrow keys move, 0 shows the whole page" });
  picture.append(
    svg("rect", { class: "paper", x: frame[0], y: frame[1], width: frame[2], height: frame[3] }),
    svg("g", { class: "scan" }),
    svg("g", { class: "lines gts" }, block.lines.map(([text, , points, closed], at) => {
      const row = gts.get(at);
      return shape("gt", at, points, closed, row ? ratio(row.errors, row.n) : 0, text);
    })),
    svg("g", { class: "lines hyps" }, system.lines.map(([, points, closed], at) =>
      shape("hyp", at, closed ? points : lowered(points, frame[3]), closed, model.hyps[at].rate, textOfWords(system.words[model.unit][at])))),
    svg("g", { class: "paths" }, readingPath("gt", block.lines.map((line) => line[2])), readingPath("hyp", system.lines.map((line) => line[1]))));
  return { picture, frame };
}

// The size of the page in the units of the coordinates, from either file.
/** @param {import("./types").Block} block @param {number} system */
export function sizeOf(block, system) {
  return block.size ?? block.systems[system]?.size ?? null;
}

// The numbers of tokens of the GT lines by a measure.
/** @param {import("./types").Block} block @param {string} measure */
export function linesOf(block, measure) {
  return block.n[unitOf(measure)] ?? [];
}

/** @param {import("./types").Block} block @param {import("./types").Model} model */
export function hasPositions(block, model) {
  return block.lines.some((line) => line[2].length) || block.systems[model.system].lines.some((line) => line[1].length);
}

// A line of either side: a broad path for the pointer, and a thin visible one.
function shape(side, at, points, closed, rate, text) {
  if (!points.length) return null;
  const d = toPath(points) + (closed ? "Z" : "");
  return svg("g", { class: `line ${side} tone${tone(rate)}${closed ? " closed" : ""}`, [`data-${side}`]: at },
    svg("title", {}, text), svg("path", { class: "hit", d }), svg("path", { class: "ink", d }));
}

// The points moved down slightly, or sideways for a vertical line, so that both sides stay visible if they agree.
function lowered(points, height) {
  const [wide, high] = [points.at(-2) - points[0], points.at(-1) - points[1]].map(Math.abs);
  const axis = wide >= high ? 1 : 0;
  return points.map((value, at) => at % 2 === axis ? Math.round(value + height / 250) : value);
}

/** @param {number[]} points */
export function toPath(points) {
  let d = "";
  for (let i = 0; i < points.length; i += 2) d += `${i ? "L" : "M"}${points[i]} ${points[i + 1]}`;
  return d;
}

// A path from line to line in reading order.
function readingPath(side, lines) {
  const middles = lines.filter((points) => points.length).flatMap((points) => {
    const half = 2 * Math.floor(points.length / 4);
    return points.length > 3 ? [(points[0] + points.at(-2)) / 2, points[half + 1]] : points;
  });
  return svg("path", { class: `reading ${side}`, d: toPath(middles) });
}

// The bounding box of all coordinates, used if no file has the size of the page.
/** @param {import("./types").Block} block @param {import("./types").Read[]} reads */
export function bounds(block, reads) {
  const all = [...block.lines.map((line) => line[2]), ...reads.flatMap((read) => read.lines.map((line) => line[1]))].flat();
  let [left, top, right, bottom] = [Infinity, Infinity, 1, 1];
  for (let i = 0; i < all.length; i += 2) {
    [left, right] = [Math.min(left, all[i]), Math.max(right, all[i])];
    [top, bottom] = [Math.min(top, all[i + 1]), Math.max(bottom, all[i + 1])];
  }
  if (left > right) [left, top] = [0, 0];
  const margin = 0.05 * Math.max(right - left, bottom - top, 100);
  return [left - margin, top - 2 * margin, right - left + 2 * margin, bottom - top + 3 * margin];
}

// The address of the image of a page, embedded or linked.
/** @param {import("./types").ImageLink | null} image @param {number} page @returns {string | null} */
export function imageOf(image, page) {
  return embeddedImage(page) ?? image?.href ?? null;
}

// Puts the image below the lines, stretched to the size of the page. If no file has that size, coordinates are
// pixels of the image.
export function addImage(picture, image, page, given, onload) {
  const href = imageOf(image, page);
  if (!href) return;
  const scan = new Image();
  scan.onload = () => {
    const size = given ?? [scan.naturalWidth, scan.naturalHeight];
    picture.querySelector(".scan").append(svg("image", { id: "scan", href, width: size[0], height: size[1], preserveAspectRatio: "none" }));
    picture.classList.add("has-scan");
    onload(given ? null : [0, 0, ...size]);
  };
  scan.onerror = () => {
    byId("rows")?.classList.remove("with-snippets");
    byId("image-note")?.append(image?.href ? `The image ${image.href} could not be loaded.` : "The image could not be loaded.");
  };
  scan.src = href;
}
