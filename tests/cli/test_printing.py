"""Solids and print sheets, as typed; the files are read without dovetail."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest

from cli.command import dovetail

SVG = "{http://www.w3.org/2000/svg}"
CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
trimesh = pytest.importorskip("trimesh")


def objects(path: Path) -> list[tuple[str, Any, str]]:
    """Return the name, the mesh at its place and the colour of each item of a 3MF file."""
    with ZipFile(path) as file:
        assert file.testzip() is None
        assert {"[Content_Types].xml", "_rels/.rels"} < {*file.namelist()}
        (link,) = ElementTree.fromstring(file.read("_rels/.rels"))
        root = ElementTree.fromstring(file.read(link.attrib["Target"].lstrip("/")))
    assert root.attrib["unit"] == "millimeter"
    colours = [base.attrib["displaycolor"] for base in root.iter(f"{CORE}base")]
    nodes = {node.attrib["id"]: node for node in root.iter(f"{CORE}object")}
    found = []
    for item in root.iter(f"{CORE}item"):
        node = nodes[item.attrib["objectid"]]
        matrix = np.array([*map(float, item.attrib["transform"].split())]).reshape(4, 3)
        points = [[float(p.attrib[a]) for a in "xyz"] for p in node.iter(f"{CORE}vertex")]
        corners = [
            [int(t.attrib[f"v{n}"]) for n in (1, 2, 3)] for t in node.iter(f"{CORE}triangle")
        ]
        mesh = trimesh.Trimesh(np.array(points) @ matrix[:3] + matrix[3], corners, process=False)
        found.append((node.attrib["name"], mesh, colours[int(node.attrib["pindex"])]))
    assert {item.attrib["objectid"] for item in root.iter(f"{CORE}item")} == nodes.keys()
    return found


def apart(boxes: list[Any]) -> bool:
    """Return whether no two boxes, each with its lower and upper corner, overlap."""
    return all(
        (box[1] <= other[0]).any() or (other[1] <= box[0]).any()
        for number, box in enumerate(boxes)
        for other in boxes[:number]
    )


def drawn_box(figure: ElementTree.Element) -> Any:
    """Return the corners of a figure on the page: of its lines, and of its caption's baseline."""
    numbers = [float(word) for word in re.findall(r"[\d.]+", figure.attrib["transform"])]
    points = list[tuple[float, float]]()
    for node in figure.iter():
        if node.tag == f"{SVG}text":
            points.append((float(node.attrib["x"]), float(node.attrib["y"])))
        x = y = 0.0
        for kind, values in re.findall(r"([A-Za-z])([^A-Za-z]*)", node.attrib.get("d", "")):
            found = [float(word) for word in re.findall(r"-?[\d.]+", values)]
            width = 1 if kind in "HhVv" else 2
            for step in range(0, len(found), width):
                by = found[step : step + width]
                across, down = {
                    "H": (by[0], y),
                    "V": (x, by[0]),
                    "h": (by[0], 0),
                    "v": (0, by[0]),
                }.get(kind, (by[0], by[-1]))
                x, y = (x + across, y + down) if kind.islower() else (across, down)
                points.append((x, y))
    corners = np.array([np.min(points, axis=0), np.max(points, axis=0)])
    return numbers[:2] + numbers[2] * corners


def test_pieces_lie_side_by_side_on_the_bed(tmp_path: Path) -> None:
    stl, three_mf = tmp_path / "pieces.stl", tmp_path / "pieces.3mf"
    measures = ("-c", "cell=10", "-c", "gap=0", "-c", "bevel=0", "-c", "bed=80")
    done = dovetail("convert", "soma-cube", stl, *measures)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"wrote {stl}\n")
    bodies = trimesh.load(stl).split()
    assert sorted(round(body.volume) for body in bodies) == [3000] + [4000] * 6
    assert all(body.is_watertight and abs(body.bounds[0, 2]) < 1e-3 for body in bodies)
    assert max(body.bounds[1, 0] for body in bodies) <= 80
    assert apart([body.bounds[:, :2] for body in bodies])
    assert dovetail("convert", "soma-cube", three_mf, *measures).returncode == 0
    found = objects(three_mf)
    assert "".join(sorted(name for name, _, _ in found)) == "ABLPTVZ"
    assert len({colour for _, _, colour in found}) == 7
    assert {round(mesh.volume) for _, mesh, _ in found} == {3000, 4000}
    assert apart([mesh.bounds[:, :2] for _, mesh, _ in found])


