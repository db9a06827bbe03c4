// What a race is to be: who takes part, with which settings, and when it ends.

import { button, labelled, make, select } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { post } from "../requests.js";
import { SolverList } from "./solver-list.js";

const FINDS = [
  ["solutions", "solutions, to be browsed"],
  ["count", "how many there are"],
];
const IMPROVE = ["improve", "the best partial board"];
const CLOSED = [
  ["end", "the race ends"],
  ["continue", "it goes on"],
];
const ORDERS = [
  ["together", "all at once"],
  ["one by one", "one after another"],
];

export class RaceForm {
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.asked = {
      find: "solutions",
      symmetry: puzzle.default_symmetry,
      order: "together",
      when_closed: "end",
    };
    this.limits = {
      time_s: limit("race-time"),
      solutions: limit("race-solutions"),
      nodes: limit("race-nodes"),
      memory: memoryLimit(),
    };
    this.labelled = checkbox("race-labelled", "Count identical pieces and tiles as different");
    this.labelled.box.checked = puzzle.default_labelled;
    this.reductions = puzzle.reductions.map((name) => checkbox(`race-reduce-${name}`, name));
    this.problems = new Problems();
    this.solvers = new SolverList(puzzle.id);
    const start = button("Start the race", null, { type: "submit", class: "main", id: "start" });
    this.element = make(
      "form",
      { class: "race-form", "aria-label": "Race" },
      make("h2", {}, "Race"),
      this.#question(),
      this.#placements(),
      this.solvers.element,
      this.problems.element,
      make("p", { class: "buttons" }, start),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.problems.during(() => this.#start(), start);
    });
    this.#show();
  }

  #question() {
    const { puzzle, asked } = this;
    const finds = puzzle.improvers.length ? [...FINDS, IMPROVE] : FINDS;
    const box = (name, options, then = () => {}) =>
      select(
        options,
        asked[name],
        (value) => {
          asked[name] = value;
          then();
        },
        { id: `race-${name}` },
      );
    const symmetries = puzzle.symmetries.map((name) => [name, name]);
    return make(
      "div",
      { class: "row" },
      labelled(
        "Find",
        box("find", finds, () => this.#show()),
      ),
      symmetries.length > 1 ? labelled("Symmetry", box("symmetry", symmetries)) : null,
      labelled("Solvers run", box("order", ORDERS)),
      labelled("Time limit (s)", this.limits.time_s),
      labelled("Stop after (solutions)", this.limits.solutions),
      labelled("Node limit", this.limits.nodes),
      labelled("Memory limit", this.limits.memory),
      labelled("When this page is closed", box("when_closed", CLOSED)),
    );
  }

  // What improvers do not go by.
  #placements() {
    const { puzzle, labelled: label, reductions } = this;
    this.placements = make(
      "div",
      {},
      puzzle.may_be_labelled ? label.element : null,
      reductions.length
        ? make(
            "details",
            {},
            make("summary", {}, "Reduce placements"),
            make(
              "fieldset",
              { class: "chips" },
              make("legend", { class: "unseen" }, "Reduce placements by"),
              ...reductions.map(({ element }) => element),
            ),
          )
        : null,
    );
    return this.placements;
  }

  // Improvers where a board is to be improved, otherwise solvers.
  #show() {
    const { puzzle, asked } = this;
    this.solvers.take(asked.find === "improve" ? puzzle.improvers : puzzle.solvers, asked.find);
    this.placements.hidden = asked.find === "improve";
    if (asked.find === "improve" && !this.limits.time_s.value) this.limits.time_s.value = 20;
  }

  async #start() {
    const lanes = this.solvers.lanes();
    if (!lanes.length) throw new Error("Choose a solver first.");
    const limits = Object.entries(this.limits).filter(([, input]) => input.value.trim());
    const given = limits.map(([name, input]) => [
      name,
      name === "memory" ? input.value.trim() : Number(input.value),
    ]);
    const { id } = await post("/api/races", {
      puzzle: this.puzzle.id,
      ...this.asked,
      ...(this.asked.find === "improve" ? {} : this.#ofPlacements()),
      ...Object.fromEntries(given),
      lanes,
    });
    location.hash = `#/race/${id}`;
  }

  #ofPlacements() {
    const chosen = this.reductions.filter(({ box }) => box.checked);
    return { labelled: this.labelled.box.checked, reduce: chosen.map(({ text }) => text) };
  }
}

function limit(id) {
  return make("input", {
    id,
    type: "number",
    min: 0,
    step: "any",
    placeholder: "none",
  });
}

function checkbox(id, text) {
  const box = make("input", { type: "checkbox", id });
  return { box, text, element: make("label", { class: "check" }, box, text) };
}

function memoryLimit() {
  return make("input", { id: "race-memory", placeholder: "none, or 2GiB", autocomplete: "off" });
}
