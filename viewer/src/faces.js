// The boundary of a piece: the faces of its cells that no other of its cells has, and which of them meet where.

import { normalOf } from "./measures.js";

const EXACT = 1e3; // points that agree when multiplied by this and rounded are the same

// Each face has its `points`, `keys` that are equal for equal points, its `normal`, and at every place n the
// face `beside` it along the side from point n to the next.
export function boundary(cells) {
  const everyFace = cells.flatMap((cell) => facesOf(cell));
  const inFace = Map.groupBy(everyFace, (face) => [...face.keys].sort().join(" "));
  const twin = new Map();
  for (const [one, other] of inFace.values()) if (other) twin.set(one, other).set(other, one);
  const outside = everyFace.filter((face) => !twin.has(face));
  for (const face of outside) face.beside = face.keys.map((_, n) => across(face, sideKey(face, n), twin));
  return outside;
}

function facesOf(cell) {
  const faces = cell.faces.map((points) => ({ points, keys: points.map(keyOf), normal: normalOf(points) }));
  const bySide = new Map();
  for (const face of faces) {
    face.keys.forEach((_, n) => bySide.set(sideKey(face, n), [...(bySide.get(sideKey(face, n)) ?? []), face]));
  }
  for (const face of faces) face.sides = bySide;
  return faces;
}

// The next face outside, through the cells about a side: where two parts of a piece meet in no more than a
// side, each goes round its own.
function across(face, side, twin) {
  for (let here = face; ; here = twin.get(here)) {
    here = here.sides.get(side).find((other) => other !== here);
    if (!twin.has(here)) return here;
  }
}

function sideKey({ keys }, n) {
  return [keys[n], keys[(n + 1) % keys.length]].sort().join(" ");
}

function keyOf(point) {
  return point.map((along) => Math.round(along * EXACT)).join();
}
