// The colours of the page as they are now: light or dark.

import { Color } from "three";

export class Palette {
  #style = getComputedStyle(document.documentElement);

  // The colour that a CSS variable has, `amount` of the way towards the paper.
  of(name, amount = 0) {
    return this.#colour(name).lerp(this.#colour("--paper"), amount);
  }

  #colour(name) {
    return new Color(this.#style.getPropertyValue(name).trim());
  }
}
