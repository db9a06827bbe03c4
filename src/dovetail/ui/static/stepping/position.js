// Where in a recorded search we are: what is placed after as many steps as were taken.

export class Position {
  // `steps` are [+1 or -1, number of the piece, cells].
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

  // The step that led here, in words.
  get words() {
    if (this.at === 0) return "nothing is placed yet";
    const [sign, piece] = this.steps[this.at - 1];
    return `${this.names[piece]} ${sign > 0 ? "placed" : "taken back"}`;
  }

  // The cells of the step that led here, if it took something back.
  get takenBack() {
    const [sign, , cells] = this.steps[this.at - 1] ?? [];
    return sign < 0 ? cells : [];
  }

  // Searches place and take back in the order of a stack, so that going back is the same backwards.
  go(step) {
    const target = Math.min(Math.max(step, 0), this.last);
    while (this.at < target) this.#take(this.steps[this.at++], 1);
    while (this.at > target) this.#take(this.steps[--this.at], -1);
  }

  // The next place at which the search turns back.
  goToDeadEnd() {
    let target = this.at + 1;
    while (target < this.last && !(this.steps[target - 1][0] > 0 && this.steps[target][0] < 0)) target += 1;
    this.go(target);
  }

  #take([sign, piece, cells], direction) {
    if (sign * direction > 0) {
      this.placed.push({ piece, cells });
    } else {
      const name = String(cells);
      const found = this.placed.findLastIndex((one) => one.piece === piece && String(one.cells) === name);
      this.placed.splice(found, 1);
    }
  }
}
