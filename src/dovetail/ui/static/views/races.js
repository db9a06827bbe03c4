// All races of this server, running or finished.

import { button, fill, make } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { get, remove } from "../requests.js";

export const FINDS = { solutions: "list solutions", count: "count", improve: "best board" };

export async function show(view) {
  const races = await get("/api/races", view.signal);
  view.name("Races");
  const problems = new Problems();
  const list = make("div", { class: "catalogue" }, ...races.map((race) => card(race, problems)).reverse());
  const none = make(
    "p",
    {},
    "No race so far. ",
    make("a", { href: "#/" }, "Choose a puzzle"),
    " and start one.",
  );
  fill(view.element, make("h1", {}, "Races"), problems.element, races.length ? list : none);
}

function card(race, problems) {
  const made = make(
    "article",
    { class: "entry" },
    make("h3", {}, make("a", { href: `#/race/${race.id}` }, race.name)),
    make("p", {}, `${race.finished ? "Finished" : "Running"}: ${FINDS[race.find] ?? race.find}`),
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
