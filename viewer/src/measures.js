// Lengths and middles of cells.

export const BALL = 0.49; // radius of a ball: those that touch are 1 apart

export function middleOf(cells) {
  const middles = cells.map(({ corners }) => mean(corners));
  return mean(middles);
}

// How far the cells reach from a point.
export function reachOf(cells, point) {
  const distance = (corner) => Math.hypot(...corner.map((along, axis) => along - point[axis]));
  return Math.max(...cells.map(({ corners, faces }) => Math.max(...corners.map(distance)) + (faces.length ? 0 : BALL)));
}

export function mean(points) {
  return [0, 1, 2].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
}
