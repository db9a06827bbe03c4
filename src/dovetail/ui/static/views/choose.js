// The first view: puzzles with pictures, the whole catalogue, files, and puzzles opened before.

import {
  announce, button, buttons, card, chips, counted, details, fill, form, labelled, link, make,
  pictureButton, summary, write,
} from "../elements.js";
import { Problems } from "../parts/problems.js";
import { Opened, PUZZLE_NOUNS, familyAddress, fileBox, openPuzzle } from "../parts/puzzles.js";
import { picture } from "../pictures.js";
import { get } from "../requests.js";

export async function show(view) {
  const [catalogue, pictures, opened] = await Promise.all([
    get("/api/catalogue", view.signal),
    get("/static/gallery.json", view.signal),
    get("/api/puzzles", view.signal),
  ]);
  view.name("Choose a puzzle");
  const problems = new Problems((name) => openPuzzle({ name }));
  const cards = make("div", { class: "gallery-grid", role: "group", "aria-label": "Gallery" });
  const gallery = make("div", {}, make("h2", {}, "Gallery"), cards);
  fill(cards, Object.entries(pictures).map(([name, text]) => thumbnail(name, text, problems)));
  const list = make("div", { class: "catalogue" });
  const shown = summary();
  const title = `All ${counted(catalogue.length, "entry", "entries")} of the catalogue`;
  const whole = details(title, { class: "folded" });
  const wanted = { text: "", kind: "" };
  const set = (values) => {
    Object.assign(wanted, values);
    const found = catalogue.filter((entry) => fits(entry, wanted));
    fill(list, found.map((entry) => entryCard(entry, problems)));
    write(shown, `${counted(found.length, "entry", "entries")} of ${catalogue.length}`);
    const searches = Boolean(wanted.text || wanted.kind);
    gallery.hidden = searches;
    if (searches) whole.open = true;
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
  whole.append(chips("kind", "Sort of puzzle", kinds, wanted.kind, (kind) => set({ kind })), shown, list);

  fill(
    view.element,
    make("h1", {}, "Choose a puzzle"),
    make(
      "div",
      { class: "sources" },
      make(
        "a",
        { class: "drop", href: "#/draw" },
        make("span", {}, "Draw your own"),
        make("small", {}, "region and pieces, with mouse, finger or keys"),
      ),
      fileBox(
        view.signal,
        (puzzles) => listed.take(puzzles),
        (error) => problems.add(error),
      ),
    ),
    form(
      { class: "row", role: "search" },
      openByName,
      labelled("Search, or type a name", search, { class: "field wide-field" }),
      submit,
    ),
    problems.element,
    listed.element,
    gallery,
    whole,
  );
  set({});
}

function fits(entry, { text, kind }) {
  const words = [entry.name, entry.pattern, entry.family, entry.summary, ...entry.examples, ...entry.shapes];
  const all = words.filter(Boolean).join(" ").toLowerCase();
  return (!kind || entry.kind === kind) && text.split(/\s+/).every((word) => all.includes(word));
}

function thumbnail(name, text, problems) {
  const open = (event) => problems.during(() => openPuzzle({ name }), event.currentTarget);
  return pictureButton(picture(text), name, open, { class: "solution thumbnail" }, "Open");
}

function entryCard({ name, pattern, summary: text, examples }, problems) {
  const open = (example) =>
    problems.button(
      examples.length > 1 || pattern ? example : "Open",
      () => openPuzzle({ name: example }),
      { "aria-label": `Open ${example}` },
    );
  const sizes = pattern && link("Others …", familyAddress(pattern), { "aria-label": `Others of ${pattern}` });
  return card(pattern ?? name, make("p", {}, text), buttons(...examples.map(open), sizes));
}
