// What a screen reader reads aloud without a change of focus.

import { write } from "./elements.js";

export function announce(text) {
  write(document.getElementById("announcements"), text);
}
