// The region with the pieces that are placed at one step.

import { fill, makeShape } from "../elements.js";
import { COLOURS } from "../pictures.js";
import { area, middle, parting, sidesOf } from "../parts/sides.js";

export class StepPicture {
  constructor(layout, names) {
    this.polygons = layout.cells.map(({ polygon }) => polygon);
    this.names = names;
    this.sides = sidesOf(this.polygons);
    this.cells = this.polygons.map((polygon) => makeShape("path", { d: area(polygon), class: "blank" }));
    this.rims = makeShape("path", { class: "rim" });
    this.gone = makeShape("path", { class: "gone" });
    this.letters = makeShape("g", {});
    const titles = layout.titles.map(([text, x, y]) =>
      makeShape("text", { class: "title", x, y }, text),
    );
    this.element = makeShape(
      "svg",
      { class: "picture steps", viewBox: layout.view_box.join(" "), role: "img", "aria-label": "The region" },
      ...this.cells,
      this.rims,
      this.gone,
      ...titles,
      this.letters,
    );
    this.element.style.maxWidth = `${Math.min(760, Math.max(280, layout.view_box[2]))}px`;
  }

  update(position) {
    const owner = new Map();
    position.placed.forEach(({ cells }, at) => cells.forEach((cell) => owner.set(cell, at)));
    this.cells.forEach((path, cell) => {
      const at = owner.get(cell);
      const style = at === undefined ? "blank" : `piece-${position.placed[at].piece % COLOURS}`;
      if (path.getAttribute("class") !== style) path.setAttribute("class", style);
    });
    this.rims.setAttribute(
      "d",
      parting(this.sides, (cell) => owner.get(cell)),
    );
    const taken = position.takenBack;
    const gone = new Set(taken?.cells ?? []);
    this.gone.setAttribute(
      "d",
      parting(this.sides, (cell) => (gone.has(cell) ? 1 : undefined)),
    );
    fill(
      this.letters,
      position.placed.map((one) => this.#letter(one)),
    );
  }

  // The name of a piece in that of its cells which is nearest to its middle.
  #letter({ piece, cells }) {
    const middles = cells.map((cell) => middle(this.polygons[cell]));
    const [x, y] = [0, 1].map(
      (axis) => middles.reduce((sum, point) => sum + point[axis], 0) / middles.length,
    );
    const distance = (point) => (point[0] - x) ** 2 + (point[1] - y) ** 2;
    const nearest = middles.reduce((best, point) => (distance(point) < distance(best) ? point : best));
    const name = this.names[piece];
    const made = makeShape("text", { class: "letter", x: nearest[0], y: nearest[1] }, name);
    made.style.fontSize = `${Math.min(22, 50 / name.length)}px`;
    made.setAttribute("dy", "0.35em");
    return made;
  }
}
