// The sides of polygons: the polygons beside each side, and paths of the sides between different owners.

import { makeShape } from "../elements.js";

// A list of {from, to, of: [numbers of one or two polygons]}.
export function sidesOf(polygons) {
  const sides = polygons.flatMap((polygon, number) =>
    polygon.map((from, at) => ({ from, to: polygon[(at + 1) % polygon.length], number })),
  );
  const alike = Map.groupBy(sides, ({ from, to }) => [place(from), place(to)].sort().join(" "));
  return [...alike.values()].map((found) => ({ ...found[0], of: found.map(({ number }) => number) }));
}

// Path data of the sides between polygons of different owners; `owners` maps the numbers of polygons.
export function parting(sides, owners) {
  const drawn = sides.filter(({ of: [one, other] }) => owners.get(one) !== owners.get(other));
  return drawn.map(({ from, to }) => `M${from.join(" ")}L${to.join(" ")}`).join("");
}

export function area(polygon) {
  return `M${polygon.map((point) => point.join(" ")).join("L")}Z`;
}

export function middle(polygon) {
  return [0, 1].map((axis) => polygon.reduce((sum, point) => sum + point[axis], 0) / polygon.length);
}

// The titles of the layers of a layout.
export function titles(layout) {
  return layout.titles.map(([text, x, y]) => makeShape("text", { class: "title", x, y }, text));
}

function place(point) {
  return point.map((value) => value.toFixed(2)).join(",");
}
