// Tables: a click on the title of a column sorts by it, and a box above a long table filters its
// rows. Figures are read as they are shown, with their units; cells without a figure come last.
"use strict";

const MIN_FILTERED = 12; // rows
const UNITS = {
  "µs": 1e-6, ms: 1e-3, s: 1, k: 1e3, M: 1e6, G: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40,
};
const FIGURE = /(−?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(µs|ms|s|k|M|G|KiB|MiB|GiB|TiB)?(?![\p{L}])/u;

function figureOf(text) {
  const found = text.replaceAll(",", "").match(FIGURE);
  return found === null ? null : Number(found[1].replace("−", "-")) * (UNITS[found[2]] ?? 1);
}

function keyOf(row, column, numeric) {
  const text = row.cells[column].textContent.trim();
  return numeric ? figureOf(text) : text || null;
}

function compare(one, other) {
  if (one === null || other === null) return (one === null) - (other === null);
  return typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true });
}

function sortBy(table, title) {
  const column = title.cellIndex;
  const ascending = title.getAttribute("aria-sort") !== "ascending";
  for (const other of title.parentElement.cells) other.removeAttribute("aria-sort");
  title.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const numeric = title.classList.contains("number");
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [keyOf(row, column, numeric), row]);
  keyed.sort(([one], [other]) => {
    const order = compare(one, other);
    return ascending || one === null || other === null ? order : -order;
  });
  body.append(...keyed.map(([, row]) => row));
}

function addSorting(table) {
  for (const title of table.tHead.rows[0].cells) {
    if (!title.textContent.trim()) continue;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "sort" });
    button.append(...title.childNodes);
    title.append(button);
    button.addEventListener("click", () => sortBy(table, title));
  }
}

function addFilter(table) {
  const rows = [...table.tBodies[0].rows];
  const box = Object.assign(document.createElement("input"), { type: "search" });
  const label = document.createElement("label");
  label.append("rows with ", box);
  const shown = document.createElement("span");
  shown.setAttribute("aria-live", "polite");
  const line = Object.assign(document.createElement("p"), { className: "filter" });
  line.append(label, shown);
  table.closest(".wide").before(line);
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      count += !row.hidden;
    }
    shown.textContent = words.length ? `${count} of ${rows.length}` : "";
  });
}

for (const table of document.querySelectorAll("table")) {
  if (table.tHead === null || table.tBodies[0].rows.length < 2) continue;
  addSorting(table);
  if (table.tBodies[0].rows.length >= MIN_FILTERED) addFilter(table);
}
