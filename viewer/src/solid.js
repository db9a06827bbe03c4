// The surface of a piece, drawn in a little from its cells so that a groove parts it from its neighbours.
//
// Faces that two cells of the piece have in common are left out. The others move inward, and a corner goes to
// where those about it meet; where they do not all meet in a point, to the nearest one.

import { CylinderGeometry, Matrix3, Quaternion, SphereGeometry, Vector3 } from "three";
import { BALL, mean, normalOf } from "./measures.js";

const GROOVE = 0.07; // of the distance from a cell's middle to its nearest face
const ALIKE = 1 - 1e-6; // the cosine between normals of faces in one plane
const SOFT = 1e-6; // where fewer than three planes meet, the corner moves as little as it can
const EXACT = 1e3; // points that agree when multiplied by this and rounded are the same
const [ROUND, TALL] = [28, 18]; // parts of a sphere's surface
const MANY = 200; // balls from which on they are coarser, without what joins them
const COARSER = 0.4;
const NECK = 0.2; // radius of what joins two balls
export const TOUCHING = 1.01; // distance of two balls up to which they are joined

// Triangles with their normals; `outlines`, where the surface has an edge, and `seams`, where two cells of
// one piece meet in a flat part of it: both as pairs of points; `owners`, of each triangle the face with its
// `cell`. `grooved`: whether the surface is drawn in.
export function solid(cells, grooved) {
  if (!cells[0].faces.length) return balls(cells);
  const faces = boundary(cells);
  const inset = grooved ? GROOVE * Math.min(...cells.map(inradius)) : 0;
  const corners = drawnIn(faces, inset);
  const made = { positions: [], normals: [], outlines: [], seams: [], owners: [] };
  for (const face of faces) {
    const points = corners.get(face);
    for (let n = 2; n < points.length; n += 1) {
      made.positions.push(...points[0], ...points[n - 1], ...points[n]);
      made.normals.push(...face.normal, ...face.normal, ...face.normal);
      made.owners.push(face);
    }
  }
  const done = new Set();
  for (const face of faces) {
    face.beside.forEach((other, n) => {
      if (done.has(other)) return;
      const bent = face.normal.dot(other.normal) < ALIKE;
      const points = corners.get(face);
      (bent ? made.outlines : made.seams).push(...points[n], ...points[(n + 1) % points.length]);
    });
    done.add(face);
  }
  return made;
}

// How far the middle of a cell is from its nearest face.
function inradius({ corners, faces }) {
  const middle = new Vector3(...mean(corners));
  return Math.min(...faces.map((face) => Math.abs(normalOf(face).dot(middle.clone().sub(new Vector3(...face[0]))))));
}

// Of each face its points, moved. The corners of faces that follow one another about a point move alike.
function drawnIn(faces, inset) {
  const about = new Map(faces.map((face) => [face, face.points.map(() => null)]));
  for (const face of faces) {
    face.points.forEach((_, n) => {
      if (!about.get(face)[n]) gather(face, n, about);
    });
  }
  const moved = new Map();
  for (const normals of new Set([...about.values()].flat())) moved.set(normals, step(normals, inset));
  const movedPoint = (face, n) => moved.get(about.get(face)[n]).clone().add(new Vector3(...face.points[n])).toArray();
  return new Map(faces.map((face) => [face, face.points.map((_, n) => movedPoint(face, n))]));
}

// Walks round a corner, from each face to the one beside it, and gives them all one list of their normals.
function gather(face, n, about) {
  const normals = [];
  const key = face.keys[n];
  for (let here = face, at = n; !about.get(here)[at]; at = here.keys.indexOf(key)) {
    about.get(here)[at] = normals;
    if (normals.every((normal) => normal.dot(here.normal) < ALIKE)) normals.push(here.normal);
    here = here.beside[at];
  }
}

