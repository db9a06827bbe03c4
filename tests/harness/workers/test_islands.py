"""Improvements on islands: exchanges, lost processes, limits, checkpoints, and kills."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dovetail
from cli.command import DOVETAIL
from cli.command import dovetail as command
from dovetail.errors import ConfigError, WorkersError
from dovetail.harness.improving import improve, improving_job
from dovetail.harness.progress import RunProgress
from dovetail.harness.run.clock import Interruption
from dovetail.harness.run.events import Started, WorkerReplaced
from dovetail.harness.run.job import Limits
from dovetail.harness.run.result import BestBoard, Result
from dovetail.harness.workers.checkpoint import CheckpointRun, checkpoint_status
from dovetail.harness.workers.islands import islands
from dovetail.harness.workers.islands.island import Island, IslandReport
from dovetail.harness.workers.options import ParallelOptions
from dovetail.harness.workers.runs import improve_board
from dovetail.improvers.base import Placed
from dovetail.improvers.shared.board import board_arrays, fill, score
from dovetail.models.boards.partial_board import verified_score
from dovetail.models.outcome import Status
from dovetail.puzzles.edge_boards import random_board
from dovetail.puzzles.formats.edge_documents import EdgeJson
from harness.known import known
from harness.workers.processes import happens, is_gone, workers_of

BOARD = random_board(12, 12, 20, 1)
HARD = random_board(16, 16, 17, 1, 5)  # not solved in minutes
ARRAYS = board_arrays(BOARD)
GREEDY = ARRAYS.fixed.copy()
fill(ARRAYS, GREEDY)


def job(time_s: float = 60.0, nodes: int | None = None, backend: str = "repair") -> Any:
    return improving_job(BOARD, backend, limits=Limits(time_s, nodes), seed=3)


def test_one_island_finds_what_one_process_finds(tmp_path: Path) -> None:
    """With a limit on nodes; two islands make as many nodes in the sum."""
    *_, alone = improve(job(nodes=50_000))
    *_, island = improve_board(
        job(nodes=50_000), ParallelOptions(checkpoint=tmp_path / "one.checkpoint")
    )
    assert isinstance(alone, Result)
    assert isinstance(island, Result)
    assert (island.board, island.nodes, island.status) == (alone.board, alone.nodes, alone.status)
    assert island.counters.native == alone.counters.native
    both = dovetail.improve(BOARD, "repair", seed=3, node_limit=50_000, jobs=2)
    assert both.status == Status.NODE_LIMIT
    assert both.nodes in range(50_000, 150_000)
    assert known(both.parallel).workers == 2
    assert verified_score(BOARD, known(both.best).board) == both.score


def test_the_progress_of_a_resumed_run(tmp_path: Path) -> None:
    """The rate and the time left are those of the command, as its limits are."""
    options = ParallelOptions(checkpoint=tmp_path / "one.checkpoint")
    *_, first = improve_board(job(nodes=20_000), options)
    progress = RunProgress(job(nodes=20_000))
    events = improve_board(job(nodes=20_000), options)
    for event in events:
        progress.update(event)
        if isinstance(event, BestBoard):  # the board of the checkpoint
            break
    progress.update(next(events))
    fields = progress.fields()
    assert isinstance(first, Result)
    assert (fields["nodes"], fields["nodes_per_s"]) == (first.nodes, 0.0)
    assert fields["left_s"][1] > 60.0 - first.solve_s / 2
    events.close()


class Scripted:
    """Stands for the process of an island; `says` has the replies to come."""

    made: list[Scripted]

    def __init__(self, island: Island, *_: object) -> None:
        self.job, self.got, self.says = island.job, list[Any](), list[Any]([Started(0.0)])
        self.processes: list[int] = []
        self.made.append(self)

    def next_message(self, _: float) -> Any:
        return self.says.pop(0) if self.says else None

    def send(self, message: object) -> None:
        self.got.append(message)

    def death(self) -> str:
        return "it was hit"

    def end(self) -> None:
        pass


def played(
    monkeypatch: pytest.MonkeyPatch,
    tell: Callable[[int, list[Scripted]], None],
    checkpoint: Path | None = None,
) -> list[Any]:
    """The events of ten seconds on two scripted islands; `tell` is called each second."""
    Scripted.made, now, interruption = [], [0], Interruption()

    def wait(_: float) -> None:
        if any(one.got for one in Scripted.made):
            now[0] += 1
            tell(now[0], Scripted.made)
        if now[0] == 10:
            interruption.request()
            for one in Scripted.made:
                one.says.append(IslandReport(nodes=7, status=Status.INTERRUPTED))

    monkeypatch.setattr(islands, "time", SimpleNamespace(monotonic=lambda: now[0] + 1.0))
    monkeypatch.setattr(islands, "ChildProcess", {Any: Scripted})
    event = SimpleNamespace(wait=wait, clear=lambda: None)
    monkeypatch.setattr(islands, "threading", SimpleNamespace(Event=lambda: event))
    return [*improve_board(job(), ParallelOptions(2, checkpoint=checkpoint), interruption)]


def moved(cells: int) -> Placed:
    """A board on which a number of inner tiles do not lie as in the greedy board."""
    placed, inner = GREEDY.copy(), np.flatnonzero(ARRAYS.cell_frame == 0)[:cells]
    placed[inner] = np.roll(placed[inner], 1)
    return placed


def test_boards_go_where_nothing_improves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best board to an island with a worse one; to the best island the most different one."""

    def tell(second: int, made: list[Scripted]) -> None:
        if second == 1:
            made[0].says.append(IslandReport(boards=((moved(3), 99), (moved(9), 99))))
            made[1].says.append(IslandReport(boards=((moved(5), 100), (moved(7), 99))))

    *_, result = played(monkeypatch, tell)
    assert isinstance(result, Result)
    first, second = ([board for board in one.got if board is not None] for one in Scripted.made)
    assert (first[0] == moved(5)).all()
    assert (second[0] == moved(9)).all()
    assert len(first) < 4
    assert (result.status, result.nodes) == (Status.INTERRUPTED, 14)
    seeds = {one.job.seed for one in Scripted.made}
    assert len(seeds) == 2
    assert 3 in seeds