def test_a_solution_is_an_assembly_with_gaps_which_may_be_exploded(tmp_path: Path) -> None:
    solution, solid = tmp_path / "solution.txt", tmp_path / "solved.stl"
    dovetail("solve", "soma-cube", "--limit", "1", "-o", solution)
    assert dovetail("solve", "soma-cube", "--limit", "1", "-o", solid).returncode == 0
    mesh = trimesh.load(solid)
    assert np.ptp(mesh.bounds, axis=0) == pytest.approx([44.8] * 3, abs=1e-4)
    assert (mesh.is_watertight, len(mesh.split())) == (True, 7)
    sizes = []
    for share in (0, 1):
        path = tmp_path / f"{share}.3mf"
        words = ("convert", solution, path, "--solutions-of", "soma-cube", "-c", f"explode={share}")
        assert dovetail(*words).returncode == 0
        meshes = [mesh for _, mesh, _ in objects(path)]
        assert all(mesh.is_watertight and mesh.volume > 0 for mesh in meshes)
        bounds = np.array([mesh.bounds for mesh in meshes])
        sizes.append(bounds[:, 1].max() - bounds[:, 0].min())
    assert sizes[0] == pytest.approx(44.8)
    assert sizes[1] > 60


@pytest.mark.parametrize(
    ("puzzle", "cell", "paper", "pages", "count"),
    [("pentominoes-6x10", 15, "a4", 2, 13), ("edges-4-b3i3-1", 15, "a4", 1, 17)],
)
def test_a_sheet_has_all_flat_pieces_in_true_size(
    tmp_path: Path, puzzle: str, cell: int, paper: str, pages: int, count: int
) -> None:
    words = ("--to", "sheet", "-c", f"cell={cell}", "-c", f"paper={paper}")
    assert dovetail("convert", puzzle, tmp_path / "sheet.svg", *words).returncode == 0
    names = ["sheet.svg"] if pages == 1 else [f"sheet-{n + 1}.svg" for n in range(pages)]
    assert sorted(page.name for page in tmp_path.iterdir()) == names
    width, height = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}[paper]
    figures = 0
    for name in names:
        root = ElementTree.parse(tmp_path / name).getroot()
        assert (root.attrib["width"], root.attrib["height"]) == (f"{width}mm", f"{height}mm")
        assert root.attrib["viewBox"] == f"0 0 {width} {height}"
        boxes = [drawn_box(figure) for figure in root.findall(f"{SVG}g")]
        assert np.min(boxes) >= 10 - 1e-3
        assert np.max(boxes, axis=(0, 1)).tolist() <= [width - 10, height - 20]
        assert apart(boxes)
        for figure, box in zip(root.findall(f"{SVG}g"), boxes, strict=True):
            if figure.findtext(f"{SVG}text") == "X" and puzzle == "pentominoes-6x10":
                assert box[1, 0] - box[0, 0] == pytest.approx(3 * cell)
        figures += len(boxes)
    assert figures == count


def test_a_sheet_has_all_copies_of_a_tile(tmp_path: Path) -> None:
    (tmp_path / "wang.txt").write_text("unbounded counts=0-9,1 3 2\n1 2 1 2\n2 1 2 1\n")
    words = ("convert", tmp_path / "wang.txt", tmp_path / "sheet.svg", "--to", "sheet")
    assert dovetail(*words).returncode == 0
    text = (tmp_path / "sheet.svg").read_text()
    assert [text.count(f">{number}</text>") for number in (0, 1)] == [6, 1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "soma-cube x.stl -c size=3",
            ".stl has no config key 'size'; valid: bed, bevel, cell, explode, gap",
        ),
        (
            "pentominoes-6x10 x.svg --to sheet -c cell=100",
            "sheet: cell is 100; the largest piece needs a cell of at most 38 mm on a4",
        ),
        ("edges-32-b5i22-1 x.svg --to sheet", "edges-32-b5i22-1 has more than 1,000 tiles to make"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_line(words: str, message: str) -> None:
    done = dovetail("convert", *words.split())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"dovetail: {message}\n")


def test_a_search_for_an_assembly_that_cannot_be_made_does_not_begin(tmp_path: Path) -> None:
    done = dovetail("solve", "tetrasticks-6x6", "-o", tmp_path / "x.stl")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("not square-edges\n")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "words",
    ["convert bare.toml x.stl", "convert bare.toml x.svg --to sheet", "solve bare.toml -o x.stl"],
)
def test_a_puzzle_without_pieces_is_refused_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bare.toml").write_text('region = "?"\n')
    done = dovetail(*words.split())
    assert done.returncode == 2
    assert done.stderr.endswith("dovetail: bare has no piece to make\n")
