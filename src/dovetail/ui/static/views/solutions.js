// The view of the solutions of a lane, page by page, while the lane may find more.

import {
  announce, button, count, fill, labelled, link, make, pictureButton, row, select, write,
} from "../elements.js";
import { listen } from "../feeds.js";
import { listenForArrows } from "../parts/arrows.js";
import { Problems } from "../parts/problems.js";
import { framed, legend, solutionPicture, viewer } from "../pictures.js";
import { laneOf } from "../racing/lane.js";
import { get, post } from "../requests.js";

const PAGE = 24;

export async function show(view, race, lane) {
  const state = await get(`/api/races/${race}`, view.signal);
  laneOf(state, lane);
  const puzzle = await get(`/api/puzzles/${state.puzzle}`, view.signal);
  view.name(`Solutions of ${state.name}`);
  await new Gallery(view, race, lane, puzzle, state).show(state);
}

class Gallery {
  #from = 0;
  #open = null;
  #shown = 0;
  #asked = 0; // number of requests
  #waits = false; // true while a request is under way

  constructor(view, race, lane, puzzle, state) {
    Object.assign(this, { view, race, lane });
    this.address = `/api/races/${race}/lanes/${lane}`;
    this.three = puzzle.three_d;
    this.alone = state.lanes.length === 1;
    this.about = make("p", { class: "about" });
    this.problems = new Problems();
    this.grid = make("div", {
      class: this.three || puzzle.kind === "cover" ? "gallery-grid layered" : "gallery-grid",
      role: "group",
      "aria-label": "Solutions",
    });
    this.back = button("Previous page", () => this.#turn(-PAGE), { id: "previous-page" });
    this.on = button("Next page", () => this.#turn(PAGE), { id: "next-page" });
    this.page = make("span", { class: "summary" });
    this.opened = make("section", {
      class: "opened",
      "aria-label": "Opened solution",
      tabindex: -1,
      hidden: true,
    });
    const suffixes = puzzle.formats.solutions.map((suffix) => [suffix, suffix]);
    this.format = select(suffixes, suffixes[0]?.[0], () => this.#aim(), { id: "format" });
    this.save = make("a", { class: "button", download: "", id: "save-all" }, "Save all");
    this.saveOne = make("a", { class: "button", download: "", id: "save-one" }, "Save this one");
    const stop = () => post(`/api/races/${race}/stop`, {});
    this.stop = this.problems.button("Stop", stop, { id: "stop-solving" });
    const hint = this.three ? "to turn it in 3-D" : "to see it larger and to save it";
    fill(
      view.element,
      make("h1", {}, "Solutions: ", link(puzzle.name, `#/puzzle/${puzzle.id}`)),
      this.about,
      row(
        link("Back to the race", `#/race/${race}`, { class: "button" }),
        labelled("Format", this.format),
        this.save,
        this.saveOne,
        this.stop,
      ),
      this.problems.element,
      this.opened,
      legend(puzzle.legend),
      row(this.back, this.on, this.page, make("span", { class: "summary" }, `Choose a solution ${hint}.`)),
      this.grid,
    );
    this.#aim();
    this.#describe(state);
  }

  async show(state) {
    await this.#load();
    if (state.finished) return;
    listen(`races/${this.race}`, {
      signal: this.view.signal,
      stays: true,
      onState: (next) => this.#take(next),
    });
  }

  #describe(state) {
    const lane = laneOf(state, this.lane);
    this.kept = lane.solutions_kept;
    this.stop.hidden = lane.status !== null || !this.alone;
    write(this.about, [`${lane.title}: ${foundText(lane)}`, ...pace(lane)].join(" · "));
  }

  #take(state) {
    this.#describe(state);
    if (state.finished) announce(this.about.textContent);
    this.#writePage();
    this.#fillPage();
  }

  // Shows more solutions if there is space on this page, after the request that is under way.
  #fillPage() {
    if (!this.#waits && this.#shown < PAGE && this.kept > this.#from + this.#shown) this.#load();
  }

  // Shows the solutions of this page; a response is dropped if there has been a later request.
  async #load() {
    const asked = (this.#asked += 1);
    this.#waits = true;
    await this.problems.during(async () => {
      const address = `${this.address}/solutions?from=${this.#from}&count=${PAGE}`;
      const found = await get(address, this.view.signal).finally(() => {
        if (asked === this.#asked) this.#waits = false;
      });
      if (asked !== this.#asked) return;
      this.kept = Math.max(this.kept, found.kept); // a state may be newer
      this.#shown = found.solutions.length;
      const focused = this.grid.contains(document.activeElement)
        ? document.activeElement.dataset.number
        : null;
      const nodes = found.solutions.map((one) => this.#card(one));
      fill(this.grid, nodes);
      listenForArrows(nodes);
      nodes.find((node) => node.dataset.number === focused)?.focus();
      this.#writePage();
      if (this.alone && this.#open === null && nodes.length) this.#place(found.solutions[0].number, found.solutions[0].picture);
      this.#fillPage();
    });
  }

  #card({ number, picture: text }) {
    const name = this.three ? `${number} in 3-D` : number;
    const attributes = { class: "solution", "data-number": number, "aria-pressed": number === this.#open };
    return pictureButton(solutionPicture(text), name, () => this.#show(number, text), attributes, "Solution");
  }

  #writePage() {
    const last = this.#from + this.#shown;
    const places = `${count(this.#from + 1)} to ${count(last)} of ${count(this.kept)}`;
    write(this.page, this.kept ? places : "none yet");
    this.back.setAttribute("aria-disabled", this.#from === 0);
    this.on.setAttribute("aria-disabled", last >= this.kept);
  }

  #turn(step) {
    const from = Math.max(0, this.#from + step);
    if (from >= this.kept || from === this.#from) return;
    this.#from = from;
    this.#load();
  }

  #show(number, text) {
    this.#place(number, text);
    this.opened.focus({ preventScroll: true });
    this.opened.scrollIntoView({ block: "nearest" });
  }

  // Shows a large picture of a solution without a change of focus.
  #place(number, text) {
    this.#open = number;
    for (const card of this.grid.children)
      card.setAttribute("aria-pressed", Number(card.dataset.number) === number);
    this.opened.hidden = false;
    fill(this.opened, make("h2", {}, `Solution ${count(number)}`), this.#views(number, text));
    this.#aim();
  }

  // The picture of a solution, or a viewer if the solution is solid.
  #views(number, text) {
    if (!this.three) {
      const drawn = solutionPicture(text);
      const shown = drawn.matches("svg") ? framed(drawn, `Picture of solution ${number}`) : drawn;
      return make("div", { class: "large" }, shown);
    }
    const src = `${this.address}/viewer?number=${number}`;
    const frame = viewer(src, `Solution ${number} in three dimensions`);
    const takeApart = () => (frame.src = `${src}&apart`);
    return make("div", {}, row(button("Take apart", takeApart, { id: "take-apart" })), frame);
  }

  #aim() {
    const address = `${this.address}/export?format=${encodeURIComponent(this.format.value)}`;
    this.save.href = address;
    this.saveOne.hidden = this.#open === null;
    if (this.#open !== null) this.saveOne.href = `${address}&number=${this.#open}`;
  }
}

// The solutions found so far, in words.
function foundText(lane) {
  if (lane.status === "exhausted" && lane.count === 0) return "there is no solution";
  if (lane.count === null) return lane.reason ?? lane.status ?? "searching …";
  const kept = lane.count > lane.solutions_kept ? `; ${count(lane.solutions_kept)} of them are kept` : "";
  const noun = lane.count === 1 ? "solution" : "solutions";
  return `${lane.count_is_lower_bound ? "≥ " : ""}${lane.count_text} ${noun}${kept}`;
}

// The rate of solutions and the time left; only the time if the search is over.
function pace({ status, count: number, elapsed_s: seconds, times }) {
  if (status !== null) return [times.time && `in ${times.time}`].filter(Boolean);
  const rate = number && seconds > 1 ? `${count(Math.round(number / seconds))} per second` : null;
  const left = times["time left"] && `time left ${times["time left"]}`;
  return [rate, left, times.limit && `limit ${times.limit}`].filter(Boolean);
}
