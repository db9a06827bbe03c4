// One piece, drawn in a window above the page.

import { button, labelled, make } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { CellGrid } from "./cell-grid.js";
import { alone, key, layout } from "./layouts.js";
import { sheet } from "./sheet.js";
import { OPEN } from "./state.js";

const SIZE = { width: 6, height: 5, layers: 1 };
const LAYERED = { width: 4, height: 4, layers: 3 };

// Asks for the cells and the name of a piece, those of `piece` at first; null where nobody gives them.
export async function askForPiece(lattice, piece) {
  const least = lattice.layered ? LAYERED : SIZE;
  let [size, marks] = [least, new Set()];
  if (piece.cells.length) {
    const { sheet, cells } = await alone(lattice.name, piece.cells);
    if (!sheet) throw new Error(`${piece.name} is larger than any sheet to draw on.`);
    size = Object.fromEntries(Object.keys(least).map((side) => [side, Math.max(least[side], sheet[side])]));
    marks = new Set(cells.map(key));
  }
  const made = await layout(lattice.name, size);
  return new Promise((resolve) => new PieceDialog(piece.name, marks, made, resolve).open());
}

class PieceDialog {
  constructor(name, marks, made, resolve) {
    this.marks = marks;
    this.result = null;
    this.grid = new CellGrid({
      label: "Cells of the piece",
      mark: (cell) => (this.marks.has(cell) ? OPEN : null),
      describe: (cell) => `${cell}: ${this.marks.has(cell) ? "in the piece" : "not in the piece"}`,
      tool: () => OPEN,
      paint: (cells, mark) => this.#paint(cells, mark),
      end: () => {},
    });
    this.grid.take(made);
    this.name = make("input", { value: name, maxlength: 40, autocomplete: "off" });
    this.problems = new Problems();
    const form = make(
      "form",
      { method: "dialog" },
      make("h2", {}, "Cells of a piece"),
      sheet(this.grid),
      labelled("Name", this.name),
      this.problems.element,
      make(
        "p",
        { class: "buttons" },
        button("Take this piece", null, { type: "submit", class: "main" }),
        button("Clear", () => this.#paint([...this.marks], null)),
        button("Cancel", () => this.dialog.close()),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#take();
    });
    this.dialog = make("dialog", { "aria-label": "Cells of a piece" }, form);
    this.dialog.addEventListener("close", () => {
      this.dialog.remove();
      resolve(this.result);
    });
  }

  open() {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.grid.focus();
  }

  #paint(cells, mark) {
    for (const cell of cells) {
      if (mark) this.marks.add(cell);
      else this.marks.delete(cell);
    }
    this.grid.update();
  }

  #take() {
    this.problems.clear();
    if (!this.marks.size) return this.problems.add(new Error("Mark the cells of the piece first."));
    const cells = [...this.marks].sort().map((cell) => cell.split(",").map(Number));
    this.result = { name: this.name.value.trim() || "piece", cells };
    this.dialog.close();
  }
}
