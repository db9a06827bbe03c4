// The pieces by name, in the order of the solution; each a button that goes to its step.

import { make } from "./elements.js";

export function writePieces(target, pieces, goTo) {
  target.replaceChildren(...pieces.map((piece) => make("li", {}, shown(piece, goTo))));
}

// Tells those not placed yet from the others, and the current one from all.
export function markPieces(target, pieces, { step }) {
  pieces.forEach((piece, n) => {
    const item = target.children[n];
    item.className = step !== null && piece.step > step ? "later" : "";
    if (piece.step && piece.step === step) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
}

function shown(piece, goTo) {
  const swatch = make("span", { className: "swatch" }, piece.mark);
  swatch.style.setProperty("--piece", `var(${piece.variable})`);
  const name = piece.mark === piece.name ? [] : [piece.name];
  if (!piece.step) return make("span", {}, swatch, ...name, " (fixed)");
  return make("button", { type: "button", onclick: () => goTo(piece.step) }, swatch, ...name);
}
