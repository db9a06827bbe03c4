// A piece of balls: each a sphere, and those that touch joined by a neck.

import { CylinderGeometry, Quaternion, SphereGeometry, Vector3 } from "three";
import { BALL } from "./measures.js";

const [ROUND, TALL] = [28, 18]; // pieces of a sphere's surface
const NECK = 0.2; // its radius
const TOUCHING = 1.01;

// As in `solid`; outlines are rings about the balls.
export function balls(cells) {
  const middles = cells.map(({ corners: [middle] }) => new Vector3(...middle));
  const made = { positions: [], normals: [], outlines: middles.flatMap(ring), seams: [], round: true };
  const sphere = new SphereGeometry(BALL, ROUND, TALL).toNonIndexed();
  middles.forEach((middle, n) => {
    add(made, sphere.clone().translate(...middle));
    for (const other of middles.slice(0, n)) {
      if (middle.distanceTo(other) < TOUCHING) add(made, neck(middle, other));
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

function add({ positions, normals }, geometry) {
  for (const value of geometry.getAttribute("position").array) positions.push(value);
  for (const value of geometry.getAttribute("normal").array) normals.push(value);
}

// Its equator.
function ring(middle) {
  const at = (n) => {
    const angle = (2 * Math.PI * n) / ROUND;
    return [middle.x + BALL * Math.cos(angle), middle.y + BALL * Math.sin(angle), middle.z];
  };
  return [...Array(ROUND).keys()].flatMap((n) => [...at(n), ...at(n + 1)]);
}
