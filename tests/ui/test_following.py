"""Files of records that grow, and searches step by step."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from dovetail.harness.sizes import show_size
from dovetail.ui.serving.events import FollowedFile
from dovetail.ui.workspace import Workspace
from ui.served import Visitor, served

RECORDS = Path(__file__).parents[1] / "browser" / "records"


def lines() -> list[bytes]:
    """Some records of a bench."""
    file = sorted(RECORDS.glob("*.jsonl"))[0]
    return file.read_bytes().splitlines(keepends=True)[:8]


def test_only_what_is_whole_is_read(tmp_path: Path) -> None:
    """A line that is being written comes later; one that is no record is named by its number."""
    path = tmp_path / "runs.jsonl"
    followed = FollowedFile(path)
    assert "cannot be read" in followed.fields()["problems"][0]
    first, second, *_ = lines()
    path.write_bytes(first + second[:100])
    assert (followed.fields()["runs_done"], followed.warnings) == (1, [])
    with path.open("ab") as file:
        file.write(second[100:] + b"no record\n")
    fields = followed.fields()
    assert (fields["runs_done"], sum(fields["statuses"].values())) == (2, 2)
    assert fields["problems"] == ["line 3: not JSON; expected a run record per line"]
    assert fields["size"] == show_size(path.stat().st_size)


def test_another_file_of_the_name_is_read_from_its_start(tmp_path: Path) -> None:
    """Also a shorter one."""
    path, other = tmp_path / "runs.jsonl", tmp_path / "other"
    path.write_bytes(b"".join(lines()))
    followed = FollowedFile(path)
    assert followed.fields()["runs_done"] == 8
    other.write_bytes(lines()[0])
    os.replace(other, path)
    assert followed.fields()["runs_done"] == 1
    path.write_bytes(b"")
    assert followed.fields()["runs_done"] == 0


def test_the_name_of_a_file_need_not_be_text() -> None:
    """A name of other bytes than UTF-8 is shown, though JSON cannot hold it."""
    followed = Workspace([], [Path("\udce9.jsonl")])
    with served(followed) as server, closing(Visitor(server.address)) as visitor:
        name = visitor.get("/api/followed").json()[0]["name"]
        events = visitor.events("followed/1")
        state = next(events)[1]
        events.close()
    assert (name, state["name"]) == ("\ufffd.jsonl", "\ufffd.jsonl")
    assert state["problems"][0].startswith("\ufffd.jsonl cannot be read")


def test_the_page_follows_a_file(visitor: Visitor, records: Path) -> None:
    """While it grows: counts, the last rows, who leads; and the report."""
    assert visitor.get("/api/followed").json() == [{"number": 1, "name": "runs.jsonl"}]
    assert visitor.get("/api/followed/1/report").status_code == 404
    seen = []
    events = visitor.events("followed/1")
    assert next(events)[1]["runs_done"] == 0
    for number, line in enumerate(lines(), start=1):
        with records.open("ab") as file:
            file.write(line)
        if number % 4 == 0:
            while (state := next(events)[1])["runs_done"] < number:
                seen.append(state)
    events.close()
    assert len(state["latest"]) == 8
    assert [len(row) for row in state["leaders"]] == [len(state["columns"])] * len(state["leaders"])
    assert "<html" in visitor.get("/api/followed/1/report").text


def test_a_search_step_by_step(visitor: Visitor) -> None:
    """What is placed is taken back in reverse order; cells and pieces are those of the puzzle."""
    found = visitor.asked("/api/steps", puzzle="p1", backend="dlx", count=500)
    assert (found["status"], len(found["steps"])) == ("recorded", 500)
    stack: list[tuple[int, list[int]]] = []
    for sign, piece, cells, look in found["steps"]:
        if sign == 1:
            assert not {cell for _, taken in stack for cell in taken} & set(cells)
            stack.append((piece, cells))
        else:
            assert stack.pop() == (piece, cells)
        assert look == piece
    assert len(found["pieces"]) == 6
    assert len(found["cells"]) == len(found["neighbours"]["up"]) == 30


def test_the_steps_of_a_lane_are_those_of_its_search(visitor: Visitor) -> None:
    """Its reductions, its symmetry and its labels are asked for, and change the steps."""
    shared = {"symmetry": "unique", "labelled": True, "reduce": ["redundancy", "volume"]}
    lane = {"backend": "dlx", "config": {"stages": "y"}, "seed": 3}
    race = visitor.asked("/api/races", puzzle="p1", find="count", lanes=[lane], **shared)["id"]
    (state,) = visitor.get(f"/api/races/{race}").json()["lanes"]
    settings = {name: state[name] for name in ("backend", "config", "symmetry", "labelled", "seed")}
    asked = {"puzzle": "p1", "count": 20_000, **settings}
    assert asked["seed"] == 3
    assert asked["labelled"]
    whole = visitor.asked("/api/steps", **asked)
    reduced = visitor.asked("/api/steps", **asked, reduce=state["reductions"])
    assert {reduced["status"], whole["status"]} == {"exhausted"}
    assert len(reduced["steps"]) < len(whole["steps"])
    response = visitor.post("/api/steps", json={**asked, "labelled": 1})
    assert response.json()["error"] == "labelled: expected true or false"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"puzzle": "p3"}, "expected a packing puzzle"),
        ({"backend": "bitset"}, "cannot record"),
        ({"count": 20_001}, "to 20,000"),
    ],
)
def test_steps_that_cannot_be_shown(
    visitor: Visitor, asked: dict[str, object], message: str
) -> None:
    """Each is refused in a sentence."""
    response = visitor.post("/api/steps", json={"puzzle": "p1", "backend": "dlx", **asked})
    assert (response.status_code, message in response.json()["error"]) == (400, True)
