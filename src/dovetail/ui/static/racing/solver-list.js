// The solvers of a puzzle: those that accept it with their settings, and why the others do not.

import { fill, labelled, make, select } from "../elements.js";
import { counted } from "../numbers.js";

const CHOSEN = 3; // as many take part at first
const FEW_WORDS = /^[\w-]+(, [\w-]+)+$/;
const AUTO = "auto";

export class SolverList {
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.element = make("div", {});
  }

  // Shows solvers, or improvers where boards are to be improved (`find`).
  take(solvers, find) {
    const ready = solvers.filter(
      ({ refusal, missing, lists }) => !refusal && !missing && (find !== "solutions" || lists !== false),
    );
    const first = ready
      .filter(({ name }) => name !== AUTO)
      .slice(0, CHOSEN)
      .map(({ name }) => name);
    this.entries = ready.map((solver) => new Entry(solver, first.includes(solver.name), this.puzzle));
    const out = solvers.filter((solver) => !ready.includes(solver));
    fill(
      this.element,
      make(
        "fieldset",
        { class: "solvers" },
        make("legend", {}, find === "improve" ? "Improvers" : "Solvers"),
        ...this.entries.map(({ element }) => element),
      ),
      out.length ? refused(out) : null,
    );
  }

  // What the chosen ones are asked to run.
  lanes() {
    return this.entries.filter(({ chosen }) => chosen).map((entry) => entry.lane());
  }
}

class Entry {
  constructor(solver, chosen, puzzle) {
    const { name, title, idea, settings } = solver;
    this.solver = solver;
    this.box = make("input", { type: "checkbox", checked: chosen, id: `solver-${name}` });
    this.inputs = settings.map((setting) => [setting, settingInput(name, setting)]);
    this.seed = make("input", { type: "number", min: 0, placeholder: "none", id: `${name}-seed` });
    this.element = make(
      "div",
      { class: "solver" },
      make("label", { class: "check" }, this.box, make("strong", {}, title ?? name)),
      make("p", { class: "summary" }, idea),
      make(
        "div",
        { class: "buttons" },
        this.#settings(),
        solver.steps ? make("a", { href: `#/steps/${puzzle}/${name}` }, "Step by step") : null,
      ),
    );
  }

  get chosen() {
    return this.box.checked;
  }

  lane() {
    const given = this.inputs.filter(([, input]) => input.value.trim());
    const config = Object.fromEntries(given.map(([{ name }, input]) => [name, input.value.trim()]));
    const seed = this.seed.value.trim() ? { seed: Number(this.seed.value) } : {};
    return { backend: this.solver.name, config, ...seed };
  }

  #settings() {
    const fields = this.inputs.map(([{ name, help }, input]) =>
      make("div", {}, labelled(name, input), make("p", { class: "summary" }, help)),
    );
    return make(
      "details",
      {},
      make("summary", {}, "Settings"),
      make(
        "div",
        { class: "settings" },
        ...fields,
        make(
          "div",
          {},
          labelled("seed", this.seed),
          make("p", { class: "summary" }, "Of whatever is random."),
        ),
      ),
    );
  }
}

// A box where there are a few words to choose from, otherwise what is typed.
function settingInput(solver, { name, values, default: usual }) {
  const id = `${solver}-${name}`;
  if (!FEW_WORDS.test(values))
    return make("input", { id, placeholder: usual, autocomplete: "off", spellcheck: "false" });
  const words = values.split(", ").map((word) => [word, word]);
  return select([["", `default: ${usual}`], ...words], "", () => {}, { id });
}

function refused(solvers) {
  const items = solvers.map(({ name, refusal, missing, lists }) =>
    make(
      "li",
      {},
      make("strong", {}, name),
      ": ",
      refusal ?? missing ?? (lists === false ? "counts only, lists no solutions" : ""),
    ),
  );
  return make(
    "details",
    { class: "refused" },
    make("summary", {}, `${counted(solvers.length, "solver does", "solvers do")} not take part`),
    make("ul", {}, ...items),
  );
}
