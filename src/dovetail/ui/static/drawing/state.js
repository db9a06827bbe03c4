// A puzzle that is being drawn, as immutable data: each edit makes another drawing.
//
// `marks` has the mark of each cell of the region by the cell's key: OPEN, OPTIONAL or FIXED. `holders` has, by
// the key of a cell, the name of the fixed piece that covers the cell in the puzzle that was opened. Pieces are
// {name, cells, count: [low, high], motions, picture?}.

import { button, make } from "../elements.js";
import { key } from "./layouts.js";

export const [OPEN, OPTIONAL, FIXED] = ["open", "optional", "fixed"];

const MOTIONS = { mirror: "turn and flip", rotations: "turn only", none: "as it lies" };
const FIXED_NAME = "fixed"; // name of a fixed piece that is drawn here

export function emptyDrawing(lattice) {
  const size = lattice.layered ? { width: 3, height: 3, layers: 3 } : { width: 8, height: 6, layers: 1 };
  return { name: "my-puzzle", lattice: lattice.name, ...size, marks: {}, holders: {}, pieces: [] };
}

// The possible motions of pieces with their descriptions, the usual motions first.
export function motionsOf(lattice) {
  return lattice.motions.map((name) => [name, MOTIONS[name]]);
}

// The marks after the cells in `keys` have got a mark, or lost their marks if `mark` is null.
export function marked(marks, keys, mark) {
  const changed = { ...marks };
  for (const one of keys) {
    if (mark) changed[one] = mark;
    else delete changed[one];
  }
  return changed;
}

// The mirror image of cells: x is negated for squares and cubes, else the first two coordinates are exchanged.
export function mirrored({ name }, cells) {
  return cells.map(([x, y, ...more]) => (name.startsWith("square-") ? [-x, y, ...more] : [y, x, ...more]));
}

// The marks of cells that are in a layout.
export function within(marks, layout) {
  return Object.fromEntries(Object.entries(marks).filter(([one]) => layout.index.has(one)));
}

// The fixed pieces of the puzzle that was opened, with only their names.
export function namesOf(holders) {
  return [...new Set(Object.values(holders))].map((name) => ({ name }));
}

// A name that no piece has: the wanted name, or this name with a number.
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

// The drawing as data for the server, with cells as lists of numbers.
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

// The fixed cells by piece: the pieces of the puzzle that was opened, and one piece of all other fixed cells.
function fixedPieces({ holders, pieces }, cells) {
  const own = freeName([...pieces, ...namesOf(holders)], FIXED_NAME);
  const found = Map.groupBy(cells, (cell) => holders[key(cell)] ?? own);
  return [...found].map(([name, covered]) => ({ name, cells: covered }));
}

// The drawing for data as `toData` makes them, on a sheet that contains its cells.
export function fromData({ drawing: { name, lattice, pieces, region, optional, fixed }, sheet }) {
  const holders = Object.fromEntries(
    fixed.flatMap((piece) => piece.cells.map((cell) => [key(cell), piece.name])),
  );
  let marks = marked({}, region.map(key), OPEN);
  marks = marked(marks, optional.map(key), OPTIONAL);
  marks = marked(marks, Object.keys(holders), FIXED);
  return { name, lattice, ...sheet, marks, holders, pieces };
}

const MOST_STATES = 201; // the current state and the states that can be restored

// A list of states, with undo and redo.
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

  // Adds a new state, which `undo` removes.
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

// Buttons to undo and redo; `update` shows whether they are possible.
export function historyButtons(history, attributes = () => ({})) {
  const nodes = [
    button("Undo", () => history.undo(), attributes("undo")),
    button("Redo", () => history.redo(), attributes("redo")),
  ];
  // Not `disabled`, which would remove the focus at the last step.
  const update = () => {
    nodes[0].setAttribute("aria-disabled", !history.canUndo);
    nodes[1].setAttribute("aria-disabled", !history.canRedo);
  };
  return { nodes, update };
}

// Handles Ctrl+Z and Ctrl+Y, except in text fields.
export function historyKey(event, history) {
  const pressed = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.target.matches("input")) return;
  if (pressed !== "z" && pressed !== "y") return;
  event.preventDefault();
  if (pressed === "y" || event.shiftKey) history.redo();
  else history.undo();
}

// A function whose calls run one after another; a call of `action` must not be rejected. For lengths of a sheet, since
// the other sides decide whether a length is too large.
export function inTurn(action) {
  let last = Promise.resolve();
  return (...values) => (last = last.then(() => action(...values)));
}

// A box for a side of the sheet; `resize` is called with an object that has the new length under the side's name,
// and resolves to the state that the box then shows.
export function sizeBox(lattice, side, id, resize) {
  const max = lattice.largest[side];
  const onchange = async ({ target }) => {
    const length = Math.min(max, Math.max(1, Math.round(Number(target.value) || 1)));
    target.value = (await resize({ [side]: length }))[side];
  };
  return make("input", { type: "number", id, min: 1, max, onchange });
}
