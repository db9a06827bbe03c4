// A puzzle is drawn here, from an empty sheet, from the last one of this tab, or as a copy of another puzzle.

import { fill, make } from "../elements.js";
import { Editor, KEPT } from "../drawing/editor.js";
import { layout } from "../drawing/layouts.js";
import { emptyDrawing, fromData } from "../drawing/state.js";
import { get } from "../requests.js";

export async function show(view, puzzle) {
  const lattices = (await get("/api/lattices", view.signal))
    .filter(({ editable }) => editable)
    .map(withLayers);
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
    const signal = AbortSignal.any([this.view.signal, this.#closing.signal]);
    const lattice = this.lattices.find(({ name }) => name === drawing.lattice);
    const made = await layout(lattice.name, drawing);
    if (signal.aborted) return;
    this.view.name("Draw a puzzle");
    const { element } = this.view;
    const another = (name) => {
      this.#drawings.set(lattice.name, editor.history.state);
      this.#change(name);
    };
    const editor = new Editor(
      { element, signal },
      { lattice, lattices: this.lattices, drawing, made, another },
    );
    editor.show();
    editor.takeSets(await get(`/api/lattices/${lattice.name}/pieces`, signal)); // hundreds of pictures
  }

  #change(name) {
    const lattice = this.lattices.find((one) => one.name === name);
    this.open(this.#drawings.get(name) ?? emptyDrawing(lattice)).catch((error) => {
      if (error.name !== "AbortError")
        fill(this.view.element, make("p", { class: "warning", role: "alert" }, error.message));
    });
  }
}

// Cubes are drawn layer by layer; of the other lattices the page draws the plane.
function withLayers(lattice) {
  return { ...lattice, layered: lattice.dimensions === 3 };
}

async function opened(puzzle, signal) {
  const { drawing, sheet } = await get(`/api/puzzles/${puzzle}/drawing`, signal);
  return fromData(drawing, sheet);
}

function kept(lattices) {
  const drawing = JSON.parse(sessionStorage.getItem(KEPT));
  return lattices.some(({ name }) => name === drawing?.lattice) ? drawing : null;
}
