// The picture: all pieces, the frame they fill, light and camera; drawn anew only when something has changed.

import { AmbientLight, ArrowHelper, Color, DirectionalLight, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { Body, lines } from "./body.js";
import { mean, middleOf, reachOf } from "./measures.js";
import { solid } from "./solid.js";

const ANGLE = 26; // of view, in degrees: narrow, so that far cells look little smaller than near ones
const SHARPEST = 2; // more pixels than this in one of the page's would not be seen
const FARTHEST_APART = 1.6; // how much farther from the middle pieces are when wholly exploded

export class Picture {
  #scene = new Scene();
  #camera = new PerspectiveCamera(ANGLE, 1, 0.1, 10000);
  #light = new DirectionalLight(0xffffff, 1.9);
  #bodies = [];
  #waiting = false;
  #arrow = null;
  #gone = []; // what is freed after the next frame: until then, the next pieces can share its shaders

  // `context` is the WebGL 2 of `canvas`; `cells` are the region's, `orbit` is where one looks from.
  constructor(canvas, context, cells, orbit) {
    this.canvas = canvas;
    this.orbit = orbit;
    // The buffer is kept so that the page prints with its picture.
    this.renderer = new WebGLRenderer({ canvas, context, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(SHARPEST, window.devicePixelRatio));
    this.#camera.up.set(0, 0, 1);
    this.#scene.add(new AmbientLight(0xffffff, 1.7), this.#light);
    this.within(cells);
    new ResizeObserver(() => this.#resize()).observe(canvas);
    canvas.addEventListener("webglcontextrestored", () => this.draw());
  }

  // Takes the `cells` of another region.
  within(cells) {
    this.middle = middleOf(cells);
    this.reachOfRegion = reachOf(cells, this.middle);
    if (this.frame) this.remove(this.frame);
    this.frame = this.add(lines(solid(cells, false).outlines, 1));
  }

  // Shows something else beside the pieces, which lies among the cells of the region.
  add(thing) {
    thing.position.set(...this.middle.map((along) => -along));
    this.#scene.add(thing);
    return thing;
  }

  remove(thing) {
    this.#scene.remove(thing);
    this.#gone.push(thing);
  }

  // What a pointer is at, of the pieces and of `others`: {object, faceIndex}, or nothing.
  hit({ clientX, clientY }, others) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    this.#aim();
    this.#scene.updateMatrixWorld();
    this.#camera.updateMatrixWorld();
    caster.setFromCamera(new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height), this.#camera);
    return caster.intersectObjects([...this.#bodies.map(({ surface }) => surface), ...others], false)[0];
  }

  // Shows other pieces; those among them that are shown already stay.
  take(pieces) {
    const before = new Map(this.#bodies.map((body) => [body.piece, body]));
    this.#bodies = pieces.map((piece) => before.get(piece) ?? new Body(piece));
    for (const piece of pieces) before.delete(piece);
    for (const body of before.values()) {
      this.#scene.remove(body.group);
      this.#gone.push(...body.group.children);
    }
    for (const body of this.#bodies) this.#scene.add(body.group);
  }

  // `step`: the pieces up to this one are shown, and it is picked out; null for all, none picked out.
  // `apart`: how far exploded, 0 to 1. `moves`: where the pieces are that are taken apart.
  update({ step, apart }, moves) {
    const colourOf = colours();
    this.reach = this.reachOfRegion;
    const offsets = moves?.offsets() ?? [];
    this.#point(moves, colourOf);
    for (const [n, body] of this.#bodies.entries()) {
      const offset = offsets[n] ?? [0, 0, 0];
      const away = body.middle.map((along, axis) => (along - this.middle[axis]) * apart * FARTHEST_APART + offset[axis]);
      const middleSeenFromIt = this.middle.map((along, axis) => along - away[axis]);
      body.group.visible = step === null || body.step <= step;
      body.group.position.set(...middleSeenFromIt.map((along) => -along));
      body.colour(colourOf, step === null ? "plain" : body.step === step ? "picked out" : "muted");
      this.reach = Math.max(this.reach, reachOf(body.cells, middleSeenFromIt));
    }
    this.frame.visible = apart === 0 && !moves?.started && !(this.#bodies.length && this.#bodies.every((body) => body.group.visible));
    this.frame.material.color = colourOf("--faint");
    this.draw();
  }

  // Shows by an arrow which way the pieces go that move next.
  #point(moves, colourOf) {
    if (this.#arrow) this.#scene.remove(this.#arrow);
    this.#arrow?.dispose();
    this.#arrow = null;
    const next = moves?.next();
    if (!next?.moving.length) return;
    const offsets = moves.offsets();
    const middles = next.moving.map((n) => this.#bodies[n].middle.map((along, axis) => along + (offsets[n]?.[axis] ?? 0)));
    const from = new Vector3(...mean(middles).map((along, axis) => along - this.middle[axis]));
    const length = this.reachOfRegion * 1.2;
    this.#arrow = new ArrowHelper(new Vector3(...next.by).normalize(), from, length, colourOf("--ink"), length / 5, length / 8);
    for (const { material } of [this.#arrow.line, this.#arrow.cone]) {
      Object.assign(material, { depthTest: false, transparent: true, opacity: 0.75 }); // seen through the pieces
    }
    this.#scene.add(this.#arrow);
  }

  // What is shown now on `paper`, a colour: calls `take` with a PNG.
  save(paper, take) {
    this.#render();
    const sheet = Object.assign(document.createElement("canvas"), { width: this.canvas.width, height: this.canvas.height });
    const flat = sheet.getContext("2d");
    flat.fillStyle = paper;
    flat.fillRect(0, 0, sheet.width, sheet.height);
    flat.drawImage(this.canvas, 0, 0);
    sheet.toBlob(take, "image/png");
  }

  // At the next frame, once, however often it is asked for.
  draw() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      this.#render();
    });
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    this.#render(); // at once: a resized canvas is blank
  }

  #render() {
    this.#aim();
    this.renderer.render(this.#scene, this.#camera);
    for (const { geometry, material } of this.#gone.splice(0)) {
      geometry.dispose();
      material.dispose();
    }
  }

  #aim() {
    const half = (ANGLE / 2) * (Math.PI / 180);
    const narrower = Math.atan(Math.tan(half) * Math.min(1, this.#camera.aspect));
    const away = this.reach / Math.sin(narrower) / this.orbit.zoom;
    this.#camera.position.set(...this.orbit.position(away));
    this.#camera.lookAt(0, 0, 0);
    // From over the left shoulder, so that the three sides one sees are lit differently.
    this.#light.position.copy(this.#camera.position).applyAxisAngle(this.#camera.up, -0.5);
    this.#light.position.z += away / 2;
  }
}

// The colours of the page as they are now, light or dark: a function from the name of a CSS variable to its
// colour, `amount` of the way towards the paper.
export function colours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => new Color(style.getPropertyValue(name).trim());
  return (name, amount = 0) => colour(name).lerp(colour("--paper"), amount);
}
