// Plays steps one after another until there is none left, or it is stopped.

export class Player {
  #timer = null;

  // `advance` takes a step, and returns whether another follows; `changed` is called with whether it plays.
  constructor(pause, advance, changed) {
    Object.assign(this, { pause, advance, changed });
  }

  get playing() {
    return this.#timer !== null;
  }

  // The first step at once.
  start() {
    this.#timer = setInterval(() => this.#step(), this.pause);
    this.changed(true);
    this.#step();
  }

  stop() {
    if (!this.playing) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.changed(false);
  }

  #step() {
    if (!this.advance()) this.stop();
  }
}
