// Charts of series: a click on a name in the legend highlights its series and dims the others; a
// second click ends that. Several may be highlighted.
"use strict";

function highlight(figure) {
  const pressed = [...figure.querySelectorAll(".legend button[aria-pressed=true]")];
  const chosen = new Set(pressed.map((button) => button.dataset.series));
  for (const drawn of figure.querySelectorAll("svg.chart [data-series]")) {
    drawn.classList.toggle("dimmed", chosen.size > 0 && !chosen.has(drawn.dataset.series));
  }
}

for (const item of document.querySelectorAll("figure .legend li")) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.series = item.dataset.series;
  button.setAttribute("aria-pressed", "false");
  button.append(...item.childNodes);
  item.append(button);
  button.addEventListener("click", () => {
    const pressed = button.getAttribute("aria-pressed") === "true";
    button.setAttribute("aria-pressed", String(!pressed));
    highlight(item.closest("figure"));
  });
}
