// Where cells lie on paper: the server computes it, for any lattice, and each layout is asked for once.
//
// A layout has `cells` in its order ({cell, polygon, layer}), `neighbours` by direction, `view_box`
// and the `titles` of layers; here it gets `index`, from the key of a cell to its place.

import { get } from "../requests.js";

const LARGEST = 40; // as wide as a layout can be

const known = new Map();

export const key = (cell) => cell.join(",");

export function layout(lattice, { width, height, layers }) {
  const address = `/api/lattices/${lattice}/cells?width=${width}&height=${height}&layers=${layers}`;
  if (!known.has(address)) {
    const asked = get(address).then(indexed);
    asked.catch(() => known.delete(address));
    known.set(address, asked);
  }
  return known.get(address);
}

function indexed(found) {
  return { ...found, index: new Map(found.cells.map(({ cell }, at) => [key(cell), at])) };
}

// The smallest layout that some cells fit into, and the translation that carries them into it.
export async function fitted(lattice, cells) {
  const axes = cells[0].map((_, axis) => cells.map((cell) => cell[axis]));
  const [width, height, deep] = axes.map((along) => Math.max(...along) - Math.min(...along) + 1);
  const layers = lattice.layered ? deep : 1;
  // Rows of triangles and hexagons are shifted, and two triangles stand side by side in a rhombus.
  for (const margin of [0, 1, height, height + width, height + 2 * width]) {
    const size = { width: Math.min(LARGEST, width + margin), height: height + Math.min(1, margin), layers };
    const found = await layout(lattice.name, size);
    const shift = translation(lattice, cells, found);
    if (shift) return { size, layout: found, shift };
  }
  throw new Error(`${cells.length} cells of the ${lattice.title} lattice do not fit on this page`);
}

export function shifted(cells, shift) {
  return cells.map((cell) => cell.map((value, axis) => value + shift[axis]));
}

function translation(lattice, cells, found) {
  const fits = (shift) => shifted(cells, shift).every((cell) => found.index.has(key(cell)));
  for (const { cell } of found.cells) {
    const shift = cell.map((value, axis) => value - cells[0][axis]);
    // The third coordinate of a cell in the plane is its class, which a translation keeps.
    if ((lattice.layered || !shift[2]) && fits(shift)) return shift;
  }
  return null;
}
