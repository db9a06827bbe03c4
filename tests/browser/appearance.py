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


def drawn(page: Page) -> str:
    """What the canvas shows once what was asked for is drawn, as a picture in text."""
    page.evaluate(FRAMES)
    return str(page.eval_on_selector("canvas", "canvas => canvas.toDataURL()"))


def colours_of_canvas(page: Page) -> int:
    """How many colours, transparent among them, fill more than 0.2 % of the canvas each."""
    page.evaluate(FRAMES)
    return int(page.eval_on_selector("canvas", COLOURS))


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )
