"""Charts of lines: named, joined where nothing is missing, and bounds are hollow."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.lines import Line, LineChart, Point
from dovetail.reports.numbers import show_rounded


def line_chart(lines: int = 6, boards: int = 48) -> LineChart:
    """Lines of which every seventh point is a bound and every eleventh is missing."""
    made = tuple(
        Line(
            f"series {style}",
            style,
            tuple(
                Point(x, 10.0 ** (1 + (x + style) % 7), f"board {x}", hollow=x % 7 == 0)
                for x in range(1, boards + 1)
                if x % 11
            ),
        )
        for style in range(lines)
    )
    y = logarithmic_axis("nodes", [10, 10**7], show_rounded)
    return LineChart("a <title>", "what it shows", Axis("boards", 0.5, 48.5, False, str), y, made)


def marks(svg: Element) -> list[Element]:
    return [path for path in svg.iter("path") if path.find("title") is not None]


def test_lines_with_bounds_and_gaps() -> None:
    """Bounds are hollow; nothing joins them, or points that are not neighbours."""
    svg = line_chart(lines=1).draw("chart")
    drawn = marks(svg)
    assert len(drawn) == 44
    assert sum("hollow" in path.get("class", "") for path in drawn) == 6
    (path,) = (path for path in svg.iter("path") if path.get("class") == "line series-0")
    present = {x for x in range(1, 49) if x % 11 and x % 7}
    strokes = path.get("d", "")
    assert strokes.count("L") == sum(x + 1 in present for x in present)
    assert strokes.count("L") + strokes.count("M") == len(drawn)


def test_a_legend_may_stand_elsewhere() -> None:
    """Then the plot begins higher up, and nothing else changes."""
    with_names, without = (line_chart().draw("chart", legend=one) for one in (True, False))
    names = {f"series {style}" for style in range(6)}
    assert names <= {text.text for text in with_names.iter("text")}
    assert names.isdisjoint({text.text for text in without.iter("text")})
    assert len(marks(with_names)) == len(marks(without)) == 6 * 44
    heights = [float(svg.get("viewBox", "").split()[3]) for svg in (with_names, without)]
    assert heights[0] - heights[1] == 17


def test_it_can_be_read_aloud() -> None:
    """A picture with a title and a description of its own."""
    svg = line_chart().draw("figure-5-1")
    names = {element.get("id"): element.text for element in svg.iter() if element.get("id")}
    assert svg.get("role") == "img"
    assert [names[word] for word in svg.get("aria-labelledby", "").split()] == [
        "a <title>",
        "what it shows",
    ]


def test_figures() -> None:
    """Bounds are 1; a column is called after its unit where it has one."""
    points = (Point(1, 12_345_678, "a"), Point(2.5, 1 / 3, "b\nc", hollow=True))
    x, y = Axis("place", 0, 10, False, str), Axis("time", 0, 10, False, str, column="seconds")
    assert LineChart("", "", x, y, (Line("one", 0, points),)).csv() == (
        'series,place,seconds,bound,text\none,1,12345678,0,a\none,2.5,0.333333,1,"b\nc"\n'
    )
