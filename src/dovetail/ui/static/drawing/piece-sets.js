// Named sets of pieces: each piece is a button that puts it into the drawing or takes it out.

import { button, fill, labelled, make, pictureButton, select } from "../elements.js";
import { listenForArrows } from "../parts/arrows.js";
import { picture, scaled } from "../pictures.js";

const SCALE = 0.32; // pixels for a unit of a picture

// `add(pieces)` and `drop(pieces)` change the drawing.
export class PieceSets {
  #buttons = [];

  constructor({ add, drop }) {
    Object.assign(this, { add, drop, taken: new Set() });
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

  #open(name) {
    const found = this.sets.find(({ set }) => set === name);
    const pieces = (found?.pieces ?? []).map((piece) => ({ ...piece, motions: found.motions }));
    this.#buttons = pieces.map((piece) => ({ piece, node: this.#choice(piece) }));
    const nodes = this.#buttons.map(({ node }) => node);
    const all = button("Choose all", () => this.add(pieces.filter((piece) => !this.#has(piece))));
    const none = button("Choose none", () => this.drop(pieces));
    fill(this.choices, nodes, found && make("span", { class: "buttons" }, all, none));
    listenForArrows(nodes);
  }

  #choice(piece) {
    const toggle = () => (this.#has(piece) ? this.drop([piece]) : this.add([piece]));
    return pictureButton(scaled(picture(piece.picture), SCALE), piece.name, toggle, {
      class: "choice-of-piece",
      "aria-pressed": this.#has(piece),
      "aria-label": piece.name,
    });
  }
}

export function shapeOf(cells) {
  return JSON.stringify(cells);
}
