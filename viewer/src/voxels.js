// A solid that is being drawn on a sheet of cells: its parts in their colours, the floor of the sheet to begin
// on, the cell that the keyboard is at, and the cell that a click would change.

import { BackSide, MeshBasicMaterial } from "three";
import { lines, mesh } from "./body.js";
import { BALL } from "./measures.js";
import { Orbit } from "./orbit.js";
import { Picture, colours } from "./picture.js";
import { cell } from "./puzzle.js";
import { TOUCHING, facesOf, solid } from "./solid.js";

const DOWNWARD = -0.5; // the height of a normal up to which a face is part of the floor
const SIDES = 24; // of a disc on the floor
const WHOLE = { step: null, apart: 0 };

export class Voxels {
  #cells = [];
  #inFace = new Map(); // the numbers of the cells that have a face, by its name
  #picture = null;
  #floor = [];
  #marks = [];
  #pieces = new Map(); // those that are shown, by what `show` was given of each

  // `context` is the WebGL 2 of `canvas`.
  constructor(canvas, context) {
    Object.assign(this, { canvas, context });
    this.orbit = new Orbit(false, () => this.#picture?.draw());
    this.orbit.listen(canvas, { keys: false });
  }

  // Takes another sheet: its cells by their solids and how those are moved. `floor`: whether it has one.
  take({ solids, places }, floor = true) {
    this.outline([]);
    for (const thing of this.#floor) this.#picture.remove(thing);
    this.#floor = [];
    this.#pieces = new Map();
    this.#cells = places.map(([number, ...by], at) => cell(solids[number], by, at));
    this.#picture ??= new Picture(this.canvas, this.context, this.#cells, this.orbit);
    this.#picture.within(this.#cells);
    this.#inFace = new Map();
    for (const { name, cell: { place } } of this.#cells.flatMap(facesOf)) {
      this.#inFace.set(name, [...(this.#inFace.get(name) ?? []), place]);
    }
    if (floor) this.#lay();
  }

  #lay() {
    const position = [];
    const owners = [];
    const faces = this.#bottom();
    for (const face of faces) {
      for (let n = 2; n < face.points.length; n += 1) {
        position.push(...face.points[0], ...face.points[n - 1], ...face.points[n]);
        owners.push(face);
      }
    }
    const edges = faces.flatMap(({ points }) =>
      points.flatMap((point, n) => [...point, ...points[(n + 1) % points.length]]),
    );
    // Seen, and met by a pointer, from above only.
    const plate = mesh({ position }, new MeshBasicMaterial({ side: BackSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
    plate.userData.owners = owners;
    this.#floor = [plate, lines(edges, 1)].map((thing) => this.#picture.add(thing));
  }

  // The faces of the sheet that look down, as {points, cell}; of balls, discs below the lowest ones.
  #bottom() {
    if (this.#cells[0].faces.length) {
      const faces = new Set(solid(this.#cells, false).owners);
      return [...faces].filter(({ normal }) => normal.z <= DOWNWARD);
    }
    const bottom = Math.min(...this.#cells.map(({ corners: [[, , z]] }) => z)) + BALL;
    const lowest = this.#cells.filter(({ corners: [[, , z]] }) => z < bottom);
    return lowest.map((ball) => ({ cell: ball, points: disc(ball.corners[0]) }));
  }

  // Shows `parts` of the solid, each with the numbers of its cells in `places`, the CSS `variable` of its
  // colour, its `pattern`, and how much `paler` it is. Parts that are shown already stay as they are.
  show(parts) {
    const before = this.#pieces;
    const there = parts.filter(({ places }) => places.length).map((part) => [JSON.stringify(part), part]);
    this.#pieces = new Map(there.map(([key, part]) => [key, before.get(key) ?? this.#piece(part)]));
    this.#picture.take([...this.#pieces.values()]);
    this.recolour();
  }

  #piece({ places, ...look }) {
    return { ...look, step: 0, cells: places.map((at) => this.#cells[at]) };
  }

  // Draws the colours of the page as they are now.
  recolour() {
    if (!this.#picture) return;
    const colourOf = colours();
    this.#picture.update(WHOLE);
    const [plate, edges] = this.#floor;
    // Rings of all balls would hide those that are there; the floor shows where they can be.
    this.#picture.frame.visible = !plate || this.#cells[0].faces.length > 0;
    if (!plate) return;
    plate.material.color = colourOf("--faint", 0.88);
    edges.material.color = colourOf("--faint", 0.5);
  }

  // Outlines cells: {at, variable, width} for each, `at` a number, or several of cells that have one outline.
  outline(marks) {
    const colourOf = colours();
    for (const mark of this.#marks) this.#picture.remove(mark);
    this.#marks = marks.map(({ at, variable, width }) => {
      const drawn = lines(solid([at].flat().map((place) => this.#cells[place]), false).outlines, width, { depthTest: false, transparent: true });
      drawn.material.color = colourOf(variable);
      drawn.renderOrder = 2;
      return this.#picture.add(drawn);
    });
    this.#picture?.draw();
  }

  // What a pointer is at: the number of a cell of the solid, null at the floor, and of the cell `beside` it in
  // front of the face, null where the sheet ends; null where the pointer is at neither.
  under(event) {
    const hit = this.#picture.hit(event, this.#floor.slice(0, 1));
    if (!hit) return null;
    const { cell: { place }, name } = hit.object.userData.owners[hit.faceIndex];
    if (hit.object === this.#floor[0]) return { at: null, beside: place };
    const beside = name ? this.#inFace.get(name)?.find((other) => other !== place) : this.#touching(place, hit.point);
    return { at: place, beside: beside ?? null };
  }

  // The number of the ball which would touch the one in a place nearest to where a pointer met it.
  #touching(place, { x, y, z }) {
    const filled = new Set([...this.#pieces.values()].flatMap(({ cells }) => cells));
    const centre = this.#cells[place].corners[0];
    const met = [x, y, z].map((along, axis) => along + this.#picture.middle[axis]);
    const away = (ball, point) => Math.hypot(...point.map((along, axis) => along - ball.corners[0][axis]));
    const around = this.#cells.filter((ball) => !filled.has(ball) && away(ball, centre) < TOUCHING);
    return around.sort((a, b) => away(a, met) - away(b, met))[0]?.place;
  }
}

// A circle below a ball, clockwise as seen from above.
function disc([x, y, z]) {
  return [...Array(SIDES).keys()].map((n) => {
    const angle = (-2 * Math.PI * n) / SIDES;
    return [x + BALL * Math.cos(angle), y + BALL * Math.sin(angle), z - BALL];
  });
}
