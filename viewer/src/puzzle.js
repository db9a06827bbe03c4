// What the page shows, from the data that are embedded in it.

// `size` is the box around the region; `cells` are the region's, the least coordinates being 0.
// `solutions` are lists of pieces: first those that lie fixed, in step 0, then the others in steps from 1.
export function readPuzzle(text) {
  const { size, cells, fixed, solutions } = JSON.parse(text);
  const piece = ([name, mark, colour, numbers], step) => ({
    name,
    mark,
    step,
    variable: `--piece-${colour}`,
    cells: numbers.map((number) => cells[number]),
  });
  const always = fixed.map((row) => piece(row, 0));
  const whole = (placed) => [...always, ...placed.map((row, n) => piece(row, n + 1))];
  return { size, cells, solutions: solutions.map(whole) };
}
