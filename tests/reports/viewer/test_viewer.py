"""The viewer page as text: whole, offline, and what is hostile in it is text."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

from dovetail.reports.viewer.viewer import MAX_SOLUTIONS, viewer_page
from reports.present import present
from reports.test_html import Outline
from reports.viewer.shapes import HOSTILE, SHOWN, cube_solutions, small_cube


def texts(page: str, tag: str) -> list[str]:
    """The texts in the elements of a tag, whose ends match their starts."""
    return [text for name, text in Outline(page).texts if name == tag]


def test_hostile_names_are_text() -> None:
    """Two scripts, the data and the bundle, whatever the names; it can be written as UTF-8."""
    page = viewer_page(small_cube(HOSTILE, HOSTILE), cube_solutions(HOSTILE))
    assert Outline(page).tags.count("script") == 2
    assert texts(page, "title") == texts(page, "h1") == [SHOWN]
    assert json.loads(texts(page, "script")[0])["solutions"][0][1][0] == SHOWN
    assert page.encode()


@pytest.mark.parametrize(
    ("given", "found", "expected"),
    [
        (0, None, "No solution found; the picture shows the empty region."),
        (501, None, "501 solutions; this file contains the first 500."),
    ],
)
def test_how_many_solutions(given: int, found: int | None, expected: str) -> None:
    """Shown above the picture; not more than a bound are in the page."""
    solutions = (cube_solutions() * MAX_SOLUTIONS)[:given]
    page = viewer_page(small_cube(), solutions, found)
    assert texts(page, "p")[0] == expected
    embedded = json.loads(texts(page, "script")[0])["solutions"]
    assert len(embedded) == min(max(given, 1), MAX_SOLUTIONS)


@pytest.mark.parametrize(
    ("max_cells", "expected"), [(16, "; this file contains the first 2."), (0, "the first 1.")]
)
def test_fewer_solutions_of_a_large_region(
    monkeypatch: pytest.MonkeyPatch, max_cells: int, expected: str
) -> None:
    """As many as there is room for, and one at least."""
    monkeypatch.setattr("dovetail.reports.viewer.viewer.MAX_CELLS", max_cells)
    page = viewer_page(small_cube(), cube_solutions() * 2)
    assert texts(page, "p")[0].endswith(expected)


SOURCES = Path(__file__).parents[3] / "viewer"


def committed(name: str) -> str:
    """A file of the package."""
    return (files("dovetail.reports.viewer") / name).read_text(encoding="utf-8")


def source_digest() -> str:
    """As `build.mjs` computes it."""
    names = ["build.mjs", "package.json", *(f"src/{p.name}" for p in SOURCES.glob("src/*"))]
    digest = sha256()
    for name in sorted(names):
        digest.update(f"{name}\n".encode() + (SOURCES / name).read_bytes())
    return digest.hexdigest()


def test_bundle_is_not_stale() -> None:
    """Its head names the digest of the sources; otherwise: `npm run build` in viewer/."""
    built_from = present(
        re.search(r"^sources: sha256 (\w+)$", committed("bundle.js"), re.MULTILINE)
    )
    assert built_from[1] == source_digest()


def test_licence_of_three_is_in_the_bundle_and_beside_it() -> None:
    """With the version that it was built with, which is an exact one."""
    package = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    version = package["devDependencies"]["three"]
    licence = committed("three.LICENSE.txt").strip()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert f"three.js {version} is part of this file:\n\n{licence}\n*/" in committed("bundle.js")
    assert "Copyright ©" in licence


def test_bundle_can_stand_in_a_script_element() -> None:
    """Nothing in it ends the element, opens a comment, or is read otherwise than written."""
    assert not re.search(r"</script|<!--|[\r\x00]", committed("bundle.js"), re.IGNORECASE)


@pytest.mark.slow
def test_building_again_gives_the_same_bundle(tmp_path: Path) -> None:
    """Byte for byte, in a copy."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    shutil.copytree(SOURCES, tmp_path / "viewer", ignore=shutil.ignore_patterns("node_modules"))
    target = tmp_path / "src" / "dovetail" / "reports" / "viewer"
    target.mkdir(parents=True)
    for command in (["npm", "install", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
        subprocess.run(command, cwd=tmp_path / "viewer", check=True, capture_output=True)
    for name in ("bundle.js", "three.LICENSE.txt"):
        assert (target / name).read_text(encoding="utf-8") == committed(name)
