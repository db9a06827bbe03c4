// States one after another, with the ways back and forth between them.

const LONGEST = 200;

export class History {
  #past = [];
  #future = [];

  constructor(state, onChange) {
    this.state = state;
    this.onChange = onChange;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  // Takes a new state, which `undo` takes back.
  commit(state) {
    this.#past.push(this.state);
    if (this.#past.length > LONGEST) this.#past.shift();
    this.#future = [];
    this.#move(state);
  }

  undo() {
    if (!this.canUndo) return;
    this.#future.push(this.state);
    this.#move(this.#past.pop());
  }

  redo() {
    if (!this.canRedo) return;
    this.#past.push(this.state);
    this.#move(this.#future.pop());
  }

  #move(state) {
    this.state = state;
    this.onChange(state);
  }
}
