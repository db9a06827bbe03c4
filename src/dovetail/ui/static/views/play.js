// The view to play an edge-matching board: tiles are placed, turned and locked; improvers start from the position.

import { History, historyButtons, historyKey } from "../drawing/state.js";
import {
  announce, button, buttons, fill, labelled, link, make, makeShape, row, section, select, summary, write,
} from "../elements.js";
import { listenForArrows } from "../parts/arrows.js";
import { Problems } from "../parts/problems.js";
import { saveText } from "../parts/puzzles.js";
import { Squares, squareOf } from "../parts/squares.js";
import { picture } from "../pictures.js";
import { FromHere } from "../playing/from-here.js";
import { listenForDrags } from "../playing/hand.js";
import {
  cleared, emptyPosition, placed, takenAway, toRows, toggledLock, turned, withRows,
} from "../playing/position.js";
import { encoded, get, post } from "../requests.js";

const HELP =
  "Drag a tile, or click it and then a cell; click a tile on the board or use the wheel to turn it. Keys: " +
  "arrows move, Enter places the tile in hand or takes it in hand, R turns, F flips where tiles may be flipped, " +
  "L locks, Delete takes away, " +
  "Escape empties the hand, Ctrl+Z undoes.";
const LOCKED = "A locked tile lies there.";

export async function show(view, id) {
  const puzzle = await get(`/api/puzzles/${id}`, view.signal);
  const { board } = puzzle;
  if (!board?.playable) throw new Error(`${puzzle.name} has no board to play on here.`);
  view.name(`Play ${puzzle.name}`);
  await new Game(view, puzzle).begin();
}

class Game {
  #hand = null; // { tile, rotation, from }; `from` is a cell or null
  #shown = [];
  #asking = new AbortController();

  constructor(view, puzzle) {
    const { board } = puzzle;
    Object.assign(this, { puzzle, signal: view.signal, board });
    this.holes = new Set(board.holes.map(([x, y]) => (board.height - 1 - y) * board.width + x));
    this.address = `/api/puzzles/${puzzle.id}/position`;
    const { width, height, hints, holes, tiles } = board;
    // Key in the storage of the tab, which another puzzle with the same name does not have.
    this.key = `play ${JSON.stringify([puzzle.name, width, height, hints, holes, tiles.map(({ words }) => words)])}`;
    this.history = new History(emptyPosition(board), () => this.#update());
    this.steps = historyButtons(this.history, (id) => ({ id }));
    this.problems = new Problems();
    this.pictures = board.tiles.map(({ picture: text }) => picture(text));
    const side = Number(this.pictures[0].getAttribute("viewBox").split(" ")[2]) - 8;
    this.squares = new Squares("Board", side, {
      type: (event, at) => this.#type(event.key.toLowerCase(), at),
      enter: () => this.#showHand(),
    });
    this.marks = makeShape("path", { class: "mismatch" });
    this.ghost = makeShape("g", { class: "ghost" });
    this.score = make("p", { class: "status", id: "score" });
    this.trouble = make("p", { class: "hint" });
    this.tray = this.pictures.map((drawn, tile) => this.#trayTile(drawn, tile));
    const over = { take: (event) => this.#lift(event), drop: (event) => this.#drop(event) };
    const play = make("div", { class: "editor play" }, this.#boardSection(), this.#traySection());
    listenForDrags(play, view.signal, over);
    play.addEventListener("wheel", (event) => this.#roll(event), { passive: false });
    this.squares.svg.addEventListener("click", (event) => this.#click(squareOf(event.target)));
    const heading = make("h1", {}, "Play ", link(puzzle.name, `#/puzzle/${puzzle.id}`));
    fill(view.element, heading, this.score, this.trouble, this.problems.element, play);
    listenForArrows(this.tray);
    document.addEventListener("keydown", (event) => historyKey(event, this.history), { signal: view.signal });
    this.squares.take(board.width, board.height, this.marks, this.ghost);
  }

  // Begins with the last position of this tab, if it is a position of the puzzle.
  async begin() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.key));
      if (kept) {
        await post(this.address, { cells: toRows(kept, this.board.width) }, this.signal);
        return this.history.commit(kept);
      }
    } catch (error) {
      if (error.name === "AbortError") throw error;
    }
    this.#update();
  }

  get position() {
    return this.history.state;
  }

  #boardSection() {
    const act = (text, key) => button(text, () => this.#type(key, this.squares.at) || this.squares.focus());
    return section(
      "Board",
      buttons(
        this.steps.nodes,
        act("Turn", "r"),
        act("Lock or unlock", "l"),
        act("Take away", "delete"),
        button("Clear", () => this.#move(cleared(this.position))),
      ),
      make("div", { class: "sheet" }, this.squares.svg),
      summary(HELP),
    );
  }

  #traySection() {
    const { problems, puzzle } = this;
    const formats = puzzle.formats.boards.map((suffix) => [suffix, suffix]);
    const format = select(formats, ".json", () => {}, { id: "position-format" });
    const save = async () => {
      const cells = toRows(this.position, this.board.width);
      const { name, text } = await post(`${this.address}/file`, { cells, format: format.value });
      saveText(name, text);
    };
    const open = () =>
      problems.during(async () => {
        const [file] = input.files;
        const body = { file: { name: file.name, base64: await encoded(file) } };
        input.value = "";
        this.#take((await post(this.address, body)).cells);
      });
    const input = make("input", { type: "file", id: "open-position", onchange: open });
    this.left = make("h2", {});
    const fromHere = new FromHere(puzzle, this.signal, problems, {
      position: () => this.#body(),
      take: (rows) => this.#take(rows),
    });
    return make(
      "section",
      { "aria-label": "Tiles" },
      this.left,
      make("div", { class: "tray", role: "group", "aria-label": "Tiles in the tray" }, ...this.tray),
      make("h2", {}, "From here"),
      fromHere.element,
      make("h2", {}, "Files"),
      row(labelled("Format", format), problems.button("Save the position", save, { id: "save-position" })),
      labelled("Open a position", input),
    );
  }

  // The cells of the position, and the places of locked tiles and of all tiles, in the form for the server.
  #body() {
    const { cells, locked } = this.position;
    const places = cells.map((_, at) => this.squares.place(at));
    return {
      cells: toRows(this.position, this.board.width),
      locked: places.filter((_, at) => locked[at]),
      filled: places.filter((_, at) => cells[at]),
    };
  }

  #take(rows) {
    this.#move(withRows(this.position, rows));
  }

