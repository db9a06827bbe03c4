// The position of a player, as immutable data: each move makes another position.
//
// `cells` has [tile, rotation] or null for each cell, row by row from the top left. Rotations are quarter turns
// anticlockwise; from 4 on, the tile is flipped. `locked` is true for each cell whose tile stays.

export function emptyPosition({ width, height, hints }) {
  const cells = Array(width * height).fill(null);
  const locked = cells.map(() => false);
  for (const { tile, rotation, x, y } of hints) {
    const at = (height - 1 - y) * width + x;
    cells[at] = [tile, rotation];
    locked[at] = true;
  }
  return { cells, locked };
}

// The position after a tile from the cell `from` is placed, or from the tray if `from` is null. The result is
// null if either cell has a locked tile.
export function placed(position, at, { tile, rotation, from }) {
  if (position.locked[at] || (from !== null && position.locked[from])) return null;
  const cells = from === null ? position.cells : position.cells.with(from, null);
  return { ...position, cells: cells.with(at, [tile, rotation]) };
}

// The position after a tile is turned by `turn`, a function of rotations; null if there is no tile to turn.
export function turned(position, at, turn) {
  const cell = position.cells[at];
  if (!cell || position.locked[at]) return null;
  return { ...position, cells: position.cells.with(at, [cell[0], turn(cell[1])]) };
}

export function takenAway(position, at) {
  if (!position.cells[at] || position.locked[at]) return null;
  return { ...position, cells: position.cells.with(at, null) };
}

export function toggledLock(position, at) {
  return position.cells[at] && { ...position, locked: position.locked.with(at, !position.locked[at]) };
}

// The position with only its locked tiles.
export function cleared({ cells, locked }) {
  return { cells: cells.map((cell, at) => (locked[at] ? cell : null)), locked };
}

// The cells in the form for the server: rows from the bottom.
export function toRows({ cells }, width) {
  const rows = Array.from({ length: cells.length / width }, (_, row) => cells.slice(row * width, (row + 1) * width));
  return rows.reverse();
}

// The position with cells from the server; a locked tile stays locked if it is still in its cell.
export function withRows({ cells, locked }, rows) {
  const next = rows.toReversed().flat();
  return { cells: next, locked: locked.map((lock, at) => lock && next[at]?.[0] === cells[at][0]) };
}
