// Steps by the clock: as many a second as wanted, several at once where that is more than frames.

const LONGEST_FRAME = 0.1; // seconds that count of a frame: a page in the background stands still

export class Player {
  #frame = null;
  speed = 4; // steps per second

  // `step` takes one step and returns whether there is another; `onChange` gets whether it plays.
  constructor(step, onChange) {
    Object.assign(this, { step, onChange });
  }

  get playing() {
    return this.#frame !== null;
  }

  start() {
    let [before, due] = [performance.now(), 1];
    const tick = (now) => {
      due += Math.min(LONGEST_FRAME, (now - before) / 1000) * this.speed;
      before = now;
      for (; due >= 1; due -= 1) {
        if (!this.step()) return this.stop();
      }
      this.#frame = requestAnimationFrame(tick);
    };
    this.#frame = requestAnimationFrame(tick);
    this.onChange(true);
  }

  stop() {
    if (!this.playing) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.onChange(false);
  }
}
