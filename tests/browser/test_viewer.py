"""The viewer of packings in three dimensions, in a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import dovetail
from browser.appearance import colours_of_canvas, drawn
from dovetail.errors import how_many
from dovetail.models.lattices.registry import lattice_named
from dovetail.models.packings.packing import PackingPuzzle, Piece
from dovetail.models.solution import PackingSolution
from dovetail.reports.viewer.viewer import viewer_page
from reports.present import present
from reports.viewer.shapes import (
    HOSTILE,
    SHOWN,
    cube_solutions,
    small_cube,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browser.conftest import Opener

EXPLODE = "slider => { slider.value = 60; slider.dispatchEvent(new Event('input')) }"
WITHOUT_WEBGL = "HTMLCanvasElement.prototype.getContext = () => null"


def small_page() -> str:
    """Two solutions of a small cube."""
    return viewer_page(small_cube(), cube_solutions())


def layers(page: Page) -> list[list[str]]:
    """The layers as text: for each its heading, then row by row."""
    return [
        table.locator("caption, tr").all_inner_texts() for table in page.locator(".layer").all()
    ]


def status(page: Page) -> str:
    """The text that a screen reader gets."""
    return page.locator("[role=status]").inner_text()


def test_solids_of_other_lattices_are_drawn(open_page: Opener) -> None:
    """Two pieces, one of them of two cells; without them another picture, of the region alone."""
    name = "triangular-prisms"
    lattice = lattice_named(name)
    home = lattice.fundamental_cells[0]
    one, *_, other = lattice.neighbours(home)
    pieces = (Piece("A", (home, one)), Piece("B", (other,)))
    puzzle = PackingPuzzle(name, lattice, (home, one, other), pieces)
    solution = PackingSolution(tuple((piece.name, piece.cells) for piece in pieces))
    page = open_page(viewer_page(puzzle, [solution]))
    assert colours_of_canvas(page) > 4
    assert drawn(page) != drawn(open_page(viewer_page(puzzle, [])))


def test_saving_a_picture(open_page: Opener) -> None:
    """As PNG on the paper of the page, named after the puzzle and what is shown."""
    page = open_page(small_page())
    click("First piece")(page)
    with page.expect_download() as download:
        click("Save PNG")(page)
    assert download.value.suggested_filename == "small-cube-1-step-1.png"
    content = download.value.path().read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(content[at : at + 4]) for at in (16, 20))
    box = present(page.locator("canvas").bounding_box())
    assert (width, height) == pytest.approx((box["width"], box["height"]), abs=3)


def drag(page: Page) -> None:
    """With the mouse."""
    box = present(page.locator("canvas").bounding_box())
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 220, box["y"] + 140, steps=4)
    page.mouse.up()


def roll(page: Page) -> None:
    """The wheel."""
    page.locator("canvas").hover()
    page.mouse.wheel(0, -300)


def press(key: str) -> Callable[[Page], None]:
    """A key while the canvas has the focus."""
    return lambda page: page.locator("canvas").press(key)


def click(label: str) -> Callable[[Page], None]:
    """A button, also where it has nothing left to do."""
    return lambda page: page.get_by_role("button", name=label, exact=True).click(force=True)


def explode(page: Page) -> None:
    """By the slider."""
    page.eval_on_selector("#viewer-explode", EXPLODE)


def test_the_view_changes_and_is_reset(open_page: Opener) -> None:
    """The picture is another one, and the same again afterwards; the text is not touched."""
    page = open_page(small_page())
    before, text = drawn(page), layers(page)
    pictures = {before}
    keys = ("ArrowLeft", "ArrowUp", "+")
    buttons = ("Nearer",)  # it does what the last key does
    actions = (drag, roll, explode, *map(press, keys), *map(click, buttons))
    for action in actions:
        action(page)
        pictures.add(drawn(page))
        assert layers(page) == text
        click("Reset view and steps")(page)
        assert drawn(page) == before
    assert len(pictures) == 1 + len(actions) - len(buttons)


def test_stepping_through_the_pieces(open_page: Opener) -> None:
    """Picture, layers, names and status go together, from the first piece to the last."""
    page = open_page(small_page())
    whole = [["z = 0", "L\tR", "L\tL"], ["z = 1", "R\tR", "R\tR"]]
    assert (layers(page), status(page)) == (whole, "Solution 1 of 2, all 2 pieces")
    pictures = [drawn(page)]
    current = page.locator("[aria-current=step]")
    assert current.count() == 0
    click("First piece")(page)
    pictures.append(drawn(page))
    assert layers(page) == [["z = 0", "L\t.", "L\tL"], ["z = 1", ".\t.", ".\t."]]
    assert status(page) == "Solution 1 of 2, piece 1 of 2: L"
    assert current.all_inner_texts() == ["L"]
    click("Next piece")(page)
    pictures.append(drawn(page))
    assert (layers(page), status(page)) == (whole, "Solution 1 of 2, piece 2 of 2: R")
    assert current.all_inner_texts() == ["R"]
    assert page.locator(".layer td.current").count() == 5
    assert len(set(pictures)) == 3
    assert page.locator("#viewer-on").get_attribute("aria-disabled") == "true"
    click("Next piece")(page)
    assert status(page) == "Solution 1 of 2, piece 2 of 2: R"
    click("Previous piece")(page)
    assert drawn(page) == pictures[1]
    page.locator("#viewer-pieces").get_by_role("button", name="R").click()
    assert drawn(page) == pictures[2]


def test_going_to_the_next_solution(open_page: Opener) -> None:
    """And back; at the ends nothing happens."""
    page = open_page(small_page())
    before = drawn(page)
    click("Next solution")(page)
    assert status(page) == "Solution 2 of 2, all 2 pieces"
    assert layers(page) == [["z = 0", "R\tR", "R\tR"], ["z = 1", "L\tR", "L\tL"]]
    assert drawn(page) != before
    click("Next solution")(page)
    assert status(page) == "Solution 2 of 2, all 2 pieces"
    click("Previous solution")(page)
    assert drawn(page) == before


def test_without_webgl(open_page: Opener) -> None:
    """A message stands in place of the picture; layers and steps are there all the same."""
    page = open_page(small_page(), before=WITHOUT_WEBGL)
    assert page.locator("canvas").is_hidden()
    assert page.get_by_text("WebGL 2").is_visible()
    assert page.locator("#viewer-explode").is_hidden()
    click("First piece")(page)
    assert layers(page)[0] == ["z = 0", "L\t.", "L\tL"]


def test_hostile_names_are_shown_as_text(open_page: Opener) -> None:
    """As heading, in the list of pieces and in the status."""
    page = open_page(viewer_page(small_cube(HOSTILE, HOSTILE), cube_solutions(HOSTILE)))
    assert page.locator("h1").inner_text() == SHOWN
    assert page.title() == SHOWN
    click("Last piece")(page)
    assert status(page) == f"Solution 1 of 2, piece 2 of 2: {SHOWN}"
    assert page.locator("#viewer-pieces button").nth(1).inner_text() == f"2\n{SHOWN}"
    assert page.locator("script").count() == 2


def wait_for(element: Locator, text: str) -> None:
    """Wait until an element has a text."""
    element.filter(has_text=text).wait_for()


def test_the_moves_that_take_an_assembly_apart(open_page: Opener) -> None:
    """By slider, steps and playing; the picture and the words follow."""
    puzzle, (solution, *_) = small_cube(), cube_solutions()
    taken = dovetail.disassemble(puzzle, solution)
    page = open_page(viewer_page(puzzle, [solution], taken_apart=[taken.disassembly]))
    text = page.locator("#viewer-move-text")
    wait_for(text, f"level 1, {how_many(taken.moves, 'move')}")
    together = drawn(page)
    page.get_by_role("button", name="Next move").click()
    wait_for(text, f"Move 1 of {taken.moves}: ")
    page.wait_for_timeout(800)
    assert drawn(page) != together
    page.get_by_role("slider", name="Moves").press("End")
    wait_for(text, f"Move {taken.moves} of {taken.moves}: ")
    assert page.get_by_role("button", name="Next move").get_attribute("aria-disabled") == "true"
    page.get_by_role("button", name="Reset view and steps").click()
    wait_for(text, f"level 1, {how_many(taken.moves, 'move')}")
    page.locator("#viewer-move-speed").select_option("fast")
    page.get_by_role("button", name="Play the moves").click()
    wait_for(text, f"Move {taken.moves} of {taken.moves}: ")
    wait_for(page.get_by_role("button", name="Play the moves"), "Play")
    page.wait_for_timeout(800)
    page.evaluate("performance.now = () => globalThis.now ?? 0")
    page.get_by_role("button", name="Play the moves").click()
    wait_for(text, f"Move {taken.moves} of {taken.moves}: ")
    begun = drawn(page)
    page.evaluate("now = 100")
    assert drawn(page) != begun  # played again, from the assembly on


def test_a_move_ends_the_steps_that_are_played(open_page: Opener) -> None:
    """The next step would put the pieces together again."""
    puzzle, (solution, *_) = small_cube(), cube_solutions()
    taken = dovetail.disassemble(puzzle, solution)
    page = open_page(viewer_page(puzzle, [solution], taken_apart=[taken.disassembly]))
    click("Play")(page)
    click("Next move")(page)
    assert page.locator("#viewer-play").inner_text() == "Play"
    page.wait_for_timeout(1_000)
    assert page.locator("#viewer-move-text").inner_text().startswith("Move 1 of ")


def test_keys_of_the_browser_are_left_to_it(open_page: Opener) -> None:
    """Such as Ctrl+0, by which it resets its zoom."""
    page = open_page(small_page())
    taken = """ctrlKey => !document.querySelector("canvas").dispatchEvent(
        new KeyboardEvent("keydown", { key: "0", ctrlKey, cancelable: true }))"""
    assert [page.evaluate(taken, held) for held in (False, True)] == [True, False]
