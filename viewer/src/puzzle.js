const COLOURS = 12; // of pieces
const PATTERNS = 4; // none, lines, dots, dashes

// What the page shows, from the data that are embedded in it.

// `noun` is what a solution is called, `size` the box around the places that the cells have in text. A cell is a
// convex polyhedron: `corners`, points in space, and `faces`, lists of them anticlockwise as seen from outside;
// without faces it is a ball about its corner. `solutions` are lists of pieces in an order in which they can be put together: first those
// that lie fixed, in step 0, then the others in steps from 1.
// `moves` are, for solutions that are taken apart, lists of {text, moving, by, offsets}: the pieces that moved, by
// number, the direction, and where each piece is then.
export function readPuzzle(text) {
  const { name, noun, size, flat, solids, cells: moved, places, colours, fixed, solutions, moves } = JSON.parse(text);
  const cells = moved.map(([number, ...by], n) => ({ ...cell(solids[number], by, places[n]), colour: colours[n] }));
  const piece = ([pieceName, mark, number, numbers], step) => ({
    name: pieceName,
    mark,
    step,
    variable: `--piece-${number === "fixed" ? number : number % COLOURS}`,
    pattern: number === "fixed" ? 0 : Math.floor(number / COLOURS) % PATTERNS,
    cells: numbers.map((cellNumber) => cells[cellNumber]),
  });
  const always = fixed.map((row) => piece(row, 0));
  const whole = (placed) => [...always, ...placed.map((row, n) => piece(row, n + 1))];
  return { name, noun, size, flat, cells, solutions: solutions.map(whole), moves };
}

export function cell([about, faces], by, place) {
  const corners = about.map((corner) => corner.map((along, axis) => along + by[axis]));
  return { place, corners, faces: faces.map((face) => face.map((number) => corners[number])) };
}
