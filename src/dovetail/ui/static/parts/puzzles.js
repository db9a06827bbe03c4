// Puzzles from files that are chosen in a box or dropped on the page, and files that the page saves.

import { details, fill, link, make } from "../elements.js";
import { encoded, post } from "../requests.js";

const PATIENCE = 60_000; // milliseconds within which the browser begins to save, even on a busy machine

// The box for files. `opened` is called with the puzzles of each file, or `failed` with its error.
export function fileBox(signal, opened, failed) {
  const take = async (files) => {
    for (const file of files) {
      try {
        opened(await post("/api/puzzles", { file: { name: file.name, base64: await encoded(file) } }));
      } catch (error) {
        failed(error);
      }
    }
  };
  const input = make("input", {
    type: "file",
    multiple: true,
    "aria-label": "Puzzle files",
    onchange: async () => {
      await take([...input.files]);
      input.value = "";
    },
  });
  const box = make("label", { class: "drop" }, make("span", {}, "Open a file, or drop it here"), input);
  listenForDrops(box, take, signal);
  return box;
}

export function saveText(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), PATIENCE);
}

function listenForDrops(box, take, signal) {
  const listen = (type, listener) => document.addEventListener(type, listener, { signal });
  listen("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    box.classList.add("over");
  });
  listen("dragleave", (event) => {
    if (!event.relatedTarget) box.classList.remove("over");
  });
  listen("drop", (event) => {
    box.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });
}

const MOST = 10;

export const PUZZLE_NOUNS = { packing: "packing", edges: "edge matching", cover: "exact cover" };

// Opens the puzzle that `source`, the body of a request, describes, and shows it.
export async function openPuzzle(source) {
  const [puzzle] = await post("/api/puzzles", source);
  goTo(puzzle);
}

export function familyAddress(pattern) {
  return `#/family/${encodeURIComponent(pattern)}`;
}

export class Opened {
  #puzzles = [];

  constructor() {
    this.element = make("section", { id: "opened", hidden: true });
  }

  // Lists more puzzles, before the listed puzzles; a puzzle that is opened again moves to the front.
  add(puzzles) {
    const again = new Set(puzzles.map(({ id }) => id));
    this.#puzzles = [...puzzles, ...this.#puzzles.filter(({ id }) => !again.has(id))];
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

  // Shows the puzzle of a file; lists several puzzles, so that the user can choose.
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
