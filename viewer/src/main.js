// The page: which solution, which step, how far exploded, and what shows it.

import { make, markPieces, writeLayers, writePieces } from "./lists.js";
import { Moves } from "./moves.js";
import { Orbit } from "./orbit.js";
import { Picture } from "./picture.js";
import { readPuzzle } from "./puzzle.js";

// The state that the page begins with: `step` is null where the whole solution is shown, `apart` is 0 to 1.
const WHOLE = { step: null, apart: 0 };

const PAUSE = 900; // milliseconds between pieces that are played

const byName = (name) => document.getElementById(`viewer-${name}`);
const puzzle = readPuzzle(byName("data").textContent);
const state = { solution: 0, ...WHOLE };
let timer = null; // while steps are played
const orbit = new Orbit(puzzle.flat, () => picture?.draw());
const picture = startPicture();
const moves = new Moves(byName, () => {
  if (moves.started) {
    halt();
    Object.assign(state, WHOLE);
  }
  update();
});

function startPicture() {
  const canvas = byName("canvas");
  const context = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  canvas.hidden = byName("view").hidden = !context;
  byName("no-picture").hidden = Boolean(context);
  if (!context) return null;
  orbit.listen(canvas);
  return new Picture(canvas, context, puzzle.cells, orbit);
}

// The pieces of the solution that is shown.
function pieces() {
  return puzzle.solutions[state.solution];
}

function lastStep() {
  return Math.max(0, ...pieces().map((piece) => piece.step));
}

function goTo(step) {
  if (lastStep() === 0) return; // the empty region
  state.step = Math.min(Math.max(step, 1), lastStep());
  together();
  update();
}

// Ends the moves: what is stepped through or exploded is the assembly.
function together() {
  if (moves.started) moves.take(moves.frames);
}

function goToSolution(number) {
  state.solution = Math.min(Math.max(number, 0), puzzle.solutions.length - 1);
  state.step = null;
  writePieces(byName("pieces"), pieces(), (step) => {
    stop();
    goTo(step);
  });
  picture?.take(pieces());
  moves.take(puzzle.moves[state.solution] ?? []);
  update();
}

function update() {
  const step = state.step ?? lastStep();
  picture?.update(state, moves);
  writeLayers(byName("layers"), puzzle, pieces().filter((piece) => piece.step <= step), state.step);
  markPieces(byName("pieces"), pieces(), state);
  byName("status").textContent = status();
  byName("explode").value = state.apart * 100;
  markAtEnd(["first", "back"], step <= 1);
  markAtEnd(["on", "last"], state.step === lastStep());
  markAtEnd(["previous"], state.solution === 0);
  markAtEnd(["next"], state.solution === puzzle.solutions.length - 1);
}

// Not `disabled`, which would take the keyboard's focus from a button at the last step.
function markAtEnd(names, atEnd) {
  for (const name of names) byName(name).setAttribute("aria-disabled", atEnd);
}

function status() {
  const count = lastStep();
  const current = pieces().find((piece) => piece.step && piece.step === state.step);
  const all = ["no piece", "1 piece"][count] ?? `all ${count} pieces`;
  const placed = current ? `piece ${current.step} of ${count}: ${current.name}` : all;
  const several = puzzle.solutions.length > 1;
  const noun = puzzle.noun[0].toUpperCase() + puzzle.noun.slice(1);
  return several ? `${noun} ${state.solution + 1} of ${puzzle.solutions.length}, ${placed}` : placed;
}

// Plays the steps, the first one at once, until none is left or it is stopped.
function play() {
  if (timer !== null) return stop();
  if (state.step === lastStep()) state.step = null;
  byName("play").textContent = "Stop";
  timer = setInterval(playStep, PAUSE);
  playStep();
}

function playStep() {
  goTo((state.step ?? 0) + 1);
  if (state.step === null || state.step === lastStep()) stop();
}

function stop() {
  moves.stop();
  halt();
}

// Ends the steps that are played.
function halt() {
  clearInterval(timer);
  timer = null;
  byName("play").textContent = "Play";
}

function savePicture() {
  picture?.save(getComputedStyle(document.documentElement).getPropertyValue("--paper").trim(), (png) => {
    const address = URL.createObjectURL(png);
    make("a", { href: address, download: `${fileName()}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
}

// After the puzzle, the solution where there are several, and the step.
function fileName() {
  const name = puzzle.name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80);
  const solution = puzzle.solutions.length > 1 ? `-${state.solution + 1}` : "";
  return `${name}${solution}${state.step === null ? "" : `-step-${state.step}`}`;
}

const actions = {
  first: () => goTo(1),
  back: () => goTo((state.step ?? lastStep()) - 1),
  on: () => goTo((state.step ?? 0) + 1),
  last: () => goTo(lastStep()),
  previous: () => goToSolution(state.solution - 1),
  next: () => goToSolution(state.solution + 1),
  nearer: () => orbit.enlarge(1.2),
  farther: () => orbit.enlarge(1 / 1.2),
  reset: () => {
    Object.assign(state, WHOLE);
    together();
    orbit.reset();
    update();
  },
};
for (const [name, action] of Object.entries(actions)) {
  actions[name] = () => {
    stop();
    action();
  };
  byName(name).addEventListener("click", actions[name]);
}
byName("play").addEventListener("click", play);
byName("save").addEventListener("click", savePicture);

const keys = { PageUp: "back", PageDown: "on", Home: "first", End: "last", 0: "reset" };
byName("canvas").addEventListener("keydown", (event) => {
  if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  actions[keys[event.key]]();
});
byName("explode").addEventListener("input", (event) => {
  state.apart = event.target.value / 100;
  together();
  update();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
goToSolution(0);