def test_a_lost_island_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """By one with another seed, which starts from its best board; in the end by none."""

    def tell(second: int, made: list[Scripted]) -> None:
        if second == 2:
            made[1].says += [IslandReport(nodes=5, boards=((moved(4), 90),)), EOFError()]

    *events, result = played(monkeypatch, tell)
    assert isinstance(result, Result)
    lost = [event for event in events if isinstance(event, WorkerReplaced)]
    assert lost == [WorkerReplaced("island 2", "it was hit")]
    assert known(result.parallel).redone == 1
    assert result.nodes == 7 + 5 + 7
    third = Scripted.made[2].job
    assert third.seed not in (Scripted.made[0].job.seed, Scripted.made[1].job.seed)
    assert (ARRAYS.placed(known(third.start)) == moved(4)).all()
    with pytest.raises(WorkersError, match="islands ended soon after their start: it was hit"):
        played(monkeypatch, lambda _, made: made[-1].says.append(EOFError()))

    def beside_a_healthy_one(_: int, made: list[Scripted]) -> None:
        made[0].says.append(IslandReport(cpu_s=31.0))
        made[-1].says.append(EOFError())

    with pytest.raises(WorkersError, match="islands ended soon after their start"):
        played(monkeypatch, beside_a_healthy_one)

    def at_the_end(second: int, made: list[Scripted]) -> None:
        if second < 3:
            made[-1].says.append(EOFError())
        elif second == 3:  # the second message to the island asks for its last report
            got, says = made[-1].got, iter([Started(0.0)])
            monkeypatch.setattr(
                made[-1], "next_message", lambda _: EOFError() if got[1:] else next(says, None)
            )

    *_, result = played(monkeypatch, at_the_end)
    assert result.status == Status.INTERRUPTED


