// Facts about a drawing that need no search: cells, volumes, parity, and reasons that rule out a solution.

import { count, counted, definitions, make, warning } from "../elements.js";
import { fillWith } from "../parts/problems.js";
import { post } from "../requests.js";
import { toData } from "./state.js";

const PAUSE = 250; // milliseconds without an edit before the server is asked

export class Facts {
  #timer = null;
  #asking = new AbortController();

  // The request to `address` has the `data` of the drawing; `write(facts)` makes elements from the response.
  constructor(signal, address = "/api/drawings/facts", data = toData, write = written) {
    Object.assign(this, { signal, address, data, write });
    this.element = make("div", { class: "facts", role: "status" });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  update(drawing) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(drawing), PAUSE);
  }

  // A response is dropped if there has been a later request.
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
