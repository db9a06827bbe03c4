"""Every view on a phone, in the dark and in the light; boards, steps, followed files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from browser.appearance import overflow
from browser.ui.test_drawing_and_racing import start_race
from ui.served import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.ui.conftest import Views

PHONE = 390
PAPER = "getComputedStyle(document.body).backgroundColor"
DRAWN = "canvas => canvas.toDataURL()"
WHITE = "rgb(255, 255, 255)"
# Texts that are wider or higher than what they stand in.
CUT_OFF = """() => {
  const cut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
  const nodes = document.querySelectorAll("main button, .button, select, .badge, .chip span");
  const shown = [...nodes].filter(node => node.checkVisibility());
  return shown.filter(cut).map(node => node.textContent);
}"""
# Starts a race, and is its identity.
RACE = """() => {
  const body = JSON.stringify({ puzzle: "p1", lanes: [{ backend: "bitset" }] });
  const headers = { "Content-Type": "application/json" };
  return fetch("/api/races", { method: "POST", headers, body }).then(response => response.json())
    .then(({ id }) => id);
}"""
RECORDS = "race => fetch(`/api/races/${race}/records`).then(response => response.text())"


def fits(page: Page) -> bool:
    """Whether nothing is wider than the window and no text cut off."""
    assert (overflow(page), page.evaluate(CUT_OFF)) == (0, [])
    return True


def drag_along(page: Page, places: Iterable[tuple[float, ...]]) -> None:
    """A finger that touches these places in turn."""
    finger = page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(places):
        event = "touchMove" if number else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def draw_with_finger(page: Page) -> None:
    """A stroke along the first row of squares."""
    cells = page.locator(".cells [role=row]").first.locator("[role=gridcell]").all()
    boxes = [box for cell in cells if (box := cell.bounding_box())]
    middles = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    drag_along(page, middles)


def step(page: Page) -> int:
    """Where the search stands that is shown."""
    return int(page.locator("#step").input_value())


def open_puzzle(page: Page, name: str) -> None:
    """Open a puzzle of those that the server offers."""
    page.get_by_role("link", name=name).click()
    page.click("#race")
    page.locator(".race-form").wait_for()


def test_a_size_is_chosen(views: Views) -> None:
    """In the search, in a family, and by the name that a message proposes."""
    page = views(width=PHONE)
    page.fill("#search", "pentominoes-HxW")
    assert page.locator(".thumbnail").first.is_hidden()
    page.get_by_role("link", name="Others of pentominoes-HxW").first.click()
    page.fill("#family-H", "3")
    page.fill("#family-W", "21")
    page.click("#open-size")
    page.locator(".warning").wait_for()
    page.fill("#family-W", "20")
    assert fits(page)
    page.click("#open-size")
    page.get_by_role("heading", name="pentominoes-3x20").wait_for()
    assert page.locator(".warning").count() == 0
    views.go(page, "family/hexiamonds-SHAPE")
    assert page.locator("#family-SHAPE option").count() == 35
    views.go(page, "")
    page.fill("#search", "tetris-cubs")
    page.get_by_role("button", name="Open by name").click()
    page.get_by_role("button", name="Did you mean tetris-cube?").click()
    page.get_by_role("heading", name="tetris-cube").wait_for()


def test_every_view_of_a_packing_fits_a_phone(views: Views, followed: Path) -> None:
    """Also drawn with a finger; solutions in three dimensions; a file that begins to grow."""
    page = views(width=PHONE, has_touch=True, color_scheme="dark", reduced_motion="reduce")
    assert page.evaluate(PAPER) != WHITE
    assert page.locator(".thumbnail svg").count() == 24
    assert fits(page)
    views.go(page, "draw")
    for lattice in ("square-3", "square-2"):
        page.select_option("#lattice", lattice)
        page.locator("#lattice").and_(
            page.locator(f":has(option[value={lattice}]:checked)")
        ).wait_for()
    page.locator("#piece-set").wait_for()
    draw_with_finger(page)
    assert page.locator(".cells path.open").count() == 8
    assert fits(page)
    views.go(page, "")
    open_puzzle(page, "soma-cube")
    assert fits(page)
    start_race(page, "bitset")
    race = page.url
    assert fits(page)
    page.get_by_role("link", name="Browse solutions").click()
    page.locator(".solution").first.click()
    viewer = page.frame_locator("iframe")
    viewer.get_by_text("all 7 pieces").wait_for()
    viewer.locator("canvas").wait_for()
    assert fits(page)
    views.go(page, "followed/1")
    page.get_by_text("0 runs").wait_for()
    records = page.evaluate(RECORDS, race.rpartition("/")[2])
    followed.write_text(records, encoding="utf-8")
    page.locator("td", has_text="soma-cube").wait_for()
    assert fits(page)
    views.go(page, "races")
    assert fits(page)


def test_steps_are_played_and_taken_by_hand(views: Views) -> None:
    """Slow, fast, paused; single steps both ways, as solids too; to a dead end."""
    page = views()
    assert page.evaluate(PAPER) == WHITE
    open_puzzle(page, "soma-cube")
    page.get_by_role("link", name="Step by step").first.click()
    status = page.locator(".status")
    page.get_by_text("step 0 of 1,000").wait_for()
    solid = page.locator(".stage canvas")
    region = solid.evaluate(DRAWN)
    page.click("#step-on")
    page.click("#step-on")
    assert "placed; 2 pieces placed" in status.inner_text()
    until(lambda: solid.evaluate(DRAWN) != region)
    page.click("#first-step")
    until(lambda: solid.evaluate(DRAWN) == region)
    solid.press("ArrowLeft")
    until(lambda: solid.evaluate(DRAWN) != region)
    page.click("#step-on")
    assert status.inner_text().startswith("step 1 of 1,000: ")
    page.select_option("#speed", "60")
    page.click("#play")
    until(lambda: step(page) > 5)
    page.get_by_role("button", name="Pause").click()
    at = step(page)
    page.click("#dead-end")
    assert step(page) > at
    page.click("#last-step")
    assert status.inner_text().startswith("step 1,000 of 1,000: ")
    page.set_viewport_size({"width": PHONE, "height": 800})
    assert fits(page)


def test_steps_that_cannot_be_recorded_are_not_those_of_another_search(views: Views) -> None:
    """After a refusal no step of the search before is left."""
    page = views("steps/p1")
    page.get_by_text("step 0 of 1,000").wait_for()
    page.route("**/api/steps", lambda route: route.fulfill(status=400, json={"error": "no steps"}))
    page.select_option("#steps-solver", "fila")
    page.get_by_role("alert").get_by_text("no steps").wait_for()
    page.click("#step-on")
    page.click("#play")
    assert page.locator(".stage > *").count() == 0
    assert page.locator(".status").inner_text() == page.locator(".about").inner_text() == ""


def test_what_cannot_be_opened_is_named(views: Views, tmp_path: Path) -> None:
    """A name with a slip, a file of something else, a view that is not there."""
    page = views()
    page.fill("#search", "soma-cbe")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("soma-cube").wait_for()
    other = tmp_path / "letter.txt"
    other.write_text("Dear reader\n", encoding="utf-8")
    page.set_input_files("input[type=file]", other)
    page.get_by_role("alert").get_by_text("letter.txt").wait_for()
    views.go(page, "nowhere")
    page.get_by_text("There is no view #/nowhere.").wait_for()
    views.go(page, "puzzle/%E0")
    page.get_by_text("There is no view #/puzzle/%E0.").wait_for()
    race = page.evaluate(RACE)
    views.go(page, f"race/{race}/99")
    page.get_by_text("There is no lane 99.").wait_for()


def test_a_search_that_ended_without_a_count_searches_no_more(views: Views) -> None:
    """The reason stands where the number of solutions would."""
    page = views("races")
    race = page.evaluate(RACE.replace("lanes", 'find: "solutions", memory: "1", lanes'))
    views.go(page, f"race/{race}/0")
    page.locator(".about", has_text="the memory limit was reached").wait_for()


def test_a_large_seed_is_not_rounded(views: Views) -> None:
    """A browser has no number for it, so that it is sent as text."""
    page = views("puzzle/p2")
    page.click("#race")
    page.locator("#rows-seed").evaluate("(input, seed) => { input.value = seed; }", str(2**62 + 1))
    start_race(page, "rows")
    race = page.evaluate("location.hash.split('/').pop()")
    text = "race => fetch(`/api/races/${race}`).then(response => response.text())"
    assert f'"seed":{2**62 + 1}' in page.evaluate(text, race)


TWO = """\
<?xml version="1.0"?>
<puzzle version="2"><gridType type="0"/><colors/><shapes>
<voxel x="2" y="1" z="1" type="0">##</voxel><voxel x="2" y="2" z="1" type="0">####</voxel></shapes>
<problems>
<problem><shapes><shape id="0" count="2"/></shapes><result id="1"/><bitmap/></problem>
<problem><shapes><shape id="0" min="0" max="2"/></shapes><result id="1"/><bitmap/></problem>
</problems></puzzle>
"""


def test_puzzles_that_are_opened_again_are_listed_once(views: Views, tmp_path: Path) -> None:
    page = views()
    file = tmp_path / "two.xmpuzzle"
    file.write_text(TWO, encoding="utf-8")
    opened = page.locator("#opened li")
    before = opened.count()
    for _ in range(2):
        with page.expect_response("**/api/puzzles"):
            page.set_input_files("input[type=file]", file)
        page.wait_for_timeout(200)
        assert opened.count() == before + 2


# Whether all texts of a chart of so many nodes are within the chart.
CURVES = """async nodes => {
  const { Curves } = await import("/static/racing/curves.js");
  const curves = new Curves("none", "solutions", [{ title: "dlx" }]);
  document.querySelector("main").append(curves.element);
  const lane = { count: 1, share: null, status: null, best: null };
  for (const elapsed_s of [1, 2])
    curves.take({ lanes: [{ ...lane, nodes, elapsed_s, times: { time: `${elapsed_s} s` } }] });
  curves.show("nodes");
  const { left } = curves.element.getBoundingClientRect();
  return [...curves.element.querySelectorAll("text")]
    .every(text => text.getBoundingClientRect().left >= left);
}"""


def test_numbers_beside_a_curve_are_not_cut_off(views: Views) -> None:
    page = views("races")
    assert [page.evaluate(CURVES, nodes) for nodes in (5, 9_999_999, 1e7, 2**40)] == [True] * 4
