// Pictures that the server draws: text of SVG made elements.
//
// Styles in attributes are set as properties, since the policy of the page allows no other ones in
// its markup; nothing but shapes and texts of a picture gets into the page.

import { make } from "./elements.js";

const SHAPES = new Set([
  "svg",
  "title",
  "desc",
  "path",
  "text",
  "tspan",
  "circle",
  "g",
  "rect",
  "line",
  "polygon",
  "use",
]);
export const COLOURS = 7; // of pieces

const SPACE = 'xmlns="http://www.w3.org/2000/svg"';
const STYLED = /(<[^<>]*?)\sstyle=/g;

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
    if (!SHAPES.has(element.localName)) element.remove();
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

function cleanAttributes(element) {
  for (const { name } of [...element.attributes]) {
    if (name.startsWith("on") || name.endsWith("href")) element.removeAttribute(name);
  }
  const style = element.getAttribute("data-style");
  if (style === null) return;
  element.removeAttribute("data-style");
  element.style.cssText = style;
}
