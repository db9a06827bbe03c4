// The region with the pieces that are placed at a step.

import { fill, makeShape } from "../elements.js";
import { area, middle, parting, sidesOf, titles } from "../parts/sides.js";
import { patternOf, pieceClass } from "../pictures.js";

export class StepPicture {
  constructor(layout, names) {
    this.polygons = layout.cells.map(({ polygon }) => polygon);
    this.lines = layout.cells.map(({ hatch }) => hatch);
    this.names = names;
    this.sides = sidesOf(this.polygons);
    this.cells = this.polygons.map((polygon) => makeShape("path", { d: area(polygon), class: "blank" }));
    this.hatches = [1, 2, 3].map((pattern) => makeShape("path", { class: `hatch pattern-${pattern}` }));
    this.rims = makeShape("path", { class: "rim" });
    this.gone = makeShape("path", { class: "gone" });
    this.letters = makeShape("g", {});
    this.element = makeShape(
      "svg",
      { class: "picture steps", viewBox: layout.view_box.join(" "), role: "img", "aria-label": "The region" },
      ...this.cells,
      ...this.hatches,
      this.rims,
      this.gone,
      ...titles(layout),
      this.letters,
    );
    this.element.style.maxWidth = `${Math.min(760, Math.max(280, layout.view_box[2]))}px`;
  }

  update(position) {
    const owner = new Map();
    position.placed.forEach(({ cells }, at) => cells.forEach((cell) => owner.set(cell, at)));
    this.cells.forEach((path, cell) => {
      const at = owner.get(cell);
      const style = at === undefined ? "blank" : pieceClass(position.placed[at].look);
      if (path.getAttribute("class") !== style) path.setAttribute("class", style);
    });
    this.hatches.forEach((path, at) => {
      const marked = position.placed.filter(({ look }) => patternOf(look) === at + 1);
      const lines = marked.flatMap(({ cells }) => cells.map((cell) => this.lines[cell]));
      path.setAttribute("d", lines.join(""));
    });
    const gone = new Map(position.takenBack.map((cell) => [cell, true]));
    this.rims.setAttribute("d", parting(this.sides, owner));
    this.gone.setAttribute("d", parting(this.sides, gone));
    fill(this.letters, ...position.placed.map((one) => this.#letter(one)));
  }

  // Writes the name of a piece into the cell that is nearest to the piece's middle.
  #letter({ piece, cells }) {
    const middles = cells.map((cell) => middle(this.polygons[cell]));
    const [x, y] = middle(middles);
    const distance = (point) => (point[0] - x) ** 2 + (point[1] - y) ** 2;
    const nearest = middles.reduce((best, point) => (distance(point) < distance(best) ? point : best));
    const name = this.names[piece];
    const made = makeShape("text", { class: "letter", x: nearest[0], y: nearest[1], dy: "0.35em" }, name);
    made.style.fontSize = `${Math.min(22, 50 / name.length)}px`;
    return made;
  }
}
