// A solver in a race: its current figures, its best board, and links to its solutions.

import { buttons, count, downloads, fill, link, make, percent, write } from "../elements.js";
import { overview, picture } from "../pictures.js";

const TIMES = ["time", "time left", "limit", "prepare", "solve", "check", "memory"];
const TERMS = ["chosen", "nodes", "attempts", ...TIMES];
const GOOD = ["exhausted", "solved", "solution-limit"];

// The lane of a race with the number in an address.
export function laneOf({ lanes }, number) {
  const found = lanes.find((lane) => String(lane.number) === String(number));
  if (!found) throw new Error(`There is no lane ${number}.`);
  return found;
}

export class Lane {
  #shownBest = null;

  // `boards` are the suffixes of files of boards. `recorded` are the solvers whose steps can be shown.
  // `stop(text, body, attributes)` makes a button that stops the lane in `body`.
  constructor(race, lane, { boards, recorded }, stop) {
    this.recorded = recorded;
    this.status = make("span", { class: "badge" });
    this.main = make("span", { class: "figure" });
    this.noun = make("span", { class: "noun" });
    this.bar = make("progress", { max: 1, "aria-label": `Share done by ${lane.title}` });
    this.share = make("span", {});
    this.done = make("p", { class: "done" }, this.bar, this.share);
    this.rows = new Map(TERMS.map((term) => [term, [make("dt", {}, term), make("dd")]]));
    this.reason = make("p", { class: "summary reason" });
    this.best = make("figure", { class: "best", hidden: true });
    const address = `/api/races/${race}/lanes/${lane.number}/export`;
    this.files = downloads("Save the best board as", address, boards);
    this.stop = stop("Stop", { lane: lane.number }, { "aria-label": `Stop ${lane.title}` });
    const way = (text, href) => link(text, href, { class: "button", "aria-label": `${text}: ${lane.title}` });
    this.browse = way("Browse solutions", `#/race/${race}/${lane.number}`);
    this.steps = way("Step by step", `#/race/${race}/${lane.number}/steps`);
    const stripe = make("i", { class: `stripe line-${lane.number % 8}` });
    this.element = make(
      "article",
      { class: "lane", "data-lane": lane.number, "aria-label": lane.title },
      make("header", {}, stripe, make("h2", {}, lane.title), this.status),
      make("p", { class: "found" }, this.main, " ", this.noun),
      this.done,
      make("dl", {}, ...this.rows.values()),
      this.reason,
      this.best,
      buttons(this.browse, this.steps, this.stop),
    );
  }

  update(lane, race) {
    const over = lane.status !== null;
    this.element.classList.toggle("over", over);
    this.element.classList.toggle("bad", over && !GOOD.includes(lane.status));
    write(this.status, over ? lane.status : lane.phase === "choosing" ? "choosing a solver" : lane.phase);
    this.#writeFound(lane, race);
    this.#writeShare(lane, race.find, over);
    this.#write("chosen", lane.chosen ? `${lane.chosen.backend}: ${lane.chosen.why}` : null);
    this.#write("nodes", lane.nodes === null ? null : count(lane.nodes));
    this.#write("attempts", lane.attempts ? count(lane.attempts) : null);
    for (const term of TIMES) this.#write(term, lane.times[term] ?? null);
    write(this.reason, lane.reason ?? "");
    this.reason.hidden = !lane.reason;
    this.stop.hidden = over;
    this.browse.hidden = !lane.solutions_kept;
    this.steps.hidden = race.find === "improve" || !this.recorded.has((lane.chosen ?? lane).backend);
    this.#writeBest(lane.best);
  }

  #writeFound(lane, { find }) {
    if (find === "improve") {
      write(this.main, lane.best ? count(lane.best.score) : "–");
      write(this.noun, lane.best ? `of ${count(lane.best.bound)} edges match` : "matched edges");
      return;
    }
    const bound = lane.count_is_lower_bound && lane.count !== null ? "≥ " : "";
    write(this.main, lane.count === null ? "–" : `${bound}${lane.count_text}`);
    write(this.noun, lane.count === 1 ? "solution" : "solutions");
  }

  // An improver has no share of progress, since it may always find a better board.
  #writeShare({ share, phase }, find, over) {
    const known = share !== null;
    this.done.hidden = find === "improve" || (over && !known);
    if (known) this.bar.value = share;
    else if (phase !== "waiting") this.bar.removeAttribute("value");
    else this.bar.value = 0;
    write(this.share, known ? percent(share) : "share not known");
  }

  // Sets a row of the table of figures; null hides the row.
  #write(term, text) {
    const [name, value] = this.rows.get(term);
    name.hidden = value.hidden = text === null;
    write(value, text ?? "");
  }

  // The server sends a picture only if the board has changed.
  #writeBest(best) {
    if (!best?.picture || best.picture === this.#shownBest) return;
    this.#shownBest = best.picture;
    this.best.hidden = false;
    const caption = make("figcaption", {}, `best board so far: ${count(best.score)} edges match`);
    fill(this.best, overview(picture(best.picture)), caption, this.files);
  }
}
