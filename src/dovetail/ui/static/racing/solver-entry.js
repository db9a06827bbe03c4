// One solver that may take part in a race, with its settings.

import { button, labelled, make, select } from "../elements.js";

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
    this.element = make(
      "div",
      { class: "solver" },
      make("label", { class: "check" }, this.box, make("strong", {}, name)),
      make("p", { class: "summary" }, idea),
      make(
        "div",
        { class: "buttons" },
        this.#settings(again),
        solver.steps ? make("a", { href: `#/steps/${puzzle}/${name}`, "aria-label": `Step by step: ${name}` }, "Step by step") : null,
      ),
    );
  }

  get chosen() {
    return this.box.checked;
  }

  focus() {
    this.box.focus();
  }

  // What this solver is asked to run.
  lane() {
    const given = this.inputs.filter(([, input]) => input.value.trim());
    const config = Object.fromEntries(given.map(([{ name }, input]) => [name, input.value.trim()]));
    const seed = this.seed.value.trim() ? { seed: Number(this.seed.value) } : {};
    return { backend: this.solver.name, config, ...seed };
  }

  #settings(again) {
    const fields = this.inputs.map(([{ name, help }, input]) =>
      make("div", {}, labelled(name, input), make("p", { class: "summary" }, help)),
    );
    return make(
      "details",
      {},
      make("summary", {}, "Settings", make("span", { class: "unseen" }, ` of ${this.solver.name}`)),
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
        again,
      ),
    );
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
