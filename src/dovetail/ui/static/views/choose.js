// The first view: a puzzle of the catalogue, of a file, or one that was opened before.

import { announce } from "../announcements.js";
import { button, fill, labelled, make } from "../elements.js";
import { counted } from "../numbers.js";
import { fileBox } from "../parts/files.js";
import { Opened, PUZZLE_NOUNS } from "../parts/opened.js";
import { Problems } from "../parts/problems.js";
import { get, post } from "../requests.js";

const CHOICES = [["", "all"], ...Object.entries(PUZZLE_NOUNS)];

export async function show(view) {
  const [catalogue, opened] = await Promise.all([
    get("/api/catalogue", view.signal),
    get("/api/puzzles", view.signal),
  ]);
  view.name("Choose a puzzle");
  const problems = new Problems();
  const list = make("div", { class: "catalogue" });
  const shown = make("p", { class: "summary" });
  const wanted = { text: "", kind: "" };

  const open = (name, source) =>
    problems.during(async () => {
      const [puzzle] = await post("/api/puzzles", { name });
      location.hash = `#/puzzle/${puzzle.id}`;
    }, source);
  const update = () => {
    const found = catalogue.filter((entry) => fits(entry, wanted));
    fill(
      list,
      found.map((entry) => card(entry, open)),
    );
    const text = `${counted(found.length, "entry", "entries")} of ${catalogue.length}`;
    fill(shown, text);
    if (wanted.text) announce(text);
  };

  const search = make("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "soma, pentominoes-5x12 …",
  });
  search.addEventListener("input", () => {
    wanted.text = search.value.trim().toLowerCase();
    update();
  });
  const form = make(
    "form",
    { class: "row", role: "search" },
    labelled("Search, or type a name", search, { class: "field wide-field" }),
    button("Open by name", null, { type: "submit" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (search.value.trim()) open(search.value.trim(), form.querySelector("button"));
    else search.focus();
  });
  const listed = new Opened();
  listed.add(opened);
  const files = fileBox(
    view.signal,
    (puzzles) => takePuzzles(puzzles, listed),
    (error) => problems.add(error),
  );

  fill(
    view.element,
    make("h1", {}, "Choose a puzzle"),
    make(
      "div",
      { class: "sources" },
      files,
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
    form,
    choice(wanted, update),
    shown,
    list,
  );
  update();
}

// A file with one puzzle leads to it; of several one is chosen.
function takePuzzles(puzzles, listed) {
  if (puzzles.length === 1) location.hash = `#/puzzle/${puzzles[0].id}`;
  else {
    listed.add(puzzles);
    listed.focus();
  }
}

function choice(wanted, update) {
  const radios = CHOICES.map(([value, text]) => {
    const radio = make("input", { type: "radio", name: "kind", value, checked: value === wanted.kind });
    radio.addEventListener("change", () => {
      wanted.kind = value;
      update();
    });
    return make("label", { class: "chip" }, radio, make("span", {}, text));
  });
  return make(
    "fieldset",
    { class: "chips" },
    make("legend", { class: "unseen" }, "Sort of puzzle"),
    ...radios,
  );
}

function fits(entry, { text, kind }) {
  const words = [entry.name, entry.pattern, entry.family, entry.summary, ...entry.examples];
  const all = words.filter(Boolean).join(" ").toLowerCase();
  return (!kind || entry.kind === kind) && text.split(/\s+/).every((word) => all.includes(word));
}

function card(entry, open) {
  const { examples } = entry;
  return make(
    "article",
    { class: "entry" },
    make("h3", {}, entry.pattern ?? entry.name),
    make("p", {}, entry.summary),
    make(
      "p",
      { class: "buttons" },
      ...examples.map((name) =>
        button(examples.length > 1 || entry.pattern ? name : "Open", (event) => open(name, event.target), {
          "aria-label": `Open ${name}`,
        }),
      ),
    ),
  );
}
