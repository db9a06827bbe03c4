// Where one looks from: turned by dragging and by arrow keys, nearer and farther by wheel, pinch and keys.

const TURN_PER_PIXEL = 0.008;
const TURN_PER_KEY = Math.PI / 24;
const QUARTER = Math.PI / 2;
const STEEPEST = Math.PI / 2 - 0.01; // from straight above, "up" would mean nothing
const [FARTHEST, NEAREST] = [0.4, 5];

export class Orbit {
  // `changed` is called after every turn or zoom.
  constructor(flat, changed) {
    Object.assign(this, { flat, changed });
    this.reset();
  }

  reset() {
    this.azimuth = this.flat ? 0 : 0.55;
    this.elevation = this.flat ? 1.15 : 0.5;
    this.zoom = 1;
  }

  // How often the view is turned by a right angle, about.
  get quarters() {
    return Math.round(this.azimuth / QUARTER);
  }

  // By so many steps, as a key does.
  step(right, up) {
    this.turn(right * TURN_PER_KEY, up * TURN_PER_KEY);
  }

  turn(right, up) {
    this.azimuth -= right;
    this.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, this.elevation + up));
    this.changed();
  }

  enlarge(factor) {
    this.zoom = Math.min(NEAREST, Math.max(FARTHEST, this.zoom * factor));
    this.changed();
  }

  // Where one stands, `distance` from the middle; z is up, and azimuth 0 looks along y.
  position(distance) {
    const level = Math.cos(this.elevation) * distance;
    return [
      Math.sin(this.azimuth) * level,
      -Math.cos(this.azimuth) * level,
      Math.sin(this.elevation) * distance,
    ];
  }

  // Without `keys`, those of the canvas are for something else.
  listen(canvas, { keys = true } = {}) {
    const held = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, event);
    });
    canvas.addEventListener("pointermove", (event) => this.#drag(held, event));
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (event) => held.delete(event.pointerId));
    }
    const wheel = (event) => {
      event.preventDefault();
      this.enlarge(Math.exp(-Math.sign(event.deltaY) * 0.1));
    };
    canvas.addEventListener("wheel", wheel, { passive: false });
    if (keys) canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  // One finger or the mouse turns, two fingers zoom by how far they are apart.
  #drag(held, event) {
    const before = held.get(event.pointerId);
    if (!before) return;
    const apart = spread(held);
    held.set(event.pointerId, event);
    if (held.size === 1) {
      const right = event.clientX - before.clientX;
      this.turn(right * TURN_PER_PIXEL, (event.clientY - before.clientY) * TURN_PER_PIXEL);
    } else if (held.size === 2 && apart > 0) {
      this.enlarge(spread(held) / apart);
    }
  }

  #key(event) {
    const action = {
      ArrowLeft: () => this.step(-1, 0),
      ArrowRight: () => this.step(1, 0),
      ArrowUp: () => this.step(0, -1),
      ArrowDown: () => this.step(0, 1),
      "+": () => this.enlarge(1.2),
      "=": () => this.enlarge(1.2), // the key of + without shift
      "-": () => this.enlarge(1 / 1.2),
    }[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }
}

function spread(held) {
  const [a, b] = [...held.values()];
  return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
}
