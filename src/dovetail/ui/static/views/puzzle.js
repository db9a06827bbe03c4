// A puzzle: its picture, what is known of it, files of it, and the race that is to be run.

import { fill, make } from "../elements.js";
import { framed, picture } from "../pictures.js";
import { count, counted } from "../numbers.js";
import { RaceForm } from "../racing/race-form.js";
import { get } from "../requests.js";

const ELSEWHERE = "backends"; // are listed below, with more about them
const NO_PICTURE = "There is no picture of this puzzle.";

export async function show(view, id) {
  const puzzle = await get(`/api/puzzles/${id}`, view.signal);
  view.name(puzzle.name);
  const known = make("div", { class: "known" }, make("p", { class: "summary" }, "Working …"));
  fill(
    view.element,
    make("h1", {}, puzzle.name),
    make("p", { class: "about" }, puzzle.summary.join(" · ")),
    make(
      "div",
      { class: "puzzle" },
      make(
        "section",
        { "aria-label": "Picture" },
        puzzle.picture
          ? framed(picture(puzzle.picture), "Picture")
          : make("p", { class: "summary" }, NO_PICTURE),
        files(puzzle),
      ),
      make("section", { "aria-label": "Facts" }, make("h2", {}, "What is known before a search"), known),
    ),
    puzzle.board ? board(puzzle.board) : null,
    new RaceForm(puzzle).element,
  );
  await explain(known, id, view.signal);
}

function files(puzzle) {
  const links = puzzle.formats.puzzle.map((suffix) => {
    const href = `/api/puzzles/${puzzle.id}/export?format=${encodeURIComponent(suffix)}`;
    return make("li", {}, make("a", { href, download: "" }, suffix));
  });
  return make(
    "div",
    { class: "summary" },
    puzzle.editable ? make("p", {}, make("a", { href: `#/draw/${puzzle.id}` }, "Draw a changed copy")) : null,
    make(
      "ul",
      { class: "links", "aria-label": "Save the puzzle as" },
      make("li", { "aria-hidden": "true" }, "Save as"),
      ...links,
    ),
  );
}

// Large puzzles take seconds to explain: a search can be started meanwhile.
async function explain(place, id, signal) {
  try {
    fill(place, facts(await get(`/api/puzzles/${id}/explanation`, signal)));
  } catch (error) {
    if (error.name !== "AbortError") fill(place, make("p", { class: "warning" }, error.message));
  }
}

function facts(sections) {
  const shown = sections.filter(({ key }) => key !== ELSEWHERE);
  return shown.map(({ title, rows }, at) =>
    make("details", { open: at < 2 }, make("summary", {}, title), definitions(rows)),
  );
}

function definitions(rows) {
  return make("dl", {}, ...rows.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
}

function board({ tiles, hints, edges, width, height }) {
  const hinted = new Map(hints.map((hint) => [hint.tile, hint]));
  const shown = tiles.map(({ number, picture: text, words }) => {
    const hint = hinted.get(number);
    const at =
      hint && `: hint at column ${hint.x + 1}, row ${hint.y + 1}, ${counted(hint.rotation, "quarter turn")}`;
    return make(
      "li",
      { class: hint ? "hinted" : null, title: `${words}${at ?? ""}` },
      picture(text),
      make("span", {}, number, at ? make("span", { class: "unseen" }, at) : null),
    );
  });
  const sizes = [counted(tiles.length, "tile"), `${width} × ${height} cells`, counted(hints.length, "hint")];
  const about = `${sizes.join(", ")}, ${counted(edges, "inner edge")} to match`;
  return make(
    "details",
    { class: "board", open: tiles.length <= 64 },
    make("summary", {}, "Tiles and hints"),
    make("p", { class: "summary" }, about),
    make("ul", { class: "tiles", tabindex: 0, "aria-label": `${count(tiles.length)} tiles` }, ...shown),
  );
}
