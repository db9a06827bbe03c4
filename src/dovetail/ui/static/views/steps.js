// One search step by step: what it places and what it takes back, slow, fast, or by hand.

import { button, fill, labelled, make, select, write } from "../elements.js";
import { counted, count } from "../numbers.js";
import { Problems } from "../parts/problems.js";
import { framed } from "../pictures.js";
import { laneOf } from "../racing/lane-of.js";
import { get, post } from "../requests.js";
import { DepthChart } from "../stepping/depth-chart.js";
import { Player } from "../stepping/player.js";
import { Position } from "../stepping/position.js";
import { StepPicture } from "../stepping/step-picture.js";

const COUNTS = [1000, 5000, 20000];
const SPEEDS = [
  ["1", "slow"],
  ["4", "walking"],
  ["15", "fast"],
  ["60", "very fast"],
  ["600", "racing"],
];
const ENDS = {
  exhausted: "the search is complete",
  recorded: "as much as was asked for",
  "time-limit": "as much as there was time for",
};

// Of a solver with its usual settings.
export async function show(view, id, backend) {
  await open(view, id, { backend });
}

// As a lane of a race searches.
export async function showOfLane(view, race, number) {
  const state = await get(`/api/races/${race}`, view.signal);
  const lane = laneOf(state, number);
  const { backend, config } = lane.chosen ?? lane;
  await open(view, state.puzzle, { backend, config, symmetry: lane.symmetry });
}

async function open(view, id, asked) {
  const puzzle = await get(`/api/puzzles/${id}`, view.signal);
  const backends = puzzle.solvers.filter(({ steps, refusal, missing }) => steps && !refusal && !missing);
  view.name(`Steps of ${puzzle.name}`);
  if (!backends.length) throw new Error(`No solver can record its steps on ${puzzle.name}.`);
  const steps = new Steps(view, puzzle, backends, { ...asked, backend: asked.backend ?? backends[0].name });
  steps.show();
  await steps.load();
}

class Steps {
  constructor(view, puzzle, backends, asked) {
    Object.assign(this, { view, puzzle, backends });
    this.asked = { puzzle: puzzle.id, count: COUNTS[0], ...asked };
    this.problems = new Problems();
    this.about = make("p", { class: "about" });
    this.status = make("p", { class: "status", role: "status" });
    this.stage = make("div", { class: "stage" });
    this.slider = make("input", { type: "range", min: 0, value: 0, id: "step", "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.#by(() => this.position.go(Number(this.slider.value))));
    this.chart = new DepthChart((at) => this.#by(() => this.position.go(at)));
    this.player = new Player(
      () => this.#forward(),
      (playing) => this.#writePlaying(playing),
    );
    view.signal.addEventListener("abort", () => this.player.stop());
  }

  show() {
    const { asked } = this;
    const set = (values) => {
      Object.assign(asked, values);
      this.load();
    };
    const backends = this.backends.map(({ name }) => [name, name]);
    this.play = button("Play", () => this.#toggle(), { id: "play", class: "main" });
    fill(
      this.view.element,
      make("h1", {}, "Step by step: ", make("a", { href: `#/puzzle/${this.puzzle.id}` }, this.puzzle.name)),
      this.about,
      this.problems.element,
      make(
        "div",
        { class: "row" },
        labelled(
          "Solver",
          select(backends, asked.backend, (backend) => set({ backend, config: {} }), { id: "steps-solver" }),
        ),
        labelled(
          "Steps",
          select(
            COUNTS.map((value) => [String(value), count(value)]),
            String(asked.count),
            (value) => set({ count: Number(value) }),
            { id: "steps-count" },
          ),
        ),
        labelled(
          "Speed",
          select(SPEEDS, "4", (value) => this.player.setSpeed(Number(value)), { id: "speed" }),
        ),
      ),
      this.stage,
      this.status,
      this.slider,
      make(
        "p",
        { class: "buttons", role: "group", "aria-label": "Steps" },
        button("First", () => this.#by(() => this.position.go(0)), { id: "first-step" }),
        button("Back", () => this.#by(() => this.position.go(this.position.at - 1)), { id: "step-back" }),
        this.play,
        button("Step", () => this.#by(() => this.position.go(this.position.at + 1)), { id: "step-on" }),
        button("Next dead end", () => this.#by(() => this.position.goToDeadEnd()), { id: "dead-end" }),
        button("Last", () => this.#by(() => this.position.go(this.position.last)), { id: "last-step" }),
      ),
      this.chart.element,
    );
  }

  async load() {
    this.player.stop();
    await this.problems.during(async () => {
      const recorded = await post("/api/steps", this.asked, this.view.signal);
      this.position = new Position(recorded.steps, recorded.pieces);
      this.picture = new StepPicture(recorded, recorded.pieces);
      fill(this.stage, framed(this.picture.element, "Region"));
      this.slider.max = this.position.last;
      this.chart.take(this.position.depths);
      write(
        this.about,
        `${counted(this.position.last, "step")}: ${ENDS[recorded.status] ?? recorded.status}`,
      );
      this.#write();
    });
  }

  #toggle() {
    if (this.player.playing) return this.player.stop();
    if (!this.position) return;
    if (this.position.at === this.position.last) this.position.go(0);
    this.player.start();
  }

  // One step of the player; whether there is another one.
  #forward() {
    this.position.go(this.position.at + 1);
    this.#write();
    return this.position.at < this.position.last;
  }

  // A step by hand ends the playing.
  #by(move) {
    if (!this.position) return;
    this.player.stop();
    move();
    this.#write();
  }

  #write() {
    const { at, last, placed } = this.position;
    this.picture.update(this.position);
    this.slider.value = at;
    const words = `step ${count(at)} of ${count(last)}: ${this.position.words}`;
    this.slider.setAttribute("aria-valuetext", words);
    // Read aloud only where steps are single ones.
    this.status.setAttribute("aria-live", this.player.playing ? "off" : "polite");
    write(this.status, `${words}; ${counted(placed.length, "piece")} placed`);
    this.chart.mark(at);
  }

  #writePlaying(playing) {
    write(this.play, playing ? "Pause" : "Play");
  }
}
