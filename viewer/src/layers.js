// The layers of the region as tables of letters, as in text: one for each z, the largest y in the first row.

import { make } from "./elements.js";

const OPEN = ".";

// `pieces` are those to be shown, `current` is the step of the one picked out.
export function writeLayers(target, { size, cells }, pieces, current) {
  const open = cells.map(({ place }) => [`${place}`, make("td", { className: "open" }, OPEN)]);
  const filled = pieces.flatMap((piece) =>
    piece.cells.map(({ place }) => [`${place}`, filledCell(piece, current !== null && piece.step === current)]),
  );
  const shown = new Map([...open, ...filled]);
  const [columns, rows, layers] = size.map((length) => [...Array(length).keys()]);
  const cell = (x, y, z) => shown.get(`${[x, y, z]}`) ?? make("td", { className: "outside" });
  const row = (y, z) => make("tr", {}, ...columns.map((x) => cell(x, y, z)));
  const layer = (z) => {
    const body = make("tbody", {}, ...rows.map((y) => row(y, z)).reverse());
    return make("table", { className: "layer" }, make("caption", {}, `z = ${z}`), body);
  };
  target.replaceChildren(...layers.map(layer));
}

function filledCell(piece, isCurrent) {
  const made = make("td", { className: isCurrent ? "current" : "", title: piece.name }, piece.mark);
  made.style.setProperty("--piece", `var(${piece.variable})`);
  return made;
}
