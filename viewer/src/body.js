// One piece in the picture: a solid, its outline, and faint lines between its cells.

import {
  BackSide,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
} from "three";
import { lines } from "./lines.js";
import { middleOf } from "./measures.js";
import { solid } from "./solid.js";

const RIM = 0.018; // how far the shell of what is round lies outside: it shows as a dark rim
const MUTED = 0.65; // how far towards the paper pieces go beside the one that is looked at
const [OUTLINE, OUTLINE_PICKED_OUT] = [2, 3.5];

export class Body {
  constructor(piece) {
    const { positions, normals, outlines, seams, round } = solid(piece.cells, true);
    this.step = piece.step;
    this.cells = piece.cells;
    this.middle = middleOf(piece.cells);
    this.variable = piece.variable;
    this.surface = surface(positions, normals);
    this.outline = lines(outlines, OUTLINE);
    // Drawn over everything: where a piece that is picked out is hidden behind others.
    this.through = lines(outlines, 1.5, { depthTest: false, transparent: true, opacity: 0.6 });
    this.through.renderOrder = 1;
    this.seams = lines(seams.length ? seams : [0, 0, 0, 0, 0, 0], 1, { transparent: true });
    this.round = Boolean(round);
    this.shell = shell(round ? positions.map((along, n) => along + RIM * normals[n]) : []);
    this.group = new Group().add(this.surface, this.outline, this.through, this.seams, this.shell);
  }

  // `look` is "plain", "picked out" or "muted".
  colour(palette, look) {
    const towardsPaper = look === "muted" ? MUTED : 0;
    this.surface.material.color = palette.of(this.variable, towardsPaper);
    this.outline.material.color = palette.of("--ink", towardsPaper);
    this.outline.material.linewidth = look === "picked out" ? OUTLINE_PICKED_OUT : OUTLINE;
    this.outline.visible = !this.round || look === "picked out"; // rings, of what has no edges
    this.shell.material.color = palette.of("--ink", towardsPaper);
    this.seams.material.color = palette.of("--ink");
    this.seams.material.opacity = look === "muted" ? 0.1 : 0.3;
    this.through.visible = look === "picked out";
    this.through.material.color = palette.of("--ink");
  }

  dispose() {
    for (const { geometry, material } of this.group.children) {
      geometry.dispose();
      material.dispose();
    }
  }
}

// Seen from within only, behind everything of the piece but its rim.
function shell(positions) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  return new Mesh(geometry, new MeshBasicMaterial({ side: BackSide }));
}

function surface(positions, normals) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  // Pushed back a little, so that it does not cut into the lines upon it.
  const back = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
  return new Mesh(geometry, new MeshLambertMaterial(back));
}
