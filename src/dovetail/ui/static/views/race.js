// The view of a race: a lane for each solver. Each state from the server updates all lanes.

import { announce, fill, link, make, reportLink, row, select, write } from "../elements.js";
import { listen } from "../feeds.js";
import { Problems, connectionLine } from "../parts/problems.js";
import { Curves } from "../racing/curves.js";
import { Lane } from "../racing/lane.js";
import { get, post } from "../requests.js";
import { FINDS } from "./races.js";

const CLOSED = { end: "It ends when this page is closed.", continue: "It goes on when this page is closed." };

export async function show(view, id) {
  const state = await get(`/api/races/${id}`, view.signal);
  const { formats, solvers } = await get(`/api/puzzles/${state.puzzle}`, view.signal);
  view.name(`Race of ${state.name}`);
  const recorded = new Set(solvers.filter(({ steps }) => steps).map(({ name }) => name));
  new RaceView(view, id, state, { boards: formats.boards, recorded });
}

class RaceView {
  // `options` are the options of lanes.
  constructor(view, id, state, options) {
    const problems = new Problems();
    const lost = connectionLine();
    // `body` is empty to stop the race, or names a lane.
    const stop = (text, body, attributes) =>
      problems.button(text, () => post(`/api/races/${id}/stop`, body), attributes);
    this.about = make("p", { class: "about" });
    this.agreement = make("p", { class: "agreement", role: "status" });
    this.stop = stop("Stop the race", {}, { id: "stop-race" });
    this.lanes = state.lanes.map((lane) => new Lane(id, lane, options, stop));
    this.curves = new Curves(id, state.find, state.lanes);
    this.report = reportLink(`/api/races/${id}/report`);
    this.files = make(
      "p",
      { class: "buttons", id: "race-files", hidden: true },
      link("Save the records", `/api/races/${id}/records`, { class: "button", download: "" }),
      this.report,
    );
    this.chart = chart(this.curves);
    fill(
      view.element,
      make("h1", {}, "Race: ", link(state.name, `#/puzzle/${state.puzzle}`)),
      this.about,
      lost.element,
      problems.element,
      row(this.agreement, this.stop, this.files),
      make("div", { class: "lanes" }, ...this.lanes.map(({ element }) => element)),
      this.chart,
    );
    this.#update(state);
    if (state.finished) return;
    listen(`races/${id}`, {
      signal: view.signal,
      stays: true,
      onState: (next) => this.#update(next),
      onLost: lost.onLost,
    });
  }

  #update(state) {
    const ended = state.finished && this.finished === false;
    this.finished = state.finished;
    const about = [FINDS[state.find], state.elapsed, state.finished ? null : CLOSED[state.when_closed]];
    write(this.about, about.filter(Boolean).join(" · "));
    state.lanes.forEach((lane, at) => this.lanes[at].update(lane, state));
    this.curves.take(state);
    this.chart.hidden = this.curves.empty;
    const text = agreementText(state);
    write(this.agreement, text);
    this.agreement.classList.toggle("warning", state.agreed === false);
    this.stop.hidden = state.finished;
    this.files.hidden = !state.finished;
    this.report.hidden = !state.records;
    if (ended) announce(`The race is over. ${text}`);
  }
}

function chart(curves) {
  const box = select(curves.measures, curves.measure, (measure) => curves.show(measure), { id: "measure" });
  const label = make("label", { class: "choice" }, "Over time: ", box);
  return make("section", { class: "chart", "aria-label": "Progress over time" }, label, curves.element);
}

// The count on which the lanes agree, from a lane that was run to the end.
function countText(state) {
  const whole = state.lanes.find(({ status, count_is_lower_bound: less }) => status !== null && !less);
  if (!whole) return "none contradicts another";
  return `${whole.count_text} ${whole.count === 1 ? "solution" : "solutions"}`;
}

function agreementText(state) {
  const done = state.lanes.filter(({ status }) => status !== null);
  if (state.stopping && !state.finished) return "Stopping …";
  if (state.agreed === false) return "The counts differ: one of the solvers is wrong. Please report this.";
  if (state.agreed && done.length > 1) return `The finished lanes agree: ${countText(state)}.`;
  if (state.finished) return "The race is over.";
  return `${done.length} of ${state.lanes.length} lanes finished.`;
}
