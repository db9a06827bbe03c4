// A puzzle that is being drawn, as plain data that never changes: each edit makes another one.
//
// `marks` has, by the key of a cell, what the cell is: OPEN, OPTIONAL or FIXED; all others are
// outside the region. `holders` has, by the key of a cell, the name of the fixed piece that covers it
// in the puzzle that was opened. Pieces are {name, cells, count: [low, high], motions, picture?}.

import { button, make } from "../elements.js";
import { key } from "./layouts.js";

export const [OPEN, OPTIONAL, FIXED] = ["open", "optional", "fixed"];

const MOTIONS = { mirror: "turn and flip", rotations: "turn only", none: "as it lies" };
const FIXED_NAME = "fixed"; // of a piece that is drawn here

export function emptyDrawing(lattice) {
  const size = lattice.layered ? { width: 3, height: 3, layers: 3 } : { width: 8, height: 6, layers: 1 };
  return { name: "my-puzzle", lattice: lattice.name, ...size, marks: {}, holders: {}, pieces: [] };
}

// How pieces may be moved, the usual way first, each with its words.
export function motionsOf(lattice) {
  return lattice.motions.map((name) => [name, MOTIONS[name]]);
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

// A mirror image: left for right among squares, elsewhere about the line between the first two axes.
export function mirrored({ name }, cells) {
  return cells.map(([x, y, ...more]) => (name.startsWith("square-") ? [-x, y, ...more] : [y, x, ...more]));
}

// The marks that a layout has cells for.
export function within(marks, layout) {
  return Object.fromEntries(Object.entries(marks).filter(([one]) => layout.index.has(one)));
}

// The fixed pieces of the puzzle that was opened, by their names alone.
export function namesOf(holders) {
  return [...new Set(Object.values(holders))].map((name) => ({ name }));
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
  return {
    name: drawing.name,
    lattice: drawing.lattice,
    region: cellsOf(OPEN, OPTIONAL, FIXED),
    optional: cellsOf(OPTIONAL),
    fixed: fixedPieces(drawing, cellsOf(FIXED)),
    pieces: piecesToData(drawing.pieces),
  };
}

export function piecesToData(pieces) {
  return pieces.map(({ name, cells, count, motions }) => ({ name, cells, count, motions }));
}

// The fixed cells by pieces: those of the puzzle that was opened, all others as one piece.
function fixedPieces({ holders, pieces }, cells) {
  const own = freeName([...pieces, ...namesOf(holders)], FIXED_NAME);
  const found = Map.groupBy(cells, (cell) => holders[key(cell)] ?? own);
  return [...found].map(([name, covered]) => ({ name, cells: covered }));
}

// The drawing of data as `toData` makes them, on a sheet that has its cells.
export function fromData({ drawing: { name, lattice, pieces, region, optional, fixed }, sheet }) {
  const holders = Object.fromEntries(
    fixed.flatMap((piece) => piece.cells.map((cell) => [key(cell), piece.name])),
  );
  let marks = marked({}, region.map(key), OPEN);
  marks = marked(marks, optional.map(key), OPTIONAL);
  marks = marked(marks, Object.keys(holders), FIXED);
  return { name, lattice, ...sheet, marks, holders, pieces };
}

const MOST_STATES = 201; // the present one and those that can be undone

// States one after another, with the ways back and forth between them.
export class History {
  #states;
  #at = 0;

  constructor(state, onChange) {
    this.#states = [state];
    this.onChange = onChange;
  }

  get state() {
    return this.#states[this.#at];
  }

  get canUndo() {
    return this.#at > 0;
  }

  get canRedo() {
    return this.#at < this.#states.length - 1;
  }

  // Takes a new state, which `undo` takes back.
  commit(state) {
    this.#states = [...this.#states.slice(0, this.#at + 1), state].slice(-MOST_STATES);
    this.#go(this.#states.length - 1);
  }

  undo() {
    if (this.canUndo) this.#go(this.#at - 1);
  }

  redo() {
    if (this.canRedo) this.#go(this.#at + 1);
  }

  #go(at) {
    this.#at = at;
    this.onChange(this.state);
  }
}

// Buttons to undo and redo; `update` shows whether there is anything to.
export function historyButtons(history, attributes = () => ({})) {
  const nodes = [
    button("Undo", () => history.undo(), attributes("undo")),
    button("Redo", () => history.redo(), attributes("redo")),
  ];
  // Not `disabled`, which would take the focus away at the last step.
  const update = () => {
    nodes[0].setAttribute("aria-disabled", !history.canUndo);
    nodes[1].setAttribute("aria-disabled", !history.canRedo);
  };
  return { nodes, update };
}

// Ctrl+Z and Ctrl+Y, but for those of a field for text.
export function historyKey(event, history) {
  const pressed = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.target.matches("input")) return;
  if (pressed !== "z" && pressed !== "y") return;
  event.preventDefault();
  if (pressed === "y" || event.shiftKey) history.redo();
  else history.undo();
}

// A box for the length of a side of the sheet; `resize` is called with the new one by its name.
export function sizeBox(lattice, side, id, resize) {
  const max = lattice.largest[side];
  const onchange = ({ target }) =>
    resize({ [side]: Math.min(max, Math.max(1, Math.round(Number(target.value) || 1))) });
  return make("input", { type: "number", id, min: 1, max, onchange });
}
