// The first view: a puzzle of the catalogue, of a file, or one that was opened before.

import {
  announce, button, buttons, card, chips, counted, fill, form, labelled, make, summary, write,
} from "../elements.js";
import { Problems } from "../parts/problems.js";
import { Opened, PUZZLE_NOUNS, fileBox, openPuzzle } from "../parts/puzzles.js";
import { get } from "../requests.js";

export async function show(view) {
  const [catalogue, opened] = await Promise.all([
    get("/api/catalogue", view.signal),
    get("/api/puzzles", view.signal),
  ]);
  view.name("Choose a puzzle");
  const problems = new Problems();
  const list = make("div", { class: "catalogue" });
  const shown = summary();
  const wanted = { text: "", kind: "" };
  const set = (values) => {
    Object.assign(wanted, values);
    const found = catalogue.filter((entry) => fits(entry, wanted));
    const cards = found.map((entry) => entryCard(entry, problems));
    fill(list, cards);
    write(shown, `${counted(found.length, "entry", "entries")} of ${catalogue.length}`);
    if (wanted.text) announce(shown.textContent);
  };

  const search = make("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "soma, pentominoes-5x12 …",
    oninput: () => set({ text: search.value.trim().toLowerCase() }),
  });
  const submit = button("Open by name", null, { type: "submit" });
  const openByName = () => {
    const name = search.value.trim();
    if (name) problems.during(() => openPuzzle({ name }), submit);
    else search.focus();
  };
  const listed = new Opened();
  listed.add(opened);
  const kinds = [["", "all"], ...Object.entries(PUZZLE_NOUNS)];

  fill(
    view.element,
    make("h1", {}, "Choose a puzzle"),
    make(
      "div",
      { class: "sources" },
      fileBox(
        view.signal,
        (puzzles) => listed.take(puzzles),
        (error) => problems.add(error),
      ),
      make(
        "a",
        { class: "drop", href: "#/draw" },
        make("span", {}, "Draw your own"),
        make("small", {}, "region and pieces, with mouse, finger or keys"),
      ),
    ),
    problems.element,
    listed.element,
    make("h2", {}, "Catalogue"),
    form(
      { class: "row", role: "search" },
      openByName,
      labelled("Search, or type a name", search, { class: "field wide-field" }),
      submit,
    ),
    chips("kind", "Sort of puzzle", kinds, wanted.kind, (kind) => set({ kind })),
    shown,
    list,
  );
  set({});
}

function fits(entry, { text, kind }) {
  const words = [entry.name, entry.pattern, entry.family, entry.summary, ...entry.examples];
  const all = words.filter(Boolean).join(" ").toLowerCase();
  return (!kind || entry.kind === kind) && text.split(/\s+/).every((word) => all.includes(word));
}

function entryCard({ name, pattern, summary: text, examples }, problems) {
  const open = (example) =>
    problems.button(
      examples.length > 1 || pattern ? example : "Open",
      () => openPuzzle({ name: example }),
      { "aria-label": `Open ${example}` },
    );
  return card(pattern ?? name, make("p", {}, text), buttons(...examples.map(open)));
}
