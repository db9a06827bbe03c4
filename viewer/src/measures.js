// Lengths and middles of cells, and normals of faces.

import { Vector3 } from "three";

export const BALL = 0.49; // radius of a ball: those that touch are 1 apart

export function middleOf(cells) {
  return mean(cells.map(({ corners }) => mean(corners)));
}

// How far the cells reach from a point.
export function reachOf(cells, point) {
  const distance = (corner) => Math.hypot(...corner.map((along, axis) => along - point[axis]));
  return Math.max(...cells.map(({ corners, faces }) => Math.max(...corners.map(distance)) + (faces.length ? 0 : BALL)));
}

export function mean(points) {
  return [0, 1, 2].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
}

export function normalOf(face) {
  const [a, b, c] = face.slice(0, 3).map((point) => new Vector3(...point));
  return b.sub(a).cross(c.sub(a)).normalize();
}
