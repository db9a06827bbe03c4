// Nodes of which a single node is in the tab order; arrow keys lead to the others.

export function listenForArrows(nodes) {
  nodes.forEach((node, at) => {
    node.tabIndex = at === 0 ? 0 : -1;
    node.addEventListener("focus", () => {
      for (const other of nodes) other.tabIndex = other === node ? 0 : -1;
    });
    node.addEventListener("keydown", (event) => {
      const shown = nodes.filter(({ hidden }) => !hidden);
      const target = shown[next(event.key, shown.indexOf(node), shown)];
      if (!target) return;
      event.preventDefault();
      target.focus();
    });
  });
}

// The number of the node to which a key leads from node `at`; up and down lead to the nearest node of the next row.
function next(pressed, at, nodes) {
  if (pressed === "ArrowRight") return at + 1;
  if (pressed === "ArrowLeft") return at - 1;
  if (pressed === "Home") return 0;
  if (pressed === "End") return nodes.length - 1;
  if (pressed !== "ArrowDown" && pressed !== "ArrowUp") return undefined;
  const boxes = nodes.map((node) => node.getBoundingClientRect());
  const sign = pressed === "ArrowDown" ? 1 : -1;
  const beyond = boxes.map(({ top }) => sign * (top - boxes[at].top));
  const row = Math.min(...beyond.filter((distance) => distance > 1));
  const inRow = boxes.map(({ left }, number) =>
    beyond[number] === row ? Math.abs(left - boxes[at].left) : Infinity,
  );
  const nearest = inRow.indexOf(Math.min(...inRow));
  return inRow[nearest] === Infinity ? undefined : nearest;
}
