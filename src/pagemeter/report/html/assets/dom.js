// Elements. Texts are always text nodes or attribute values, so no text of a page is ever interpreted as HTML.
const SVG = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {Record<string, any>} attributes @param {any[]} children @returns {any} */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** @param {string} tag @param {Record<string, any>} attributes @param {any[]} children @returns {any} */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Adds attributes and children. Attributes that are null or false are omitted; those that begin with "on" are listeners.
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

export function select(attributes, options, chosen) {
  const node = el("select", attributes, options.map(([value, text]) => el("option", { value }, text)));
  node.value = chosen;
  return node;
}

/** @param {any} text @param {string} title @param {(event: any) => unknown} onclick @param {Record<string, any>} [more] */
export function button(text, title, onclick, more = {}) {
  return el("button", { type: "button", title, onclick, ...more }, text);
}

// A region that scrolls sideways, which the keyboard can reach.
export function scroller(label, ...children) {
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, children);
}

// A table with headings and texts.
export function plainTable(title, headings, rows) {
  return el("figure", { class: "tabular" }, title && el("figcaption", {}, title),
    scroller(title || "Table", el("table", { class: "plain-table" },
      el("thead", {}, el("tr", {}, headings.map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, rows.map(([first, ...others]) => el("tr", {},
        el("th", { scope: "row" }, first), others.map((text) => el("td", {}, text))))))));
}
