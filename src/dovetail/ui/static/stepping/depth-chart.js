// A chart of the number of placed pieces at each step of a search. A click goes to a step.

import { make } from "../elements.js";

const HEIGHT = 64; // pixels

export class DepthChart {
  #position = { depths: [0], at: 0 };

  constructor(go) {
    this.canvas = make("canvas", { class: "depths", "aria-hidden": "true" });
    this.element = make("div", { class: "depths-frame" }, this.canvas);
    this.canvas.addEventListener("click", (event) => {
      const share = event.offsetX / this.canvas.clientWidth;
      go(Math.round(share * (this.#position.depths.length - 1)));
    });
    new ResizeObserver(() => this.#draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
  }

  show(position) {
    this.#position = position;
    this.#draw();
  }

  #draw() {
    const { canvas } = this;
    const { depths, at } = this.#position;
    const ratio = devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = HEIGHT * ratio;
    if (canvas.width !== width) canvas.width = width;
    canvas.height = height;
    const style = getComputedStyle(canvas);
    const context = canvas.getContext("2d");
    const last = Math.max(1, depths.length - 1);
    const highest = depths.reduce((most, depth) => Math.max(most, depth), 1);
    context.fillStyle = style.getPropertyValue("--bar");
    // A column of pixels shows the deepest of its steps.
    for (let x = 0; x < width; x += 1) {
      const [from, to] = [x, x + 1].map((place) => Math.floor((place / width) * last));
      let deepest = 0;
      for (let step = from; step <= to; step += 1) deepest = Math.max(deepest, depths[step] ?? 0);
      const high = (deepest / highest) * (height - 2);
      context.fillRect(x, height - high, 1, high);
    }
    context.fillStyle = style.getPropertyValue("--warn");
    context.fillRect(Math.min(width - 2 * ratio, (at / last) * width), 0, 2 * ratio, height);
  }
}
