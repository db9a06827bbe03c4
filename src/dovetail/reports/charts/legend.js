// Charts of series: a click on a name in a legend highlights the series with this name in all charts
// of the page, and dims the other series. A second click ends this. Several names may be highlighted.
"use strict";

const NUMBER_ASKED = / \(of [\d,]+\)$/; // follows a name: number of questions of the solver
const pressedNames = new Set();

function highlight(figure) {
  const chosen = new Set();
  for (const button of figure.querySelectorAll(".legend button")) {
    const pressed = pressedNames.has(button.dataset.name);
    button.setAttribute("aria-pressed", String(pressed));
    if (pressed) chosen.add(button.dataset.series);
  }
  for (const drawn of figure.querySelectorAll("svg.chart [data-series]")) {
    drawn.classList.toggle("dimmed", chosen.size > 0 && !chosen.has(drawn.dataset.series));
  }
}

for (const item of document.querySelectorAll("figure .legend li")) {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.dataset.series = item.dataset.series;
  button.dataset.name = item.textContent.replace(NUMBER_ASKED, "");
  button.setAttribute("aria-pressed", "false");
  button.append(...item.childNodes);
  item.append(button);
  button.addEventListener("click", () => {
    const name = button.dataset.name;
    if (!pressedNames.delete(name)) pressedNames.add(name);
    document.querySelectorAll("figure:has(.legend)").forEach(highlight);
  });
}
