// A board of squares, row by row from the top left. One square is in the tab order; arrow keys lead to others.

import { fill, makeShape } from "../elements.js";

const MARGIN = 4; // the same as in the server's pictures
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Squares {
  // `side` is the side of a square. `type(event, at)` handles a key at a square and returns true if it knows the
  // key. `enter(at)` is called when the square `at` gets the focus.
  constructor(label, side, { type, enter = () => {} }) {
    Object.assign(this, { side, type, enter, at: 0, width: 0, height: 0, nodes: [] });
    this.cursor = makeShape("path", { class: "cursor", d: `M0 0h${side}v${side}h${-side}z` });
    this.svg = makeShape("svg", {
      class: "squares picture",
      role: "grid",
      "aria-label": label,
      onkeydown: (event) => this.#type(event),
      onfocusin: (event) => this.#enter(squareOf(event.target)),
    });
  }

  // Shows a board of another size, without content.
  take(width, height, ...above) {
    Object.assign(this, { width, height, at: Math.min(this.at, width * height - 1) });
    const [across, down] = [width, height].map((count) => count * this.side + 2 * MARGIN);
    this.svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${across} ${down}`);
    this.svg.style.maxWidth = `${Math.max(60 * width, 200)}px`;
    this.nodes = Array.from({ length: width * height }, (_, at) => this.#square(at));
    const rows = Array.from({ length: height }, (_, row) =>
      makeShape("g", { role: "row" }, ...this.nodes.slice(row * width, (row + 1) * width)),
    );
    fill(this.svg, rows, ...above, this.cursor);
  }

  // Column and row of a square, from the bottom left.
  place(at) {
    return [at % this.width, this.height - 1 - Math.floor(at / this.width)];
  }

  focus() {
    this.nodes[this.at].focus();
  }

  #square(at) {
    const corner = `translate(${(at % this.width) * this.side} ${Math.floor(at / this.width) * this.side})`;
    const tabindex = at === this.at ? 0 : -1;
    return makeShape("g", { role: "gridcell", tabindex, "data-at": at, transform: corner });
  }

  #enter(at) {
    if (at === null) return;
    this.nodes[this.at].setAttribute("tabindex", -1);
    this.nodes[at].setAttribute("tabindex", 0);
    this.at = at;
    this.cursor.setAttribute("transform", this.nodes[at].getAttribute("transform"));
    this.enter(at);
  }

  #type(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in STEPS) {
      const [column, row] = [this.at % this.width, Math.floor(this.at / this.width)];
      const [x, y] = [column + STEPS[event.key][0], row + STEPS[event.key][1]];
      if (x >= 0 && x < this.width && y >= 0 && y < this.height) this.nodes[y * this.width + x].focus();
    } else if (!this.type(event, this.at)) return;
    event.preventDefault();
  }
}

// The number of the square to which an element belongs, or null.
export function squareOf(target) {
  const node = target?.closest?.(".squares [data-at]");
  return node ? Number(node.dataset.at) : null;
}
