// The view of a search step by step, played at a chosen speed or moved by hand.

import { button, count, counted, fill, labelled, link, make, row, select, write } from "../elements.js";
import { Problems } from "../parts/problems.js";
import { framed, legend, pieceStyle } from "../pictures.js";
import { laneOf } from "../racing/lane.js";
import { get, post } from "../requests.js";
import { DepthChart } from "../stepping/depth-chart.js";
import { Player, Position } from "../stepping/player.js";
import { StepPicture } from "../stepping/step-picture.js";
import { StepSolid } from "../stepping/step-solid.js";

const COUNTS = [1000, 5000, 20000];
const SPEEDS = [
  [1, "slow"],
  [4, "walking"],
  [15, "fast"],
  [60, "very fast"],
  [600, "racing"],
];
const ENDS = {
  exhausted: "the search is complete",
  recorded: "as much as was asked for",
  "time-limit": "as much as there was time for",
};

// Shows the steps of a solver with its default settings.
export function show(view, id, backend) {
  return open(view, id, { backend });
}

// Shows the steps of a search with the settings of a lane of a race.
export async function showOfLane(view, race, number) {
  const state = await get(`/api/races/${race}`, view.signal);
  const lane = laneOf(state, number);
  const { backend, config, reductions } = lane.chosen ?? lane;
  const { symmetry, labelled, seed } = lane;
  await open(view, state.puzzle, { backend, config, symmetry, labelled, reduce: reductions, seed });
}

async function open(view, id, asked) {
  const puzzle = await get(`/api/puzzles/${id}`, view.signal);
  const backends = puzzle.solvers.filter(({ steps, refusal, missing }) => steps && !refusal && !missing);
  view.name(`Steps of ${puzzle.name}`);
  if (!backends.length) throw new Error(`No solver can record its steps on ${puzzle.name}.`);
  await new Steps(view, puzzle, backends, { ...asked, backend: asked.backend ?? backends[0].name }).load();
}

class Steps {
  constructor(view, puzzle, backends, asked) {
    this.signal = view.signal;
    this.asked = { puzzle: puzzle.id, count: COUNTS[0], ...asked };
    this.problems = new Problems();
    this.about = make("p", { class: "about" });
    this.status = make("p", { class: "status", role: "status" });
    this.stage = make("div", { class: "stage" });
    this.solid = puzzle.three_d ? new StepSolid(view.signal) : null;
    const goTo = (step) => this.#by((position) => position.go(step));
    this.slider = make("input", {
      type: "range",
      min: 0,
      value: 0,
      id: "step",
      "aria-label": "Step",
      oninput: () => goTo(Number(this.slider.value)),
    });
    this.chart = new DepthChart(goTo);
    this.player = new Player(
      () => this.#forward(),
      (playing) => write(this.play, playing ? "Pause" : "Play"),
    );
    view.signal.addEventListener("abort", () => this.player.stop());
    const set = (values) => {
      Object.assign(this.asked, values);
      this.load();
    };
    const setSpeed = (speed) => {
      this.player.speed = Number(speed);
    };
    const solvers = backends.map(({ name }) => [name, name]);
    const solver = select(solvers, asked.backend, (backend) => set({ backend, config: {} }), {
      id: "steps-solver",
    });
    const counts = COUNTS.map((value) => [value, count(value)]);
    const steps = select(counts, COUNTS[0], (value) => set({ count: Number(value) }), { id: "steps-count" });
    const move = (text, id, action) => button(text, () => this.#by(action), { id });
    this.play = button("Play", () => this.#toggle(), { id: "play", class: "main" });
    fill(
      view.element,
      make("h1", {}, "Step by step: ", link(puzzle.name, `#/puzzle/${puzzle.id}`)),
      this.about,
      this.problems.element,
      row(
        labelled("Solver", solver),
        labelled("Steps", steps),
        labelled("Speed", select(SPEEDS, this.player.speed, setSpeed, { id: "speed" })),
      ),
      this.stage,
      this.status,
      this.slider,
      make(
        "p",
        { class: "buttons", role: "group", "aria-label": "Steps" },
        move("First", "first-step", (position) => position.go(0)),
        move("Back", "step-back", (position) => position.go(position.at - 1)),
        this.play,
        move("Step", "step-on", (position) => position.go(position.at + 1)),
        move("Next dead end", "dead-end", (position) => position.goToDeadEnd()),
        move("Last", "last-step", (position) => position.go(position.last)),
      ),
      this.chart.element,
    );
  }

  // Records and shows the steps that are asked for; earlier requests are aborted.
  async load() {
    this.player.stop();
    this.asking?.abort();
    this.asking = new AbortController();
    const signal = AbortSignal.any([this.signal, this.asking.signal]);
    await this.problems.during(async () => {
      const recorded = await post("/api/steps", this.asked, signal).catch((error) => this.#clear(error));
      this.position = new Position(recorded.steps, recorded.pieces);
      // Cells of some solids have no layers.
      this.picture = recorded.cells ? new StepPicture(recorded, recorded.pieces) : null;
      const layers = this.picture && framed(this.picture.element, "Region");
      const key = recorded.pieces.length > 1 ? recorded.pieces.map((name, n) => [name, pieceStyle(n)]) : [];
      fill(
        this.stage,
        this.solid ? make("div", { class: "solid-and-layers" }, this.solid.element, layers) : layers,
        legend(key),
      );
      this.solid?.take(recorded);
      this.slider.max = this.position.last;
      const end = ENDS[recorded.status] ?? recorded.status;
      write(this.about, `${counted(this.position.last, "step")}: ${end}`);
      this.#write();
    });
  }

  // Removes the steps of the search before, which are not the steps that were asked for.
  #clear(error) {
    this.player.stop();
    this.position = null;
    this.chart.show({ depths: [0], at: 0 });
    fill(this.stage);
    for (const line of [this.about, this.status]) write(line, "");
    throw error;
  }

  #toggle() {
    if (this.player.playing) return this.player.stop();
    if (!this.position) return;
    if (this.position.at === this.position.last) this.position.go(0);
    this.player.start();
  }

  // Takes one step of the player; returns true if another step follows.
  #forward() {
    this.position.go(this.position.at + 1);
    this.#write();
    return this.position.at < this.position.last;
  }

  // Moves by hand, which stops the player.
  #by(move) {
    if (!this.position) return;
    this.player.stop();
    move(this.position);
    this.#write();
  }

  #write() {
    const { at, last, placed } = this.position;
    this.picture?.update(this.position);
    this.solid?.update(this.position);
    this.slider.value = at;
    const words = `step ${count(at)} of ${count(last)}: ${this.position.words}`;
    this.slider.setAttribute("aria-valuetext", words);
    // Read aloud only if the player is stopped.
    this.status.setAttribute("aria-live", this.player.playing ? "off" : "polite");
    write(this.status, `${words}; ${counted(placed.length, "piece")} placed`);
    this.chart.show(this.position);
  }
}
