"""Races: the runs of the command, watched by as many as like, and all that comes of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from dovetail.files.text_file import TextFile
from dovetail.harness.improving import improving_job
from dovetail.harness.records.record_files import parse_records
from dovetail.harness.run.events import Progress, Started
from dovetail.harness.run.job import Job, Limits
from dovetail.harness.run.result import BestBoard
from dovetail.models.boards.edges import EdgePuzzle
from dovetail.models.boards.partial_board import PartialBoard, empty_board
from dovetail.models.outcome import Status
from dovetail.puzzles.catalogue import catalogue_puzzle
from dovetail.puzzles.formats.registry import read_puzzles, read_solutions
from dovetail.reports.numbers import show_whole
from dovetail.reports.pictures.board import partial_board_figure
from dovetail.reports.pictures.drawing import Figure
from dovetail.ui import race as race_store
from dovetail.ui import race_results
from dovetail.ui.race import Find, Order, Race, RaceQuestion, RaceStore, Store, WhenClosed
from dovetail.ui.race_results import Listener, RaceView, lane_file
from dovetail.ui.serving.events import EVERY_S, EventSource, EventStream
from dovetail.ui.serving.server import PageServer
from dovetail.ui.workspace import StoredPuzzle, Workspace
from harness.records.made import made
from ui.served import BOARD, SIX, Fields, Visitor

SOLUTIONS = 10


@pytest.fixture(scope="module")
def raced(server: PageServer) -> Iterator[tuple[Visitor, str, list[list[tuple[str, Fields]]]]]:
    """A race of three solvers that has ended, and its events as two tabs saw them."""
    with closing(Visitor(server.address)) as visitor:
        race = visitor.race("p1", "dlx", "bitset", "auto", find="solutions")
        tabs = [visitor.events(f"races/{race}"), visitor.events(f"races/{race}")]
        seen = [[next(tab)] for tab in tabs]
        for events, tab in zip(seen, tabs, strict=True):
            events.extend(tab)
        yield visitor, race, seen


def test_a_race_to_the_end(raced: tuple[Visitor, str, list[list[tuple[str, Fields]]]]) -> None:
    """Both tabs see the lanes finish, with the counts that the solvers agree on."""
    _, race, seen = raced
    for events in seen:
        assert [name for name, _ in events[-2:]] == ["state", "end"]
        last = events[-2][1]
        assert (last["id"], last["finished"], last["agreed"]) == (race, True, True)
        for lane in last["lanes"]:
            assert (lane["phase"], lane["status"]) == ("finished", str(Status.EXHAUSTED))
            assert (lane["count"], lane["count_text"]) == (SOLUTIONS, str(SOLUTIONS))
            assert lane["solutions_kept"] == SOLUTIONS
            assert lane["nodes"] > 0
            assert lane["times"]["time"].endswith("s")
            assert lane["times"]["memory"].endswith("iB")
        assert [lane["title"] for lane in last["lanes"]] == ["dlx", "bitset", "auto"]
        assert last["lanes"][2]["chosen"]["why"]


def test_one_stream_tells_of_many(raced: tuple[Visitor, str, object]) -> None:
    """Of races and files; what is not there ends alone."""
    visitor, race, _ = raced
    events = visitor.events("races/none", f"races/{race}", "race/r1", "followed/1")
    seen = [next(events) for _ in range(5)]
    events.close()
    assert seen[0] == ("end", {"of": "races/none", "error": "there is no race 'none'"})
    assert (seen[1][0], seen[1][1]["id"]) == ("state", race)
    assert seen[2] == ("end", {"of": f"races/{race}"})
    assert "no source of events 'race/r1'" in seen[3][1]["error"]
    assert (seen[4][0], seen[4][1]["name"]) == ("state", "runs.jsonl")


def test_solutions_are_browsed(raced: tuple[Visitor, str, object]) -> None:
    """Some at a time, with their numbers and pictures; one alone in the viewer."""
    visitor, race, _ = raced
    lane = f"/api/races/{race}/lanes/1"
    found = visitor.get(f"{lane}/solutions?from=8&count=5").json()
    assert [one["number"] for one in found["solutions"]] == [9, 10]
    assert all(one["picture"].startswith("<svg") for one in found["solutions"])
    page = visitor.get(f"{lane}/viewer?number=10")
    assert "viewer-data" in page.text
    assert "sandbox allow-scripts" in page.headers["content-security-policy"]
    assert visitor.get(f"{lane}/viewer?number=11").status_code == 404
    assert "level 1, " not in page.text
    assert "level 1, " in visitor.get(f"{lane}/viewer?number=10&apart").text
    assert visitor.get(f"{lane}/solutions?from=-1").json()["path"] == "from"
    assert visitor.get(f"/api/races/{race}/lanes/3/solutions").status_code == 404


def test_everything_that_the_command_writes(raced: tuple[Visitor, str, object]) -> None:
    """In every format that the puzzle lists; what was written is read again."""
    visitor, race, _ = raced
    puzzle = visitor.get("/api/puzzles/p1").json()
    export = f"/api/races/{race}/lanes/0/export"
    for suffix in puzzle["formats"]["solutions"]:
        file = visitor.get(export, params={"format": suffix})
        assert file.headers["content-disposition"] == f'attachment; filename="{SIX}{suffix}"'
        if suffix in (".txt", ".csv", ".jsonl"):
            read = read_solutions(TextFile(Path(f"x{suffix}"), file.content), catalogue_puzzle(SIX))
            assert len(list(read)) == SOLUTIONS
    one = visitor.get(export, params={"format": ".txt", "number": 3})
    assert f'"{SIX}-3.txt"' in one.headers["content-disposition"]
    assert visitor.get(export, params={"format": ".exe"}).status_code == 400
    for suffix in puzzle["formats"]["puzzle"]:
        assert visitor.get("/api/puzzles/p1/export", params={"format": suffix}).is_success


def test_records_and_report(raced: tuple[Visitor, str, object]) -> None:
    """The records are those that `bench -o` writes, and the report is made of them."""
    visitor, race, _ = raced
    content = visitor.get(f"/api/races/{race}/records").content
    records = parse_records(content, Path("runs.jsonl")).records
    assert [(one.job.backend, one.result.count) for one in records] == [
        (name, SOLUTIONS) for name in ("dlx", "bitset", "auto")
    ]
    assert SIX in visitor.get(f"/api/races/{race}/report").text


def test_the_best_board_comes_along(visitor: Visitor) -> None:
    """Its picture is sent when it has changed; at last it can be saved."""
    asked = {"find": "improve", "time_s": 5}
    race = visitor.race("p3", "breaks", **asked)
    *_, (_, last), _ = visitor.events(f"races/{race}")
    (lane,) = last["lanes"]
    assert (lane["status"], lane["best"]["score"]) == ("solved", lane["best"]["bound"])
    assert visitor.get(f"/api/races/{race}").json()["lanes"][0]["best"]["picture"]
    formats = visitor.get("/api/puzzles/p3").json()["formats"]["boards"]
    for suffix in formats:
        file = visitor.get(f"/api/races/{race}/lanes/0/export", params={"format": suffix})
        assert (file.status_code, BOARD in file.headers["content-disposition"]) == (200, True)


@pytest.mark.parametrize(
    ("asked", "path", "message"),
    [
        ({"lanes": [{"backend": "dlxx"}]}, "lanes[0]", "did you mean 'dlx'"),
        ({"lanes": []}, "lanes", "1 to 12"),
        ({"time_s": -1}, "time_s", "expected seconds"),
        ({"speed": 1}, "speed", "unknown key"),
        (
            {
                "puzzle": "p3",
                "find": "improve",
                "lanes": [{"backend": "repair", "config": {"temperature": 10**400}}],
            },
            "lanes[0]",
            "expected a number",
        ),
    ],
)
def test_bad_questions(visitor: Visitor, asked: Fields, path: str, message: str) -> None:
    """Each is refused in a sentence with the path of the value and what is valid."""
    fields = {"puzzle": "p1", "lanes": [{"backend": "dlx"}], **asked}
    refused = visitor.post("/api/races", json=fields)
    assert (refused.status_code, refused.json()["path"]) == (400, path)
    assert message in refused.json()["error"]


def test_too_much_at_a_time(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another race is refused while so many runs go on."""
    monkeypatch.setattr(race_store, "MAX_RUNNING", 0)
    refused = visitor.post("/api/races", json={"puzzle": "p1", "lanes": [{"backend": "dlx"}]})
    assert (refused.status_code, "under way" in refused.json()["error"]) == (409, True)


