// One piece, drawn in a window above the page.

import { button, buttons, form, labelled, make } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { CellGrid } from "./cell-grid.js";
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
  return new Promise((resolve) => open(piece.name, marks, made, resolve));
}

function open(firstName, firstMarks, made, resolve) {
  let [marks, result] = [firstMarks, null];
  const grid = new CellGrid({
    label: "Cells of the piece",
    mark: (cell) => marks[cell] ?? null,
    describe: (cell) => `${cell}: ${marks[cell] ? "in the piece" : "not in the piece"}`,
    tool: () => OPEN,
    paint,
    end: () => {},
  });
  grid.take(made);
  function paint(cells, mark) {
    marks = marked(marks, cells, mark);
    grid.update();
  }
  const name = make("input", { value: firstName, maxlength: 40, autocomplete: "off" });
  const problems = new Problems();
  const take = () => {
    problems.clear();
    const cells = Object.keys(marks).sort();
    if (!cells.length) return problems.add(new Error("Mark the cells of the piece first."));
    result = { name: name.value.trim() || "piece", cells: cells.map((cell) => cell.split(",").map(Number)) };
    dialog.close();
  };
  const content = form(
    { method: "dialog" },
    take,
    make("h2", {}, "Cells of a piece"),
    grid.element,
    labelled("Name", name),
    problems.element,
    buttons(
      button("Take this piece", null, { type: "submit", class: "main" }),
      button("Clear", () => paint(Object.keys(marks), null)),
      button("Cancel", () => dialog.close()),
    ),
  );
  const onclose = () => {
    dialog.remove();
    resolve(result);
  };
  const dialog = make("dialog", { "aria-label": "Cells of a piece", onclose }, content);
  document.body.append(dialog);
  dialog.showModal();
  grid.focus();
}
