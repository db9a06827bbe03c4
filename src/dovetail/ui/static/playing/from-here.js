// Races that start from a position, for better boards or for solutions.

import { buttons, fill, labelled, link, make, row, select, write } from "../elements.js";
import { listen } from "../feeds.js";
import { connectionLine } from "../parts/problems.js";
import { get, post } from "../requests.js";

export class FromHere {
  #race = null;

  // `position()` returns `cells` and the places `locked` and `filled`, in the form for the server. `take(rows)`
  // replaces the current board.
  constructor(puzzle, signal, problems, { position, take }) {
    Object.assign(this, { puzzle, signal, position, take });
    const ready = puzzle.improvers.filter(({ refusal }) => !refusal).map(({ name }) => [name, name]);
    this.improver = select(ready, ready[0]?.[0], () => {}, { id: "improver" });
    this.seconds = make("input", { type: "number", id: "seconds", min: 1, value: 20 });
    this.state = make("p", { class: "summary", id: "race-state" });
    this.put = problems.button("Put the race's best board here", () => this.#put(), { id: "put-best" });
    this.stop = problems.button("Stop", () => post(`/api/races/${this.#race}/stop`, {}), { id: "stop-race" });
    this.watch = link("Watch the race", "#/races", { class: "button" });
    this.lost = connectionLine();
    this.running = make("div", { hidden: true }, this.lost.element, this.state, buttons(this.put, this.stop, this.watch));
    const improve = problems.button("Improve from here", () => this.#improve(), { class: "main", id: "improve" });
    this.element = make("div");
    fill(
      this.element,
      ready.length
        ? row(labelled("Improver", this.improver), labelled("Time limit (s)", this.seconds), improve)
        : null,
      buttons(problems.button("Solve from here", () => this.#solve(), { id: "solve-from-here" })),
      this.running,
    );
  }

  // Makes the puzzle whose hints are the tiles at `places`.
  #locked(cells, places) {
    return post(`/api/puzzles/${this.puzzle.id}/position/puzzle`, { cells, locked: places });
  }

  async #improve() {
    const { cells, locked } = this.position();
    const { id } = await this.#locked(cells, locked);
    const lanes = [{ backend: this.improver.value }];
    const body = { puzzle: id, find: "improve", time_s: Number(this.seconds.value) || 20, start: cells, lanes };
    this.#race = (await post("/api/races", body)).id;
    this.watch.href = `#/race/${this.#race}`;
    const race = this.#race;
    this.running.hidden = false;
    listen(`races/${race}`, {
      signal: this.signal,
      stays: true,
      onState: (state) => race === this.#race && this.#update(state),
      onLost: this.lost.onLost,
    });
  }

  #update({ lanes: [lane], finished, elapsed }) {
    const best = lane.best ? `${lane.best.score} of ${lane.best.bound} edges match` : "no board yet";
    const how = finished ? `ended: ${lane.status}` : `for ${elapsed}`;
    write(this.state, `${lane.title}: ${best} (${how})${lane.reason ? `: ${lane.reason}` : ""}`);
    this.put.hidden = !lane.best;
    this.stop.hidden = finished;
  }

  async #put() {
    const { cells } = await get(`/api/races/${this.#race}/lanes/0/board`, this.signal);
    this.take(cells);
  }

  async #solve() {
    const { cells, filled } = this.position();
    const { id, ruled_out: reason } = await this.#locked(cells, filled);
    if (reason) throw new Error(`No solution has these tiles in their places: ${reason}`);
    const { symmetries } = this.puzzle;
    const symmetry = symmetries.includes("all") ? { symmetry: "all" } : {};
    const race = { puzzle: id, find: "solutions", lanes: [{ backend: "auto" }], ...symmetry };
    location.hash = `#/race/${(await post("/api/races", race)).id}/0`;
  }
}
