// Lines some pixels wide: WebGL's own are always one.

import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

// Segments between the points of each pair; `looks` are properties of the material.
export function lines(points, linewidth, looks = {}) {
  const geometry = new LineSegmentsGeometry().setPositions(points);
  return new LineSegments2(geometry, new LineMaterial({ linewidth, ...looks }));
}
