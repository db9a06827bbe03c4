// The form of a race: solvers with their settings, and limits.

import { button, buttons, details, form, group, labelled, make, row, select } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { post } from "../requests.js";
import { SolverList } from "./solvers.js";

const FINDS = [
  ["solutions", "solutions, to be browsed"],
  ["count", "how many there are"],
  ["improve", "the best partial board"],
];
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
      time_s: limit("time"),
      solutions: limit("solutions"),
      nodes: limit("nodes"),
      memory: make("input", { id: "race-memory", placeholder: "none, or 2GiB", autocomplete: "off" }),
    };
    this.labelled = checkbox("race-labelled", "Count identical pieces and tiles as different");
    this.labelled.box.checked = puzzle.default_labelled;
    this.reductions = puzzle.reductions.map((name) => checkbox(`race-reduce-${name}`, name));
    this.problems = new Problems();
    this.solvers = new SolverList(puzzle.id);
    this.placements = this.#placements();
    const start = button("Start the race", null, { type: "submit", class: "main", id: "start" });
    this.element = form(
      { class: "race-form", "aria-label": "Race" },
      () => this.problems.during(() => this.#start(), start),
      this.#question(),
      this.placements,
      this.solvers.element,
      this.problems.element,
      buttons(start),
    );
    this.#show();
  }

  #question() {
    const { puzzle, asked } = this;
    const finds = FINDS.filter(([find]) => find !== "improve" || puzzle.improvers.length);
    const set = (name, value) => {
      asked[name] = value;
      if (name === "find") this.#show();
    };
    const box = (name, options) =>
      select(options, asked[name], (value) => set(name, value), { id: `race-${name}` });
    const symmetries = puzzle.symmetries.map((name) => [name, name]);
    return row(
      labelled("Find", box("find", finds)),
      symmetries.length > 1 ? labelled("Symmetry", box("symmetry", symmetries)) : null,
      labelled("Solvers run", box("order", ORDERS)),
      labelled("Time limit (s)", this.limits.time_s),
      labelled("Stop after (solutions)", this.limits.solutions),
      labelled("Node limit", this.limits.nodes),
      labelled("Memory limit", this.limits.memory),
      labelled("When this page is closed", box("when_closed", CLOSED)),
    );
  }

  // Choices that do not apply to improvers.
  #placements() {
    const { puzzle, labelled: label, reductions } = this;
    const legend = make("legend", { class: "unseen" }, "Reduce placements by");
    const boxes = group("chips", legend, ...reductions.map(({ element }) => element));
    const reduce = reductions.length ? details("Reduce placements", {}, boxes) : null;
    return make("div", {}, puzzle.may_be_labelled ? label.element : null, reduce);
  }

  // Shows improvers if a board is to be improved, otherwise solvers.
  #show() {
    const { puzzle, asked } = this;
    const improves = asked.find === "improve";
    this.solvers.take(improves ? puzzle.improvers : puzzle.solvers, asked.find);
    this.placements.hidden = improves;
    if (improves && !this.limits.time_s.value) this.limits.time_s.value = 20;
  }

  async #start() {
    const lanes = this.solvers.lanes();
    if (!lanes.length) throw new Error("Choose a solver first.");
    const body = { puzzle: this.puzzle.id, ...this.asked, lanes };
    for (const [name, input] of Object.entries(this.limits)) {
      const value = input.value.trim();
      if (value) body[name] = name === "memory" ? value : Number(value);
    }
    if (this.asked.find !== "improve") {
      body.labelled = this.labelled.box.checked;
      body.reduce = this.reductions.filter(({ box }) => box.checked).map(({ text }) => text);
    }
    const { id } = await post("/api/races", body);
    location.hash = `#/race/${id}`;
  }
}

function limit(name) {
  return make("input", { id: `race-${name}`, type: "number", min: 0, step: "any", placeholder: "none" });
}

function checkbox(id, text) {
  const box = make("input", { type: "checkbox", id });
  return { box, text, element: make("label", { class: "check" }, box, text) };
}
