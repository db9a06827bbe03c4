// The puzzles that were opened so far: the first ones, and all others behind a line.

import { details, fill, link, make } from "../elements.js";
import { post } from "../requests.js";

const MOST = 10;

export const PUZZLE_NOUNS = { packing: "packing", edges: "edge matching", cover: "exact cover" };

// Opens the puzzle that `source`, the body of a request, describes, and goes to it.
export async function openPuzzle(source) {
  const [puzzle] = await post("/api/puzzles", source);
  goTo(puzzle);
}

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
    const list = (entries) => make("ul", { class: "links" }, ...entries);
    fill(
      this.element,
      make("h2", {}, "Opened"),
      list(items),
      more.length ? details(`${more.length} more`, {}, list(more)) : null,
    );
    this.element.hidden = !this.#puzzles.length;
  }

  // Goes to the puzzle of a file; of several, one is to be chosen from the list.
  take(puzzles) {
    if (puzzles.length === 1) return goTo(puzzles[0]);
    this.add(puzzles);
    this.element.querySelector("a")?.focus();
  }
}

function goTo({ id }) {
  location.hash = `#/puzzle/${id}`;
}

function item({ id, name, kind }) {
  return make("li", {}, link(name, `#/puzzle/${id}`), " ", make("small", {}, PUZZLE_NOUNS[kind]));
}
