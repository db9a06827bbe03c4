// The view of a family of puzzles, where the sizes, names or numbers in its pattern are chosen.

import { button, buttons, fill, form, labelled, link, make, row, select } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { openPuzzle } from "../parts/puzzles.js";
import { get } from "../requests.js";

// Meanings of the words in capitals in a pattern: words for numbers, and words for texts.
const NUMBERS = { H: "Height", W: "Width", D: "Depth", N: "Number", SEED: "Seed" };
const TEXTS = {
  SHAPE: "Region",
  LETTERS: "Pieces, by their letters",
  NAME: "Piece that is left out",
  SIZE: "Size: 7, or 4x5 for height 4, width 5",
  COLOURS: "Colours: 9, or b3i4 for 3 at the border, 4 inside",
};

export async function show(view, pattern) {
  const catalogue = await get("/api/catalogue", view.signal);
  const family = catalogue.find((entry) => entry.pattern === pattern);
  if (!family) throw new Error(`There is no family ${pattern}.`);
  view.name(pattern);
  const problems = new Problems((name) => openPuzzle({ name }));
  const parts = pattern.split(/([A-Z]+)/); // every second part is a variable
  const inputs = parts.map((part, at) => (at % 2 ? input(part, family.variables[part], family.shapes) : null));
  const name = () => parts.map((part, at) => (at % 2 ? inputs[at].value.trim() : part)).join("");
  const submit = button("Open", null, { type: "submit", class: "main", id: "open-size" });
  const open = (example) => problems.button(example, () => openPuzzle({ name: example }));
  fill(
    view.element,
    make("h1", {}, pattern),
    make("p", { class: "about" }, family.summary),
    form(
      { "aria-label": "Size" },
      () => problems.during(() => openPuzzle({ name: name() }), submit),
      row(...parts.map((part, at) => inputs[at] && labelled(NUMBERS[part] ?? TEXTS[part], inputs[at])), submit),
    ),
    problems.element,
    make("h2", {}, "Examples"),
    buttons(...family.examples.map(open)),
    make("p", {}, link("All puzzles", "#/")),
  );
}

function input(variable, value, shapes) {
  const id = `family-${variable}`;
  if (shapes.length) return select(shapes.map((shape) => [shape, shape]), value, () => {}, { id });
  if (variable in NUMBERS) return make("input", { id, type: "number", min: 1, max: 999, value, required: true });
  return make("input", { id, value, required: true, autocomplete: "off", spellcheck: "false" });
}
