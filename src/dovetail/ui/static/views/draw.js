// A puzzle is drawn here, from an empty sheet, from the last one of this tab, or as a copy of another puzzle.

import { Editor, KEPT } from "../drawing/editor.js";
import { layout } from "../drawing/layouts.js";
import { emptyDrawing, fromData } from "../drawing/state.js";
import { fill, warning } from "../elements.js";
import { get } from "../requests.js";

export async function show(view, puzzle) {
  const lattices = (await get("/api/lattices", view.signal))
    .filter(({ editable }) => editable)
    // Cubes are drawn layer by layer; of the other lattices the page draws the plane.
    .map((lattice) => ({ ...lattice, layered: lattice.dimensions === 3 }));
  const drawing = puzzle ? await opened(puzzle, view.signal) : (kept(lattices) ?? emptyDrawing(lattices[0]));
  await new Sheets(view, lattices).open(drawing);
}

// One editor after another: each lattice has one of its own, and keeps its drawing meanwhile.
class Sheets {
  #closing = new AbortController();
  #drawings = new Map(); // by the lattice

  constructor(view, lattices) {
    Object.assign(this, { view, lattices });
  }

  async open(drawing) {
    this.#closing.abort();
    this.#closing = new AbortController();
    const { view, lattices } = this;
    const signal = AbortSignal.any([view.signal, this.#closing.signal]);
    const lattice = lattices.find(({ name }) => name === drawing.lattice);
    const made = await layout(lattice.name, drawing);
    if (signal.aborted) return;
    view.name("Draw a puzzle");
    const another = (name) => {
      this.#drawings.set(lattice.name, editor.history.state);
      this.#change(name);
    };
    const editor = new Editor(view.element, signal, { lattice, lattices, drawing, made, another });
    editor.sets.take(await get(`/api/lattices/${lattice.name}/pieces`, signal)); // hundreds of pictures
  }

  #change(name) {
    const lattice = this.lattices.find((one) => one.name === name);
    this.open(this.#drawings.get(name) ?? emptyDrawing(lattice)).catch((error) => {
      if (error.name !== "AbortError") fill(this.view.element, warning(error.message, { role: "alert" }));
    });
  }
}

async function opened(puzzle, signal) {
  const { drawing, sheet } = await get(`/api/puzzles/${puzzle}/drawing`, signal);
  return fromData(drawing, sheet);
}

function kept(lattices) {
  const drawing = JSON.parse(sessionStorage.getItem(KEPT));
  return lattices.some(({ name }) => name === drawing?.lattice) ? drawing : null;
}
