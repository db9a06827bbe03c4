// Files that the page writes itself.

import { make } from "../elements.js";

const PATIENCE = 60_000; // milliseconds until the browser has begun to save, also on a busy machine

export function saveText(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), PATIENCE);
}
