// The solvers of a puzzle: solvers that accept it, with their settings, and reasons why others refuse it.

import { button, counted, details, fill, group, labelled, link, make, select, summary } from "../elements.js";

const FEW_WORDS = /^[\w-]+(, [\w-]+)+$/;

export class SolverList {
  // `puzzle` is the identity of the puzzle.
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.element = make("div", {});
  }

  // Shows solvers, or improvers, for the aim `find`.
  take(solvers, find) {
    const ready = solvers.filter(
      ({ refusal, missing, lists }) => !refusal && !missing && (find !== "solutions" || lists),
    );
    const chosen = ({ recommended_for: finds }) => finds.includes(find);
    this.entries = ready.map((solver) => this.#entry(solver, chosen(solver), solver.name));
    const out = solvers.filter((solver) => !ready.includes(solver));
    const elements = this.entries.map(({ element }) => element);
    fill(
      this.element,
      group("solvers", make("legend", {}, find === "improve" ? "Improvers" : "Solvers"), ...elements),
      out.length ? refused(out) : null,
    );
  }

  // The lanes of the chosen solvers, as data for the server.
  lanes() {
    return this.entries.filter(({ box }) => box.checked).map((entry) => entry.lane());
  }

  // `identity` is the identity of the entry, which begins with the name of its solver.
  #entry(solver, chosen, identity) {
    return new SolverEntry(solver, chosen, identity, this.puzzle, (entry) => this.#repeat(entry));
  }

  // Adds another entry of the same solver, for other settings.
  #repeat(entry) {
    const { solver, element } = entry;
    const same = this.entries.filter((other) => other.solver === solver);
    const made = this.#entry(solver, true, `${solver.name}-${same.length + 1}`);
    this.entries.splice(this.entries.indexOf(entry) + 1, 0, made);
    element.after(made.element);
    made.box.focus();
  }
}

// A solver that may take part in a race, with its settings.
class SolverEntry {
  // `repeat(entry)` is called to add another entry of the same solver.
  constructor(solver, chosen, identity, puzzle, repeat) {
    const { name, idea, settings, steps } = solver;
    this.solver = solver;
    this.box = make("input", { type: "checkbox", checked: chosen, id: `solver-${identity}` });
    this.inputs = settings.map((setting) => [setting, settingInput(identity, setting)]);
    this.seed = make("input", { type: "number", min: 0, placeholder: "none", id: `${identity}-seed` });
    const field = (title, input, help) => make("div", {}, labelled(title, input), summary(help));
    const fields = this.inputs.map(([setting, input]) => field(setting.name, input, setting.help));
    const seed = field("seed", this.seed, "Of whatever is random.");
    const again = button("Once more", () => repeat(this), { "aria-label": `Once more: ${name}` });
    const title = ["Settings", make("span", { class: "unseen" }, ` of ${name}`)];
    const about = { "aria-label": `Step by step: ${name}` };
    this.element = make(
      "div",
      { class: "solver" },
      make("label", { class: "check" }, this.box, make("strong", {}, name)),
      summary(idea),
      make(
        "div",
        { class: "buttons" },
        details(title, {}, make("div", { class: "settings" }, ...fields, seed, again)),
        steps ? link("Step by step", `#/steps/${puzzle}/${name}`, about) : null,
      ),
    );
  }

  // The lane of this solver, as data for the server.
  lane() {
    const given = this.inputs.filter(([, input]) => input.value.trim());
    const config = Object.fromEntries(given.map(([{ name }, input]) => [name, input.value.trim()]));
    // As text, since numbers above 2^53 would be rounded.
    const seed = this.seed.value.trim() ? { seed: this.seed.value.trim() } : {};
    return { backend: this.solver.name, config, ...seed };
  }
}

// A select box if the setting has a few words as values, otherwise a text field.
function settingInput(entry, { name, values, default: usual }) {
  const id = `${entry}-${name}`;
  if (!FEW_WORDS.test(values))
    return make("input", { id, placeholder: usual, autocomplete: "off", spellcheck: "false" });
  const words = values.split(", ").map((word) => [word, word]);
  return select([["", `default: ${usual}`], ...words], "", () => {}, { id });
}

function refused(solvers) {
  const items = solvers.map(({ name, refusal, missing }) =>
    make("li", {}, make("strong", {}, name), ": ", refusal ?? missing ?? "counts only, lists no solutions"),
  );
  const title = `${counted(solvers.length, "solver does", "solvers do")} not take part`;
  return details(title, { class: "refused" }, make("ul", {}, ...items));
}