  #trayTile(drawn, tile) {
    const label = `tile ${tile}: ${this.board.tiles[tile].words}`;
    const attributes = { class: "tile", title: label, "aria-label": label, "data-tile": tile };
    drawn.setAttribute("aria-hidden", "true");
    const pick = () => {
      this.#pick(this.#hand?.tile === tile ? null : { tile, rotation: 0, from: null });
      if (this.#hand) this.squares.focus();
    };
    return button([drawn], pick, attributes);
  }

  // The shapes of a turned tile.
  #tileShapes(tile, rotation) {
    const half = this.squares.side / 2;
    const shapes = [...this.pictures[tile].children].filter(({ tagName }) => tagName === "path");
    const flip = rotation < 4 ? "" : ` translate(${2 * half} 0) scale(-1 1)`;
    const turn = `rotate(${-90 * (rotation % 4)} ${half} ${half})${flip}`;
    return makeShape("g", { transform: turn }, ...shapes.map((shape) => shape.cloneNode()));
  }

  #pick(hand) {
    this.#hand = hand;
    this.tray.forEach((node, tile) => node.setAttribute("aria-pressed", hand?.tile === tile));
    if (hand) announce(`Tile ${hand.tile} in hand`);
    this.#showHand();
  }

  // Shows the tile in hand over the cell in which it would be placed.
  #showHand() {
    const { ghost, squares } = this;
    fill(ghost, this.#hand && this.#tileShapes(this.#hand.tile, this.#hand.rotation));
    ghost.setAttribute("transform", squares.nodes[squares.at]?.getAttribute("transform") ?? "");
  }

  // Sets the position after a move; null is an impossible move.
  #move(position) {
    if (position) this.history.commit(position);
    else announce(LOCKED);
  }

  #place(at) {
    if (this.holes.has(at)) return announce("There is a hole.");
    const position = placed(this.position, at, this.#hand);
    if (position) this.#pick(null);
    this.#move(position);
  }

  #click(at) {
    if (at === null) return;
    this.squares.nodes[at].focus({ preventScroll: true });
    if (this.#hand) this.#place(at);
    else if (this.position.cells[at]) this.#turn(at, 1);
  }

  // Turns the tile in hand, or the tile in a cell, or flips it.
  #turn(at, turns, flips = false) {
    if (this.board.turns === 1) return announce("Tiles stay as they are turned.");
    const turn = (rotation) => {
      if (flips) return this.board.turns === 8 ? (rotation + 4) % 8 : rotation;
      return 4 * Math.floor(rotation / 4) + ((rotation + turns + 4) % 4);
    };
    if (this.#hand) this.#pick({ ...this.#hand, rotation: turn(this.#hand.rotation) });
    else if (this.position.cells[at]) this.#move(turned(this.position, at, turn));
  }

  // Handles a key; returns true if it is a key of the game.
  #type(key, at) {
    const cell = this.position.cells[at];
    if (key === "escape") this.#pick(null);
    else if (key === "enter" || key === " ") {
      if (this.#hand) this.#place(at);
      else if (cell) this.#pick({ tile: cell[0], rotation: cell[1], from: at });
    } else if (key === "r" || key === "f") this.#turn(at, 1, key === "f");
    else if (key === "l") {
      if (cell) this.history.commit(toggledLock(this.position, at));
    } else if (key === "delete" || key === "backspace") {
      if (cell) this.#move(takenAway(this.position, at));
    } else return false;
    return true;
  }

  #roll(event) {
    const at = squareOf(event.target);
    if (at === null || !this.position.cells[at] || event.ctrlKey) return;
    event.preventDefault();
    this.#turn(at, event.deltaY > 0 ? -1 : 1);
  }

  // Takes the tile that a drag carries if it begins with this event; returns its picture or null.
  #lift(event) {
    const at = squareOf(event.target);
    const tile = event.target.closest("[data-tile]")?.dataset.tile;
    const cell = at === null ? tile && [Number(tile), 0] : !this.position.locked[at] && this.position.cells[at];
    if (!cell) return null;
    this.#pick({ tile: cell[0], rotation: cell[1], from: at });
    const { side } = this.squares;
    const box = { class: "picture", viewBox: `0 0 ${side} ${side}` };
    return makeShape("svg", box, this.#tileShapes(...cell));
  }

  #drop({ clientX, clientY }) {
    if (!this.#hand) return; // emptied by a key during the drag
    const target = document.elementFromPoint(clientX, clientY);
    const at = squareOf(target);
    const { from } = this.#hand;
    if (at !== null) {
      this.squares.nodes[at].focus({ preventScroll: true });
      this.#place(at);
    } else if (from !== null && target?.closest(".tray")) this.#move(takenAway(this.position, from));
    this.#pick(null);
  }

  #update() {
    const { cells, locked } = this.position;
    const lying = Array(this.tray.length).fill(0);
    for (const cell of cells) if (cell) lying[cell[0]] += 1;
    this.squares.nodes.forEach((node, at) => this.#showCell(node, at, cells[at], locked[at]));
    this.tray.forEach((node, tile) => {
      node.hidden = lying[tile] >= this.board.copies[tile];
    });
    // The tile in hand may have been placed or taken from its cell by an undo, or by another board.
    const { tile, from } = this.#hand ?? {};
    if (this.#hand && (from === null ? this.tray[tile].hidden : cells[from]?.[0] !== tile)) this.#pick(null);
    const left = this.tray.filter((node) => !node.hidden);
    if (!left.some(({ tabIndex }) => tabIndex === 0) && left.length) left[0].tabIndex = 0;
    write(this.left, left.length ? "Tiles" : "Tiles (all placed)");
    sessionStorage.setItem(this.key, JSON.stringify(this.position));
    this.steps.update();
    this.#score();
  }

  #showCell(node, at, cell, isLocked) {
    const turns = cell && `${cell[1] % 4} quarter turns${cell[1] < 4 ? "" : ", flipped"}`;
    const empty = this.holes.has(at) ? "hole" : "empty";
    const text = cell ? `tile ${cell[0]}, ${turns}${isLocked ? ", locked" : ""}` : empty;
    if (this.#shown[at] === text) return; // most cells do not change
    this.#shown[at] = text;
    const { side } = this.squares;
    const border = (style, from, length) =>
      makeShape("path", { class: style, d: `M${from} ${from}h${length}v${length}h${-length}z` });
    node.setAttribute("aria-label", `${this.squares.place(at).join(", ")}: ${text}`);
    node.classList.toggle("free", Boolean(cell) && !isLocked);
    const lock = isLocked && border("hint", 2, side - 4);
    fill(node, border(text === "hole" ? "hole" : "blank", 0, side), cell && this.#tileShapes(...cell), lock);
  }

  // Asks the server for the score; a response is dropped if the position has changed.
  async #score() {
    this.#asking.abort();
    this.#asking = new AbortController();
    const signal = AbortSignal.any([this.signal, this.#asking.signal]);
    await this.problems.during(async () => {
      const cells = toRows(this.position, this.board.width);
      const { score, mismatched, problem } = await post(this.address, { cells }, signal);
      write(this.score, score);
      write(this.trouble, problem ?? "");
      this.marks.setAttribute("d", mismatched.map((edge) => this.#bar(edge)).join(""));
      announce(`${score}${mismatched.length ? `, ${mismatched.length} do not match` : ""}`);
    });
  }

  // A bar on the edge between two places; the first place is to the west or south of the other.
  #bar([[x, y], [otherX]]) {
    const { side } = this.squares;
    const top = (this.board.height - 1 - y) * side;
    return x === otherX ? `M${x * side} ${top}h${side}` : `M${(x + 1) * side} ${top}v${side}`;
  }
}
