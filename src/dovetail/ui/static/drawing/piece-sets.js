// Named sets of pieces. A chosen set is added to the drawing; the button of a piece removes or restores the piece.

import { button, fill, labelled, make, pictureButton, select } from "../elements.js";
import { listenForArrows } from "../parts/arrows.js";
import { picture, scaled } from "../pictures.js";
import { key } from "./layouts.js";

const SCALE = 0.32; // pixels per unit of a picture

// `exchange(dropped, added)` removes pieces from the drawing and adds others.
export class PieceSets {
  #buttons = [];

  constructor(exchange) {
    Object.assign(this, { exchange, taken: new Set() });
    this.choices = make("div", { class: "choices", role: "group", "aria-label": "Pieces of the set" });
    this.box = make("span", {});
    this.element = make("div", {}, this.box, this.choices);
  }

  // Offers the sets of the server's list.
  take(sets) {
    this.sets = sets;
    const names = sets.map(({ set }) => [set, set]);
    const box = select([["", "none"], ...names], "", (name) => this.#open(name), { id: "piece-set" });
    fill(this.box, names.length ? labelled("Pieces of a named set", box) : null);
  }

  // Marks the pieces that are in the drawing.
  update(pieces) {
    this.taken = new Set(pieces.map(({ cells }) => shapeOf(cells)));
    for (const { node, piece } of this.#buttons) node.setAttribute("aria-pressed", this.#has(piece));
  }

  #has({ cells }) {
    return this.taken.has(shapeOf(cells));
  }

  // A set replaces the previous set if all pieces of the previous set are in the drawing.
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
