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
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { middleOf } from "./measures.js";
import { solid } from "./solid.js";

const RIM = 0.018; // how far the shell of what is round lies outside: it shows as a dark rim
const MUTED = 0.65; // how far towards the paper pieces go beside the one that is looked at
const [OUTLINE, OUTLINE_PICKED_OUT] = [2, 3.5];

export class Body {
  constructor(piece) {
    const { positions, normals, outlines, seams, owners, round } = solid(piece.cells, true);
    this.piece = piece;
    this.step = piece.step;
    this.cells = piece.cells;
    this.middle = middleOf(piece.cells);
    this.variable = piece.variable;
    this.paler = piece.paler ?? 0;
    // Pushed back a little, so that it does not cut into the lines upon it.
    const back = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    const surface = patterned(new MeshLambertMaterial(back), piece.pattern);
    this.surface = mesh({ position: positions, normal: normals }, surface);
    this.surface.userData.owners = owners;
    this.outline = lines(outlines, OUTLINE);
    // Drawn over everything: where a piece that is picked out is hidden behind others.
    this.through = lines(outlines, 1.5, { depthTest: false, transparent: true, opacity: 0.6 });
    this.through.renderOrder = 1;
    this.seams = lines(seams.length ? seams : [0, 0, 0, 0, 0, 0], 1, { transparent: true });
    this.round = Boolean(round);
    // Seen from within only, behind everything of the piece but its rim.
    const position = round ? positions.map((along, n) => along + RIM * normals[n]) : [];
    this.shell = mesh({ position }, new MeshBasicMaterial({ side: BackSide }));
    this.group = new Group().add(this.surface, this.outline, this.through, this.seams, this.shell);
  }

  // `look` is "plain", "picked out" or "muted".
  colour(colourOf, look) {
    const towardsPaper = look === "muted" ? MUTED : this.paler;
    this.surface.material.color = colourOf(this.variable, towardsPaper);
    this.outline.material.color = colourOf("--ink", look === "muted" ? MUTED : 0);
    this.outline.material.linewidth = look === "picked out" ? OUTLINE_PICKED_OUT : OUTLINE;
    this.outline.visible = !this.round || look === "picked out"; // rings, of what has no edges
    this.shell.material.color = this.outline.material.color;
    this.seams.material.color = colourOf("--ink");
    this.seams.material.opacity = look === "muted" ? 0.1 : 0.3;
    this.through.visible = look === "picked out";
    this.through.material.color = colourOf("--ink");
  }
}

// Segments between the points of each pair, some pixels wide: WebGL's own lines are always one. `looks` are
// properties of the material.
export function lines(points, linewidth, looks = {}) {
  const geometry = new LineSegmentsGeometry().setPositions(points);
  return new LineSegments2(geometry, new LineMaterial({ linewidth, ...looks }));
}

// Dark lines, dots or dashes where parallel planes cut the surface: one way, and for the other two also across.
const MARKS = [
  "",
  "lies(2.0 * along, 0.2)",
  "lies(2.0 * along, 0.3) * lies(across, 0.3)",
  "lies(2.0 * along, 0.2) * lies(across, 0.6)",
];

function patterned(material, pattern) {
  if (!pattern) return material;
  material.customProgramCacheKey = () => `pattern ${pattern}`;
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 place;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nplace = position;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        "#include <common>\nvarying vec3 place;\nfloat lies(float at, float share) { return step(fract(at), share); }",
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        float along = place.x + place.y + place.z + 0.1;
        float across = place.x - 2.0 * place.y + 3.0 * place.z + 0.1;
        diffuseColor.rgb *= 1.0 - 0.7 * ${MARKS[pattern]};`,
      );
  };
  return material;
}

export function mesh(attributes, material) {
  const geometry = new BufferGeometry();
  for (const [name, values] of Object.entries(attributes)) {
    geometry.setAttribute(name, new Float32BufferAttribute(values, 3));
  }
  return new Mesh(geometry, material);
}
