// Elements. Texts are always text nodes or attribute values, so no text of a page is ever interpreted as HTML.
const SVG = "http://www.w3.org/2000/svg";

function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
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

function byId(id) {
  return document.getElementById(id);
}

function select(attributes, options, chosen) {
  const node = el("select", attributes, options.map(([value, text]) => el("option", { value }, text)));
  node.value = chosen;
  return node;
}

function button(text, title, onclick, more) {
  return el("button", { type: "button", title, onclick, ...more }, text);
}
