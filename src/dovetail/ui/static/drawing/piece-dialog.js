// One piece, drawn in a window above the page.

import { button, buttons, labelled, make } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { CellGrid, sheet } from "./cell-grid.js";
import { alone, key, layout } from "./layouts.js";
import { OPEN, marked } from "./state.js";

const SIZE = { width: 6, height: 5, layers: 1 };
const LAYERED = { width: 4, height: 4, layers: 3 };

// Asks for the cells and the name of a piece, those of `piece` at first; null where nobody gives them.
export async function askForPiece(lattice, piece) {
  const least = lattice.layered ? LAYERED : SIZE;
  let [size, marks] = [least, {}];
  if (piece.cells.length) {
    const { sheet: smallest, cells } = await alone(lattice.name, piece.cells);
    if (!smallest) throw new Error(`${piece.name} is larger than any sheet to draw on.`);
    size = Object.fromEntries(Object.keys(least).map((side) => [side, Math.max(least[side], smallest[side])]));
    marks = marked({}, cells.map(key), OPEN);
  }
  const made = await layout(lattice.name, size);
  return new Promise((resolve) => new PieceDialog(piece.name, marks, made, resolve));
}

class PieceDialog {
  constructor(name, marks, made, resolve) {
    this.marks = marks;
    this.result = null;
    this.grid = new CellGrid({
      label: "Cells of the piece",
      mark: (cell) => this.marks[cell] ?? null,
      describe: (cell) => `${cell}: ${this.marks[cell] ? "in the piece" : "not in the piece"}`,
      tool: () => OPEN,
      paint: (cells, mark) => this.#paint(cells, mark),
      end: () => {},
    });
    this.grid.take(made);
    this.name = make("input", { value: name, maxlength: 40, autocomplete: "off" });
    this.problems = new Problems();
    const form = make(
      "form",
      {
        method: "dialog",
        onsubmit: (event) => {
          event.preventDefault();
          this.#take();
        },
      },
      make("h2", {}, "Cells of a piece"),
      sheet(this.grid),
      labelled("Name", this.name),
      this.problems.element,
      buttons(
        button("Take this piece", null, { type: "submit", class: "main" }),
        button("Clear", () => this.#paint(Object.keys(this.marks), null)),
        button("Cancel", () => this.dialog.close()),
      ),
    );
    const onclose = () => {
      this.dialog.remove();
      resolve(this.result);
    };
    this.dialog = make("dialog", { "aria-label": "Cells of a piece", onclose }, form);
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.grid.focus();
  }

  #paint(cells, mark) {
    this.marks = marked(this.marks, cells, mark);
    this.grid.update();
  }

  #take() {
    this.problems.clear();
    const names = Object.keys(this.marks).sort();
    if (!names.length) return this.problems.add(new Error("Mark the cells of the piece first."));
    const cells = names.map((name) => name.split(",").map(Number));
    this.result = { name: this.name.value.trim() || "piece", cells };
    this.dialog.close();
  }
}
