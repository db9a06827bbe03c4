// The puzzles that were opened so far: the first ones, and all others behind a line.

import { fill, make } from "../elements.js";

const MOST = 10;

export const PUZZLE_NOUNS = { packing: "packing", edges: "edge matching", cover: "exact cover" };

export class Opened {
  #puzzles = [];

  constructor() {
    this.element = make("section", { id: "opened", hidden: true });
  }

  // Lists more puzzles, before those that are listed.
  add(puzzles) {
    this.#puzzles.unshift(...puzzles);
    const items = this.#puzzles.map(item);
    const more = items.splice(MOST);
    fill(
      this.element,
      make("h2", {}, "Opened"),
      make("ul", { class: "links" }, ...items),
      more.length
        ? make(
            "details",
            {},
            make("summary", {}, `${more.length} more`),
            make("ul", { class: "links" }, ...more),
          )
        : null,
    );
    this.element.hidden = !this.#puzzles.length;
  }

  focus() {
    this.element.querySelector("a")?.focus();
  }
}

function item({ id, name, kind }) {
  const link = make("a", { href: `#/puzzle/${id}` }, name);
  return make("li", {}, link, " ", make("small", {}, PUZZLE_NOUNS[kind]));
}
