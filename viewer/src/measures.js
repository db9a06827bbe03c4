// Lengths and middles of cells; cell (0, 0, 0) is the cube between 0 and 1.

export function middleOf(cells) {
  return [0, 1, 2].map((axis) => cells.reduce((sum, cell) => sum + cell[axis] + 0.5, 0) / cells.length);
}

// How far the cells reach from a point.
export function reachOf(cells, point) {
  const half = Math.sqrt(0.75); // from the middle of a cell to its corner
  const distance = (cell) => Math.hypot(...cell.map((along, axis) => along + 0.5 - point[axis]));
  return Math.max(...cells.map(distance)) + half;
}
