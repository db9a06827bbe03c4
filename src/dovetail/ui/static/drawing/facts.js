// What is known of a drawing at once: cells, volumes, parity, and what rules solutions out.

import { fill, make } from "../elements.js";
import { count, counted } from "../numbers.js";
import { post } from "../requests.js";
import { toData } from "./state.js";

const PAUSE = 250; // milliseconds without an edit before the server is asked

export class Facts {
  #timer = null;
  #asked = 0;

  constructor(signal) {
    this.signal = signal;
    this.element = make("div", { class: "facts", role: "status" });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  update(drawing) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(drawing), PAUSE);
  }

  async #ask(drawing) {
    const asked = (this.#asked += 1);
    try {
      const facts = await post("/api/drawings/facts", toData(drawing), this.signal);
      if (asked === this.#asked) fill(this.element, written(facts));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.element, make("p", { class: "warning" }, error.message));
    }
  }
}

function written(facts) {
  const { cells, optional, volume, parts } = facts;
  const rows = [
    ["Cells", optional ? `${count(cells)}, of which ${count(optional)} may stay empty` : count(cells)],
    facts.fixed ? ["Fixed", counted(facts.fixed, "cell")] : null,
    ["Pieces", volumeText(volume)],
    parts.length > 1 ? ["Parts", parts.map(count).join(" + ")] : null,
  ].filter(Boolean);
  return [
    make("dl", {}, ...rows.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)])),
    ...[...facts.parity, ...facts.hints].map((text) => make("p", { class: "hint" }, text)),
    ...facts.ruled_out.map((text) => make("p", { class: "warning" }, text)),
    ...facts.errors.map(({ path, message }) =>
      make("p", { class: "warning" }, path && !message.startsWith(path) ? `${path}: ` : "", message),
    ),
  ];
}

function volumeText([low, high]) {
  return low === high ? counted(low, "cell") : `${count(low)} to ${counted(high, "cell")}`;
}
