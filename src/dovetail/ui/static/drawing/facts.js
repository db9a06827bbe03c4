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
  const missing = volume && ruledByVolume(cells - (optional ?? 0), cells, volume);
  const rows = [
    ["Cells", optional ? `${count(cells)}, of which ${count(optional)} may stay empty` : count(cells)],
    facts.fixed ? ["Fixed", counted(facts.fixed, "cell")] : null,
    ["Pieces", volume ? volumeText(volume) : "–"],
    parts?.length > 1 ? ["Parts", parts.map(count).join(" + ")] : null,
  ].filter(Boolean);
  return [
    make("dl", {}, ...rows.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)])),
    missing && !facts.ruled_out?.length ? make("p", { class: "hint" }, missing) : null,
    ...(facts.parity ?? []).map((text) => make("p", { class: "hint" }, text)),
    ...(facts.ruled_out ?? []).map((text) => make("p", { class: "warning" }, text)),
    ...(facts.errors ?? []).map(({ path, message }) =>
      make("p", { class: "warning" }, path && !message.startsWith(path) ? `${path}: ` : "", message),
    ),
  ];
}

function volumeText([low, high]) {
  return low === high ? counted(low, "cell") : `${count(low)} to ${counted(high, "cell")}`;
}

function ruledByVolume(low, high, [least, most]) {
  if (most < low) return `The pieces cover ${counted(most, "cell")} at most: ${count(low - most)} too few.`;
  if (least > high)
    return `The pieces cover ${counted(least, "cell")} at least: ${count(least - high)} too many.`;
  return null;
}