// The step that takes a corner by `inset` behind all planes with these normals, by least squares.
function step(normals, inset) {
  const sum = normals.reduce((total, normal) => total.add(normal), new Vector3());
  const square = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const normal of normals) {
    const along = normal.toArray();
    for (let k = 0; k < 9; k += 1) square[k] += along[Math.floor(k / 3)] * along[k % 3];
  }
  for (const k of [0, 4, 8]) square[k] += SOFT;
  return sum.multiplyScalar(-inset).applyMatrix3(new Matrix3().set(...square).invert());
}

// The faces of cells of a piece that no other of its cells has. Each has its `points`, `keys` that are equal
// for equal points, its `normal`, and at every place n the face `beside` it along the side from n to the next.
function boundary(cells) {
  const everyFace = cells.flatMap((cell) => facesOf(cell));
  const inFace = Map.groupBy(everyFace, ({ name }) => name);
  const twin = new Map();
  for (const [one, other] of inFace.values()) if (other) twin.set(one, other).set(other, one);
  const outside = everyFace.filter((face) => !twin.has(face));
  for (const face of outside) face.beside = face.keys.map((_, n) => across(face, sideKey(face, n), twin));
  return outside;
}

// The faces of a cell; those that two cells have in common have the same `name`.
export function facesOf(cell) {
  const faces = cell.faces.map((points) => {
    const keys = points.map(keyOf);
    return { cell, points, keys, name: [...keys].sort().join(" "), normal: normalOf(points) };
  });
  const bySide = new Map();
  for (const face of faces) {
    face.keys.forEach((_, n) => bySide.set(sideKey(face, n), [...(bySide.get(sideKey(face, n)) ?? []), face]));
  }
  for (const face of faces) face.sides = bySide;
  return faces;
}

// The next face outside, through the cells about a side: where two parts of a piece meet in no more than a
// side, each goes round its own.
function across(face, side, twin) {
  for (let here = face; ; here = twin.get(here)) {
    here = here.sides.get(side).find((other) => other !== here);
    if (!twin.has(here)) return here;
  }
}

function sideKey({ keys }, n) {
  return [keys[n], keys[(n + 1) % keys.length]].sort().join(" ");
}

function keyOf(point) {
  return point.map((along) => Math.round(along * EXACT)).join();
}

// A piece of balls: each a sphere, and those that touch joined by a neck. Outlines are rings about the balls.
function balls(cells) {
  const middles = cells.map(({ corners: [middle] }) => new Vector3(...middle));
  const many = cells.length >= MANY;
  const [round, tall] = [ROUND, TALL].map((parts) => Math.round(many ? parts * COARSER : parts));
  const made = { positions: [], normals: [], outlines: middles.flatMap(ring), seams: [], owners: [], round: true };
  const sphere = new SphereGeometry(BALL, round, tall).toNonIndexed();
  middles.forEach((middle, n) => {
    add(made, sphere.clone().translate(...middle), cells[n]);
    for (const other of many ? [] : middles.slice(0, n)) {
      if (middle.distanceTo(other) < TOUCHING) add(made, neck(middle, other), cells[n]);
    }
  });
  return made;
}

function neck(one, other) {
  const along = other.clone().sub(one);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), along.clone().normalize());
  const tube = new CylinderGeometry(NECK, NECK, along.length(), ROUND, 1, true).toNonIndexed();
  return tube.applyQuaternion(turn).translate(...one.clone().add(other).divideScalar(2));
}

function add({ positions, normals, owners }, geometry, cell) {
  for (const value of geometry.getAttribute("position").array) positions.push(value);
  for (const value of geometry.getAttribute("normal").array) normals.push(value);
  while (9 * owners.length < positions.length) owners.push({ cell });
}

// Its equator.
function ring(middle) {
  const at = (n) => {
    const angle = (2 * Math.PI * n) / ROUND;
    return [middle.x + BALL * Math.cos(angle), middle.y + BALL * Math.sin(angle), middle.z];
  };
  return [...Array(ROUND).keys()].flatMap((n) => [...at(n), ...at(n + 1)]);
}
