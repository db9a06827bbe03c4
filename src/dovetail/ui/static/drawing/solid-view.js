// The solid of the marked cells, shown beside its layers and updated with them.

import { buttons, chips, make, summary, write } from "../elements.js";
import { SolidCanvas } from "../parts/solid-canvas.js";

const [ADD, MARK, REMOVE] = ["add", "mark", "remove"];
const CLICK = 6; // maximum number of pixels that a pointer moves in a click
const MISSING = "This browser does not support WebGL 2: the solid is drawn in its layers alone.";
const HELP =
  "Click a face to add a cell, with Shift to remove one. Drag to turn, wheel or two fingers to zoom. " +
  "Keys: arrows and Page Up or Down move, Space marks, W A S D turn, + and − zoom, 0 resets.";

let number = 0; // number of views so far

export class SolidView {
  #voxels = null;
  #mode = ADD;
  #pointers = new Map(); // where each pointer went down, by number
  #pointing = true; // true after a pointer event, false after a key
  #pointed = null; // the cell that a click would change
  #drawn = null;

  // `grid` has the cells and changes them. `looks` has {mark, variable, paler} for each mark: how the mark looks
  // on the solid. The view is closed when `signal` is aborted.
  constructor(grid, looks, signal) {
    Object.assign(this, { grid, looks, signal });
    this.status = make("p", { class: "hint", role: "status" });
    this.element = make("div", { class: "solid-view" });
    this.solid = new SolidCanvas(`${grid.options.label} in three dimensions`, signal, (voxels) => this.#start(voxels));
    if (!this.solid.works) return this.element.append(summary(MISSING));
    this.canvas = this.solid.canvas;
    this.#listen();
    this.#show();
  }

  #listen() {
    const { canvas, grid, signal } = this;
    const listeners = {
      pointerdown: (event) => this.#press(event),
      pointermove: (event) => this.#move(event),
      pointerup: (event) => this.#release(event),
      pointercancel: (event) => this.#pointers.delete(event.pointerId),
      pointerleave: () => this.#point(null),
      keydown: (event) => this.#type(event),
      keyup: (event) => grid.loosen(event),
      focus: () => {
        this.#pointing = !canvas.matches(":focus-visible");
        this.point();
      },
      blur: () => {
        grid.stop();
        this.point();
      },
    };
    for (const [name, listener] of Object.entries(listeners)) canvas.addEventListener(name, listener, { signal });
    for (const name of ["focusin", "focusout"]) grid.svg.addEventListener(name, () => this.point());
  }

  #show() {
    const setMode = (mode) => {
      this.#mode = mode;
    };
    const marks = this.looks.length > 1 ? [[MARK, "Click marks"]] : [];
    const modes = [[ADD, "Click adds"], ...marks, [REMOVE, "Click removes"]];
    const { label } = this.grid.options;
    this.element.append(
      chips(`click-${(number += 1)}`, `What a click does: ${label}`, modes, ADD, setMode),
      this.canvas,
      buttons(...this.solid.buttons, this.status),
      summary(HELP),
    );
  }

  #start(voxels) {
    this.#voxels = voxels;
    this.grid.follow(this);
  }

  // Shows the cells of another layout.
  take(layout) {
    if (this.signal.aborted) return;
    this.#pointed = this.#drawn = null;
    this.#voxels.take(layout);
  }

  // Shows the current marks of the cells.
  update() {
    if (this.signal.aborted) return;
    const { marks } = this.grid;
    const places = ({ mark }) => [...marks.keys()].filter((at) => marks[at] === mark);
    const parts = this.looks.map((look) => ({ ...look, places: places(look) }));
    const drawn = JSON.stringify(parts);
    if (drawn !== this.#drawn) this.#voxels.show(parts);
    this.#drawn = drawn;
    this.point();
  }

  // Outlines the cell that the keyboard has reached, if any, and the cell that a click would change.
  point() {
    if (!this.#voxels || this.signal.aborted) return;
    const { current, svg } = this.grid;
    const here = (document.activeElement === this.canvas && !this.#pointing) || svg.contains(document.activeElement);
    const cursor = here ? [{ at: current, variable: "--ink", width: 4 }] : [];
    const pointed = this.#pointed === null ? [] : [{ at: this.#pointed, variable: "--bar", width: 3 }];
    this.#voxels.outline([...cursor, ...pointed]);
    if (!svg.contains(document.activeElement)) write(this.status, this.grid.description);
  }

  #point(at) {
    if (at === this.#pointed) return;
    this.#pointed = at;
    this.point();
  }

  // The cell that a click would change, or null, and whether the click would remove it.
  #aim(event) {
    const removes = event.shiftKey || this.#mode === REMOVE;
    const hit = this.#voxels?.under(event) ?? { at: null, beside: null };
    return { at: removes || this.#mode === MARK ? hit.at : hit.beside, removes };
  }

  #press(event) {
    this.#pointing = true;
    if (event.button === 0) this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  #move(event) {
    if (!event.buttons && event.pointerType === "mouse") this.#point(this.#aim(event).at);
  }

  #release(event) {
    const [x, y] = this.#pointers.get(event.pointerId) ?? [Infinity, Infinity];
    if (this.#pointers.size > 1) return this.#pointers.clear(); // zooming; no finger of it makes a click
    this.#pointers.delete(event.pointerId);
    if (Math.hypot(event.clientX - x, event.clientY - y) > CLICK) return;
    const { at, removes } = this.#aim(event);
    if (at === null) return;
    this.grid.set(at, removes ? null : this.grid.options.tool());
    this.#point(null);
  }

  // An arrow key moves within the layer in the direction in which it points on the turned solid.
  #type(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    this.#pointing = false;
    this.point();
    if (!this.solid.type(event)) this.grid.type(event, this.#voxels?.orbit.quarters); // works before the solid is drawn, too
  }
}
