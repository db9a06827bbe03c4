// The solution as text: the layers of the region as tables of letters, and the pieces by name.

// An element; strings among the children are text, never markup.
export function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const OPEN = ".";

// Writes a table for each z, the largest y in the first row, as in text. `pieces` are those to be shown,
// `current` is the step of the one picked out.
export function writeLayers(target, { size, cells }, pieces, current) {
  const open = cells.map(({ place }) => [`${place}`, make("td", { className: "open" }, OPEN)]);
  const looks = ({ name, step }) => ({ className: step === current ? "current" : "", title: name });
  const filled = pieces.flatMap((piece) =>
    piece.cells.map(({ place }) => [`${place}`, marked("td", looks(piece), piece)]),
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

// The pieces in the order of the solution, each a button that goes to its step.
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
  const swatch = marked("span", { className: "swatch" }, piece);
  const name = piece.mark === piece.name ? [] : [piece.name];
  if (!piece.step) return make("span", {}, swatch, ...name, " (fixed)");
  return make("button", { type: "button", onclick: () => goTo(piece.step) }, swatch, ...name);
}

// An element with the mark of a piece, in its colour and pattern.
function marked(tag, properties, piece) {
  const made = make(tag, properties, piece.mark);
  if (piece.pattern) made.classList.add(`pattern-${piece.pattern}`);
  made.style.setProperty("--piece", `var(${piece.variable})`);
  return made;
}
