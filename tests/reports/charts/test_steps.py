"""Charts of steps: one path for each curve, and few marks."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from dovetail.reports.charts.axes import Axis, logarithmic_axis
from dovetail.reports.charts.plot import HEIGHT, LEFT, RIGHT, WIDTH
from dovetail.reports.charts.steps import Curve, Step, StepChart
from dovetail.reports.numbers import show_seconds


def step_chart(curves: int, steps: int, *, onward: bool = False) -> StepChart:
    """Curves whose steps are a decade apart, from 1 s on."""
    places = tuple(Step(10.0**number, f"question {number}") for number in range(steps))
    x = logarithmic_axis("time", [step.x for step in places], show_seconds)
    y = Axis("questions", 0, steps or 1, False, lambda value: f"{value:g}", whole=True)
    made = tuple(Curve(f"solver {style}", style, places) for style in range(curves))
    return StepChart("title", "what it shows", x, y, made, onward=onward)


def curves_of(svg: Element) -> list[Element]:
    return [path for path in svg.iter("path") if "curve" in path.get("class", "")]


def titles_of(svg: Element) -> list[str | None]:
    return [path.findtext("title") for path in svg.iter("path") if path.find("title") is not None]


def test_a_curve_is_one_path() -> None:
    """It begins at 0, goes across to each step and up, and ends there."""
    (path,) = curves_of(step_chart(1, 3).draw("chart"))
    width, top = WIDTH - LEFT - RIGHT, 32
    assert path.get("class") == "line series-0 curve"
    assert path.get("d") == (
        f"M{LEFT:.1f},{top + HEIGHT:.1f}"
        f"H{LEFT:.1f}V{top + HEIGHT * 2 / 3:.1f}"
        f"H{LEFT + width / 2:.1f}V{top + HEIGHT / 3:.1f}"
        f"H{LEFT + width:.1f}V{top:.1f}"
    )


def test_a_curve_that_goes_on() -> None:
    """To the end of the axis."""
    (path,) = curves_of(step_chart(1, 3, onward=True).draw("chart"))
    assert path.get("d", "").endswith(f"H{WIDTH - RIGHT:.1f}")


def test_marks_show_where_a_curve_stands() -> None:
    """The last step is among them."""
    assert titles_of(step_chart(1, 3).draw("chart")) == [
        "solver 0: 1 within 1 s",
        "solver 0: 2 within 10 s",
        "solver 0: 3 within 100 s",
    ]


def test_many_steps_and_curves_have_few_marks() -> None:
    """Eight on a curve, a hundred in all."""
    one, many = (titles_of(step_chart(curves, 18).draw("chart")) for curves in (1, 30))
    assert [alt_text and int(alt_text.split()[2]) for alt_text in one] == [
        2,
        4,
        6,
        9,
        11,
        13,
        15,
        18,
    ]
    assert len(many) == 90


def test_a_curve_without_steps_has_a_name_alone() -> None:
    """In the legend."""
    svg = step_chart(2, 0).draw("chart", legend=True)
    assert (curves_of(svg), titles_of(svg)) == ([], [])
    assert {"solver 0", "solver 1"} <= {text.text for text in svg.iter("text")}


def test_figures() -> None:
    """With how far the curve has risen."""
    x, y = Axis("place", 0, 10, False, str), Axis("share", 0, 1, False, str)
    curve = Curve("one", 0, (Step(0.5, "a"), Step(1.25, "b")))
    assert StepChart("", "", x, y, (curve,), rise=0.25).csv() == (
        "series,name,place,share\none,a,0.5,0.25\none,b,1.25,0.5\n"
    )
