// The page: the view that the address names, and the links above it.

import { announce, fill, link, make, warning } from "./elements.js";
import { sentence } from "./parts/problems.js";
import { get } from "./requests.js";
import { show as showChoice } from "./views/choose.js";
import { show as showDrawing } from "./views/draw.js";
import { show as showEdges } from "./views/edges.js";
import { show as showFamily } from "./views/family.js";
import { show as showFollowed } from "./views/followed.js";
import { show as showPlay } from "./views/play.js";
import { show as showPuzzle } from "./views/puzzle.js";
import { show as showRace } from "./views/race.js";
import { show as showRaces } from "./views/races.js";
import { show as showSolutions } from "./views/solutions.js";
import { show as showSteps, showOfLane } from "./views/steps.js";

// The parts of an address after "#/", with their views; `*` is a part that the view gets as an argument.
const ROUTES = [
  [[], showChoice],
  [["family", "*"], showFamily],
  [["draw"], showDrawing],
  [["draw", "*"], showDrawing],
  [["edges"], showEdges],
  [["edges", "*"], showEdges],
  [["play", "*"], showPlay],
  [["puzzle", "*"], showPuzzle],
  [["steps", "*"], showSteps],
  [["steps", "*", "*"], showSteps],
  [["races"], showRaces],
  [["race", "*"], showRace],
  [["race", "*", "*"], showSolutions],
  [["race", "*", "*", "steps"], showOfLane],
  [["followed", "*"], showFollowed],
];
const LINKS = [
  ["Puzzles", "#/"],
  ["Draw", "#/draw"],
  ["Races", "#/races"],
];
// The link above the view that is marked for each view.
const SECTION = { draw: "#/draw", edges: "#/draw", race: "#/races", races: "#/races" };

let leaving = new AbortController();

function go() {
  if (location.hash && !location.hash.startsWith("#/")) return; // a place within the view
  const words = wordsOf(location.hash);
  const route = words && ROUTES.find(([pattern]) => matches(pattern, words));
  leaving.abort();
  leaving = new AbortController();
  const element = make("div", {}, make("p", { class: "working" }, "Working …"));
  const view = { element, signal: leaving.signal, name };
  fill(main, element);
  markLinks(words ?? []);
  if (!route) return fail(view, new Error(`There is no view ${location.hash}.`));
  const given = words.filter((_, at) => route[0][at] === "*");
  route[1](view, ...given).catch((error) => fail(view, error));
}

// The parts of an address; null if the address is not well-formed.
function wordsOf(hash) {
  try {
    return hash.slice(2).split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

function matches(pattern, words) {
  return pattern.length === words.length && pattern.every((word, at) => word === "*" || word === words[at]);
}

// Each view calls this function once with its name, after it has made its heading.
function name(text) {
  document.title = `${text} · Dovetail`;
  announce(text);
}

function fail(view, error) {
  if (view.signal.aborted || error.name === "AbortError") return;
  view.name("Not found");
  const reason = warning(sentence(error.message), { role: "alert" });
  const again = make("p", {}, link("Choose a puzzle", "#/"));
  fill(view.element, make("h1", {}, "This cannot be shown"), reason, again);
}

function markLinks(words) {
  const current = SECTION[words[0]] ?? (words[0] === "followed" ? location.hash : "#/");
  for (const place of document.querySelectorAll("#views a")) {
    if (place.getAttribute("href") === current) place.setAttribute("aria-current", "page");
    else place.removeAttribute("aria-current");
  }
}

async function writeLinks() {
  const followed = await get("/api/followed").catch(() => []);
  const files = followed.map(({ number, name: file }) => [file, `#/followed/${number}`]);
  const links = [...LINKS, ...files].map(([text, href]) => make("li", {}, link(text, href)));
  fill(document.getElementById("views"), make("ul", {}, ...links));
}

const main = document.getElementById("main");
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", () => {
  go();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
});
await writeLinks();
go();
