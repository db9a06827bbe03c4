// A board whose tiles are painted side by side, as immutable data: each edit makes another board.
//
// `sides` has four colours for each tile, row by row from the top left: north, east, south, west. null is a
// side without a colour, and 0 is the colour of the frame. In the mode SOLVED, both sides of an edge have the
// same colour, and the sides at the frame have the colour of the frame.

export const [TILES, SOLVED] = ["tiles", "solved"];

const [EAST, SOUTH] = [1, 2];

export function emptyBoard() {
  const board = { name: "my-board", width: 4, height: 4, colours: 4, mode: SOLVED, seed: 1, sides: [] };
  return resized({ ...board, sides: Array(64).fill(null) }, 4, 4);
}

// The side on the other side of an edge; null at the frame.
export function facing({ width, height }, at) {
  const [tile, side] = [Math.floor(at / 4), at % 4];
  const column = (tile % width) + [0, 1, 0, -1][side];
  const row = Math.floor(tile / width) + [-1, 0, 1, 0][side];
  if (column < 0 || column >= width || row < 0 || row >= height) return null;
  return 4 * (row * width + column) + ((side + 2) % 4);
}

// The board after a side is painted; in the mode SOLVED, the facing side is painted, too.
export function painted(board, at, colour) {
  const beyond = facing(board, at);
  if (board.mode === SOLVED && beyond === null) return board;
  const sides = board.sides.with(at, colour);
  return { ...board, sides: board.mode === SOLVED ? sides.with(beyond, colour) : sides };
}

// The board in another size; tiles that are in both sizes keep their colours.
export function resized(board, width, height) {
  const old = (tile) => Math.floor(tile / width) * board.width + (tile % width);
  const kept = (tile) => tile % width < board.width && Math.floor(tile / width) < board.height;
  const sides = Array.from({ length: 4 * width * height }, (_, at) =>
    kept(Math.floor(at / 4)) ? board.sides[4 * old(Math.floor(at / 4)) + (at % 4)] : null,
  );
  return inMode({ ...board, width, height, sides }, board.mode);
}

// The board in another mode: in the mode SOLVED, both sides of an edge get the colour of one of them.
export function inMode(board, mode) {
  if (mode === TILES) return { ...board, mode };
  const sides = board.sides.map((_, at) => {
    const beyond = facing(board, at);
    if (beyond === null) return 0;
    const [first, second] = [EAST, SOUTH].includes(at % 4) ? [at, beyond] : [beyond, at];
    return board.sides[first] || board.sides[second] || null;
  });
  return { ...board, mode, sides };
}

// The board as data for the server.
export function toData({ name, width, height, mode, seed, sides }) {
  const tiles = Array.from({ length: width * height }, (_, tile) => sides.slice(4 * tile, 4 * tile + 4));
  return { name, width, height, tiles, ...(mode === SOLVED ? { seed } : {}) };
}

export function fromData({ name, width, height, tiles }) {
  const sides = tiles.flat();
  return { ...emptyBoard(), name, width, height, mode: TILES, sides, colours: Math.max(1, ...sides) };
}
