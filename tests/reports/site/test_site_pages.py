"""The pages of a site: their names, what they show, and that links lead somewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from dovetail.harness.records.record_files import parse_file
from dovetail.reports.site.content import SAFE, Site, SourceFile, file_names, site_of
from dovetail.reports.site.files import site_files
from dovetail.reports.site.overview import home_page
from dovetail.reports.site.subjects import AskedQuestion
from harness.records.made import fields, many
from reports.results.synthetic import cut, result
from reports.site.walk import Links, walked

HOSTILE = (
    *("../../etc/passwd", "..", ".hidden", "a/b", "a\\b", "C:", "%2e%2e%2f", "javascript:alert(1)"),
    *("<script>", "a\"b' onclick=x", "\x00", "\u202egnp", "\ud800", "", "   ", "…", "x" * 100_000),
    *("con", "NUL", "nul.txt", "com1", "index", "INDEX", "trailing.html "),
)


def test_a_name_that_is_safe_is_kept() -> None:
    """Whatever other names there are."""
    names = {"1": "pentominoes-6x10", "2": "G_8_3", "3": "set-1-08x08.txt"}
    found = file_names(names)
    assert found["1"] == "pentominoes-6x10"
    assert found["3"] == "set-1-08x08.txt"
    assert re.fullmatch("g-8-3-[0-9a-f]{8}", found["2"])


def test_hostile_names_are_safe_file_names() -> None:
    """None leaves its folder or needs escaping, none is a device or the page of the folder."""
    found = file_names({str(place): name for place, name in enumerate(HOSTILE)})
    assert len({*found.values()}) == len(HOSTILE)
    for name in found.values():
        assert SAFE.fullmatch(name)
        assert name.split(".")[0] not in ("con", "nul", "com1", "index")


def test_names_that_are_alike_stay_apart() -> None:
    """The same name, another case, the same letters and digits, and names made to collide."""
    names = {"1": "box", "2": "box", "3": "Box", "4": "b ox", "5": "b/ox"}
    found = file_names(names)
    assert len({*found.values()}) == 5
    assert file_names(dict(reversed(names.items()))) == found
    taken = file_names({"1": "Box"})["1"]
    again = file_names({"1": "Box", "2": taken})
    assert again["2"] == taken
    assert re.fullmatch("box-[0-9a-f]{16}", again["1"])


def source(records: Iterable[dict[str, Any]], name: str = "runs.jsonl") -> SourceFile:
    """A file with these records."""
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    return SourceFile(name, data, parse_file(data, Path(name)))


def content(*files: SourceFile, title: str = "Results") -> Site:
    """The content of a site of these files."""
    return site_of(files, title)


def made_site(*files: SourceFile) -> dict[str, str]:
    """The files of a site by their addresses; each is there once."""
    found = list(site_files(content(*files)))
    assert len({address for address, _ in found}) == len(found)
    assert found[-1][0] == "index.html"
    return {address: data.decode() for address, data in found}


def rows(page: str, heading: str) -> list[list[str]]:
    """The texts of the first table of a part, row by row."""
    part = re.split(rf"<h[23][^>]*>{re.escape(heading)}</h", page)[1]
    body = part.split("<tbody>")[1].split("</tbody>")[0]
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in body.split("<tr")[1:])
    return [[re.sub("<[^>]*>", "", cell) for cell in row] for row in cells]


def test_all_pages_are_reached_by_links() -> None:
    """From the home page; every link leads to a page, a part of one, or a file."""
    records = [record.json_fields() for record in many(3, 4)]
    old = fields("box-1", "solver-1", job="box-1 solver-1", commit="old", begun="2025-01-01")
    board = {"size": {"tiles": 4}, "outline": {"width": 2, "height": 2}}
    others = [
        fields("board", "beam", improves=True, score=3, bound=4, trace=[], **board),
        fields("board", "beam", improves=True, score=4, bound=4, machine=None, job="b", **board),
        fields("elsewhere", "dlx", machine={"processor": "Q", "cores": 8}, size={"items": 5}),
    ]
    site = made_site(source(records), source([old, *others], "more.jsonl"))
    assert walked(site) == {*site}
    assert {name for name in site if name.startswith("families/")} == {
        "families/packing.html",
        "families/edge-matching.html",
        "families/exact-cover.html",
    }
    best = "Best boards on P, 2 cores: beam has the best mean score: 3.0 of 4 edges match"
    assert best in site["index.html"]
    assert "4 of 4 edges" in site["puzzles/index.html"]
    titles = re.findall(r"<h2[^>]*>(Best boards.*?)</h2>", site["puzzles/board.html"])
    assert titles == ["Best boards, P, 2 cores", "Best boards, machine not recorded"]


@pytest.fixture(scope="module")
def hostile() -> dict[str, str]:
    """A site of records with hostile text in every field that holds text."""
    texts = ("suite", "commit", "begun", "node_meaning", "reason")
    records = [
        fields(
            name,
            name or "dlx",
            job=f"{place}",
            digest=f"{name}{place}",
            config={name: name},
            versions={"dovetail": name},
            machine={"processor": name, "cores": 2, "system": name},
            status="failed" if place % 3 == 0 else "exhausted",
            **dict.fromkeys(texts, name),
        )
        for place, name in enumerate(HOSTILE)
    ]
    return made_site(source(records, "../<b>.jsonl"), source(records[:1], "../<b>.jsonl"))


def test_hostile_names_break_no_link(hostile: dict[str, str]) -> None:
    """No page leads out of the site, and all pages are reached."""
    assert walked(hostile) == {*hostile}
    assert all(re.fullmatch(r"([a-z]+/)?[a-z0-9._-]+", address) for address in hostile)


def test_the_same_records_are_the_same_site() -> None:
    """Byte for byte."""
    files = [source(record.json_fields() for record in many(2, 2))]
    assert made_site(*files) == made_site(*files)


def test_downloads_hold_all_records() -> None:
    """The files as they were given, the records of each puzzle and solver, the figures."""
    records = [record.json_fields() for record in many(2, 3)]
    given = source(records)
    torn = SourceFile("torn.jsonl", given.data + b"{", parse_file(given.data + b"x\n", Path("t")))
    site = made_site(given, torn)
    assert site["records/runs.jsonl"].encode() == given.data
    assert site["records/torn.jsonl"].encode() == torn.data
    of_puzzle = [json.loads(line) for line in site["puzzles/box-0.jsonl"].splitlines()]
    assert [one["backend"] for one in of_puzzle] == ["solver-0", "solver-1", "solver-2"] * 2
    assert of_puzzle[0] == records[0]
    assert len(site["solvers/solver-2.jsonl"].splitlines()) == 4
    (figures,) = (name for name in site if name.endswith(".csv"))
    assert len(site[figures].splitlines()) == 7
    assert "torn.jsonl: 1 line skipped: line 7: not JSON" in site["index.html"]


def test_machines_are_compared_apart() -> None:
    """A leaderboard has runs of one machine, the newest of each job; counts contradict all."""
    records = [
        fields(
            f"box-{puzzle}", backend, job=f"{puzzle} {backend}", solve_s=seconds, machine=machine
        )
        for machine, times in (
            ({"processor": "P", "cores": 2}, {"dlx": 1.0, "fila": 4.0}),
            ({"processor": "Q", "cores": 2}, {"dlx": 8.0, "fila": 2.0}),
        )
        for puzzle in range(3)
        for backend, seconds in times.items()
    ]
    older = {**records[0], "solve_s": 100.0, "begun": "2025-01-01", "commit": "old"}
    site = made_site(source([*records, older]))
    assert [row[:5] for row in rows(site["index.html"], "Leaderboards")] == [
        ["packing", "default", "dlx", "fila", "P, 2 cores"],
        ["packing", "default", "fila", "dlx", "Q, 2 cores"],
    ]
    fastest = rows(site["puzzles/index.html"], "3 puzzles")
    assert fastest[0][:6] == ["box-0", "packing", "dlx", "P, 2 cores", "1.25 s", "8"]
    places = rows(site["solvers/dlx.html"], "Places in leaderboards")
    assert [row[:2] for row in places] == [["dlx", "1 of 2"], ["dlx", "2 of 2"]]
    elsewhere = {**records[6], "count": 9}
    wrong = made_site(source([*records[:6], elsewhere]))
    assert "Wrong results: 3 of 7." in wrong["index.html"]
    assert "backends disagree: dlx 8, fila 8, dlx 9" in wrong["index.html"]


def test_machines_with_the_same_title_are_both_on_the_home_page() -> None:
    records = [
        fields(puzzle=f"p{n}", digest=f"{n}", job=f"{n} {backend}", backend=backend)
        | {"machine": {"processor": processor, "cores": 4}}
        for processor in ("X 1", "X  1")
        for backend in ("dlx", "rows")
        for n in range(3)
    ]
    first = home_page(content(source(records))).sections[0]
    assert len(first.paragraphs) == 2


def test_history_over_revisions() -> None:
    """Each revision beside the last earlier runs of its jobs; wrong counts are errors."""

    def at(commit: str, day: int, seconds: float, **changes: Any) -> dict[str, Any]:
        own = {"job": "1", "commit": commit, "solve_s": seconds, "prepare_s": 0.0, **changes}
        return {**fields("box", "dlx", begun=f"2026-01-0{day}"), **own}

    between = at("b", 2, 1.0, job="2", puzzle="other", digest="o")
    site = made_site(source([at("c", 3, 1.0, count=9), at("a", 1, 4.0), between]))
    page = site["history.html"]
    assert [[row[1], *row[4:]] for row in rows(page, "Revisions")] == [
        ["1. version not recorded (a)", "1", "0"],
        ["2. version not recorded (b)", "1", "0"],
        ["3. version not recorded (c)", "1", "1"],
    ]
    assert "3. version not recorded (c): 1 job compared, 0 unchanged" in page
    assert re.search(r'"words">the count</td><td class="words">8</td><td class="words">9<', page)
    assert [row[3:] for row in rows(site["puzzles/box.html"], "History")] == [
        ["2026-01-01", "8", "1,000", "4 s", "4 s", "×1.00"],
        ["2026-01-03", "9", "1,000", "1 s", "1 s", "×0.25"],
    ]
    faster = made_site(source([at("a", 1, 4.0), between, at("c", 3, 1.0)]))["history.html"]
    assert (
        "Solve time relative to the first revision, on a logarithmic scale. At the end: dlx 0.25."
        in faster
    )
    alone = made_site(source([between]))
    assert "No job was run at several revisions on one machine" in alone["history.html"]
    assert ">History</h2>" not in alone["puzzles/other.html"]


def test_cells_lead_to_their_subjects() -> None:
    """By item, not by text: a solver that is called like a puzzle has a link of its own."""
    records = [fields("box", backend, job=backend) for backend in ("box", "dlx")]
    records.append(fields("box", "box", job="old", commit="old", begun="2025-01-01"))
    records[2]["job"] = records[0]["job"]
    site = made_site(source(records))
    page = site["puzzles/box.html"]
    results = re.split(r"<h2[^>]*>Results", page)[1]
    assert re.findall(r'href="([^"]*)">box<', results)[0] == "../solvers/box.html#settings-1"
    history = re.split(r"<h2[^>]*>History", page)[1].split("</table>")[0]
    found = set(re.findall(r'href="([^"]*)">', history))
    (machine,) = (name for name in site if re.fullmatch(r"machines/.*\.html", name))
    assert found == {"../solvers/box.html#settings-1", f"../{machine}"}
    home = site["index.html"]
    assert 'href="families/packing.html">packing<' in home
    assert 'href="solvers/dlx.html#settings-1">dlx<' in home


def test_records_of_damaged_files() -> None:
    """One job about two puzzles, and a score without the bound: no page fails."""
    job = {"job": "1", "machine": None}
    records = [
        fields("old", "fila", commit="a", begun="2026-01-01", **job),
        fields("new", "dlx", commit="b", begun="2026-01-02", **job),
        fields("board", "beam", improves=True, score=3, bound=None, trace=None),
    ]
    site = made_site(source(records))
    assert walked(site) == {*site}
    assert "puzzles/old.html" not in site
    assert "3 of – edges" in site["puzzles/index.html"]


def test_hostile_names_are_text(hostile: dict[str, str]) -> None:
    """Every page runs the scripts of reports alone, and asks nothing of any host."""
    for address, page in hostile.items():
        if address.endswith(".html"):
            scripts = {script[:7] for script in Links(page).scripts}
            assert scripts <= {"// Tabl", "// Char", "// Open"}
            assert "default-src 'none'" in page
            assert not re.search(r"https?://|[^-]src=|@import|url\(", page)
            assert len(page) < 2_000_000  # a record with a name of 100,000 letters has as many


def test_a_probable_count_is_no_lower_bound() -> None:
    probable, exact = result("a", "hash", count=92, probable=True), result("a", "dlx", count=92)
    bound = cut("a", "fila", count=7)
    assert AskedQuestion("packing", [bound, probable]).solutions == "≈ 92"
    assert AskedQuestion("packing", [probable, exact]).solutions == "92"
    assert AskedQuestion("packing", [bound]).solutions == "≥ 7"
