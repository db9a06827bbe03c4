"""What can be said of how a page looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
COLOURS = """
canvas => {
  const flat = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
  flat.drawImage(canvas, 0, 0);
  const { data } = flat.getImageData(0, 0, canvas.width, canvas.height);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.subarray(at, at + 4).join(" ");
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const least = canvas.width * canvas.height / 500;
  return [...counts.values()].filter(count => count > least).length;
}
"""

# Runs of letters without a digit beside them: what stands in a hash or a version is no word.
SPLIT_WORDS = r"""
() => {
  const split = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (parent.closest("script, svg") || !parent.checkVisibility()) continue;
    for (const word of text.data.matchAll(/(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) split.push(word[0]);
    }
  }
  return split;
}
"""


def drawn(page: Page) -> str:
    """What the canvas shows once what was asked for is drawn, as a picture in text."""
    page.evaluate(FRAMES)
    return str(page.eval_on_selector("canvas", "canvas => canvas.toDataURL()"))


def colours_of_canvas(page: Page) -> int:
    """How many colours, transparent among them, fill more than 0.2 % of the canvas each."""
    page.evaluate(FRAMES)
    return int(page.eval_on_selector("canvas", COLOURS))


def split_words(page: Page) -> list[str]:
    """Return the words that begin on one line and end on another."""
    return list(page.evaluate(SPLIT_WORDS))


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )
