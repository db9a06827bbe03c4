// A file of runs as it grows: how far the bench is, its latest runs, and who leads.

import { fill, make, write } from "../elements.js";
import { bytes, count, counted, seconds } from "../numbers.js";
import { follow, get } from "../requests.js";

const LATEST = ["puzzle", "backend", "status", "count", "total"];

export async function show(view, number) {
  const followed = await get("/api/followed", view.signal);
  const file = followed.find((one) => String(one.number) === number);
  if (!file) throw new Error(`There is no followed file ${number}.`);
  view.name(file.name);
  const about = make("p", { class: "about", role: "status" }, "Reading …");
  const lost = make(
    "p",
    { class: "warning", role: "alert", hidden: true },
    "The connection to Dovetail is lost; the browser tries again.",
  );
  const content = make("div", {});
  let shown = "";
  fill(
    view.element,
    make("h1", {}, file.name),
    about,
    lost,
    make(
      "p",
      { class: "buttons" },
      make(
        "a",
        { class: "button", href: `/api/followed/${number}/report`, target: "_blank", rel: "noopener" },
        "Open the report",
      ),
    ),
    content,
  );
  follow(`/api/followed/${number}/events`, {
    signal: view.signal,
    onLost: (is) => {
      lost.hidden = !is;
    },
    onState: (state) => {
      const text = JSON.stringify(state);
      if (text === shown) return; // whoever reads a table keeps the place
      shown = text;
      write(about, aboutText(state));
      fill(content, written(state));
    },
  });
}

function aboutText({ runs_done: done, runs_planned: planned, size_bytes: size }) {
  const all = planned ? `${count(done)} of ${counted(planned, "run")}` : counted(done, "run");
  return size ? `${all} · ${bytes(size)}` : all;
}

function written(state) {
  const { runs_done: done, runs_planned: planned } = state;
  return [
    planned
      ? make("progress", { max: planned, value: done, class: "wide-bar", "aria-label": "Runs done" })
      : null,
    state.headline ? make("p", { class: "headline" }, state.headline) : null,
    ...(state.problems ?? []).map((text) => make("p", { class: "warning" }, text)),
    make("h2", {}, "How runs ended"),
    make(
      "ul",
      { class: "links" },
      ...Object.entries(state.statuses).map(([status, number]) =>
        make("li", {}, make("span", { class: "badge" }, status), ` ${count(number)}`),
      ),
    ),
    state.leaders?.length ? make("h2", {}, "Who leads") : null,
    state.leaders?.length
      ? table(
          state.columns ?? Object.keys(state.leaders[0]),
          state.leaders.map((row) => (state.columns ?? Object.keys(row)).map((column) => row[column])),
        )
      : null,
    make("h2", {}, "Latest runs"),
    table(
      LATEST,
      state.latest.map(({ puzzle, backend, status, count: found, total_s: total }) => [
        puzzle,
        backend,
        status,
        count(found),
        seconds(total),
      ]),
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
