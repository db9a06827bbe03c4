// The surface of a polycube, drawn in a little from its cells so that a groove parts it from its neighbours.
//
// Each cell is cut into 3 × 3 × 3 blocks, thin ones along its sides. A block belongs to the solid if every
// cell that touches it is one of the piece's. Coordinates are integers until the end: 3c is where cell c
// begins, 3c + 1 and 3c + 2 are where its inner block begins and ends. Cells have no negative coordinates.

const SIDES = [0, 1, 2].flatMap((axis) => [-1, 1].map((step) => ({ axis, step })));

// Triangles with their normals; `outlines`, where the surface has an edge, and `seams`, where two cells of
// one piece meet in a flat part of it: both as pairs of points. `inset` is how far the surface is drawn in.
export function solid(cells, inset) {
  const place = (index) => Math.floor(index / 3) + [0, inset, 1 - inset][index % 3];
  const point = (corner) => corner.map(place);
  const made = { positions: [], normals: [], outlines: [], seams: [] };
  const edges = new Map();
  for (const side of faces(cells)) {
    const [a, b, c, d] = side.corners.map(point);
    made.positions.push(...a, ...b, ...c, ...a, ...c, ...d);
    for (let n = 0; n < 6; n += 1) made.normals.push(...side.normal);
    side.corners.forEach((corner, n) => noteEdge(edges, side, corner, side.corners[(n + 1) % 4]));
  }
  for (const edge of edges.values()) {
    if (edge.bent) made.outlines.push(...point(edge.from), ...point(edge.to));
    else if (edge.between) made.seams.push(...point(edge.from), ...point(edge.to));
  }
  return made;
}

// The sides of blocks that have no block behind them.
function* faces(cells) {
  const blocks = blocksOf(cells);
  for (const block of blocks.values()) {
    for (const { axis, step } of SIDES) {
      if (!blocks.has(`${moved(block, axis, step)}`)) yield face(block, axis, step);
    }
  }
}

function blocksOf(cells) {
  const inside = new Set(cells.map(String));
  const blocks = new Map();
  for (const cell of cells) {
    for (let n = 0; n < 27; n += 1) {
      const part = [n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9)];
      if (touching(cell, part).every((other) => inside.has(`${other}`))) {
        const block = cell.map((c, axis) => 3 * c + part[axis]);
        blocks.set(`${block}`, block);
      }
    }
  }
  return blocks;
}

// The cells that a block lies in or against: `part` says where in `cell` it is, 0 to 2 along each axis.
function touching(cell, part) {
  let found = [cell];
  part.forEach((along, axis) => {
    if (along !== 1) found = found.flatMap((c) => [c, moved(c, axis, along - 1)]);
  });
  return found;
}

// Corners go round anticlockwise, seen from outside.
function face(block, axis, step) {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const first = step > 0 ? moved(block, axis, 1) : block;
  const round = [first, moved(first, u, 1), moved(moved(first, u, 1), v, 1), moved(first, v, 1)];
  return { axis, normal: moved([0, 0, 0], axis, step), corners: step > 0 ? round : round.reverse() };
}

// An edge is bent when the faces on its two sides look different ways. It is between cells when it lies
// on a plane of the lattice across its face.
function noteEdge(edges, { axis, normal }, from, to) {
  const key = [from, to].map(String).sort().join(" ");
  const known = edges.get(key);
  if (known) {
    known.bent = `${known.normal}` !== `${normal}`;
  } else {
    const across = [0, 1, 2].find((other) => other !== axis && from[other] === to[other]);
    edges.set(key, { from, to, normal, bent: false, between: from[across] % 3 === 0 });
  }
}

function moved(point, axis, by) {
  return point.map((along, other) => (other === axis ? along + by : along));
}
