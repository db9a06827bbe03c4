// Elements of the page, and numbers as texts. Strings among children are text, never markup.

const SVG = "http://www.w3.org/2000/svg";

// An element. A function is an event listener (`onclick`). An attribute that is null or false is left out.
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function makeShape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// Sets the children of an element; children that are null or false are left out.
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(isThere));
  return parent;
}

// Sets a text only if it has changed, so that nothing is read aloud or laid out again without a reason.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Lets a screen reader read a text aloud without a change of focus.
export function announce(text) {
  write(document.getElementById("announcements"), text);
}

export function link(text, href, attributes = {}) {
  return make("a", { href, ...attributes }, text);
}

// A link to a report, which opens in another tab; hidden until there are runs to report.
export function reportLink(href) {
  const attributes = { class: "button", target: "_blank", rel: "noopener", hidden: true };
  return link("Open the report", href, attributes);
}

export function button(text, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, text);
}

export function buttons(...children) {
  return make("p", { class: "buttons" }, ...children);
}

export function row(...children) {
  return make("div", { class: "row" }, ...children);
}

export function summary(...children) {
  return make("p", { class: "summary" }, ...children);
}

export function warning(text, attributes = {}) {
  return make("p", { class: "warning", ...attributes }, text);
}

export function details(title, attributes, ...children) {
  return make("details", attributes, make("summary", {}, title), ...children);
}

// A list of terms with their texts.
export function definitions(rows) {
  return make("dl", {}, ...rows.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
}

// A label above the control that it names.
export function labelled(text, control, attributes = {}) {
  return make("label", { class: "field", ...attributes }, make("span", {}, text), control);
}

// A box to choose one of `options`, which are pairs of a value and its text.
export function select(options, chosen, onchange, attributes = {}) {
  const made = options.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
  return make("select", { ...attributes, onchange: (event) => onchange(event.target.value) }, ...made);
}

// Radio buttons side by side to choose one of `options`, which are pairs of a value and its text.
export function chips(name, legend, options, chosen, onchange) {
  const chip = ([value, text]) => {
    const checked = value === chosen;
    const radio = make("input", { type: "radio", name, value, checked, onchange: () => onchange(value) });
    return make("label", { class: "chip" }, radio, make("span", {}, text));
  };
  return group("chips", make("legend", { class: "unseen" }, legend), ...options.map(chip));
}

export function group(style, legend, ...controls) {
  return make("fieldset", { class: style }, legend, ...controls);
}

// A form; `submit` is called instead of the browser's request.
export function form(attributes, submit, ...children) {
  const onsubmit = (event) => {
    event.preventDefault();
    submit();
  };
  return make("form", { ...attributes, onsubmit }, ...children);
}

export function section(label, ...children) {
  return make("section", { "aria-label": label }, ...children);
}

// An entry of a catalogue.
export function card(title, ...children) {
  return make("article", { class: "entry" }, make("h3", {}, title), ...children);
}

// A button that shows a picture above its name; `before` is read aloud before the name.
export function pictureButton(drawn, name, onclick, attributes, before = "") {
  drawn.setAttribute("aria-hidden", "true");
  const said = before && make("span", { class: "unseen" }, `${before} `);
  return button([drawn, make("span", {}, said, name)], onclick, attributes);
}

const FIRST_FORMATS = 5; // further formats are behind "More"

// Links to a file in several formats, the most used formats first.
export function downloads(label, address, suffixes) {
  const item = (suffix) =>
    make("li", {}, link(suffix, `${address}?format=${encodeURIComponent(suffix)}`, { download: "" }));
  const list = (some, ...more) =>
    make("ul", { class: "links summary", "aria-label": label }, ...some.map(item), ...more);
  const rest = suffixes.slice(FIRST_FORMATS);
  const more = rest.length ? make("li", {}, details("More", {}, list(rest))) : null;
  return list(suffixes.slice(0, FIRST_FORMATS), more);
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

const GROUPED = new Intl.NumberFormat("en");

export function count(number) {
  return number === null || number === undefined ? "–" : GROUPED.format(number);
}

// "1 cell", "2 cells".
export function counted(number, noun, nouns = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : nouns}`;
}

export function percent(share) {
  if (share === null || share === undefined) return "–";
  return share > 0 && share < 0.001 ? "< 0.1 %" : `${(100 * share).toFixed(share < 1 ? 1 : 0)} %`;
}
