// Opens what an address names, where it is folded: `page.html#settings-3`.
"use strict";

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();
