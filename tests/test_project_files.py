"""The files of the project that no tool of its own reads: they name what is there."""

from __future__ import annotations

import json
import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from sysconfig import get_path

import pytest

import dovetail
from dovetail.harness.suite.suite_file import bundled_suites

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "dovetail"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
DOCS = sorted((ROOT / "docs").rglob("*.md"))


def lines_of(name: str, key: str) -> list[str]:
    """The values of a key in a file of YAML that has each in a line of its own."""
    found = re.findall(rf"^[ -]*{key}: *(.+)$", (ROOT / name).read_text(), re.MULTILINE)
    assert found, f"{name} has no {key}"
    return found


def test_the_workflow_runs_the_script() -> None:
    """On each version of Python that the classifiers promise."""
    commands = lines_of(".github/workflows/ci.yml", "run")
    assert ".ci/run" in commands
    scripts = re.findall(r"^\.ci/\w+", "\n".join(commands), re.MULTILINE)
    assert all(os.access(ROOT / script, os.X_OK) for script in scripts)
    listed, used, *others = lines_of(".github/workflows/ci.yml", "python-version")
    assert others == [listed, used]
    promised = [
        name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d", name)
    ]
    assert re.findall(r'"(3\.\d+)"', listed) == promised == ["3.11", "3.12", "3.13"]
    assert used == "${{ matrix.python-version }}"


def test_hooks_are_the_checks_of_the_script() -> None:
    """The same tools, of which the extra `dev` installs those for Python."""
    hooks = [shlex.split(entry) for entry in lines_of(".pre-commit-config.yaml", "entry")]
    script = (ROOT / ".ci" / "check").read_text()
    (listed,) = re.findall(r"^for check in (.+); do$", script, re.MULTILINE)
    assert re.search(r"^\.ci/eslint$", script, re.MULTILINE)
    checks = [shlex.split(check) for check in [*shlex.split(listed), ".ci/eslint"]]
    assert [without_flags(hook) for hook in hooks] == [without_flags(check) for check in checks]
    assert set(lines_of(".pre-commit-config.yaml", "language")) == {"system"}
    assert lines_of(".pre-commit-config.yaml", "repo") == ["local"]
    for tool, *_ in hooks:
        folder = ROOT if "/" in tool else Path(get_path("scripts"))
        assert os.access(folder / tool, os.X_OK), f"{tool} is not installed"


def without_flags(command: list[str]) -> list[str]:
    """A command without what begins with a dash."""
    return [word for word in command if not word.startswith("-")]


def test_the_puzzle_in_the_readme(tmp_path: Path) -> None:
    """It has the number of solutions that the page gives."""
    text = (ROOT / "README.md").read_text()
    (puzzle,) = re.findall(r"> courtyard.toml <<'END'\n(.*?)END\n", text, re.DOTALL)
    (tmp_path / "courtyard.toml").write_text(puzzle)
    assert "It has nine solutions" in text
    assert dovetail.count(tmp_path / "courtyard.toml").count == 9


@pytest.mark.parametrize("name", PAGES)
def test_links_of_the_pages_in_the_root(name: str) -> None:
    """What these pages point at is there; tests/docs has those of the site."""
    for link in re.findall(r"\]\((?!\w+:)([^)#]+)", (ROOT / name).read_text()):
        assert (ROOT / link).exists(), link


def test_paths() -> None:
    """Files of the repository that a page names are there."""
    missing = []
    for page in [*(ROOT / name for name in PAGES), *DOCS]:
        for path in re.findall(
            r"(?<![\w/])(?:tests|src|suites|benchmarks|docs)/[\w./-]+", page.read_text()
        ):
            if "NAME" not in path and not (ROOT / path.rstrip(".")).exists():
                missing.append(f"{page.name}: {path}")
    assert not missing


def test_suites_are_in_the_package() -> None:
    """Where a wheel takes them from; the folder in the root is a link to them."""
    folder = ROOT / "suites"
    if not folder.exists():
        pytest.skip("an sdist has no links")
    assert os.readlink(folder) == "src/dovetail/suites"
    assert {path.stem for path in folder.glob("*.toml")} == set(bundled_suites())
    assert all(path.parent == SOURCES / "suites" for path in bundled_suites().values())


def test_one_version() -> None:
    """In the package, in the citation, and in the changelog, where it may be to come."""
    (cited,) = lines_of("CITATION.cff", "version")
    assert cited == PROJECT["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text()
    newest = changelog[: changelog.index("\n## [0.1.0]")]
    assert f"\n## [{cited}] - " in newest or f"\nVersion {cited}: " in newest


def test_the_archive_metadata_agree_with_the_project() -> None:
    deposit = json.loads((ROOT / ".zenodo.json").read_text())
    assert (deposit["version"], deposit["license"]) == (PROJECT["version"], PROJECT["license"])
    assert deposit["keywords"] == PROJECT["keywords"]
    assert [creator["name"] for creator in deposit["creators"]] == [
        author["name"] for author in PROJECT["authors"]
    ]
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.findall(r'^title: "(.*)"', citation, re.MULTILINE) == [deposit["title"]]
    abstract = re.findall(r"^abstract: >-\n((?:  .*\n)+)", citation, re.MULTILINE)
    assert [" ".join(text.split()) for text in abstract] == [deposit["description"]]
    keywords = re.findall(r"^keywords:\n((?:  - .*\n)+)", citation, re.MULTILINE)
    assert [re.findall(r'"(.*)"', text) for text in keywords] == [deposit["keywords"]]


def test_extras_refer_to_this_distribution() -> None:
    names = {
        name
        for requirements in PROJECT["optional-dependencies"].values()
        for name in re.findall(r"^(dovetail[\w-]*)", "\n".join(requirements), re.MULTILINE)
    }
    assert names == {PROJECT["name"], "dovetail-puzzles"}


def test_the_architecture_names_what_is_there() -> None:
    """Each type stands in the module, or somewhere in the package, that its row names."""
    pages = [ROOT / "docs" / "architecture" / name for name in ("types.md", "glossary.md")]
    table = "".join(page.read_text() for page in pages)
    defined = [(module, name) for module in modules() for name in names_in(module)]
    for row in re.findall(r"^\| (`.+?) \| (`.+?) \|", table, re.MULTILINE):
        types, places = (re.findall(r"`([\w.]+)`", cell) for cell in row)
        package = places[0].rpartition(".")[0]
        homes = [package + place if place.startswith(".") else place for place in places]
        for one in types:
            found = {module for module, name in defined if name == one}
            assert any(f"{module}.".startswith(f"{home}.") for home in homes for module in found), (
                f"{one} is not in {' or '.join(homes)}, but in {found or 'no module'}"
            )


def test_the_walk_names_files() -> None:
    """Each file on the page from the command to the kernel is in the package."""
    page = (ROOT / "docs" / "architecture" / "walk.md").read_text()
    files = re.findall(r"`([\w/]+/\w+\.py)`", page)
    assert len(files) > 10
    assert [file for file in files if not (SOURCES / file).is_file()] == []


def modules() -> Iterator[str]:
    """The modules of the package, without its name."""
    for path in SOURCES.rglob("*.py"):
        yield ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")


def names_in(module: str) -> list[str]:
    """What a module defines."""
    path = SOURCES.joinpath(*module.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return re.findall(r"^(?:class |def )?(\w+)(?=[(:\[ =])", source.read_text(), re.MULTILINE)
