// Scatter charts: shows the pair of series that the reader chooses. The picture has the marks of all
// things. This script moves them to the places in the data of the page.
"use strict";

function showPair(figure, data) {
  const chosen = (axis) => figure.querySelector(`select.${axis}`).value;
  const [across, up] = [chosen("across"), chosen("up")];
  const [xs, ys] = [data.places[across], data.places[up]];
  const [lefts, rights] = [data.ranks[across], data.ranks[up]];
  const names = { across: data.series[across], up: data.series[up] };
  const counts = { both: 0, left: 0, right: 0, even: 0, cut: 0 };
  figure.querySelectorAll(".scattered circle").forEach((mark, thing) => {
    const [x, y] = [xs[thing], ys[thing]];
    const shown = x !== null && y !== null && Math.min(x, y) <= data.side;
    mark.setAttribute("display", shown ? "inline" : "none");
    if (!shown) return;
    const cut = Math.max(x, y) > data.side;
    counts[cut ? "cut" : "both"] += 1;
    const [left, right] = [lefts[thing], rights[thing]];
    if (!cut) counts[left < right ? "left" : left > right ? "right" : "even"] += 1;
    mark.setAttribute("cx", x);
    mark.setAttribute("cy", -y);
    mark.setAttribute("class", cut ? "hollow" : "");
    mark.querySelector("title").textContent =
      `${data.things[thing]}: ${names.across} ${data.shown[across][thing]}, ` +
      `${names.up} ${data.shown[up][thing]}`;
  });
  const [ones, others] = [data.kinds[across], data.kinds[up]];
  const kinds = { across_meanings: ones.join(data.either), up_meanings: others.join(data.either) };
  const alike = new Set([...ones, ...others]).size <= 1;
  const sentence = across === up ? data.twice : alike ? data.summary : `${data.summary} ${data.unlike}`;
  const words = { ...names, ...kinds, ...counts };
  const summary = sentence.replace(/\{(\w+)\}/g, (_, word) => words[word]);
  figure.querySelector("text.across").textContent = data.labels[across];
  figure.querySelector("text.up").textContent = data.labels[up];
  const [shownSummary, description] = [".summary", "desc"].map((part) => figure.querySelector(part));
  const about = description.textContent.slice(0, -shownSummary.textContent.length);
  description.textContent = about + summary;
  shownSummary.textContent = summary;
}

// Two boxes to choose a series for either axis. Browsers must not restore an earlier choice.
function choiceOf(data) {
  const choice = Object.assign(document.createElement("p"), { className: "choice" });
  for (const [axis, words] of [["across", "horizontal"], ["up", "vertical"]]) {
    const select = Object.assign(document.createElement("select"), { className: axis });
    select.autocomplete = "off";
    data.series.forEach((name, place) => select.add(new Option(name, place)));
    select.value = data[axis];
    const label = document.createElement("label");
    label.append(words, select);
    choice.append(label);
  }
  return choice;
}

for (const figure of document.querySelectorAll("figure:has(.scattered)")) {
  const data = JSON.parse(figure.querySelector("script").textContent);
  figure.prepend(choiceOf(data));
  figure.addEventListener("change", () => showPair(figure, data));
}
