// The page as a picture: its image, if there is one, and the lines of both sides drawn over it.
function pageSvg(block, model) {
  const system = block.systems[model.system];
  const size = sizeOf(block, model.system);
  const frame = size ? [0, 0, ...size] : bounds(block, system);
  const gts = new Map(model.rows.filter((row) => row.gt !== null).map((row) => [row.gt, row]));
  const picture = svg("svg", { id: "picture", viewBox: frame.join(" "), tabindex: 0, role: "application",
    style: `aspect-ratio: ${frame[2]} / ${frame[3]}`, "aria-label": "The page; + and - zoom, arrows move, 0 shows all" });
  picture.append(
    svg("rect", { class: "paper", x: frame[0], y: frame[1], width: frame[2], height: frame[3] }),
    svg("g", { class: "scan" }),
    svg("g", { class: "lines gts" }, block.lines.map(([text, , points, closed], at) =>
      shape("gt", at, points, closed, ratio(gts.get(at).errors, gts.get(at).n), text))),
    svg("g", { class: "lines hyps" }, system.lines.map(([, points, closed], at) =>
      shape("hyp", at, closed ? points : lowered(points, frame[3]), closed, model.hyps[at].rate, system.words[model.unit][at].join(" ")))),
    svg("g", { class: "paths" }, path("gt", block.lines.map((line) => line[2])), path("hyp", system.lines.map((line) => line[1]))));
  return { picture, frame };
}

// The size of the page that the coordinates are in, as either file says.
function sizeOf(block, system) {
  return block.size ?? block.systems[system].size;
}

function hasPlaces(block, model) {
  return block.lines.some((line) => line[2].length) || block.systems[model.system].lines.some((line) => line[1].length);
}

// A line of either side: a broad path that the pointer finds, and a thin one to see.
function shape(side, at, points, closed, rate, text) {
  if (!points.length) return null;
  const d = toPath(points) + (closed ? "Z" : "");
  return svg("g", { class: `line ${side} tone${tone(rate)}${closed ? " closed" : ""}`, [`data-${side}`]: at },
    svg("title", {}, text), svg("path", { class: "hit", d }), svg("path", { class: "ink", d }));
}

// A little below, or beside a line that runs down, so that both sides can be seen where they agree.
function lowered(points, height) {
  const [wide, high] = [points.at(-2) - points[0], points.at(-1) - points[1]].map(Math.abs);
  const axis = wide >= high ? 1 : 0;
  return points.map((value, at) => at % 2 === axis ? Math.round(value + height / 250) : value);
}

function toPath(points) {
  let d = "";
  for (let i = 0; i < points.length; i += 2) d += `${i ? "L" : "M"}${points[i]} ${points[i + 1]}`;
  return d;
}

// From line to line in reading order.
function path(side, lines) {
  const middles = lines.filter((points) => points.length).flatMap((points) => {
    const half = 2 * Math.floor(points.length / 4);
    return points.length > 3 ? [(points[0] + points.at(-2)) / 2, points[half + 1]] : points;
  });
  return svg("path", { class: `reading ${side}`, d: toPath(middles) });
}

// What the coordinates span, where no file says how large the page is.
function bounds(block, system) {
  const all = [...block.lines.map((line) => line[2]), ...system.lines.map((line) => line[1])].flat();
  let [left, top, right, bottom] = [Infinity, Infinity, 1, 1];
  for (let i = 0; i < all.length; i += 2) {
    [left, right] = [Math.min(left, all[i]), Math.max(right, all[i])];
    [top, bottom] = [Math.min(top, all[i + 1]), Math.max(bottom, all[i + 1])];
  }
  if (left > right) [left, top] = [0, 0];
  const margin = 0.05 * Math.max(right - left, bottom - top, 100);
  return [left - margin, top - 2 * margin, right - left + 2 * margin, bottom - top + 3 * margin];
}

// Lays the image below the lines. Its pixels need not be those of the coordinates: it is stretched over the page,
// whose size the file gives; where no file does, the pixels of the image are taken for coordinates.
function layImage(picture, image, page, given, onsize) {
  const href = embeddedImage(page) ?? image?.href;
  if (!href) return;
  const scan = new Image();
  scan.onload = () => {
    const size = given ?? [scan.naturalWidth, scan.naturalHeight];
    picture.querySelector(".scan").append(svg("image", { href, width: size[0], height: size[1], preserveAspectRatio: "none" }));
    picture.classList.add("has-scan");
    if (!given) onsize([0, 0, ...size]);
  };
  scan.onerror = () => byId("image-note")?.append(`The image ${image.href} is not there.`);
  scan.src = href;
}
