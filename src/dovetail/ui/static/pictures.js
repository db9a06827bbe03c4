// Pictures that the server draws, as elements made from the text of an SVG.
//
// Styles in attributes are set as properties, since the policy of the page allows no styles in markup. Only shapes
// and texts of a picture get into the page.

import { details, make } from "./elements.js";

const SHAPES = "svg, title, desc, path, text, tspan, circle, g, rect, line, polygon, use";
const LONG = 24; // maximum number of pieces in a legend that is not folded

// The class of a piece by its number, also the name of its colour's CSS variable; and its pattern, 0 for none.
export const pieceClass = (number) => `piece-${number % colours()}`;
export const patternOf = (number) => Math.floor(number / colours()) % styled("patterns");

// The classes for the colour and the pattern of a piece.
export const pieceStyle = (number) => [pieceClass(number), patternOf(number) && `pattern-${patternOf(number)}`].filter(Boolean).join(" ");

// Numbers of colours and patterns, from the style sheet of pictures; pattern 0 is no pattern.
export const colours = () => styled("colours");
const styled = (what) => Number(getComputedStyle(document.documentElement).getPropertyValue(`--piece-${what}`));

const [TEXT_SCALE, TILE_SCALE] = [0.45, 1]; // pixels per unit, at which texts are 9 pixels high
const SPACE = 'xmlns="http://www.w3.org/2000/svg"';
const STYLED = /(<[^<>]*?)\sstyle=/g;

// A legend of `pieces`, a list of [name, classes]; null for an empty list.
export function legend(pieces) {
  if (!pieces.length) return null;
  const items = pieces.map(([name, style]) =>
    make("li", {}, make("span", { class: `swatch ${style}` }), name),
  );
  const list = make("ul", { class: "key" }, ...items);
  return details("Pieces", { class: "legend", open: pieces.length <= LONG }, list);
}

// The picture of a solution, or a list of its options if it has no picture.
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

// A picture with `scale` pixels per unit, so that pieces beside each other have cells of the same size.
export function scaled(drawn, scale) {
  const width = Number(drawn.getAttribute("viewBox").split(" ")[2]);
  drawn.style.width = `${Math.round(scale * width)}px`;
  drawn.style.maxWidth = "100%";
  return drawn;
}

// A picture in a frame that scrolls if the page is too narrow to read the picture's texts.
export function framed(drawn, label) {
  drawn.style.minWidth = `min(${leastWidth(drawn)}px, ${drawn.style.maxWidth || "100%"})`;
  return make("div", { class: "frame", tabindex: 0, role: "region", "aria-label": label }, drawn);
}

// A page of the server that shows solids to turn.
export function viewer(src, title) {
  return make("iframe", { src, title, sandbox: "allow-scripts allow-downloads", class: "viewer-frame" });
}

// A picture as wide as the available space, without texts if it is too narrow to read them.
export function overview(drawn) {
  const least = leastWidth(drawn);
  new ResizeObserver(() => {
    drawn.classList.toggle("textless", drawn.getBoundingClientRect().width < least);
  }).observe(drawn);
  return drawn;
}

// The width in pixels below which texts of a picture are too small; texts of tiles are smaller than others.
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
