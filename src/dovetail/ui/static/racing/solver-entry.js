// One solver that may take part in a race, with its settings.

import { button, details, labelled, link, make, select, summary } from "../elements.js";

const FEW_WORDS = /^[\w-]+(, [\w-]+)+$/;

export class SolverEntry {
  // `repeat(entry)` is called for another entry of the same solver.
  constructor(solver, chosen, identity, puzzle, repeat) {
    const { name, idea, settings } = solver;
    this.solver = solver;
    this.box = make("input", { type: "checkbox", checked: chosen, id: `solver-${identity}` });
    this.inputs = settings.map((setting) => [setting, settingInput(identity, setting)]);
    this.seed = make("input", { type: "number", min: 0, placeholder: "none", id: `${identity}-seed` });
    const again = button("Once more", () => repeat(this), { "aria-label": `Once more: ${name}` });
    const about = { "aria-label": `Step by step: ${name}` };
    this.element = make(
      "div",
      { class: "solver" },
      make("label", { class: "check" }, this.box, make("strong", {}, name)),
      summary(idea),
      make(
        "div",
        { class: "buttons" },
        this.#settings(again),
        solver.steps ? link("Step by step", `#/steps/${puzzle}/${name}`, about) : null,
      ),
    );
  }

  // What this solver is asked to run.
  lane() {
    const given = this.inputs.filter(([, input]) => input.value.trim());
    const config = Object.fromEntries(given.map(([{ name }, input]) => [name, input.value.trim()]));
    const seed = this.seed.value.trim() ? { seed: Number(this.seed.value) } : {};
    return { backend: this.solver.name, config, ...seed };
  }

  #settings(again) {
    const field = (name, input, help) => make("div", {}, labelled(name, input), summary(help));
    const fields = [
      ...this.inputs.map(([{ name, help }, input]) => field(name, input, help)),
      field("seed", this.seed, "Of whatever is random."),
    ];
    const title = ["Settings", make("span", { class: "unseen" }, ` of ${this.solver.name}`)];
    return details(title, {}, make("div", { class: "settings" }, ...fields, again));
  }
}

// A box where there are a few words to choose from, otherwise what is typed.
function settingInput(entry, { name, values, default: usual }) {
  const id = `${entry}-${name}`;
  if (!FEW_WORDS.test(values))
    return make("input", { id, placeholder: usual, autocomplete: "off", spellcheck: "false" });
  const words = values.split(", ").map((word) => [word, word]);
  return select([["", `default: ${usual}`], ...words], "", () => {}, { id });
}
