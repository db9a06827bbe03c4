// The view to draw an edge-matching board: its tiles, or its solution, whose tiles are then shuffled.

import { Facts, problemTexts } from "../drawing/facts.js";
import {
  SOLVED, TILES, emptyBoard, fromData, inMode, painted, resized, toData,
} from "../drawing/painted-board.js";
import { History, historyButtons, historyKey } from "../drawing/state.js";
import {
  button, buttons, chips, definitions, fill, labelled, make, makeShape, row, section, select, summary,
} from "../elements.js";
import { Problems } from "../parts/problems.js";
import { openPuzzle, saveText } from "../parts/puzzles.js";
import { Squares } from "../parts/squares.js";
import { get, post } from "../requests.js";

const KEPT = "board"; // key in the storage of the tab
const FORMATS = [".json", ".edges.toml", ".txt", ".csv"];
const MODES = [
  [SOLVED, "The solved board"],
  [TILES, "Tile by tile"],
];
const NAMES = ["top", "right", "bottom", "left"];
const SIDE_KEYS = "nesw";
const HELP =
  "Click or drag over sides to paint them; a stroke that begins on its own colour unpaints. Keys: arrows " +
  "move, N E S W paint a side, 0 to 9 choose a colour, Space paints all sides, Delete unpaints, Ctrl+Z undoes.";

export async function show(view, puzzle) {
  const shapes = await get("/api/boards/colours", view.signal);
  const kept = JSON.parse(sessionStorage.getItem(KEPT));
  const board = puzzle ? fromData(await get(`/api/puzzles/${puzzle}/board`, view.signal)) : kept;
  view.name("Draw an edge-matching board");
  new BoardEditor(view, shapes, board ?? emptyBoard());
}

class BoardEditor {
  #colour = 1;
  #stroke = null; // { colour, board }

