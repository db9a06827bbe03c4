// Folded sections: opens the section that an address names, such as `page.html#settings-3`, and the
// sections around it.
"use strict";

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target === null) return;
  for (let part = target; part !== null; part = part.parentElement) {
    if (part instanceof HTMLDetailsElement) part.open = true;
  }
  target.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();
