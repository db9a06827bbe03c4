// A dialog to draw one piece.

import { button, buttons, form, labelled, make, row } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { patternOf, pieceClass } from "../pictures.js";
import { CellGrid } from "./cell-grid.js";
import { alone, key, layout } from "./layouts.js";
import { SolidView } from "./solid-view.js";
import { History, OPEN, historyButtons, historyKey, inTurn, marked, sizeBox, within } from "./state.js";

const SIZE = { width: 6, height: 5, layers: 1 };
const LAYERED = { width: 4, height: 4, layers: 3 };

// Asks for the cells and the name of a piece, and offers those of `piece`; null if the dialog is cancelled.
// `number` is the place of the piece among the pieces of the puzzle.
export async function askForPiece(lattice, piece, number) {
  const least = lattice.layered ? LAYERED : SIZE;
  let state = { ...least, marks: {} };
  if (piece.cells.length) {
    const { sheet: smallest, cells } = await alone(lattice.name, piece.cells);
    if (!smallest) throw new Error(`${piece.name} is larger than any sheet to draw on.`);
    for (const side of Object.keys(least)) state[side] = Math.max(least[side], smallest[side]);
    state = { ...state, marks: marked({}, cells.map(key), OPEN) };
  }
  const made = await layout(lattice.name, state);
  return new Promise((resolve) => open(lattice, piece.name, number, state, made, resolve));
}

function open(lattice, firstName, number, firstState, made, resolve) {
  const closing = new AbortController();
  let [result, stroke, shown] = [null, null, made];
  const marks = () => stroke ?? history.state.marks;
  const grid = new CellGrid({
    label: "Cells of the piece",
    mark: (cell) => marks()[cell] ?? null,
    describe: (cell) => `${cell.replaceAll(",", ", ")}: ${marks()[cell] ? "in the piece" : "not in the piece"}`,
    tool: () => OPEN,
    paint: (cells, mark) => {
      stroke = marked(marks(), cells, mark);
      grid.update();
    },
    end: () => commit({ marks: marks() }),
  });
  const commit = (values) => {
    stroke = null;
    history.commit({ ...history.state, ...values });
  };
  const history = new History(firstState, async (state) => {
    steps.update();
    for (const side of Object.keys(sides)) sides[side].value = state[side];
    const now = await layout(lattice.name, state);
    if (now !== shown && state === history.state) grid.take((shown = now));
    grid.update();
  });
  const steps = historyButtons(history);
  const resize = inTurn(async (size) => {
    await problems.during(async () => {
      const now = await layout(lattice.name, { ...history.state, ...size });
      commit({ ...size, marks: within(marks(), now) });
    });
    return history.state;
  });
  const names = ["width", "height", ...(lattice.layered ? ["layers"] : [])];
  const sides = Object.fromEntries(names.map((side) => [side, sizeBox(lattice, side, `piece-${side}`, resize)]));
  for (const side of names) sides[side].value = firstState[side];
  const name = make("input", { value: firstName, maxlength: 40, autocomplete: "off" });
  const problems = new Problems();
  const take = () =>
    problems.during(async () => {
      const cells = Object.keys(marks());
      if (!cells.length) throw new Error("Mark the cells of the piece first.");
      const { normal } = await alone(lattice.name, cells.map((cell) => cell.split(",").map(Number)));
      result = { name: name.value.trim() || "piece", cells: normal };
      dialog.close();
    });
  grid.take(made);
  steps.update();
  const variable = `--${pieceClass(number)}`;
  grid.svg.style.setProperty("--mark", `var(${variable})`);
  const looks = [{ mark: OPEN, variable, pattern: patternOf(number) }];
  const solid = lattice.layered ? new SolidView(grid, looks, closing.signal).element : null;
  // Outside of the form, so that Enter in one of these boxes does not submit the piece.
  const head = [
    make("h2", {}, "Cells of a piece"),
    row(...names.map((side) => labelled(side, sides[side])), make("span", { class: "buttons" }, steps.nodes)),
  ];
  const content = form(
    { method: "dialog" },
    take,
    solid ? make("div", { class: "solid-and-layers" }, solid, grid.element) : grid.element,
    labelled("Name", name),
    problems.element,
    buttons(
      button("Take this piece", null, { type: "submit", class: "main" }),
      button("Clear", () => commit({ marks: {} })),
      button("Cancel", () => dialog.close()),
    ),
  );
  const onclose = () => {
    closing.abort();
    dialog.remove();
    resolve(result);
  };
  const onkeydown = (event) => historyKey(event, history);
  const style = solid ? "broad" : null;
  const dialog = make("dialog", { class: style, "aria-label": "Cells of a piece", onclose, onkeydown }, head, content);
  document.body.append(dialog);
  dialog.showModal();
  grid.focus();
}
