// The view to draw a puzzle: on an empty sheet, from the last drawing of this tab, or from another puzzle.

import { Editor, KEPT } from "../drawing/editor.js";
import { layout } from "../drawing/layouts.js";
import { emptyDrawing, fromData } from "../drawing/state.js";
import { fill, warning } from "../elements.js";
import { get } from "../requests.js";

export async function show(view, puzzle) {
  const all = await get("/api/lattices", view.signal);
  const missing = all.filter(({ editable, dimensions }) => dimensions === 3 && !editable).map(({ title }) => title);
  const lattices = all
    .filter(({ editable }) => editable)
    // Solids are drawn layer by layer.
    .map((lattice) => ({ ...lattice, layered: lattice.dimensions === 3 }));
  const drawing = puzzle
    ? fromData(await get(`/api/puzzles/${puzzle}/drawing`, view.signal))
    : (kept(lattices) ?? emptyDrawing(lattices[0]));
  // Only one editor is open. Each lattice has its own editor, whose drawing is kept while another editor is open.
  const drawings = new Map(); // by lattice
  let closing = new AbortController();
  const open = async (state) => {
    closing.abort();
    closing = new AbortController();
    const signal = AbortSignal.any([view.signal, closing.signal]);
    const lattice = lattices.find(({ name }) => name === state.lattice);
    const made = await layout(lattice.name, state);
    if (signal.aborted) return;
    view.name("Draw a puzzle");
    const another = (name) => {
      drawings.set(lattice.name, editor.history.state);
      open(drawings.get(name) ?? emptyDrawing(lattices.find((one) => one.name === name))).catch((error) => {
        if (error.name !== "AbortError") fill(view.element, warning(error.message, { role: "alert" }));
      });
    };
    const editor = new Editor(view.element, signal, { lattice, lattices, missing, drawing: state, made, another });
    editor.sets.take(await get(`/api/lattices/${lattice.name}/pieces`, signal)); // hundreds of pictures
  };
  await open(drawing);
}

function kept(lattices) {
  const drawing = JSON.parse(sessionStorage.getItem(KEPT));
  return lattices.some(({ name }) => name === drawing?.lattice) ? drawing : null;
}
