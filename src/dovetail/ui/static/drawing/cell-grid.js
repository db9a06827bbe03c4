// Cells that are marked with mouse, finger or keys, on a sheet that scrolls if it is large. A single cell is
// in the tab order; arrow keys lead to the other cells.

import { fill, make, makeShape } from "../elements.js";
import { area, middle, titles } from "../parts/sides.js";
import { key } from "./layouts.js";

const ARROWS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];
const WAYS = ["up", "right", "down", "left"];
const PAGES = { PageUp: 1, PageDown: -1 }; // layers
const DOT = 5;
const CROSS = 8;
const [LEAST, LARGEST] = [24, 44]; // pixels across a cell: room for a fingertip, and the maximum
const STEP = 8; // pixels between two sampled points of a stroke

// Options: `label` names the grid. `mark(key)` is the mark of a cell or null, and `describe(key)` the mark in
// words. `tool()` is the mark that strokes set; a stroke that begins at a cell with this mark removes it.
// `paint(keys, mark)` is called while a stroke goes on, and `end()` when it ends.
export class CellGrid {
  #cells = [];
  #current = 0;
  #stroke = null;
  #follower = null;

  constructor(options) {
    this.options = options;
    this.svg = makeShape("svg", {
      class: "cells picture",
      role: "grid",
      "aria-label": options.label,
      onpointerdown: (event) => this.#press(event),
      onpointermove: (event) => this.#move(event),
      onpointerup: (event) => this.#release(event),
      onpointercancel: (event) => this.#release(event),
      onkeydown: (event) => this.type(event),
      onkeyup: (event) => this.loosen(event),
      onfocusin: (event) => this.#enter(event),
      onfocusout: (event) => this.#leave(event),
    });
    // On a touch screen, the user chooses whether a finger draws or scrolls the sheet.
    const onchange = () => this.svg.classList.toggle("scrolling", this.scrolling.checked);
    this.scrolling = make("input", { type: "checkbox", onchange });
    const words = make("span", {}, "A finger scrolls");
    const choice = make("label", { class: "chip fingers" }, this.scrolling, words);
    this.element = make("div", {}, choice, make("div", { class: "sheet" }, this.svg));
  }

  // Shows the cells of another layout.
  take(layout) {
    this.layout = layout;
    this.#current = Math.min(this.#current, layout.cells.length - 1);
    const box = layout.view_box;
    this.svg.setAttribute("viewBox", box.join(" "));
    const wide = box[2] / across(layout); // in cells
    this.svg.style.minWidth = `${Math.round(wide * LEAST)}px`;
    this.svg.style.maxWidth = `${Math.round(wide * LARGEST)}px`;
    this.#cells = layout.cells.map(({ cell, polygon }, at) => this.#cell(key(cell), polygon, at));
    fill(this.svg, rows(layout, this.#cells), titles(layout));
    this.#follower?.take(layout);
    this.update();
  }

  // Lets `follower` show the same cells; its methods `take`, `update` and `point` are called.
  follow(follower) {
    this.#follower = follower;
    follower.take(this.layout);
    follower.update();
  }

  // The number of the cell that the keyboard has reached.
  get current() {
    return this.#current;
  }

  get description() {
    return this.options.describe(this.#cells[this.#current].name);
  }

  // The mark of each cell.
  get marks() {
    return this.#cells.map(({ mark }) => mark);
  }

  // Shows the current marks of the cells.
  update() {
    for (const cell of this.#cells) {
      const { node, shape, name } = cell;
      const mark = this.options.mark(name) ?? "outside";
      if (cell.mark === mark) continue; // most cells do not change
      cell.mark = mark;
      shape.setAttribute("class", `cell ${mark}`);
      node.setAttribute("aria-label", this.options.describe(name));
      node.setAttribute("aria-selected", mark !== "outside");
    }
    this.#follower?.update();
  }

  focus() {
    this.#cells[this.#current]?.node.focus();
  }

  #cell(name, polygon, at) {
    const [x, y] = middle(polygon);
    const shape = makeShape("path", { d: area(polygon) });
    const cross = `M${x - CROSS} ${y - CROSS}l${2 * CROSS} ${2 * CROSS}m0 ${-2 * CROSS}l${-2 * CROSS} ${2 * CROSS}`;
    const node = makeShape(
      "g",
      { role: "gridcell", tabindex: at === this.#current ? 0 : -1, "data-at": at },
      shape,
      makeShape("circle", { cx: x, cy: y, r: DOT }),
      makeShape("path", { class: "cross", d: cross }),
    );
    return { node, shape, name };
  }

  #press(event) {
    const at = placeOf(event.target);
    if (at === null || event.button > 0 || (this.scrolling.checked && event.pointerType === "touch")) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    this.#go(at);
    this.focus();
    this.#begin(this.#opposite(), event.pointerId, [event.clientX, event.clientY]);
  }

  // A fast pointer skips cells, so all cells on the line from its last position are marked.
  #move(event) {
    const stroke = this.#stroke;
    if (stroke?.pointer !== event.pointerId) return;
    const to = [event.clientX, event.clientY];
    const [across, down] = [0, 1].map((axis) => to[axis] - stroke.from[axis]);
    const steps = Math.max(1, Math.ceil(Math.hypot(across, down) / STEP));
    const places = new Set();
    for (let step = 1; step <= steps; step += 1) {
      const [x, y] = [to[0] - across * (1 - step / steps), to[1] - down * (1 - step / steps)];
      places.add(placeOf(document.elementFromPoint(x, y)));
    }
    places.delete(null);
    stroke.from = to;
    this.#paint([...places]);
  }

  #release(event) {
    if (this.#stroke?.pointer === event.pointerId) this.#end();
  }

  // Sets the mark of one cell.
  set(at, mark) {
    this.#go(at);
    this.#begin(mark);
    this.stop();
  }

  // Space and Enter mark or unmark a cell, and Delete unmarks it. With Shift, arrows mark cells. Arrows are
  // turned by `quarters` of a circle.
  type(event, quarters = 0) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const unmarks = event.key === "Delete" || event.key === "Backspace";
    if (unmarks || event.key === " " || event.key === "Enter") {
      this.#begin(unmarks ? null : this.#opposite());
      this.#end();
    } else {
      const next = this.#next(event.key, quarters);
      if (next === undefined) return;
      if (next !== null) {
        if (event.shiftKey && !this.#stroke) this.#begin(this.options.tool());
        this.#go(next);
        if (event.shiftKey) this.#paint([next]);
      }
    }
    event.preventDefault();
  }

  loosen(event) {
    if (event.key === "Shift") this.stop();
  }

  // Ends a stroke by keys.
  stop() {
    if (this.#stroke && this.#stroke.pointer === undefined) this.#end(); // the number of a pointer may be 0
  }

  #enter(event) {
    const at = placeOf(event.target);
    if (at !== null && at !== this.#current) this.#go(at);
  }

  #leave(event) {
    if (!this.svg.contains(event.relatedTarget)) this.stop();
  }

  // The mark that a stroke from the current cell sets; null to remove marks.
  #opposite() {
    const tool = this.options.tool();
    return this.options.mark(this.#cells[this.#current].name) === tool ? null : tool;
  }

  // Begins a stroke at the current cell. A stroke of a pointer has the number and the last position of the pointer.
  #begin(mark, pointer, from) {
    this.#stroke = { mark, pointer, from };
    this.#paint([this.#current]);
  }

