// Dragging a tile with mouse, finger or pen; a picture of the tile follows the pointer.

import { make } from "../elements.js";

const STILL = 6; // maximum number of pixels that a pointer moves in a click

// Listens for drags that begin in `area`. `take(event)` returns the picture of the dragged object, or null.
// `drop(event)` is called when it is dropped. A drag does not count as a click.
export function listenForDrags(area, signal, { take, drop }) {
  let drag = null; // { pointer, from, node }
  const listen = (type, listener) => addEventListener(type, listener, { signal });
  const end = () => {
    drag?.node?.remove();
    drag = null;
  };
  area.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && !drag) drag = { pointer: event.pointerId, from: event, node: null };
  });
  listen("pointermove", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const { from } = drag;
    if (!drag.node) {
      if (Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < STILL) return;
      const picture = take(from);
      if (!picture) return end();
      drag.node = make("div", { class: "dragged" }, picture);
      document.body.append(drag.node);
    }
    drag.node.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  });
  listen("pointerup", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const moved = drag.node !== null;
    end();
    if (!moved) return;
    area.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => area.dispatchEvent(new Event("click"))); // a drag that ends elsewhere makes no click, so the listener is removed here
    drop(event);
  });
  listen("pointercancel", end);
}
