// A small chart of the progress of each lane over time, which grows with the race.

import { count, fill, makeShape, percent } from "../elements.js";

const [USUAL_WIDTH, LEAST_WIDTH, HEIGHT] = [720, 280, 220]; // pixels
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 14, 12, 30];
const LONG = 1e7; // smallest number that has no room beside the axis
const MOST_POINTS = 400; // maximum number of points of a curve; above it, every other point is dropped
const SOON = 2; // seconds; a lane that is first seen within this time is drawn from its start
const START = { time: 0, written: "" };
const MEASURES = {
  solutions: ["solutions", ({ count: found }) => found, count],
  score: ["matched edges", ({ best }) => best?.score, count],
  nodes: ["nodes", ({ nodes }) => nodes, count],
  share: ["share done", ({ share, status }) => (status === "exhausted" ? 1 : share), percent],
};

// Points of each race that this tab has shown. They are kept when another view is shown.
const seen = new Map();

export class Curves {
  constructor(race, find, lanes) {
    const first = find === "improve" ? "score" : "solutions";
    this.measure = first;
    this.measures = [first, "nodes", "share"].map((name) => [name, MEASURES[name][0]]);
    const points = seen.get(race) ?? lanes.map(() => []);
    seen.set(race, points);
    this.points = points;
    this.titles = lanes.map(({ title }) => title);
    this.element = makeShape("svg", { class: "curves", role: "img" });
    // Drawn at the width at which the chart is shown, so that its texts have the usual size.
    new ResizeObserver(() => this.show(this.measure)).observe(this.element);
  }

  take(state) {
    state.lanes.forEach((lane, at) => {
      const points = this.points[at];
      const point = { time: lane.elapsed_s, written: lane.times.time };
      for (const [name, [, read]] of Object.entries(MEASURES)) point[name] = read(lane);
      if (points.at(-1)?.time === point.time) points.pop();
      if (point.time) points.push(point);
      if (points.length > MOST_POINTS)
        this.points[at] = points.filter((_, number) => number % 2 === 0 || number > MOST_POINTS - 2);
    });
    this.show(this.measure);
  }

  // True if there is no curve to draw, as for a race that was first seen after its end.
  get empty() {
    return this.points.every(({ length }) => length < 2);
  }

  show(measure) {
    this.measure = measure;
    const [noun, , written] = MEASURES[measure];
    this.width = Math.max(LEAST_WIDTH, Math.round(this.element.clientWidth) || USUAL_WIDTH);
    this.element.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const all = this.points.flat();
    const last = all.reduce((latest, point) => (point.time > latest.time ? point : latest), START);
    const longest = Math.max(0.001, last.time);
    const known = knownOf(all, measure).map((point) => point[measure]);
    const highest = measure === "share" ? 1 : Math.max(1, ...known);
    const x = (time) => LEFT + (time / longest) * (this.width - RIGHT - LEFT);
    // Scores are close to each other and far from 0, so their axis does not begin at 0.
    const lowest = measure === "score" && known.length ? Math.max(0, Math.min(...known) - 1) : 0;
    const y = (value) => HEIGHT - BOTTOM - ((value - lowest) / (highest - lowest)) * (HEIGHT - TOP - BOTTOM);
    const ends = this.points.map((points, at) => `${this.titles[at]} ${written(points.at(-1)?.[measure])}`);
    fill(
      this.element,
      makeShape("title", {}, `${noun} over time: ${ends.join(", ")}`),
      axis(x, y, { longest, end: last.written }, [lowest, highest], written),
      ...this.points.map((points, at) => curve(points, measure, at, { x, y, lowest, longest })),
    );
  }
}

function axis(x, y, { longest, end }, [lowest, highest], written) {
  const text = (content, attributes) => makeShape("text", attributes, content);
  const brief = (value) => (value < LONG ? written(value) : value.toExponential(2).replace("+", ""));
  const level = (value) => `M${LEFT} ${y(value)}H${x(longest)}`;
  return makeShape(
    "g",
    {},
    makeShape("path", { class: "grid", d: level((lowest + highest) / 2) + level(highest) }),
    makeShape("path", { class: "axis", d: level(lowest) }),
    text(brief(highest), { x: LEFT - 8, y: y(highest) + 4, "text-anchor": "end" }),
    text(brief(lowest), { x: LEFT - 8, y: y(lowest) + 4, "text-anchor": "end" }),
    text("0 s", { x: x(0), y: HEIGHT - 8 }),
    text(end, { x: x(longest), y: HEIGHT - 8, "text-anchor": "end" }),
  );
}

// A step function, since each value holds until the next value is known, and the last value to the end. The curve
// begins at the start of the lane, or at the first point that the page has seen.
function curve(points, measure, at, { x, y, lowest, longest }) {
  const style = `line curve series-${at % 8} dashes-${at % 4}`;
  const known = knownOf(points, measure);
  if (!known.length) return makeShape("path", { class: style });
  const { time, [measure]: first } = points[0].time < SOON ? { time: 0, [measure]: lowest } : known[0];
  const steps = known.map((point) => `H${x(point.time).toFixed(1)}V${y(point[measure]).toFixed(1)}`).join("");
  const d = `M${x(time).toFixed(1)} ${y(first).toFixed(1)}${steps}H${x(longest).toFixed(1)}`;
  return makeShape("path", { class: style, d });
}

function knownOf(points, measure) {
  return points.filter((point) => point[measure] !== null && point[measure] !== undefined);
}