  #end() {
    this.#stroke = null;
    this.options.end();
  }

  #paint(places) {
    const names = places.map((at) => this.#cells[at].name);
    this.options.paint(names, this.#stroke.mark);
  }

  // The cell to which a key leads; null if there is none, undefined for a key that does not move.
  #next(pressed, quarters) {
    const neighbours = this.layout.neighbours;
    const arrow = ARROWS.indexOf(pressed);
    if (arrow >= 0) return neighbours[WAYS.at((arrow - quarters) % WAYS.length)][this.#current];
    if (pressed === "Home") return farthest(neighbours.left, this.#current);
    if (pressed === "End") return farthest(neighbours.right, this.#current);
    if (!(pressed in PAGES) || !this.layout.titles.length) return undefined;
    // The cell straight above or below, or one beside it, since layers of some lattices are shifted.
    const [x, ...more] = this.layout.cells[this.#current].cell;
    const layer = more.pop() + PAGES[pressed];
    const there = [x, x + 1, x - 1].map((across) => this.layout.index.get(key([across, ...more, layer])));
    return there.find((at) => at !== undefined) ?? null;
  }

  // Moves the focus if it is in the grid.
  #go(at) {
    const focused = this.svg.contains(document.activeElement);
    this.#cells[this.#current].node.setAttribute("tabindex", -1);
    this.#current = at;
    const { node } = this.#cells[at];
    node.setAttribute("tabindex", 0);
    if (focused) node.focus({ preventScroll: false });
    this.#follower?.point();
  }
}

// The side of a square that has the area of a cell.
function across(layout) {
  const { polygon } = layout.cells[0];
  const twice = polygon.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = polygon[(at + 1) % polygon.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.sqrt(Math.abs(twice) / 2);
}

function placeOf(target) {
  const cell = target?.closest?.("[data-at]");
  return cell ? Number(cell.dataset.at) : null;
}

function farthest(toward, from) {
  let at = from;
  while (toward[at] !== null) at = toward[at];
  return at;
}

// The cells in rows, layer by layer and from the top, in the order in which a grid is read.
function rows(layout, made) {
  const heightOf = (at) => layout.cells[at].cell[1];
  const layerOf = (at) => layout.cells[at].layer;
  const inRow = Map.groupBy(layout.cells.keys(), (at) => `${layerOf(at)} ${heightOf(at)}`);
  return [...inRow.values()]
    .sort(([one], [other]) => layerOf(one) - layerOf(other) || heightOf(other) - heightOf(one))
    .map((places) => makeShape("g", { role: "row" }, ...places.map((at) => made[at].node)));
}
