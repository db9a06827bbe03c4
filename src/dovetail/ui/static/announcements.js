// What a screen reader says without a change of focus.

import { write } from "./elements.js";

export function announce(text) {
  write(document.getElementById("announcements"), text);
}
