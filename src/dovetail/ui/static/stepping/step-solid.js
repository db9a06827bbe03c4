// The pieces that are placed at a step, in three dimensions.

import { buttons, make, summary } from "../elements.js";
import { SolidCanvas } from "../parts/solid-canvas.js";
import { patternOf, pieceClass } from "../pictures.js";

const MISSING = "This browser does not support WebGL 2: the pieces are not shown in three dimensions.";
const HELP = "Drag to turn, wheel or two fingers to zoom. Keys: arrows turn, + and − zoom, 0 resets.";

export class StepSolid {
  #voxels = null;
  #layout = null;
  #position = null;
  #waiting = false;

  constructor(signal) {
    const solid = new SolidCanvas("The region in three dimensions", signal, (voxels) => {
      this.#voxels = voxels;
      if (this.#layout) this.take(this.#layout);
    });
    this.signal = signal;
    this.element = make("div", { class: "solid-view" });
    if (!solid.works) return this.element.append(summary(MISSING));
    solid.canvas.addEventListener("keydown", (event) => solid.type(event, true), { signal });
    this.element.append(solid.canvas, buttons(...solid.buttons), summary(HELP));
  }

  // Shows another region, `solids` and `places`.
  take(layout) {
    this.#layout = layout;
    this.#voxels?.take(layout, false);
    if (this.#position) this.update(this.#position);
  }

  // Draws the position once at the next frame, however many steps are taken until then.
  update(position) {
    this.#position = position;
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      if (this.#voxels && !this.signal.aborted) this.#draw(this.#position);
    });
  }

  // Outlines the piece that was placed or removed last, even behind other pieces.
  #draw({ placed, takenBack, at }) {
    this.#voxels.show(
      placed.map(({ cells, look }) => ({ places: cells, variable: `--${pieceClass(look)}`, pattern: patternOf(look) })),
    );
    const last = takenBack.length ? { at: takenBack, variable: "--warn" } : { at: placed.at(-1)?.cells, variable: "--ink" };
    this.#voxels.outline(at > 0 && last.at ? [{ ...last, width: 3 }] : []);
  }
}