def has_begun(path: Path) -> bool:
    """Whether a run has written its first boards."""
    try:
        return checkpoint_status(path)[0].score is not None
    except ConfigError:
        return False


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """It loses an island, then everything: no more than five seconds of work are done again."""
    puzzle, path = tmp_path / "board.json", tmp_path / "run.checkpoint"
    puzzle.write_text(EdgeJson().write_puzzle(HARD))
    words = ("improve", str(puzzle), "--jobs", "2", "--checkpoint", str(path))
    with Popen([*DOVETAIL, *words], stdout=PIPE, stderr=PIPE, text=True) as process:
        assert happens(lambda: has_begun(path), 60.0)
        began, workers = time.monotonic(), workers_of(process.pid)
        assert len(workers) == 2
        os.kill(workers[1], 9)
        time.sleep(6.0)
        process.kill()
        worked_s = time.monotonic() - began
        _, printed = process.communicate()
    assert happens(lambda: all(map(is_gone, workers)))
    assert printed.count("is replaced: it was killed by SIGKILL") == 1
    (saved,) = checkpoint_status(path)
    assert saved.count is None
    assert saved.status is None
    assert known(saved.nodes) > 0
    assert worked_s - 5.0 <= saved.wall_s <= worked_s + 1.0
    shown = command("status", path).stdout
    assert f"score {saved.score} of 480, 2 islands, " in shown
    done = command(*words, "--node-limit", "1000")
    assert f": {saved.score} of 480 after" in done.stderr
    assert ", 1 replaced, 2 sittings" in done.stderr
    (later,) = checkpoint_status(path)
    assert later.status == "node-limit"
    assert known(later.nodes) >= known(saved.nodes) + 1000
    assert later.wall_s > saved.wall_s
    for changed, message in (
        (("--seed", "2"), f"another run ({HARD.name}, portfolio), with seed 1"),
        (("-b", "beam", "-c", "width=9"), 'with improver "portfolio", no config'),
    ):
        refused = command(*words, *changed)
        assert refused.returncode == 2
        assert message in refused.stderr
    assert command("count", puzzle, "--checkpoint", path).returncode == 2
    damaged = bytearray(path.read_bytes())
    place = damaged.rindex(b'"counters"')
    damaged[place + 2] ^= 1
    path.write_bytes(damaged)
    refused = command(*words)
    assert refused.returncode == 2
    assert f"{path}: the checkpoint is damaged" in refused.stderr


def test_a_run_that_is_killed_after_its_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command says that the board is solved, though no status was written."""
    easy = improving_job(random_board(4, 4, 4, 1), "repair", limits=Limits(20.0), seed=3)
    options = ParallelOptions(checkpoint=tmp_path / "run.checkpoint")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(CheckpointRun, "end", killed)
        with pytest.raises(KeyboardInterrupt):
            list(improve_board(easy, options))
    *_, result = improve_board(easy, options)
    assert isinstance(result, Result)
    assert (result.status, result.count, result.score) == (Status.SOLVED, 1, result.bound)


def test_a_board_that_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The process that collects boards verifies them; the checkpoint does not keep them."""
    lie, path = IslandReport(boards=((moved(4), 260),)), tmp_path / "lie.checkpoint"
    *_, result = played(monkeypatch, lambda _, made: made[0].says.append(lie), path)
    assert isinstance(result, Result)
    assert result.status == Status.WRONG
    assert "reported a score of 260" in known(result.reason)
    best = known(result.best)  # not the worse board of the island
    assert score(ARRAYS, moved(4)) < best.score == verified_score(BOARD, best.board)
    *_, result = played(monkeypatch, lambda *_: None, path)
    assert (result.status, result.score) == (Status.INTERRUPTED, best.score)


def test_memory_ends_after_a_better_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """The board counts, even if the island without memory is read first."""

    def tell(second: int, made: list[Scripted]) -> None:
        if second == 2:
            made[0].says.append(MemoryError())
            made[1].says.append(IslandReport(boards=((better, score(ARRAYS, better)),)))

    better = GREEDY.copy()
    better[[28, 63]] = GREEDY[63] ^ 2, GREEDY[28]  # `^ 2` is half a turn
    *_, result = played(monkeypatch, tell)
    assert result.status == Status.MEMORY_LIMIT
    assert known(result.reason).startswith("the memory limit was reached")
    assert result.score == score(ARRAYS, better) > score(ARRAYS, GREEDY)
    monkeypatch.setitem(globals(), "Started", lambda _: MemoryError())  # before the search
    *_, result = played(monkeypatch, tell)
    assert (result.status, result.score) == (Status.MEMORY_LIMIT, score(ARRAYS, GREEDY))


def test_the_limit_on_memory() -> None:
    """The run ends with the board that it has."""
    limited = replace(job(), limits=Limits(60.0, memory_bytes=50 * 2**20))
    *_, result = improve_board(limited, ParallelOptions(2))
    assert isinstance(result, Result)
    assert (result.status, result.reason) == (Status.MEMORY_LIMIT, "the memory limit was reached")
    assert known(result.best).score >= score(ARRAYS, GREEDY)
