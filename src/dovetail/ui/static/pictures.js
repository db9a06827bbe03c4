// Pictures that the server draws: text of SVG made elements.
//
// Styles in attributes are set as properties, since the policy of the page allows no other ones in
// its markup; nothing but shapes and texts of a picture gets into the page.

import { details, make } from "./elements.js";

const SHAPES = "svg, title, desc, path, text, tspan, circle, g, rect, line, polygon, use";
const LONG = 24; // pieces in a legend that is not folded

// The class, and as a CSS variable the colour, of the piece with a number; and its pattern, zero for none.
export const pieceClass = (number) => `piece-${number % colours()}`;
export const patternOf = (number) => Math.floor(number / colours()) % styled("patterns");

// Both, as the classes of what shows the piece.
export const pieceStyle = (number) => [pieceClass(number), patternOf(number) && `pattern-${patternOf(number)}`].filter(Boolean).join(" ");

// How many colours and patterns there are, from the style sheet of pictures; the first pattern is none.
export const colours = () => styled("colours");
const styled = (what) => Number(getComputedStyle(document.documentElement).getPropertyValue(`--piece-${what}`));

const [TEXT_SCALE, TILE_SCALE] = [0.45, 1]; // pixels for a unit: texts have 9 pixels then
const SPACE = 'xmlns="http://www.w3.org/2000/svg"';
const STYLED = /(<[^<>]*?)\sstyle=/g;

// Names with their colours, which are lists of [name, classes]; nothing where there are none.
export function legend(pieces) {
  if (!pieces.length) return null;
  const items = pieces.map(([name, style]) =>
    make("li", {}, make("span", { class: `swatch ${style}` }), name),
  );
  const list = make("ul", { class: "key" }, ...items);
  return details("Pieces", { class: "legend", open: pieces.length <= LONG }, list);
}

// A solution: its picture, or its options as a list where there is nothing to draw.
export function solutionPicture(text) {
  if (text?.startsWith("<svg")) return picture(text);
  const listed = new DOMParser().parseFromString(text ?? "", "text/html").querySelectorAll("li");
  return make("ul", { class: "options" }, ...[...listed].map((option) => make("li", {}, option.textContent)));
}

export function picture(text) {
  const named = text.includes(SPACE) ? text : text.replace("<svg", `<svg ${SPACE}`);
  const parsed = new DOMParser().parseFromString(named.replace(STYLED, "$1 data-style="), "image/svg+xml");
  const root = document.importNode(parsed.documentElement, true);
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (!element.matches(SHAPES)) element.remove();
    else cleanAttributes(element);
  }
  return root;
}

// A picture at so many pixels for a unit, so that pieces beside each other have cells of one size.
export function scaled(drawn, scale) {
  const width = Number(drawn.getAttribute("viewBox").split(" ")[2]);
  drawn.style.width = `${Math.round(scale * width)}px`;
  drawn.style.maxWidth = "100%";
  return drawn;
}

// A picture in a frame that scrolls where the page is too narrow for its texts to be read.
export function framed(drawn, label) {
  drawn.style.minWidth = `min(${leastWidth(drawn)}px, ${drawn.style.maxWidth || "100%"})`;
  return make("div", { class: "frame", tabindex: 0, role: "region", "aria-label": label }, drawn);
}

// A page of the server with what can be turned in three dimensions.
export function viewer(src, title) {
  return make("iframe", { src, title, sandbox: "allow-scripts allow-downloads", class: "viewer-frame" });
}

// A picture as wide as there is room, without its texts where that is too narrow to read them.
export function overview(drawn) {
  const least = leastWidth(drawn);
  new ResizeObserver(() => {
    drawn.classList.toggle("textless", drawn.getBoundingClientRect().width < least);
  }).observe(drawn);
  return drawn;
}

// The pixels below which texts of a picture are too small; those of tiles are smaller than others.
function leastWidth(drawn) {
  if (!drawn.querySelector("text")) return 0;
  const scale = drawn.querySelector(".tile-number") ? TILE_SCALE : TEXT_SCALE;
  return Math.round(scale * Number(drawn.getAttribute("viewBox").split(" ")[2]));
}

function cleanAttributes(element) {
  for (const { name } of [...element.attributes]) {
    if (name.startsWith("on") || name.endsWith("href")) element.removeAttribute(name);
  }
  const style = element.getAttribute("data-style");
  if (style === null) return;
  element.removeAttribute("data-style");
  element.style.cssText = style;
}
