"""Answers of the server that come after a later request, or after a later edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from browser.ui.test_views import step
from ui.served import until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from browser.ui.conftest import Views

# Starts to list the solutions of the cube, and is the identity of the race.
SOLUTIONS = """() => {
  const body = JSON.stringify({ puzzle: "p1", find: "solutions", lanes: [{ backend: "bitset" }] });
  const headers = { "Content-Type": "application/json" };
  return fetch("/api/races", { method: "POST", headers, body }).then(response => response.json())
    .then(({ id }) => id);
}"""


def held(page: Page, address: str) -> list[Any]:
    """Hold back the first request to an address; it is the only item of the list."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        if routes:
            route.continue_()
        else:
            routes.append(route)

    page.route(address, hold)
    return routes


def test_a_page_of_solutions_that_comes_late_is_not_shown(views: Views) -> None:
    page = views()
    views.go(page, f"race/{page.evaluate(SOLUTIONS)}/0")
    page.locator(".about", has_text=" in ").wait_for()
    routes = held(page, "**/solutions?from=24&*")
    page.set_default_timeout(8000)
    page.click("#next-page")
    until(lambda: page.title() and routes)  # Playwright takes requests meanwhile
    page.click("#next-page")
    page.get_by_text("49 to 72 of").wait_for()
    with page.expect_response("**/solutions?from=24&*"):
        routes[0].continue_()
    page.wait_for_timeout(200)
    assert page.locator(".solution").first.get_attribute("data-number") == "49"


def test_steps_that_come_late_are_not_shown(views: Views) -> None:
    page = views("steps/p1")
    page.get_by_text("step 0 of 1,000").wait_for()
    routes = held(page, "**/api/steps")
    page.select_option("#steps-count", "20000")
    until(lambda: page.title() and routes)  # Playwright takes requests meanwhile
    page.select_option("#steps-count", "5000")
    page.get_by_text("step 0 of 5,000").wait_for()
    routes[0].continue_()
    page.wait_for_timeout(1_000)
    page.click("#last-step")
    assert step(page) == 5_000


def test_colours_change_before_the_steps_of_a_solid_are_there(views: Views) -> None:
    page = views(color_scheme="light")
    routes = held(page, "**/api/steps")
    views.go(page, "steps/p1")
    until(lambda: page.evaluate("Boolean(globalThis.dovetailVoxels)") and routes)
    page.emulate_media(color_scheme="dark")
    routes[0].continue_()
    page.get_by_text("step 0 of 1,000").wait_for()


def test_two_pieces_are_mirrored_at_once(views: Views) -> None:
    page = views("draw")
    page.select_option("#piece-set", "pentominoes")
    page.locator("#piece-11-mirror").wait_for()
    cells = "JSON.parse(sessionStorage.getItem('drawing')).pieces.map(({ cells }) => String(cells))"
    before = page.evaluate(cells)
    routes = held(page, "**/lattices/square-2/piece")
    page.click("#piece-0-mirror")
    until(lambda: page.title() and routes)  # Playwright takes requests meanwhile
    page.click("#piece-2-mirror")
    until(lambda: page.evaluate(cells)[2] != before[2])
    routes[0].continue_()
    until(lambda: page.evaluate(cells)[0] != before[0])
    assert page.evaluate(cells)[2] != before[2]


def test_a_cell_that_is_marked_before_a_new_size_is_there_stays(views: Views) -> None:
    page = views("draw")
    cells = page.locator(".cells [role=gridcell]")
    cells.first.wait_for()
    routes = held(page, "**/lattices/square-2/cells?width=9&*")
    page.fill("#width", "9")
    page.locator("#width").blur()
    until(lambda: page.title() and routes)
    cells.first.click()
    assert page.locator(".cells path.open").count() == 1
    routes[0].continue_()
    until(lambda: cells.count() == 54)
    assert page.locator(".cells path.open").count() == 1


# Starts to list the many solutions of a puzzle, and answers the questions about them half a second
# late, the first as if there were none yet.
SLOWLY = """async () => {
  const headers = { "Content-Type": "application/json" };
  const ask = async (address, body) =>
    (await fetch(address, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const [{ id: puzzle }] = await ask("/api/puzzles", { name: "pentominoes-6x10" });
  const answers = ['{"found": 0, "kept": 0, "solutions": []}'];
  const answer = fetch;
  globalThis.fetch = async (address, options) => {
    if (!address.includes("/solutions?")) return answer(address, options);
    if (answers.length) return new Response(answers.pop(), { headers });
    await new Promise(resolve => setTimeout(resolve, 500));
    return answer(address, options);
  };
  const lanes = [{ backend: "dlx" }];
  return (await ask("/api/races", { puzzle, find: "solutions", lanes })).id;
}"""


def test_solutions_are_shown_although_states_come_faster(views: Views) -> None:
    page = views()
    views.go(page, f"race/{page.evaluate(SLOWLY)}/0")
    page.locator(".solution").first.wait_for(timeout=4000)
    page.click("#stop-solving")
