"""On a phone: large sheets and pictures. Anywhere: double clicks, refused streams, labels."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from browser.ui.test_views import PHONE, drag_along, fits, open_puzzle
from reports.present import present
from ui.served import LONG, Visitor, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.ui.conftest import Views
    from dovetail.ui.serving.server import PageServer

SCROLLS = True  # see `browser`
RACES = "() => fetch('/api/races').then(response => response.json()).then(all => all.length)"
REFUSED = """async () => {
  const { follow } = await import("/static/requests.js");
  const { signal } = new AbortController();
  return new Promise(onLost => follow("/api/events", { onLost, onRefused() {}, signal }));
}"""
# Labels of controls that leave out a text that is seen.
MISNAMED = """() => {
  const controls = [...document.querySelectorAll("main :is(button, a, summary, input, select)")];
  const shown = controls.filter(node => node.checkVisibility());
  const seen = node => [...node.labels ?? []].map(one => one.innerText).join(" ") || node.innerText;
  const labels = shown.filter(node => node.ariaLabel).map(node => [node.ariaLabel, seen(node)]);
  return labels.filter(([label, text]) => !label.includes(text.split("\\n")[0]));
}"""


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger from one place to another."""
    steps = range(9)
    drag_along(
        page, [tuple(a + (b - a) * n / 8 for a, b in zip(start, end, strict=True)) for n in steps]
    )


def test_a_high_sheet_is_scrolled_past(views: Views) -> None:
    """It is lower than the window; a finger draws on it, or scrolls it, as is chosen."""
    page = views("draw", width=PHONE, has_touch=True, is_mobile=True)
    page.fill("#height", "40")
    page.press("#height", "Enter")
    until(lambda: page.locator("[role=gridcell]").count() == 8 * 40)
    frame = page.locator(".sheet")
    frame.scroll_into_view_if_needed()
    page.evaluate("document.querySelector('.sheet').scrollIntoView({ block: 'center' })")
    box = present(frame.bounding_box())
    assert box["height"] <= 0.75 * 900
    x, top, bottom = PHONE / 2, box["y"] + 60, box["y"] + box["height"] - 60
    before = page.evaluate("scrollY")
    drag(page, (x, bottom), (x, top))
    marked = page.locator(".cells path.open").count()
    assert marked > 5
    assert (page.evaluate("scrollY"), frame.evaluate("node => node.scrollTop")) == (before, 0)
    page.get_by_label("A finger scrolls").tap()
    drag(page, (x + 45, bottom), (x + 45, top))
    until(lambda: frame.evaluate("node => node.scrollTop") > 100)
    assert page.locator(".cells path.open").count() == marked
    assert fits(page)


def test_a_double_click_starts_one_race(views: Views) -> None:
    """What it starts may be labelled and reduced, has links to its steps and a report."""
    page = views()
    open_puzzle(page, "soma-cube")
    page.locator(".known dl").first.wait_for(state="attached")
    assert page.evaluate(MISNAMED) == []
    for box in page.locator(".solver .check input").all():
        box.set_checked(box.get_attribute("id") == "solver-dlx")
    page.check("#race-labelled")
    page.get_by_text("Reduce placements", exact=True).click()
    page.check("#race-reduce-parity")
    before = page.evaluate(RACES)
    page.locator("#start").dblclick()
    page.get_by_role("link", name="Open the report").wait_for()
    assert page.evaluate(RACES) == before + 1
    assert page.evaluate(MISNAMED) == []
    page.locator(".lane").get_by_role("link", name="Step by step").click()
    page.get_by_text("step 0 of 1,000").wait_for()
    assert page.locator("#steps-solver").input_value() == "dlx"


def test_a_stream_that_is_refused_says_why(views: Views) -> None:
    """A browser does not ask again, and hides the answer."""
    page = views()
    assert page.evaluate(REFUSED).startswith("expected 1 to 60 of=races/")


def test_seven_tabs_share_a_connection(views: Views, server: PageServer) -> None:
    """A browser opens six to a server; a race ends when the tabs that have shown it are closed."""
    first = views()
    tabs = [first.context.new_page() for _ in range(6)]
    for tab in tabs:
        tab.goto(first.url)
        tab.locator("h1").wait_for()
    with closing(Visitor(server.address)) as visitor:
        puzzle = visitor.asked("/api/puzzles", name=LONG)[0]["id"]

        def race_in(shown: list[Page]) -> str:
            race = visitor.race(puzzle, "dlx")
            for page in shown:
                views.go(page, f"race/{race}")
            return race

        def finished(race: str) -> bool:
            return bool(visitor.get(f"/api/races/{race}").json()["finished"])

        races = [race_in([first]), race_in(tabs)]
        nodes = tabs[-1].locator(".lane dd").nth(1)
        until(lambda: nodes.inner_text() not in ("", "–"))
        assert not any(map(finished, races))
        for tab in tabs:
            tab.close()
        until(lambda: finished(races[1]))
        assert not finished(races[0])
        first.close()
        until(lambda: finished(races[0]))
