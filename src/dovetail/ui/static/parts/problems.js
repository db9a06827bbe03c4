// What went wrong, beside what was being done; read aloud at once.

import { fill, make } from "../elements.js";

export class Problems {
  constructor() {
    this.element = make("div", { class: "problems", role: "alert" });
  }

  clear() {
    fill(this.element);
  }

  add(error) {
    if (error.name === "AbortError") return;
    const place = error.path && !error.message.startsWith(error.path) ? make("code", {}, error.path) : null;
    this.element.append(
      make("p", { class: "warning" }, ...[place, place && ": ", error.message].filter(Boolean)),
    );
  }

  // Does something that may fail, with `button` out of use meanwhile; whether it was done. Nothing
  // where the button is busy already: a double click is one.
  async during(action, button = null) {
    if (button?.hasAttribute("aria-busy")) return false;
    this.clear();
    if (button) button.setAttribute("aria-busy", "true");
    try {
      await action();
      return true;
    } catch (error) {
      this.add(error);
      return false;
    } finally {
      button?.removeAttribute("aria-busy");
    }
  }
}
