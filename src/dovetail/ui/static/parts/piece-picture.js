// A small picture of a piece, from the polygons of its cells.

import { makeShape } from "../elements.js";
import { fitted, key, shifted } from "../drawing/layouts.js";
import { area, boxAround, parting, sidesOf } from "./sides.js";

export const COLOURS = 7;

const MARGIN = 4;

export async function piecePicture(lattice, cells, number, title) {
  const { layout, shift } = await fitted(lattice, cells);
  const polygons = shifted(cells, shift).map((cell) => layout.cells[layout.index.get(key(cell))].polygon);
  const box = boxAround(polygons, MARGIN);
  const sides = sidesOf(polygons);
  return makeShape(
    "svg",
    { class: "picture", viewBox: box.join(" "), role: "img" },
    makeShape("title", {}, title),
    makeShape("path", { class: `face piece-${number % COLOURS}`, d: polygons.map(area).join("") }),
    makeShape("path", { class: "seams", d: parting(sides, (at) => at) }),
    makeShape("path", { class: "rim", d: parting(sides, () => 0) }),
  );
}
