// The pieces of a drawing: picture, name, how often, how they may be moved.

import { button, fill, labelled, make, select } from "../elements.js";
import { counted } from "../numbers.js";
import { COLOURS, picture, scaled } from "../pictures.js";
import { alone } from "./layouts.js";
import { motionsOf } from "./state.js";

const SCALE = 0.4; // pixels for a unit of a picture
const COLOUR = /\bpiece-\d+\b/g;

// `change(pieces)` is called with the pieces after an edit, `edit(number)` to draw one again.
export class PieceList {
  #shown = null;

  constructor(lattice, { change, edit }) {
    this.element = make("ul", { class: "pieces" });
    Object.assign(this, { lattice, change, edit });
  }

  // Rows are made again only where the pieces themselves differ: inputs keep the focus.
  update(pieces) {
    this.pieces = pieces;
    const shown = JSON.stringify(
      pieces.map(({ name, cells, count, motions }) => [name, cells, count, motions]),
    );
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused =
      document.activeElement?.closest(".pieces") === this.element ? document.activeElement.id : null;
    fill(
      this.element,
      pieces.map((piece, number) => this.#row(piece, number)),
    );
    if (focused) (document.getElementById(focused) ?? this.element.querySelector("input"))?.focus();
  }

  #row(piece, number) {
    const id = (what) => `piece-${number}-${what}`;
    const [low, high] = piece.count;
    const name = input(piece.name, (value) => this.#set(number, { name: value.trim() || piece.name }), {
      id: id("name"),
      maxlength: 40,
    });
    const few = amount(
      low,
      (value) => this.#set(number, { count: [value, Math.max(value, high === low ? value : high)] }),
      id("low"),
    );
    const many = amount(
      high,
      (value) => this.#set(number, { count: [Math.min(low, value), value] }),
      id("high"),
    );
    const motions = select(
      motionsOf(this.lattice),
      piece.motions,
      (value) => this.#set(number, { motions: value }),
      { id: id("motions") },
    );
    const shown = make("span", { class: "piece-picture" });
    const size = counted(piece.cells.length, "cell");
    show(shown, this.lattice, piece, number).catch(() => fill(shown, size));
    return make(
      "li",
      {},
      shown,
      labelled("name", name),
      labelled("at least", few),
      labelled("at most", many),
      labelled("moves", motions),
      make(
        "span",
        { class: "buttons" },
        button("Edit", () => this.edit(number), {
          id: id("edit"),
          "aria-label": `Edit the cells of ${piece.name}`,
        }),
        button("×", () => this.change(this.pieces.filter((_, at) => at !== number)), {
          id: id("remove"),
          title: "Remove",
          "aria-label": `Remove ${piece.name}`,
        }),
      ),
    );
  }

  #set(number, values) {
    this.change(this.pieces.map((piece, at) => (at === number ? { ...piece, ...values } : piece)));
  }
}

// In the colour that the puzzle gives the piece, by its number.
async function show(place, lattice, piece, number) {
  const text = piece.picture ?? (await alone(lattice.name, piece.cells)).picture;
  fill(place, scaled(picture(text.replaceAll(COLOUR, `piece-${number % COLOURS}`)), SCALE));
}

function input(value, onchange, attributes) {
  const made = make("input", { value, autocomplete: "off", ...attributes });
  made.addEventListener("change", () => onchange(made.value));
  return made;
}

function amount(value, onchange, id) {
  const bounded = (text) => Math.max(0, Math.round(Number(text) || 0));
  return input(value, (text) => onchange(bounded(text)), { id, type: "number", min: 0 });
}
