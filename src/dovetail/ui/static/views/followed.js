// The view of a growing file of runs: number of runs, latest runs, and leading solvers.

import { buttons, count, counted, fill, make, reportLink, warning, write } from "../elements.js";
import { listen } from "../feeds.js";
import { connectionLine } from "../parts/problems.js";
import { get } from "../requests.js";

const LATEST = ["puzzle", "backend", "status", "count", "total"];

export async function show(view, number) {
  const followed = await get("/api/followed", view.signal);
  const file = followed.find((one) => String(one.number) === number);
  if (!file) throw new Error(`There is no followed file ${number}.`);
  view.name(file.name);
  const about = make("p", { class: "about", role: "status" }, "Reading …");
  const lost = connectionLine();
  const report = reportLink(`/api/followed/${number}/report`);
  const content = make("div", {});
  let shown = "";
  fill(view.element, make("h1", {}, file.name), about, lost.element, buttons(report), content);
  listen(`followed/${number}`, {
    signal: view.signal,
    onLost: lost.onLost,
    onState: (state) => {
      const text = JSON.stringify(state);
      if (text === shown) return; // so that a reader of the table does not lose the place
      shown = text;
      report.hidden = !state.runs_done;
      write(about, [counted(state.runs_done, "run"), state.size].filter(Boolean).join(" · "));
      fill(content, written(state));
    },
  });
}

function written(state) {
  const statuses = Object.entries(state.statuses).map(([status, number]) =>
    make("li", {}, make("span", { class: "badge" }, status), ` ${count(number)}`),
  );
  return [
    state.headline ? make("p", { class: "headline" }, state.headline) : null,
    ...state.problems.map((text) => warning(text)),
    make("h2", {}, "How runs ended"),
    make("ul", { class: "links" }, ...statuses),
    ...(state.leaders.length ? [make("h2", {}, "Who leads"), table(state.columns, state.leaders)] : []),
    make("h2", {}, "Latest runs"),
    table(LATEST, state.latest),
  ];
}

function table(columns, records) {
  const rows = records.map((record) => columns.map((column) => record[column]));
  const numeric = columns.map((_, at) => rows.every((row) => /^[≥<>–\d]/.test(String(row[at] ?? "–"))));
  const line = (tag, values) => {
    const texts = values.map((value) => (typeof value === "number" ? count(value) : (value ?? "–")));
    return make("tr", {}, ...texts.map((text, at) => make(tag, { class: numeric[at] ? "number" : "words" }, text)));
  };
  return make(
    "div",
    { class: "wide", tabindex: 0, role: "region", "aria-label": columns.join(", ") },
    make(
      "table",
      {},
      make("thead", {}, line("th", columns)),
      make("tbody", {}, ...rows.map((row) => line("td", row))),
    ),
  );
}
