// Messages about problems, beside the failed action: read aloud at once, and removed by the next action.

import { button, details, fill, make, warning, write } from "../elements.js";

// Parts of a message of a command: the problem, the name that may be meant, and the valid values.
const PARTS = /^(.*?)(?:; did you mean '([^']+)'\?)?(?:;? ((?:valid|expected):? .*))?$/s;
const LONG = 60; // maximum number of characters of valid values that are not folded
const FOR_COMMANDS = " and there is no such file";

for (const type of ["click", "input"]) {
  addEventListener(type, ({ target }) => target.closest(".problems") ?? clearAll(), { capture: true });
}

function clearAll() {
  for (const element of document.querySelectorAll(".problems")) fill(element);
}

export class Problems {
  // `meant(name)`, if given, repeats the action with the name that a message proposes.
  constructor(meant = null) {
    this.meant = meant;
    this.element = make("div", { class: "problems", role: "alert" });
  }

  clear() {
    fill(this.element);
  }

  add(error) {
    if (error.name === "AbortError") return;
    const [, wrong, name, valid] = PARTS.exec(error.message);
    const path = error.path && !wrong.startsWith(error.path) ? `${error.path}: ` : "";
    const folds = !name && valid?.length > LONG;
    const known = valid && !name && !folds ? `; ${valid}` : "";
    this.element.append(warning(sentence(path + wrong.replace(FOR_COMMANDS, "") + known)));
    if (name && this.meant) this.element.append(this.button(`Did you mean ${name}?`, () => this.meant(name)));
    else if (name) this.element.append(warning(`Did you mean ${name}?`));
    if (folds) this.element.append(details("What is valid", {}, make("p", {}, sentence(valid))));
  }

  // Runs an action that may fail, and disables the button `source` meanwhile. Does nothing if the button is
  // already busy, so that a double click counts as a single click.
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

  // A button for an action that may fail.
  button(text, action, attributes) {
    return button(text, (event) => this.during(action, event.currentTarget), attributes);
  }
}

// A message of a command as a sentence; names of files and fields are unchanged.
export function sentence(message) {
  const text = message.replace(/^[a-z]+(?= [a-z])/, (word) => word[0].toUpperCase() + word.slice(1));
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

// Fills `place` with the result of `ask`, or with its error.
export async function fillWith(place, ask) {
  try {
    fill(place, await ask());
  } catch (error) {
    if (error.name !== "AbortError") fill(place, warning(sentence(error.message)));
  }
}

// A line for problems of the connection to the server, and the function that sets it.
export function connectionLine() {
  const element = warning("", { role: "alert", hidden: true });
  const onLost = (problem) => {
    write(element, problem ?? "");
    element.hidden = !problem;
  };
  return { element, onLost };
}
