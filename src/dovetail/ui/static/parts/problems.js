// What went wrong, beside what was being done; read aloud at once.

import { button, fill, make, warning, write } from "../elements.js";

const MEANT = /did you mean '([^']+)'/;

export class Problems {
  // `meant(name)`, if given, does the same with the name that a message proposes.
  constructor(meant = null) {
    this.meant = meant;
    this.element = make("div", { class: "problems", role: "alert" });
  }

  clear() {
    fill(this.element);
  }

  add(error) {
    if (error.name === "AbortError") return;
    const place = error.path && !error.message.startsWith(error.path) ? make("code", {}, error.path) : null;
    const name = this.meant && MEANT.exec(error.message)?.[1];
    const other = name ? this.button(`Did you mean ${name}?`, () => this.meant(name)) : null;
    this.element.append(warning([place, place && ": ", error.message, other && " ", other].filter(Boolean)));
  }

  // Does something that may fail, with `source`, a button, out of use meanwhile. Nothing
  // where the button is busy already: a double click is one.
  async during(action, source = null) {
    if (source?.hasAttribute("aria-busy")) return;
    this.clear();
    source?.setAttribute("aria-busy", "true");
    try {
      await action();
    } catch (error) {
      this.add(error);
    } finally {
      source?.removeAttribute("aria-busy");
    }
  }

  // A button for something that may fail.
  button(text, action, attributes) {
    return button(text, (event) => this.during(action, event.currentTarget), attributes);
  }
}

// Fills `place` with what `ask` finds, or with why it cannot be found.
export async function fillWith(place, ask) {
  try {
    fill(place, await ask());
  } catch (error) {
    if (error.name !== "AbortError") fill(place, warning(error.message));
  }
}

// A line for what is wrong with the connection to the server, and the function that writes it.
export function connectionLine() {
  const element = warning("", { role: "alert", hidden: true });
  const onLost = (problem) => {
    write(element, problem ?? "");
    element.hidden = !problem;
  };
  return { element, onLost };
}
