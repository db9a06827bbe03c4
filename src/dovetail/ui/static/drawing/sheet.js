// The frame of cells to be marked: a large sheet scrolls within it, and the page around it.

import { make } from "../elements.js";

// A finger draws on the cells of `grid`, or scrolls them, as is chosen where there are fingers.
export function sheet(grid) {
  const box = make("input", { type: "checkbox" });
  box.addEventListener("change", () => grid.letScroll(box.checked));
  const choice = make("label", { class: "chip fingers" }, box, make("span", {}, "A finger scrolls"));
  return make("div", {}, choice, make("div", { class: "sheet" }, grid.element));
}
