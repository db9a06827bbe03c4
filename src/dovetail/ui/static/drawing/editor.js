// The editor of a puzzle on a lattice: its sheet, its pieces, and facts about it.

import { button, buttons, chips, fill, labelled, link, make, row, section, select, summary } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { openPuzzle, saveText } from "../parts/puzzles.js";
import { post } from "../requests.js";
import { CellGrid } from "./cell-grid.js";
import { Facts } from "./facts.js";
import { alone, key, layout } from "./layouts.js";
import { askForPiece } from "./piece-dialog.js";
import { PieceList } from "./piece-list.js";
import { PieceSets, shapeOf } from "./piece-sets.js";
import { SolidView } from "./solid-view.js";
import {
  FIXED, History, OPEN, OPTIONAL, freeName, historyButtons, historyKey, inTurn, marked, mirrored, namesOf, nextName, sizeBox,
  toData, within,
} from "./state.js";

export const KEPT = "drawing"; // key in the storage of the tab

const MARKS = [
  [OPEN, "Region"],
  [OPTIONAL, "May stay empty"],
  [FIXED, "Fixed"],
];
const WORDS = { [OPEN]: "in the region", [OPTIONAL]: "may stay empty", [FIXED]: "fixed" };
// Looks of marks on a solid, in the colours of the sheet.
const LOOKS = [
  { mark: OPEN, variable: "--bar", paler: 0.4 },
  { mark: OPTIONAL, variable: "--bar", paler: 0.75 },
  { mark: FIXED, variable: "--picture-fixed" },
];
const HELP =
  "Mark cells with mouse or finger, or with arrow keys and Space. " +
  "Shift and arrows mark several, Delete unmarks, Ctrl+Z undoes.";

export class Editor {
  #stroke = null;
  #mark = OPEN;
  #shown = null; // the state that the page shows

  // `made` is the layout of `drawing`. `another(name)` changes to another lattice. `missing` are the titles of
  // solid lattices that cannot be drawn on.
  constructor(element, signal, { lattice, lattices, missing, drawing, made, another }) {
    Object.assign(this, { lattice, made });
    this.history = new History(drawing, (state) => this.#update(state));
    this.problems = new Problems();
    this.facts = new Facts(signal);
    this.grid = new CellGrid({
      label: "Region",
      mark: (name) => this.#marks[name] ?? null,
      describe: (name) => `${name.replaceAll(",", ", ")}: ${WORDS[this.#marks[name]] ?? "outside"}`,
      tool: () => this.#mark,
      paint: (names, mark) => this.#paint(names, mark),
      end: () => this.#endStroke(),
    });
    this.list = new PieceList(lattice, {
      change: (pieces) => this.#commit({ pieces }),
      edit: (number) => this.#draw(number),
      copy: (number) => this.#copy(number),
      mirror: (number) => this.#mirror(number),
    });
    this.sets = new PieceSets((dropped, added) => this.#exchange(dropped, added));
    this.steps = historyButtons(this.history, (id) => ({ id }));
    this.name = make("input", {
      id: "puzzle-name",
      maxlength: 60,
      autocomplete: "off",
      onchange: () => this.#commit({ name: this.name.value.trim() || "my-puzzle" }),
    });
    const sides = ["width", "height", ...(lattice.layered ? ["layers"] : [])];
    const resize = inTurn((size) => this.#resize(size));
    this.sizes = Object.fromEntries(sides.map((side) => [side, sizeBox(lattice, side, side, resize)]));
    const names = lattices.map(({ name, title }) => [name, title]);
    this.grid.take(made);
    fill(
      element,
      make("h1", {}, "Draw a puzzle"),
      make("p", {}, link("Draw an edge-matching board", "#/edges"), " instead"),
      make(
        "div",
        { class: "editor" },
        section(
          "Region",
          row(
            labelled("Cells", select(names, lattice.name, another, { id: "lattice" })),
            ...sides.map((side) => labelled(side, this.sizes[side])),
          ),
          this.#tools(),
          ...this.#drawn(signal),
          lattice.layered ? summary(`Cells without layers cannot be drawn here: ${missing.join(", ")}.`) : null,
        ),
        make(
          "section",
          { class: "beside", "aria-label": "Facts" },
          make("h2", {}, "What is known"),
          this.facts.element,
          labelled("Name of the puzzle", this.name),
          this.problems.element,
          this.#ends(),
        ),
      ),
      section(
        "Pieces",
        make("h2", {}, "Pieces"),
        this.sets.element,
        buttons(button("Draw a piece", () => this.#draw(), { id: "draw-piece" })),
        this.list.element,
      ),
    );
    const onkeydown = (event) => event.target.matches("dialog *") || historyKey(event, this.history);
    document.addEventListener("keydown", onkeydown, { signal });
    this.#update(drawing);
  }

  // The sheet, and for a solid lattice the solid beside its layers.
  #drawn(signal) {
    if (!this.lattice.layered) return [this.grid.element, summary(HELP)];
    const { element } = new SolidView(this.grid, LOOKS, signal);
    return [make("div", { class: "solid-and-layers" }, element, make("div", {}, this.grid.element, summary(HELP)))];
  }

  get #marks() {
    return this.#stroke ?? this.history.state.marks;
  }

  // Fixed pieces, whose names must not be used again.
  get #fixed() {
    return namesOf(this.history.state.holders);
  }

  #tools() {
    const setMark = (mark) => {
      this.#mark = mark;
    };
    const all = () => this.made.cells.map(({ cell }) => key(cell));
    return row(
      chips("mark", "Mark cells as", MARKS, this.#mark, setMark),
      make(
        "span",
        { class: "buttons" },
        this.steps.nodes,
        button("Fill", () => this.#commit({ marks: marked(this.#marks, all(), this.#mark) }), { id: "fill" }),
        button("Clear", () => this.#commit({ marks: {} })),
      ),
    );
  }

  #ends() {
    const { problems } = this;
    const data = () => toData(this.history.state);
    const solve = () => openPuzzle({ drawing: data() });
    const save = async () => {
      const { toml } = await post("/api/drawings/text", data());
      saveText(`${this.history.state.name}.toml`, toml);
    };
    return buttons(
      problems.button("Solve this puzzle", solve, { class: "main", id: "open" }),
      problems.button("Save as TOML", save),
    );
  }

  #update(state) {
    sessionStorage.setItem(KEPT, JSON.stringify(state));
    this.#show(state);
    this.grid.update();
    this.list.update(state.pieces);
    this.sets.update(state.pieces);
    this.facts.update(state);
    if (this.name.value !== state.name) this.name.value = state.name;
    this.steps.update();
  }

  // Shows another size of the sheet, after an edit or after an undo.
  async #show(state) {
    const changed = Object.keys(this.sizes).filter((side) => state[side] !== this.#shown?.[side]);
    this.#shown = state;
    if (!changed.length) return;
    for (const side of changed) this.sizes[side].value = state[side]; // other boxes keep what is being typed
    const made = await layout(this.lattice.name, state);
    if (made === this.made) return;
    this.made = made;
    this.grid.take(made);
  }

  async #resize(size) {
    const state = { ...this.history.state, ...size };
    await this.problems.during(async () => {
      const made = await layout(this.lattice.name, state);
      this.#commit({ ...size, marks: within(this.history.state.marks, made) });
    });
    return this.history.state;
  }

  #paint(names, mark) {
    this.#stroke = marked(this.#marks, names, mark);
    this.grid.update();
  }

