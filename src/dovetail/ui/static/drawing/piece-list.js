// The pieces of a drawing: pictures, names, counts and motions.

import { button, counted, fill, labelled, make, select } from "../elements.js";
import { patternOf, picture, pieceClass, scaled } from "../pictures.js";
import { alone } from "./layouts.js";
import { motionsOf, piecesToData } from "./state.js";

const SCALE = 0.4; // pixels per unit of a picture
const COLOUR = /\bpiece-\d+\b/g;

// `change(pieces)` is called with the pieces after an edit, `edit(number)` to draw a piece again,
// `copy(number)` to duplicate it, and `mirror(number)` to reflect it.
export class PieceList {
  #shown = null;

  constructor(lattice, { change, edit, copy, mirror }) {
    this.element = make("ul", { class: "pieces" });
    Object.assign(this, { lattice, change, edit, copy, mirror });
  }

  // Rows are made again only if the pieces have changed, so that inputs keep the focus.
  update(pieces) {
    this.pieces = pieces;
    const shown = JSON.stringify(piecesToData(pieces));
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.id : null;
    fill(this.element, ...pieces.map((piece, number) => this.#row(piece, number)));
    if (focused) (document.getElementById(focused) ?? this.element.querySelector("input"))?.focus();
  }

  #row(piece, number) {
    const id = (what) => `piece-${number}-${what}`;
    const [low, high] = piece.count;
    const set = (values) =>
      this.change(this.pieces.map((other, at) => (at === number ? { ...other, ...values } : other)));
    const name = make("input", {
      value: piece.name,
      autocomplete: "off",
      id: id("name"),
      maxlength: 40,
      onchange: () => {
        name.value = name.value.trim() || piece.name;
        set({ name: name.value });
      },
    });
    const setLow = (value) => set({ count: [value, high === low ? value : Math.max(value, high)] });
    const setHigh = (value) => set({ count: [Math.min(low, value), value] });
    const setMotions = (motions) => set({ motions });
    const motions = select(motionsOf(this.lattice), piece.motions, setMotions, { id: id("motions") });
    const shown = make("span", { class: "piece-picture" });
    const size = counted(piece.cells.length, "cell");
    show(shown, this.lattice, piece, number).catch(() => fill(shown, size));
    return make(
      "li",
      {},
      shown,
      labelled("name", name),
      labelled("at least", amount(low, setLow, id("low"))),
      labelled("at most", amount(high, setHigh, id("high"))),
      labelled("moves", motions),
      make(
        "span",
        { class: "buttons" },
        button("Edit", () => this.edit(number), {
          id: id("edit"),
          "aria-label": `Edit the cells of ${piece.name}`,
        }),
        button("Duplicate", () => this.copy(number), { id: id("copy"), "aria-label": `Duplicate ${piece.name}` }),
        button("Mirror", () => this.mirror(number), { id: id("mirror"), "aria-label": `Mirror ${piece.name}` }),
        button("×", () => this.change(this.pieces.filter((_, at) => at !== number)), {
          id: id("remove"),
          title: "Remove",
          "aria-label": `Remove ${piece.name}`,
        }),
      ),
    );
  }
}

// Shows a piece in the colour and pattern that the puzzle gives to its number.
async function show(place, lattice, piece, number) {
  const listed = patternOf(number) || piece.picture?.includes("pattern-") ? null : piece.picture;
  const text = listed ?? (await alone(lattice.name, piece.cells, number)).picture;
  fill(place, scaled(picture(text.replaceAll(COLOUR, pieceClass(number))), SCALE));
}

function amount(value, onchange, id) {
  const take = ({ target }) => {
    target.value = Math.max(0, Math.round(Number(target.value) || 0));
    onchange(Number(target.value));
  };
  return make("input", { value, autocomplete: "off", id, type: "number", min: 0, onchange: take });
}
