// Layouts: positions of cells in a picture. The server computes them for every lattice; they are cached here.
//
// A layout has a list of `cells` ({cell, polygon, layer}), `neighbours` by direction, a `view_box` and the
// `titles` of layers. This module adds an `index` from the key of a cell to its place in the list.

import { get, post } from "../requests.js";

const known = new Map();

export const key = (cell) => cell.join(",");

export function layout(lattice, { width, height, layers }) {
  const address = `/api/lattices/${lattice}/cells?width=${width}&height=${height}&layers=${layers}`;
  return once(address, async () => {
    const found = await get(address);
    return { ...found, index: new Map(found.cells.map(({ cell }, at) => [key(cell), at])) };
  });
}

// A piece: its `picture` in the colour of its `number`, and `cells` on the smallest `sheet` (null if too large).
export function alone(lattice, cells, number = 0) {
  const asked = { cells, number };
  return once(`${lattice} ${JSON.stringify(asked)}`, () => post(`/api/lattices/${lattice}/piece`, asked));
}

function once(name, ask) {
  if (!known.has(name)) {
    const asked = ask();
    asked.catch(() => known.delete(name));
    known.set(name, asked);
  }
  return known.get(name);
}
