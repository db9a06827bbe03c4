// A canvas on which solids are drawn, turned and zoomed. The sources of its renderer are in viewer/ at the top of
// the repository. The script of the renderer is loaded when the first solid is drawn.

import { button, make } from "../elements.js";

const BUNDLE = "/viewer/bundle.js";
const TURNS = { w: [0, -1], s: [0, 1], a: [-1, 0], d: [1, 0] };
const ARROWS = { ArrowUp: TURNS.w, ArrowDown: TURNS.s, ArrowLeft: TURNS.a, ArrowRight: TURNS.d };
const ZOOM = 1.2;

const spare = []; // canvases and renderers of closed views, so that the next view opens faster

export class SolidCanvas {
  #voxels = null;

  // `started` is called with the renderer when it is ready. It is not called if the browser has no WebGL 2, nor
  // after `signal` is aborted, which closes the canvas.
  constructor(label, signal, started) {
    const [canvas, voxels] = spare.pop() ?? [make("canvas", { class: "solid", tabindex: 0, role: "application" })];
    const context = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    Object.assign(this, { canvas, works: Boolean(context) });
    if (!context) return;
    canvas.setAttribute("aria-label", label);
    const start = (drawing) => {
      if (signal.aborted) return;
      this.#voxels = drawing;
      drawing.orbit.reset();
      signal.addEventListener("abort", () => spare.push([canvas, drawing]));
      started(drawing);
    };
    // Asynchronous even if the renderer exists, so that `started` can use the finished object.
    const there = voxels ? Promise.resolve() : import(BUNDLE);
    there.then(() => start(voxels ?? new globalThis.dovetailVoxels(canvas, context)));
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", () => this.#voxels?.recolour(), { signal });
  }

  get buttons() {
    return [
      button("Nearer", () => this.#voxels?.orbit.enlarge(ZOOM)),
      button("Farther", () => this.#voxels?.orbit.enlarge(1 / ZOOM)),
      button("Reset view", () => this.#reset()),
    ];
  }

  // Turns and zooms by keys, and with `arrows` by arrow keys, too; returns true if the key is used.
  type(event, arrows = false) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#voxels) return false;
    const { orbit } = this.#voxels;
    const turn = TURNS[event.key.toLowerCase()] ?? (arrows ? ARROWS[event.key] : null);
    if (turn) orbit.step(...turn);
    else if (event.key === "+" || event.key === "=") orbit.enlarge(ZOOM);
    else if (event.key === "-") orbit.enlarge(1 / ZOOM);
    else if (event.key === "0") this.#reset();
    else return false;
    event.preventDefault();
    return true;
  }

  #reset() {
    this.#voxels?.orbit.reset();
    this.#voxels?.orbit.changed();
  }
}