LATIN = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<puzzle version="2"><gridType type="0"/><colors/><shapes>
<voxel x="2" y="1" z="1" type="0" name="\xe9">##</voxel>
<voxel x="2" y="2" z="1" type="0">####</voxel></shapes>
<problems><problem state="0"><shapes><shape id="0" count="2"/></shapes><result id="1"/>\
<bitmap/></problem></problems></puzzle>
"""


def test_only_a_file_that_is_extended_keeps_its_encoding() -> None:
    file = TextFile(Path("latin.xmpuzzle"), LATIN.encode("latin-1"))
    workspace = Workspace([(puzzle, file) for puzzle in read_puzzles(file)])
    with RaceStore(workspace) as races:
        race = races.start({"puzzle": "p1", "find": "solutions", "lanes": [{"backend": "dlx"}]})
        race.join()
        assert "é" in lane_file(race.lanes[0], "x.xmpuzzle", None).decode("latin-1")
        for suffix in (".txt", ".csv", ".svg"):
            assert "é" in lane_file(race.lanes[0], f"x{suffix}", None).decode()
        assert "1 assembly in" in lane_file(race.lanes[0], "x.html", None).decode()


def quiet_race(limit_s: float | None = None) -> Race:
    """A race that has not been started; its lane is updated by the test."""
    puzzle = catalogue_puzzle(SIX)
    question = RaceQuestion(
        StoredPuzzle("p", puzzle), Find.COUNT, WhenClosed.CONTINUE, Order.TOGETHER
    )
    race = Race("r", question, [Job(puzzle, limits=Limits(limit_s))], Store())
    race.lanes[0].begin()
    return race


def test_a_lane_that_failed_before_the_stop_has_failed() -> None:
    """Only a lane that the stop kept from beginning is interrupted."""
    race = quiet_race()
    race.lanes[0].end(None, "OSError: no room")
    race.stop()
    assert race_results.lane_fields(race.lanes[0])["status"] == Status.FAILED
    with RaceStore(Workspace([(catalogue_puzzle(SIX), None)])) as races:
        waiting = races.start(
            {"puzzle": "p1", "order": "one by one", "lanes": 2 * [{"backend": "dlx"}]}
        )
        waiting.stop()
        waiting.join()
        assert race_results.lane_fields(waiting.lanes[1])["status"] == Status.INTERRUPTED


def test_a_lane_that_waits_is_stopped_at_once() -> None:
    """Not when its turn comes, which may be hours later."""
    puzzle = catalogue_puzzle(SIX)
    question = RaceQuestion(
        StoredPuzzle("p", puzzle), Find.COUNT, WhenClosed.CONTINUE, Order.ONE_BY_ONE
    )
    lane = Race("r", question, [Job(puzzle)], Store()).lanes[0]
    assert race_results.lane_fields(lane)["status"] is None
    lane.interruption.request()
    fields = race_results.lane_fields(lane)
    assert (fields["phase"], fields["status"]) == ("finished", Status.INTERRUPTED)
    assert fields["reason"] == "stopped before it began"


def test_a_count_of_thousands_of_digits() -> None:
    """Python writes no such number as JSON, and a browser reads one of 310 digits as infinite."""
    (lane,) = quiet_race().lanes
    lane.end(None, None)
    lane.record = made()
    lane.record = replace(lane.record, result=replace(lane.record.result, count=7**6000))
    fields = json.loads(json.dumps(race_results.lane_fields(lane)), parse_int=float)
    assert 1e299 < fields["count"] < inf
    assert fields["count_text"] == show_whole(7**6000)


def test_a_score_is_not_older_than_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The board of a lane may improve while that of another lane is drawn."""
    puzzle = catalogue_puzzle(BOARD)
    assert isinstance(puzzle, EdgePuzzle)
    question = RaceQuestion(
        StoredPuzzle("p", puzzle), Find.IMPROVE, WhenClosed.CONTINUE, Order.TOGETHER
    )
    race = Race("r", question, [improving_job(puzzle, seed=seed) for seed in (1, 2)], Store())
    board, drawn = empty_board(puzzle), list[PartialBoard]()
    for lane in race.lanes:
        lane.begin()
        lane.update(BestBoard(board, 0, 24, ()))
    better = replace(board, cells=(((0, 0), *board.cells[0][1:]), *board.cells[1:]))

    def draw(puzzle: EdgePuzzle, board: PartialBoard) -> Figure:
        if not drawn:
            race.lanes[1].update(BestBoard(better, 1, 24, ()))
        drawn.append(board)
        return partial_board_figure(puzzle, board)

    monkeypatch.setattr(race_results, "partial_board_figure", draw)
    lanes = RaceView().state(race)["lanes"]
    assert drawn == [board, better]
    assert [lane["best"]["score"] for lane in lanes] == [0, 1]


