// The view of all races of this server, running or finished.

import { buttons, card, fill, link, make, summary, write } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { get, remove } from "../requests.js";

export const FINDS = { solutions: "list solutions", count: "count", improve: "best board" };

const PAUSE = 2000; // milliseconds between two requests while races run

export async function show(view) {
  const races = await get("/api/races", view.signal);
  view.name("Races");
  const problems = new Problems();
  const states = new Map(races.map(({ id }) => [id, make("p", {})]));
  const cards = races.map((race) => raceCard(race, states.get(race.id), problems)).reverse();
  const list = make("div", { class: "catalogue" }, ...cards);
  const none = make("p", {}, "No race so far. ", link("Choose a puzzle", "#/"), " and start one.");
  fill(view.element, make("h1", {}, "Races"), problems.element, races.length ? list : none);
  await update(view, races, states);
}

// Updates the states of the races, repeatedly while any race is running.
async function update(view, races, states) {
  for (const { id, finished, find } of races)
    write(states.get(id) ?? make("p"), `${finished ? "Finished" : "Running"}: ${FINDS[find]}`);
  if (races.every(({ finished }) => finished)) return;
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  if (!view.signal.aborted) await update(view, await get("/api/races", view.signal), states);
}

function raceCard({ id, name, lanes }, state, problems) {
  const removed = async () => {
    await remove(`/api/races/${id}`);
    made.remove();
    document.getElementById("main").focus();
  };
  const made = card(
    link(name, `#/race/${id}`),
    state,
    summary(lanes.join(", ")),
    buttons(problems.button("Remove", removed, { "aria-label": `Remove the race of ${name}` })),
  );
  return made;
}
