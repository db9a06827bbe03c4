// What is known of a drawing at once: cells, volumes, parity, and what rules solutions out.

import { count, counted, definitions, make, warning } from "../elements.js";
import { fillWith } from "../parts/problems.js";
import { post } from "../requests.js";
import { toData } from "./state.js";

const PAUSE = 250; // milliseconds without an edit before the server is asked

export class Facts {
  #timer = null;
  #asking = new AbortController();

  // `address` is asked with the data of what is drawn; `write(facts)` makes elements of the answer.
  constructor(signal, address = "/api/drawings/facts", data = toData, write = written) {
    Object.assign(this, { signal, address, data, write });
    this.element = make("div", { class: "facts", role: "status" });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  update(drawing) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(drawing), PAUSE);
  }

  // An answer is left out when a later one was asked for meanwhile.
  #ask(drawing) {
    this.#asking.abort();
    this.#asking = new AbortController();
    const signal = AbortSignal.any([this.signal, this.#asking.signal]);
    fillWith(this.element, async () => this.write(await post(this.address, this.data(drawing), signal)));
  }
}

function written(facts) {
  const { cells, optional, volume, parts } = facts;
  const [least, most] = volume;
  const rows = [
    ["Cells", optional ? `${count(cells)}, of which ${count(optional)} may stay empty` : count(cells)],
    facts.fixed ? ["Fixed", counted(facts.fixed, "cell")] : null,
    ["Pieces", `${least === most ? "" : `${count(least)} to `}${counted(most, "cell")}`],
    parts.length > 1 ? ["Parts", parts.map(count).join(" + ")] : null,
  ].filter(Boolean);
  return [
    definitions(rows),
    ...[...facts.parity, ...facts.hints].map((text) => make("p", { class: "hint" }, text)),
    ...problemTexts(facts.ruled_out, facts.errors),
  ];
}

export function problemTexts(reasons, errors) {
  const text = ({ path, message }) => (path && !message.startsWith(path) ? `${path}: ${message}` : message);
  return [...reasons, ...errors.map(text)].map((problem) => warning(problem));
}
