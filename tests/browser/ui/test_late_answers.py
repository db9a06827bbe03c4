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
