// Moves that take the pieces apart: a slider, steps, playing at three speeds, and what is shown in between.

import { make } from "./lists.js";

const MOVE_MS = 600; // of one move at the usual speed

export class Moves {
  #from = null; // the offsets where a move began that is under way
  #under = null; // the frame of that move, whichever way it goes
  #began = 0;
  #timer = null;

  // `onChange` draws the picture anew; `byName` finds the elements of the page.
  constructor(byName, onChange) {
    this.byName = byName;
    this.onChange = onChange;
    this.at = 0;
    const listen = (name, event, act) => byName(name).addEventListener(event, act);
    listen("move", "input", ({ target }) => this.#go(Number(target.value)));
    listen("move-back", "click", () => this.#go(this.at - 1));
    listen("move-on", "click", () => this.#go(this.at + 1));
    listen("move-play", "click", () => this.#play());
  }

  // Takes the frames of another solution: the assembly first, then what is there after each move.
  take(frames) {
    this.stop();
    this.frames = frames;
    this.at = 0;
    this.#from = null;
    this.byName("moves").hidden = !frames.length;
    this.byName("move").max = Math.max(0, frames.length - 1);
    this.#write();
  }

  get ms() {
    return MOVE_MS / Number(this.byName("move-speed").value);
  }

  // Where the pieces are now, from their places in the assembly; empty without moves.
  offsets() {
    const there = this.frames[this.at]?.offsets ?? [];
    if (!this.#from) return there;
    const part = Math.min(1, (performance.now() - this.#began) / this.ms);
    return there.map((to, n) => to.map((along, axis) => this.#from[n][axis] * (1 - part) + along * part));
  }

  // The pieces that move now or next, by number, and the way they go: {moving, by}, or nothing at the end.
  next() {
    return this.#from ? this.#under : this.frames[this.at + 1];
  }

  get started() {
    return this.at > 0 || this.#from !== null;
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.byName("move-play").textContent = "Play";
  }

  #go(at) {
    this.stop();
    this.#moveTo(at);
  }

  #moveTo(wanted) {
    const at = Math.min(Math.max(wanted, 0), this.frames.length - 1);
    const here = this.offsets();
    const glides = Math.abs(at - this.at) === 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#under = this.frames[Math.max(at, this.at)];
    this.at = at;
    this.#from = glides ? here : null;
    this.#began = performance.now();
    this.#write();
    this.#glide();
  }

  #glide() {
    if (this.#from && performance.now() - this.#began >= this.ms) this.#from = null;
    this.onChange();
    if (this.#from) requestAnimationFrame(() => this.#glide());
  }

  #play() {
    if (this.#timer !== null) return this.stop();
    if (this.at === this.frames.length - 1) this.take(this.frames); // at once: the first move begins at the assembly
    this.byName("move-play").textContent = "Stop";
    const on = () => {
      if (this.at === this.frames.length - 1) return this.stop();
      this.#moveTo(this.at + 1);
      this.#timer = setTimeout(on, this.ms * 1.4);
    };
    on();
  }

  #write() {
    const { byName, at, frames } = this;
    byName("move").value = at;
    byName("move").setAttribute("aria-valuetext", frames[at]?.text ?? "");
    byName("move-text").replaceChildren(make("span", {}, frames[at]?.text ?? ""));
    byName("move-back").setAttribute("aria-disabled", at === 0);
    byName("move-on").setAttribute("aria-disabled", at === frames.length - 1);
  }
}
