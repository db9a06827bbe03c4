// Named sets of pieces: all are in the drawing at first; each is a button that takes it out or puts it back.

import { button, fill, labelled, make, pictureButton, select } from "../elements.js";
import { listenForArrows } from "../parts/arrows.js";
import { picture, scaled } from "../pictures.js";
import { key } from "./layouts.js";

const SCALE = 0.32; // pixels for a unit of a picture

// `exchange(dropped, added)` takes pieces out of the drawing and puts others in.
export class PieceSets {
  #buttons = [];

  constructor(exchange) {
    Object.assign(this, { exchange, taken: new Set() });
    this.choices = make("div", { class: "choices", role: "group", "aria-label": "Pieces of the set" });
    this.box = make("span", {});
    this.element = make("div", {}, this.box, this.choices);
  }

  // Offers sets as the server lists them.
  take(sets) {
    this.sets = sets;
    const names = sets.map(({ set }) => [set, set]);
    const box = select([["", "none"], ...names], "", (name) => this.#open(name), { id: "piece-set" });
    fill(this.box, names.length ? labelled("Pieces of a named set", box) : null);
  }

  // Marks the pieces that the drawing has.
  update(pieces) {
    this.taken = new Set(pieces.map(({ cells }) => shapeOf(cells)));
    for (const { node, piece } of this.#buttons) node.setAttribute("aria-pressed", this.#has(piece));
  }

  #has({ cells }) {
    return this.taken.has(shapeOf(cells));
  }

  // A set takes the place of the one before, if that is in the drawing as a whole.
  #open(name) {
    const before = this.#buttons.map(({ piece }) => piece);
    const dropped = before.every((piece) => this.#has(piece)) ? before : [];
    const found = this.sets.find(({ set }) => set === name);
    const pieces = (found?.pieces ?? []).map((piece) => ({ ...piece, motions: found.motions }));
    this.#buttons = pieces.map((piece) => ({ piece, node: this.#choice(piece) }));
    const nodes = this.#buttons.map(({ node }) => node);
    const all = button("Choose all", () => this.exchange([], pieces.filter((piece) => !this.#has(piece))));
    const none = button("Choose none", () => this.exchange(pieces, []));
    fill(this.choices, nodes, found && make("span", { class: "buttons" }, all, none));
    listenForArrows(nodes);
    const shapes = new Set(dropped.map(({ cells }) => shapeOf(cells)));
    const added = pieces.filter((piece) => !this.#has(piece) || shapes.has(shapeOf(piece.cells)));
    if (dropped.length || added.length) this.exchange(dropped, added);
  }

  #choice(piece) {
    const toggle = () => (this.#has(piece) ? this.exchange([piece], []) : this.exchange([], [piece]));
    return pictureButton(scaled(picture(piece.picture), SCALE), piece.name, toggle, {
      class: "choice-of-piece",
      "aria-pressed": this.#has(piece),
      "aria-label": piece.name,
    });
  }
}

export function shapeOf(cells) {
  return cells.map(key).sort().join(" ");
}
