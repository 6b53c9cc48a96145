// Formats of numbers, and the tones (colours) of rates.
import { el } from "./dom.js";

const TONES = [0, 0.02, 0.1, 0.3];
export const TONE_NAMES = ["no errors", "up to 2 %", "up to 10 %", "up to 30 %", "above 30 %"];

/** @param {number} rate @param {number} [digits] */
export function percent(rate, digits = 2) {
  return Number.isFinite(rate) ? `${(100 * rate).toFixed(digits)} %` : "∞";
}

/** @param {number} value */
export function number(value) {
  return value.toLocaleString("en-GB");
}

/** @param {number} count @param {string} one @param {string} [many] */
export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

// A name of at most this length; a longer one loses its middle.
/** @param {string} name @param {number} most */
export function shorten(name, most) {
  const letters = [...name];
  if (letters.length <= most) return name;
  const half = Math.floor((most - 1) / 2);
  return `${letters.slice(0, most - 1 - half).join("")}…${letters.slice(-half).join("")}`;
}

/** @param {number} part @param {number} whole */
export function ratio(part, whole) {
  if (whole) return part / whole;
  return part ? Infinity : 0;
}

// The rate of a total, or the range that is proven to contain it.
/** @param {import("./types").Total} score */
export function rateText(score) {
  const rate = score.rate === null ? Infinity : score.rate;
  if (score.optimal || !score.n_gt) return percent(rate);
  return `${(100 * score.lower_bound / score.n_gt).toFixed(2)} … ${percent(rate)}`;
}

// The number of a tone: from 0 for no errors to 4 for more than 30 %.
/** @param {number} rate */
export function tone(rate) {
  const at = TONES.findIndex((limit) => rate <= limit);
  return at < 0 ? TONES.length : at;
}

export function bar(rate, most) {
  const share = most > 0 ? Math.min(1, rate / most) : 0;
  return el("span", { class: "bar", "aria-hidden": "true" },
    el("span", { class: `tone${tone(rate)}`, style: `width:${(100 * share).toFixed(1)}%` }));
}
