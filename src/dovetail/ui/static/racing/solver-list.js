// The solvers of a puzzle: those that accept it with their settings, and why the others do not.

import { details, fill, make } from "../elements.js";
import { counted } from "../numbers.js";
import { SolverEntry } from "./solver-entry.js";

export class SolverList {
  // `puzzle` by its identity.
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.element = make("div", {});
  }

  // Shows solvers, or improvers where boards are to be improved (`find`).
  take(solvers, find) {
    const ready = solvers.filter(
      ({ refusal, missing, lists }) => !refusal && !missing && (find !== "solutions" || lists),
    );
    const chosen = ({ recommended_for: finds }) => finds.includes(find);
    this.entries = ready.map((solver) => this.#entry(solver, chosen(solver), solver.name));
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

  // `identity` is that of the entry, which starts with the name of its solver.
  #entry(solver, chosen, identity) {
    return new SolverEntry(solver, chosen, identity, this.puzzle, (entry) => this.#repeat(entry));
  }

  // The same solver once more, for other settings.
  #repeat(entry) {
    const { solver, element } = entry;
    const same = this.entries.filter((other) => other.solver === solver);
    const made = this.#entry(solver, true, `${solver.name}-${same.length + 1}`);
    this.entries.splice(this.entries.indexOf(entry) + 1, 0, made);
    element.after(made.element);
    made.box.focus();
  }

  // What the chosen ones are asked to run.
  lanes() {
    return this.entries.filter(({ box }) => box.checked).map((entry) => entry.lane());
  }
}

function refused(solvers) {
  const items = solvers.map(({ name, refusal, missing }) =>
    make("li", {}, make("strong", {}, name), ": ", refusal ?? missing ?? "counts only, lists no solutions"),
  );
  const title = `${counted(solvers.length, "solver does", "solvers do")} not take part`;
  return details(title, { class: "refused" }, make("ul", {}, ...items));
}
