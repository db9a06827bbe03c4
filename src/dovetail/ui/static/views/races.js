// All races of this server, running or finished.

import { button, fill, make, write } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { get, remove } from "../requests.js";

export const FINDS = { solutions: "list solutions", count: "count", improve: "best board" };

const PAUSE = 2000; // milliseconds between two requests while races run

export async function show(view) {
  const races = await get("/api/races", view.signal);
  view.name("Races");
  const problems = new Problems();
  const states = new Map(races.map(({ id }) => [id, make("p", {})]));
  const cards = races.map((race) => card(race, states.get(race.id), problems)).reverse();
  const list = make("div", { class: "catalogue" }, ...cards);
  const none = make(
    "p",
    {},
    "No race so far. ",
    make("a", { href: "#/" }, "Choose a puzzle"),
    " and start one.",
  );
  fill(view.element, make("h1", {}, "Races"), problems.element, races.length ? list : none);
  await update(view, races, states);
}

// Writes the states of the races, again and again as long as one of them runs.
async function update(view, races, states) {
  for (const race of races) write(states.get(race.id) ?? make("p"), stateText(race));
  if (races.every(({ finished }) => finished)) return;
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  if (!view.signal.aborted) await update(view, await get("/api/races", view.signal), states);
}

function stateText({ finished, find }) {
  return `${finished ? "Finished" : "Running"}: ${FINDS[find]}`;
}

function card(race, state, problems) {
  const made = make(
    "article",
    { class: "entry" },
    make("h3", {}, make("a", { href: `#/race/${race.id}` }, race.name)),
    state,
    make("p", { class: "summary" }, race.lanes.join(", ")),
    make(
      "p",
      { class: "buttons" },
      button(
        "Remove",
        (event) =>
          problems.during(async () => {
            await remove(`/api/races/${race.id}`);
            made.remove();
            document.getElementById("main").focus();
          }, event.target),
        { "aria-label": `Remove the race of ${race.name}` },
      ),
    ),
  );
  return made;
}