  #endStroke() {
    const marks = this.#stroke;
    this.#stroke = null;
    if (marks) this.#commit({ marks });
  }

  #commit(values) {
    this.history.commit({ ...this.history.state, ...values });
  }

  // Removes pieces from the drawing, and appends other pieces.
  #exchange(dropped, added) {
    const gone = new Set(dropped.map(({ cells }) => shapeOf(cells)));
    const all = this.history.state.pieces.filter(({ cells }) => !gone.has(shapeOf(cells)));
    for (const { name, cells, picture, motions } of added)
      all.push({ name: freeName([...all, ...this.#fixed], name), cells, picture, motions, count: [1, 1] });
    this.#commit({ pieces: all });
  }

  #copy(number) {
    const { pieces } = this.history.state;
    const copy = { ...pieces[number], name: freeName([...pieces, ...this.#fixed], pieces[number].name) };
    this.#commit({ pieces: pieces.toSpliced(number + 1, 0, copy) });
  }

  async #mirror(number) {
    const piece = this.history.state.pieces[number];
    await this.problems.during(async () => {
      const { normal } = await alone(this.lattice.name, mirrored(this.lattice, piece.cells));
      const { pieces } = this.history.state; // other pieces may have changed meanwhile
      this.#commit({ pieces: pieces.map((one) => (one === piece ? { ...one, cells: normal, picture: null } : one)) });
    });
  }

  // Draws another shape of piece `number`, or a new piece after the others, with the usual motions.
  async #draw(number = this.history.state.pieces.length) {
    const { pieces } = this.history.state;
    const name = nextName([...pieces, ...this.#fixed]);
    const found = pieces[number] ?? { name, cells: [], count: [1, 1], motions: this.lattice.motions[0] };
    let drawn = null;
    await this.problems.during(async () => {
      drawn = await askForPiece(this.lattice, found, number);
    });
    if (!drawn) return;
    const others = [...pieces.filter((_, at) => at !== number), ...this.#fixed];
    const piece = { ...found, ...drawn, name: freeName(others, drawn.name), picture: null };
    this.#commit({ pieces: pieces.toSpliced(number, 1, piece) });
  }
}