  constructor(view, shapes, board) {
    this.shapes = shapes;
    this.history = new History(board, (state) => this.#update(state));
    this.steps = historyButtons(this.history, (id) => ({ id }));
    this.problems = new Problems();
    this.facts = new Facts(view.signal, "/api/boards/facts", toData, written);
    this.squares = new Squares("Board", shapes.side, { type: (event, at) => this.#type(event, at) });
    const press = (event) => this.#press(event);
    const move = (event) => this.#stroke && this.#paint(sideAt(event), this.#stroke.colour);
    for (const [type, listener] of [["pointerdown", press], ["pointermove", move]])
      this.squares.svg.addEventListener(type, listener);
    for (const type of ["pointerup", "pointercancel"])
      addEventListener(type, () => this.#end(), { signal: view.signal });
    const size = (side) => (event) => this.#resize(side, Number(event.target.value));
    const set = (key) => (event) => this.#commit({ [key]: Number(event.target.value) || 0 });
    const number = (id, max, onchange) => make("input", { type: "number", id, min: 1, max, onchange });
    const rename = () => this.#commit({ name: this.inputs.name.value.trim() || "my-board" });
    this.inputs = {
      width: number("board-width", shapes.largest, size("width")),
      height: number("board-height", shapes.largest, size("height")),
      colours: number("board-colours", shapes.colours.length - 1, (event) => this.#recolour(event)),
      seed: number("board-seed", 2 ** 53, set("seed")),
      name: make("input", { id: "board-name", maxlength: 60, autocomplete: "off", onchange: rename }),
    };
    this.palette = make("div", {});
    const setMode = (mode) => this.history.commit(inMode(this.board, mode));
    this.mode = chips("mode", "Paint", MODES, board.mode, setMode);
    this.seed = labelled("Seed of the shuffle", this.inputs.seed);
    fill(
      view.element,
      make("h1", {}, "Draw an edge-matching board"),
      make("div", { class: "editor" }, this.#sheet(), this.#beside()),
    );
    document.addEventListener("keydown", (event) => historyKey(event, this.history), { signal: view.signal });
    this.#update(board);
  }

  #sheet() {
    const { width, height, colours } = this.inputs;
    return section(
      "Board",
      row(labelled("Columns", width), labelled("Rows", height), labelled("Colours", colours), this.seed),
      this.mode,
      this.palette,
      buttons(
        this.steps.nodes,
        button("Clear", () => {
          const sides = Array(this.board.sides.length).fill(null);
          this.history.commit(inMode({ ...this.board, sides }, this.board.mode));
        }),
      ),
      make("div", { class: "sheet painting" }, this.squares.svg),
      summary(HELP),
    );
  }

  #beside() {
    const { problems } = this;
    const format = select(FORMATS.map((suffix) => [suffix, suffix]), FORMATS[0], () => {}, { id: "board-format" });
    const save = async () => {
      const { text } = await post("/api/boards/text", { board: toData(this.board), format: format.value });
      saveText(`${this.board.name}${format.value}`, text);
    };
    const open = () => openPuzzle({ board: toData(this.board) });
    return make(
      "section",
      { class: "beside", "aria-label": "Facts" },
      make("h2", {}, "What is known"),
      this.facts.element,
      labelled("Name of the puzzle", this.inputs.name),
      problems.element,
      buttons(problems.button("Solve or play", open, { class: "main", id: "open" })),
      row(labelled("Format", format), problems.button("Save", save, { id: "save-board" })),
    );
  }

  get board() {
    return this.#stroke?.board ?? this.history.state;
  }

  #update(board) {
    sessionStorage.setItem(KEPT, JSON.stringify(board));
    for (const [name, input] of Object.entries(this.inputs)) input.value = board[name];
    this.seed.hidden = board.mode !== SOLVED;
    this.#choose(this.#colour);
    this.mode.querySelector(`[value=${board.mode}]`).checked = true; // keeps the focus
    this.#show();
    this.steps.update();
    this.facts.update(board);
  }

  // Chooses a colour; only tiles that are painted one by one may have the colour of the frame.
  #choose(colour) {
    this.#colour = Math.max(this.board.mode === SOLVED ? 1 : 0, Math.min(colour, this.board.colours));
    this.#showPalette();
  }

  #showPalette() {
    const numbers = Array.from({ length: this.board.colours + 1 }, (_, colour) => colour);
    const shown = this.board.mode === SOLVED ? numbers.slice(1) : numbers;
    const choose = (colour) => {
      this.#colour = Number(colour);
    };
    const named = shown.map((colour) => [String(colour), this.#swatch(colour)]);
    fill(this.palette, chips("colour", "Colour", named, String(this.#colour), choose));
    this.palette.className = "palette";
  }

  // A tile of one colour, with the number of the colour.
  #swatch(colour) {
    const { side } = this.shapes;
    const shown = [0, 1, 2, 3].flatMap((at) => this.#shapesOf(at, colour));
    const box = { class: "picture", viewBox: `0 0 ${side} ${side}`, "aria-hidden": true };
    return [makeShape("svg", box, ...shown), colour ? String(colour) : "frame"];
  }

  #shapesOf(side, colour) {
    const { paint, motif } = this.shapes.colours[colour] ?? { paint: "blank" };
    const d = this.shapes.sides[side];
    return [
      makeShape("path", { class: colour === null ? "blank" : `paint ${paint}`, d, "data-side": side }),
      motif ? makeShape("path", { class: "motif", d: motif[side], "data-side": side }) : null,
    ];
  }

  #show() {
    const { squares, board } = this;
    if (squares.width !== board.width || squares.height !== board.height) {
      squares.take(board.width, board.height);
      this.shown = [];
    }
    squares.nodes.forEach((node, tile) => {
      const sides = board.sides.slice(4 * tile, 4 * tile + 4);
      const text = sides.map((colour, side) => `${NAMES[side]} ${colour || (colour === 0 ? "frame" : "none")}`);
      const label = `${squares.place(tile).join(", ")}: ${text.join(", ")}`;
      if (this.shown[tile] === label) return; // most tiles do not change
      this.shown[tile] = label;
      node.setAttribute("aria-label", label);
      fill(node, ...sides.flatMap((colour, side) => this.#shapesOf(side, colour)));
    });
  }

  #press(event) {
    const at = sideAt(event);
    if (at === null || event.button > 0) return;
    event.preventDefault();
    this.squares.nodes[Math.floor(at / 4)].focus({ preventScroll: true });
    const colour = this.board.sides[at] === this.#colour ? null : this.#colour;
    this.#stroke = { colour, board: this.history.state };
    this.#paint(at, colour);
  }

  #paint(at, colour) {
    if (at === null) return;
    this.#stroke.board = painted(this.#stroke.board, at, colour);
    this.#show();
  }

  #end() {
    const board = this.#stroke?.board;
    this.#stroke = null;
    if (board && board !== this.history.state) this.history.commit(board);
  }

  #type(event, tile) {
    const key = event.key.toLowerCase();
    if (/^\d$/.test(key)) {
      this.#choose(Number(key));
      return true;
    }
    const unpaints = key === "delete" || key === "backspace";
    const sides = unpaints || key === " " ? [0, 1, 2, 3] : [SIDE_KEYS.indexOf(key)];
    if (key.length > 1 && !unpaints) return false;
    if (sides[0] < 0) return false;
    const colour = unpaints ? null : this.#colour;
    this.history.commit(sides.reduce((board, side) => painted(board, 4 * tile + side, colour), this.board));
    return true;
  }

  #resize(side, length) {
    const size = Math.min(this.shapes.largest, Math.max(1, Math.round(length || 1)));
    const { width, height } = { ...this.board, [side]: size };
    this.history.commit(resized(this.board, width, height));
  }

  // Sets the number of colours; sides of colours that no longer exist are unpainted.
  #recolour({ target }) {
    const colours = Math.min(this.shapes.colours.length - 1, Math.max(1, Math.round(target.value) || 1));
    this.#commit({ colours, sides: this.board.sides.map((colour) => (colour > colours ? null : colour)) });
  }

  #commit(values) {
    this.history.commit({ ...this.board, ...values });
  }
}

// The number of the side under a pointer, or null.
function sideAt({ clientX, clientY }) {
  const shape = document.elementFromPoint(clientX, clientY)?.closest(".painting [data-side]");
  return shape ? 4 * Number(shape.closest("[data-at]").dataset.at) + Number(shape.dataset.side) : null;
}

function written({ rows, ruled_out: reasons, errors }) {
  return [definitions(rows), ...problemTexts(reasons, errors)];
}
