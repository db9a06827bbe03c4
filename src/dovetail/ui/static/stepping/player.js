// A player that takes a given number of steps per second, several steps at once if there are fewer frames.

const LONGEST_FRAME = 0.1; // maximum seconds that count for a frame, since a page in the background has no frames

export class Player {
  #frame = null;
  speed = 4; // steps per second

  // `step` takes a step and returns true if another follows. `onChange(playing)` is called at start and end.
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

export class Position {
  // `steps` are [+1 or -1, number of the piece, cells, number of the colour and pattern].
  constructor(steps, names) {
    Object.assign(this, { steps, names });
    this.at = 0;
    this.placed = [];
    let depth = 0;
    this.depths = [0, ...steps.map(([sign]) => (depth += sign))];
  }

  get last() {
    return this.steps.length;
  }

  // The last step in words.
  get words() {
    if (this.at === 0) return "nothing is placed yet";
    const [sign, piece] = this.steps[this.at - 1];
    return `${this.names[piece]} ${sign > 0 ? "placed" : "taken back"}`;
  }

  // The cells of the last step if it removed a piece, else an empty list.
  get takenBack() {
    const [sign, , cells] = this.steps[this.at - 1] ?? [];
    return sign < 0 ? cells : [];
  }

  // Searches place and remove pieces in the order of a stack, so that going back reverses the steps.
  go(step) {
    const target = Math.min(Math.max(step, 0), this.last);
    while (this.at < target) this.#take(this.steps[this.at++], 1);
    while (this.at > target) this.#take(this.steps[--this.at], -1);
  }

  // Goes to the next step after which the search backtracks.
  goToDeadEnd() {
    let target = this.at + 1;
    while (target < this.last && !(this.steps[target - 1][0] > 0 && this.steps[target][0] < 0)) target += 1;
    this.go(target);
  }

  #take([sign, piece, cells, look], direction) {
    if (sign * direction > 0) {
      this.placed.push({ piece, cells, look });
    } else {
      const name = String(cells);
      const found = this.placed.findLastIndex((one) => one.piece === piece && String(one.cells) === name);
      this.placed.splice(found, 1);
    }
  }
}
