// Numbers of charts and pictures that need no document, so that they can be tested alone.

// The lowest round number that is not below a value.
/** @param {number} value */
export function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-4)));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((end) => end >= value) ?? 10 * power;
}

// The end of an axis. Values beyond it are drawn at the end, so that outliers do not compress the others.
/** @param {(number | null)[]} rates */
export function upperEnd(rates) {
  const sorted = rates.filter((rate) => rate !== null && Number.isFinite(rate)).map(Number).sort((a, b) => a - b);
  const high = sorted[Math.ceil(0.98 * (sorted.length - 1))] ?? 0;
  return Math.max(0.01, niceAbove(1.05 * high));
}

// The space that the labels of an axis need, for text of 11 pixels.
/** @param {string[]} labels @param {number} least */
export function labelSpace(labels, least) {
  return Math.max(least, 12 + Math.ceil(6.4 * Math.max(0, ...labels.map((label) => [...label].length))));
}

// Repetitions in a list: segments of items from `from` to before `to` that occur `times` times in a row. Texts
// that repeat at least `fewest` times become one segment, the one that covers most.
/** @param {string[]} items @param {number} [fewest] @param {number} [longest] */
export function repetitions(items, fewest = 3, longest = 60) {
  const segments = [];
  for (let at = 0; at < items.length;) {
    let best = { size: 1, times: 1 };
    for (let size = 1; size <= longest && at + fewest * size <= items.length; size += 1) {
      let end = at + size;
      while (end < items.length && items[end] === items[end - size]) end += 1;
      const times = Math.floor((end - at) / size);
      if (times >= fewest && size * times > best.size * best.times) best = { size, times };
    }
    segments.push({ from: at, to: at + best.size, times: best.times });
    at += best.size * best.times;
  }
  return segments;
}

// The part of the page that shows a line, in the direction of its baseline. The outline says how far letters
// reach from the baseline; without one, `pitch` is the distance between lines.
/**
 * @param {number[]} points @param {number} closed @param {number} up @param {number} down @param {number} pitch
 * @returns {import("./types").Crop | null}
 */
export function cropOf(points, closed, up, down, pitch) {
  if (points.length < 2) return null;
  const xs = points.filter((_, at) => at % 2 === 0);
  const ys = points.filter((_, at) => at % 2 === 1);
  if (closed) {
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
    if (width <= 0 || height <= 0) return null;
    const pad = 0.1 * Math.min(width, height);
    return { x: left - pad, y: top - pad, width: width + 2 * pad, height: height + 2 * pad, degrees: 0, originX: 0, originY: 0 };
  }
  const [originX, originY] = [xs[0], ys[0]];
  let [dx, dy] = [xs[xs.length - 1] - originX, ys[ys.length - 1] - originY];
  if (dx < 0 && -dx > Math.abs(dy)) [dx, dy] = [-dx, -dy];
  const length = Math.hypot(dx, dy) || 1;
  const along = xs.map((x, at) => ((x - originX) * dx + (ys[at] - originY) * dy) / length);
  const across = xs.map((x, at) => ((ys[at] - originY) * dx - (x - originX) * dy) / length);
  const [above, below] = up + down > 0 ? [up, down] : [0.8 * pitch - Math.min(...across), 0.3 * pitch + Math.max(...across)];
  const pad = 0.12 * (above + below);
  const left = Math.min(...along);
  return {
    x: left - pad, y: -above - pad, width: Math.max(...along) - left + 2 * pad, height: above + below + 2 * pad,
    degrees: (180 / Math.PI) * Math.atan2(dy, dx), originX, originY,
  };
}

// The typical distance between a baseline and the next one below it that overlaps it.
/** @param {number[][]} baselines @param {number} height the height of the page */
export function linePitch(baselines, height) {
  const spans = baselines.filter((points) => points.length >= 4).map((points) => {
    const last = points.length - 2;
    return { left: Math.min(points[0], points[last]), right: Math.max(points[0], points[last]), y: (points[1] + points[last + 1]) / 2 };
  }).sort((a, b) => a.y - b.y);
  const gaps = spans.flatMap((one, at) => {
    const next = spans.slice(at + 1, at + 60).find((other) => other.left < one.right && other.right > one.left && other.y > one.y + 1);
    return next ? [next.y - one.y] : [];
  }).sort((a, b) => a - b);
  return gaps.length ? gaps[Math.floor(gaps.length / 2)] : height / 40;
}

// The part of a page that shows a box with a margin, in the shape of the page.
/** @param {number[]} box left, top, right, bottom @param {number[]} frame left, top, width, height */
export function zoomBox([left, top, right, bottom], frame) {
  const wide = Math.max(1.15 * (right - left), 6 * (bottom - top), frame[2] / 8);
  const width = Math.min(frame[2], Math.max(wide, 1.4 * (bottom - top) * frame[2] / frame[3]));
  const height = width * frame[3] / frame[2];
  const inside = (middle, size, axis) => Math.min(Math.max(middle - size / 2, frame[axis]), frame[axis] + frame[axis + 2] - size);
  return [inside((left + right) / 2, width, 0), inside((top + bottom) / 2, height, 1), width, height];
}

// The box around points x, y, x, y …
/** @param {number[]} points */
export function boxOf(points) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    box[0] = Math.min(box[0], points[at]);
    box[1] = Math.min(box[1], points[at + 1]);
    box[2] = Math.max(box[2], points[at]);
    box[3] = Math.max(box[3], points[at + 1]);
  }
  return box;
}
