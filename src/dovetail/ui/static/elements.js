// Elements of the page. Strings among the children are text, never markup.

const SVG = "http://www.w3.org/2000/svg";

// An element; functions among the attributes listen (`onclick`), null and false leave one out.
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function makeShape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// Sets the children of an element, leaving out those that are null or false.
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(isThere));
  return parent;
}

// Writes a text where it differs, so that nothing is read aloud or laid out again without a reason.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function button(text, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, text);
}

// A label above what it names.
export function labelled(text, control, attributes = {}) {
  return make("label", { class: "field", ...attributes }, make("span", {}, text), control);
}

// A box to choose one of `options`, pairs of a value and its text.
export function select(options, chosen, onchange, attributes = {}) {
  const made = options.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
  const box = make("select", { ...attributes }, ...made);
  box.addEventListener("change", () => onchange(box.value));
  return box;
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (isThere(value)) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter(isThere));
  return element;
}

function isThere(value) {
  return value !== null && value !== undefined && value !== false;
}
