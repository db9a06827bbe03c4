// A file of runs as it grows: how far the bench is, its latest runs, and who leads.

import { fill, make, write } from "../elements.js";
import { listen } from "../feeds.js";
import { count, counted } from "../numbers.js";
import { get } from "../requests.js";

const LATEST = ["puzzle", "backend", "status", "count", "total"];

export async function show(view, number) {
  const followed = await get("/api/followed", view.signal);
  const file = followed.find((one) => String(one.number) === number);
  if (!file) throw new Error(`There is no followed file ${number}.`);
  view.name(file.name);
  const about = make("p", { class: "about", role: "status" }, "Reading …");
  const lost = make("p", { class: "warning", role: "alert", hidden: true });
  const report = make(
    "a",
    { class: "button", href: `/api/followed/${number}/report`, target: "_blank", rel: "noopener", hidden: true },
    "Open the report",
  );
  const content = make("div", {});
  let shown = "";
  fill(
    view.element,
    make("h1", {}, file.name),
    about,
    lost,
    make("p", { class: "buttons" }, report),
    content,
  );
  listen(`followed/${number}`, {
    signal: view.signal,
    onLost: (problem) => {
      write(lost, problem ?? "");
      lost.hidden = !problem;
    },
    onState: (state) => {
      const text = JSON.stringify(state);
      if (text === shown) return; // whoever reads a table keeps the place
      shown = text;
      report.hidden = !state.runs_done;
      write(about, aboutText(state));
      fill(content, written(state));
    },
  });
}

function aboutText({ runs_done: done, size }) {
  return [counted(done, "run"), size].filter(Boolean).join(" · ");
}

function written(state) {
  const { columns, leaders } = state;
  return [
    state.headline ? make("p", { class: "headline" }, state.headline) : null,
    ...state.problems.map((text) => make("p", { class: "warning" }, text)),
    make("h2", {}, "How runs ended"),
    make(
      "ul",
      { class: "links" },
      ...Object.entries(state.statuses).map(([status, number]) =>
        make("li", {}, make("span", { class: "badge" }, status), ` ${count(number)}`),
      ),
    ),
    leaders.length ? make("h2", {}, "Who leads") : null,
    leaders.length
      ? table(
          columns,
          leaders.map((row) => columns.map((column) => row[column])),
        )
      : null,
    make("h2", {}, "Latest runs"),
    table(
      LATEST,
      state.latest.map((run) => LATEST.map((column) => run[column])),
    ),
  ];
}

function table(columns, rows) {
  const numeric = columns.map((_, at) => rows.every((row) => /^[≥<–\d]/.test(String(row[at] ?? "–"))));
  const cell = (tag, value, at) =>
    make(
      tag,
      { class: numeric[at] ? "number" : "words" },
      typeof value === "number" ? count(value) : (value ?? "–"),
    );
  return make(
    "div",
    { class: "wide", tabindex: 0, role: "region", "aria-label": columns.join(", ") },
    make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...columns.map((column, at) => cell("th", column, at)))),
      make(
        "tbody",
        {},
        ...rows.map((row) => make("tr", {}, ...row.map((value, at) => cell("td", value, at)))),
      ),
    ),
  );
}
