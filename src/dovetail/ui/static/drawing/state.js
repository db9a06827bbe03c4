// A puzzle that is being drawn, as plain data that never changes: each edit makes another one.
//
// `marks` has, by the key of a cell, what the cell is: OPEN, OPTIONAL or FIXED; all others are
// outside the region. Pieces are {name, cells, count: [low, high], motions, picture?}.

import { key } from "./layouts.js";

export const [OPEN, OPTIONAL, FIXED] = ["open", "optional", "fixed"];

const MOTIONS = [
  ["mirror", "turn and flip"],
  ["rotations", "turn only"],
  ["none", "as it lies"],
];

const FIXED_NAME = "fixed";

export function emptyDrawing(lattice) {
  return { name: "my-puzzle", lattice: lattice.name, ...defaultSize(lattice), marks: {}, pieces: [] };
}

// How pieces may be moved, the usual way first: in space turning is all there is.
export function motionsOf(lattice) {
  return lattice.layered ? MOTIONS.slice(1) : MOTIONS;
}

function defaultSize(lattice) {
  return lattice.layered ? { width: 3, height: 3, layers: 3 } : { width: 8, height: 6, layers: 1 };
}

// The marks after those in `keys` are set, or unset where `mark` is null.
export function marked(marks, keys, mark) {
  const changed = { ...marks };
  for (const one of keys) {
    if (mark) changed[one] = mark;
    else delete changed[one];
  }
  return changed;
}

// The marks that a layout has cells for.
export function within(marks, layout) {
  return Object.fromEntries(Object.entries(marks).filter(([one]) => layout.index.has(one)));
}

// A name that no piece has: the wanted one, or it with a number.
export function freeName(pieces, wanted) {
  const taken = new Set(pieces.map(({ name }) => name));
  let found = wanted;
  for (let number = 2; taken.has(found); number += 1) found = `${wanted}${number}`;
  return found;
}

// The name of the next piece that is drawn: A, B, …, then P27.
export function nextName(pieces) {
  const taken = new Set(pieces.map(({ name }) => name));
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters.find((letter) => !taken.has(letter)) ?? freeName(pieces, `P${pieces.length + 1}`);
}

// What the server reads: cells as lists of numbers.
export function toData(drawing) {
  const cellsOf = (...wanted) =>
    Object.entries(drawing.marks)
      .filter(([, mark]) => wanted.includes(mark))
      .map(([one]) => one.split(",").map(Number));
  const fixed = cellsOf(FIXED);
  return {
    name: drawing.name,
    lattice: drawing.lattice,
    region: cellsOf(OPEN, OPTIONAL, FIXED),
    optional: cellsOf(OPTIONAL),
    fixed: fixed.length ? [{ name: FIXED_NAME, cells: fixed }] : [],
    pieces: drawing.pieces.map(({ name, cells, count, motions }) => ({ name, cells, count, motions })),
  };
}

// The drawing of data as `toData` makes them, carried by `shift` into a layout of some size.
export function fromData(data, size, shift) {
  const marks = {};
  const mark = (cells, value) => {
    for (const cell of cells) marks[key(cell.map((at, axis) => at + shift[axis]))] = value;
  };
  mark(data.region, OPEN);
  mark(data.optional ?? [], OPTIONAL);
  for (const piece of data.fixed ?? []) mark(piece.cells, FIXED);
  const pieces = data.pieces.map((piece) => ({
    ...piece,
    count: Array.isArray(piece.count) ? piece.count : [piece.count ?? 1, piece.count ?? 1],
  }));
  return { name: data.name, lattice: data.lattice, ...size, marks, pieces };
}
