// The view of a puzzle: its picture, facts and files, and links to solutions and races.

import {
  button, buttons, count, counted, definitions, details, downloads, fill, link, make, section, summary,
} from "../elements.js";
import { Problems, fillWith } from "../parts/problems.js";
import { framed, picture, viewer } from "../pictures.js";
import { RaceForm } from "../racing/race-form.js";
import { get, post } from "../requests.js";

const ELSEWHERE = "backends"; // key of facts that are listed below, with more details
const NO_PICTURE = "There is no picture of this puzzle.";

export async function show(view, id) {
  const puzzle = await get(`/api/puzzles/${id}`, view.signal);
  view.name(puzzle.name);
  const known = make("div", { class: "known" }, summary("Working …"));
  const problems = new Problems();
  const solve = problems.button("Solve", () => startSolving(puzzle), { class: "main", id: "solve" });
  const race = details("Race", { class: "folded" }, new RaceForm(puzzle).element);
  const hasSteps = ({ steps, refusal, missing }) => steps && !refusal && !missing;
  const drawn = puzzle.picture ? framed(picture(puzzle.picture), "Picture") : summary(NO_PICTURE);
  fill(
    view.element,
    make("h1", {}, puzzle.name),
    make("p", { class: "about" }, puzzle.summary.join(" · ")),
    buttons(
      solve,
      button("Race solvers", () => open(race), { id: "race" }),
      puzzle.solvers.some(hasSteps) ? link("Step by step", `#/steps/${id}`, { class: "button" }) : null,
      puzzle.board?.playable ? link("Play", `#/play/${id}`, { class: "button", id: "play" }) : null,
      puzzle.board?.editable ? link("Draw a changed copy", `#/edges/${id}`, { class: "button" }) : null,
      puzzle.editable ? link("Draw a changed copy", `#/draw/${id}`, { class: "button" }) : null,
    ),
    problems.element,
    puzzle.turned
      ? viewer(`/api/puzzles/${id}/viewer`, `Pieces of ${puzzle.name} in three dimensions`)
      : null,
    puzzle.turned ? details("Layers and pieces", { class: "folded" }, drawn) : section("Picture", drawn),
    puzzle.board ? board(puzzle.board) : null,
    race,
    details("Facts", { class: "folded" }, known),
    details(
      "Save the puzzle",
      { class: "folded" },
      downloads("Save the puzzle as", `/api/puzzles/${id}/export`, puzzle.formats.puzzle),
    ),
  );
  // Explaining a large puzzle takes seconds; a search can be started meanwhile.
  await fillWith(known, async () => facts(await get(`/api/puzzles/${id}/explanation`, view.signal)));
}

function open(folded) {
  folded.open = true;
  folded.scrollIntoView({ block: "start" });
  folded.querySelector("select, input").focus({ preventScroll: true });
}

// Starts to list solutions by the solver that suits the puzzle, and shows them.
async function startSolving(puzzle) {
  const asked = { symmetry: puzzle.default_symmetry, labelled: puzzle.default_labelled };
  const body = { puzzle: puzzle.id, find: "solutions", lanes: [{ backend: "auto" }], ...asked };
  const { id } = await post("/api/races", body);
  location.hash = `#/race/${id}/0`;
}

function facts(sections) {
  const shown = sections.filter(({ key }) => key !== ELSEWHERE);
  return shown.map(({ title, rows }, at) =>
    details(title, { open: at < 2 }, definitions(rows)),
  );
}

function board({ tile_count: tileCount, tiles, hints, edges, width, height, holes, square }) {
  const turn = square ? "quarter turn" : "turn";
  const sides = tiles[0].words.split(" ").length; // from this rotation on, a tile is flipped
  const turned = ({ rotation }) => `${counted(rotation % sides, turn)}${rotation < sides ? "" : ", flipped"}`;
  const place = (hint) => `hint at column ${hint.x + 1}, row ${hint.y + 1}, ${turned(hint)}`;
  const hinted = Map.groupBy(hints, ({ tile }) => tile); // a tile with copies may have several
  const shown = tiles.map(({ number, picture: text, words }) => {
    const found = hinted.get(number);
    const at = found && `: ${found.map(place).join("; ")}`;
    return make(
      "li",
      { class: found ? "hinted" : null, title: `${words}${at ?? ""}` },
      picture(text),
      make("span", {}, number, at ? make("span", { class: "unseen" }, at) : null),
    );
  });
  const cells = square && !holes.length ? `${width} × ${height} cells` : counted(width * height - holes.length, "cell");
  const sizes = [counted(tileCount, "tile"), cells, counted(hints.length, "hint")];
  return details(
    "Tiles and hints",
    { class: "board", open: tiles.length <= 64 },
    summary(`${sizes.join(", ")}, ${counted(edges, "inner edge")} to match`),
    make("ul", { class: "tiles", tabindex: 0, "aria-label": `${count(tiles.length)} tiles` }, ...shown),
    tiles.length < tileCount ? summary(`The first ${counted(tiles.length, "tile")} are shown.`) : null,
  );
}
