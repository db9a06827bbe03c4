"""From an empty sheet to a solution in a file: with the mouse, and with the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reports.present import present
from ui.served import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.ui.conftest import Views

# Of the pentominoes that fill 5 x 6 in 40 ways, symmetric ones among them.
SIX = "FLNPUY"
SOLVERS = ("dlx", "fila", "bitset")
# The identity, label and text of what has the focus, and how broad the ring is that shows it.
FOCUSED = """() => {
  const node = document.activeElement;
  // Within the viewer, or on the way into it, which takes a moment: its own page shows the focus.
  const framed = node.matches("iframe, body") && document.querySelector("iframe");
  if (framed) return [[], Infinity];
  const ringed = node.matches(".chip input") ? node.nextElementSibling : node;
  const { outlineWidth, outlineStyle } = getComputedStyle(ringed);
  const inner = node.closest("svg")?.querySelector(".cursor") ?? node.firstElementChild;
  const cell = node.matches("[role=gridcell]") && getComputedStyle(inner).strokeWidth;
  const ring = cell || (outlineStyle === "none" ? "0" : outlineWidth);
  const names = [node.id, node.ariaLabel, node.textContent, node.lastElementChild?.textContent];
  return [names, parseFloat(ring)];
}"""
MAX_TABS = 200
FRAME_MS = 50  # between two Tabs in a viewer


def set_size(page: Page, width: int, height: int) -> None:
    """Of the sheet that is drawn on."""
    for side, length in (("width", width), ("height", height)):
        page.fill(f"#{side}", str(length))
        page.press(f"#{side}", "Enter")
    until(lambda: cells(page, "cell") == width * height)


STROKE = """() => {
  SVGElement.prototype.setPointerCapture = () => {};
  const [first, second] = [0, 1].map(at => document.querySelector(`.cells [data-at="${at}"]`));
  const send = (type, node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const place = { clientX: x + width / 2, clientY: y + height / 2 };
    node.dispatchEvent(new PointerEvent(type, { pointerId: 0, bubbles: true, ...place }));
  };
  send("pointerdown", first);
  first.dispatchEvent(new KeyboardEvent("keyup", { key: "Shift", bubbles: true }));
  send("pointermove", second);
  send("pointerup", second);
}"""


def cells(page: Page, mark: str) -> int:
    """How many cells of the sheet are marked so."""
    return page.locator(f".cells path.{mark}").count()


def start_race(page: Page, *solvers: str) -> None:
    """Of these solvers, to the end."""
    page.locator(".known dl").first.wait_for(state="attached")
    for box in page.locator(".solver .check input").all():
        box.set_checked(box.get_attribute("id") in [f"solver-{name}" for name in solvers])
    page.click("#start")
    page.locator("#race-files").wait_for()


def test_draw_race_open_and_save(views: Views) -> None:
    """A region of 5 x 6 drawn with the mouse, six pentominoes, three solvers, 40 solutions."""
    page = views("draw")
    set_size(page, 6, 5)
    box = present(page.locator(".cells").bounding_box())
    side = box["width"] / 6.2
    across = box["x"] + side / 2, box["x"] + box["width"] - side / 2
    for row in range(5):
        y = box["y"] + (row + 0.6) * box["height"] / 5.2
        page.mouse.move(across[0], y)
        page.mouse.down()
        page.mouse.move(across[1], y, steps=2)
        page.mouse.up()
    assert cells(page, "open") == 30
    page.select_option("#piece-set", "pentominoes")
    assert page.locator(".choices [aria-pressed=true]").count() == 12
    page.get_by_role("button", name="Choose none").click()
    for name in SIX:
        page.get_by_role("button", name=name, exact=True).click()
    page.get_by_text("parity ±1: 6 pieces").wait_for()
    assert page.locator(".facts .warning").count() == 0
    page.click("#open")
    page.click("#race")
    page.locator(".race-form").wait_for()
    page.select_option("#race-symmetry", "all")
    start_race(page, *SOLVERS)
    assert page.locator(".lane h2").all_inner_texts() == list(SOLVERS)
    assert page.locator(".lane .figure").all_inner_texts() == ["40"] * 3
    assert page.locator(".lane .badge").all_inner_texts() == ["exhausted"] * 3
    assert page.locator(".agreement").inner_text() == "The finished lanes agree: 40 solutions."
    page.locator(".lane").nth(1).get_by_role("link", name="Browse solutions").click()
    page.locator(".solution").nth(2).click()
    opened = page.locator(".opened")
    assert sorted(opened.locator("svg .letter").all_text_contents()) == sorted(SIX)
    page.select_option("#format", ".svg")
    with page.expect_download() as one:
        page.click("#save-one")
    text = one.value.path().read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert text.count('class="letter"') == len(SIX)
    page.select_option("#format", ".jsonl")
    with page.expect_download() as every:
        page.click("#save-all")
    assert every.value.path().read_text(encoding="utf-8").count('"Y"') == 40


def test_a_stroke_of_a_mouse_with_number_0_ends_when_the_mouse_does(views: Views) -> None:
    """Firefox gives the mouse this number; a key that is let go meanwhile ends strokes by keys."""
    page = views("draw")
    page.locator(".cells [data-at='0']").wait_for()
    page.evaluate(STROKE)
    assert cells(page, "open") == 2


def shows(page: Page, box: str, text: str) -> None:
    """Wait until a box has a text."""
    until(lambda: page.input_value(box) == text)


def test_boxes_show_what_is_drawn(views: Views) -> None:
    """A value that is rounded, left out or refused does not stay in its box."""
    page = views("draw")
    page.select_option("#piece-set", "pentominoes")
    for box, typed, shown in (
        ("#width", "8.4", "8"),
        ("#width", "60", "60"),
        ("#height", "60", "6"),  # a sheet of 60 x 60 cells is too large
        ("#piece-0-low", "1.4", "1"),
        ("#piece-0-name", "", "F"),
    ):
        page.fill(box, typed)
        page.press(box, "Tab")
        shows(page, box, shown)


def test_with_the_keyboard_alone(views: Views) -> None:
    """A square of four cells and two dominoes: drawn, solved and looked at without a pointer."""
    page = views()
    tab_to(page, "Draw")
    page.keyboard.press("Enter")
    page.locator(".cells").wait_for()
    tab_to(page, "0, 0: outside")
    for key in ("Space", "ArrowRight", "Space", "ArrowUp", "Shift+ArrowLeft", "Delete", "Enter"):
        page.keyboard.press(key)
    assert cells(page, "open") == 4
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert cells(page, "open") == 4
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+y")
    page.locator("#piece-set").wait_for()
    tab_to(page, "piece-set")
    page.keyboard.type("domino")
    tab_to(page, "piece-0-low")
    page.keyboard.press("ArrowUp")
    page.get_by_text("4 cells").wait_for()
    tab_to(page, "open", backwards=True)
    page.keyboard.press("Enter")
    page.locator("#solve").wait_for()
    tab_to(page, "race")
    page.keyboard.press("Enter")
    page.locator(".race-form").wait_for()
    chosen = page.locator(".check :checked").evaluate_all("boxes => boxes.map(box => box.id)")
    for name in chosen[1:]:
        tab_to(page, name)
        page.keyboard.press("Space")
    tab_to(page, "start")
    page.keyboard.press("Enter")
    page.locator("#race-files").wait_for()
    assert page.locator(".lane .found").all_inner_texts() == ["1 solution"]
    tab_to(page, "Browse solutions")
    page.keyboard.press("Enter")
    page.locator(".solution").wait_for()
    tab_to(page, "Solution 1")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Solution 1").wait_for()


def tab_to(page: Page, wanted: str, *, backwards: bool = False) -> None:
    """Press Tab until this identity, label or text has the focus; whatever has it shows that."""
    for _ in range(MAX_TABS):
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
        names, ring = page.evaluate(FOCUSED)
        assert ring >= 3, names
        if wanted in names:
            return
        if not names:  # a viewer that is still loading keeps the focus
            page.wait_for_timeout(FRAME_MS)
    pytest.fail(f"no way to {wanted} by Tab")
