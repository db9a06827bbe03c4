// The position of a player, as plain data: each move makes another one.
//
// `cells` has [tile, rotation] or null for each cell, row by row from the top left; a rotation is a number
// of quarter turns anticlockwise, of the flipped tile from 4 on. `locked` tells for each cell whether its tile stays.

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

// The position after the tile in hand is placed, taken `from` a cell, or from the tray where that is null;
// null where a locked tile lies.
export function placed(position, at, { tile, rotation, from }) {
  if (position.locked[at] || (from !== null && position.locked[from])) return null;
  const cells = from === null ? position.cells : position.cells.with(from, null);
  return { ...position, cells: cells.with(at, [tile, rotation]) };
}

// The position after a tile is turned by `turn`, a function of rotations.
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

// The position without the tiles that are not locked.
export function cleared({ cells, locked }) {
  return { cells: cells.map((cell, at) => (locked[at] ? cell : null)), locked };
}

// The cells as the server has them: rows from the bottom.
export function toRows({ cells }, width) {
  const rows = Array.from({ length: cells.length / width }, (_, row) => cells.slice(row * width, (row + 1) * width));
  return rows.reverse();
}

// The position with the cells of the server; what is locked stays locked where its tile lies.
export function withRows({ cells, locked }, rows) {
  const next = rows.toReversed().flat();
  return { cells: next, locked: locked.map((lock, at) => lock && next[at]?.[0] === cells[at][0]) };
}