def test_a_thousand_events_a_second_are_five() -> None:
    """However much happens, states are sent at the same pace, and the last one is the latest."""
    race = quiet_race()
    lane, view = race.lanes[0], RaceView()
    lane.update(Started(0.0))
    sent = list[bytes]()
    rounds = 0

    async def read_state() -> tuple[Fields, bool]:
        nonlocal rounds
        rounds += 1
        for number in range(1_000):
            lane.update(Progress(number, 1_000 * rounds + number, None))
        return Listener().fields(view.state(race)), rounds == 4

    async def send(message: dict[str, object]) -> None:
        body = message.get("body", b"")
        assert isinstance(body, bytes)
        sent.append(body)

    began, ended = asyncio.run(streamed(read_state, send))
    states = [body for body in sent if body.startswith(b"event: state")]
    assert (len(states), sent[-2]) == (4, b'event: end\ndata: {"of":"races/r"}\n\n')
    last = json.loads(states[-1].partition(b"data: ")[2])
    assert (last["of"], last["state"]["lanes"][0]["nodes"]) == ("races/r", 4_999)
    assert ended - began >= 3 * EVERY_S


def test_a_slow_reader_gets_fewer_states_and_none_is_queued() -> None:
    """A state is made only when the one before has been taken."""
    race = quiet_race()
    view = RaceView()
    made = list[float]()

    async def read_state() -> tuple[Fields, bool]:
        made.append(race.elapsed_s)
        return Listener().fields(view.state(race)), len(made) == 3

    async def send(message: dict[str, object]) -> None:
        await asyncio.sleep(0.03)

    began, ended = asyncio.run(streamed(read_state, send))
    assert len(made) == 3
    assert ended - began >= 2 * EVERY_S + 5 * 0.03


async def streamed(read_state: object, send: object) -> tuple[float, float]:
    """When a stream began and ended that nobody leaves."""
    now = asyncio.get_running_loop().time
    left = list[bool]()

    async def receive() -> dict[str, str]:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    source = EventSource(read_state, lambda: left.append(True))  # type: ignore[arg-type]
    stream = EventStream({"races/r": source}, lambda: False)
    began = now()
    await stream({}, receive, send)  # type: ignore[arg-type]
    assert left == [True]
    return began, now()
