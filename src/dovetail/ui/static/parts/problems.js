// What went wrong, beside what was being done; read aloud at once, and gone with the next action.

import { button, details, fill, make, warning, write } from "../elements.js";

// A message of the commands: what is wrong, the name that may be meant, and what would be valid.
const PARTS = /^(.*?)(?:; did you mean '([^']+)'\?)?(?:;? ((?:valid|expected):? .*))?$/s;
const LONG = 60; // characters of what would be valid, above which it is folded
const FOR_COMMANDS = " and there is no such file";

for (const type of ["click", "input"]) {
  addEventListener(type, ({ target }) => target.closest(".problems") ?? clearAll(), { capture: true });
}

function clearAll() {
  for (const element of document.querySelectorAll(".problems")) fill(element);
}

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
    const [, wrong, name, valid] = PARTS.exec(error.message);
    const path = error.path && !wrong.startsWith(error.path) ? `${error.path}: ` : "";
    const folds = !name && valid?.length > LONG;
    const known = valid && !name && !folds ? `; ${valid}` : "";
    this.element.append(warning(sentence(path + wrong.replace(FOR_COMMANDS, "") + known)));
    if (name && this.meant) this.element.append(this.button(`Did you mean ${name}?`, () => this.meant(name)));
    else if (name) this.element.append(warning(`Did you mean ${name}?`));
    if (folds) this.element.append(details("What is valid", {}, make("p", {}, sentence(valid))));
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

// A message of the commands as a sentence: names of files and fields stay as they are.
export function sentence(message) {
  const text = message.replace(/^[a-z]+(?= [a-z])/, (word) => word[0].toUpperCase() + word.slice(1));
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

// Fills `place` with what `ask` finds, or with why it cannot be found.
export async function fillWith(place, ask) {
  try {
    fill(place, await ask());
  } catch (error) {
    if (error.name !== "AbortError") fill(place, warning(sentence(error.message)));
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
