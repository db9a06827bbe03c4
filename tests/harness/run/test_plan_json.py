"""Digests of jobs; plans travel as JSON, and what is no plan is an error."""

from __future__ import annotations

import dataclasses
import json
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dovetail.errors import ConfigError
from dovetail.harness.run.job import Chosen, Job, Limits, Plan, RandomOrder, Trials
from dovetail.harness.run.plan_json import plan_from_json, plan_to_json
from dovetail.models.boards.partial_board import Objective, PartialBoard
from dovetail.models.cover import CoverProblem, cover
from dovetail.models.request import REDUCTION_FORMS, TRIGGER_FORMS, Request, Symmetry
from dovetail.models.sub_problem import SubProblem
from dovetail.puzzles.loading import load
from harness.known import known
from oracle.strategies import packing_puzzles

SIX = "pentominoes-5x6-FLNPUY"
COLOURED = cover(["a"], [["a", ("s", 1)], ["a", ("s", 2)]], secondary=["s"], name="coloured")
REQUEST = Request.named("mirror", True, ["redundancy=L", "volume@4"], ["parity@3"], listing=True)
PLANS = [
    Plan(load(SIX), REQUEST, "dlx", {"stages": ["s", "f@4"]}, 7, RandomOrder(3, restarts=True)),
    Plan(load(SIX), Request(), "dlx", {}, 0, Trials(5, 3, seed=2, within_items=True)),
    Plan(load("edges-4-b3i3-6"), Request.named("all", True, []), "rows", {"order": ["spiral"]}),
    Plan(load("queens-6"), Request(), "bitset"),
    Plan(COLOURED, Request(), "dlx", sub_problem=SubProblem((1,))),
    Plan(load("queens-6"), Request(), "dlx", sub_problem=SubProblem((3,), (8, 9))),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.puzzle.name} {plan.backend}")
def test_there_and_back(plan: Plan) -> None:
    """Every kind of puzzle, request and order comes back as it was, on one line."""
    text = plan_to_json(plan)
    back = plan_from_json(text)
    assert "\n" not in text
    assert (back.puzzle, back.puzzle.digest) == (plan.puzzle, plan.puzzle.digest)
    assert (back.request, back.order, back.seed) == (plan.request, plan.order, plan.seed)
    assert back.sub_problem == plan.sub_problem
    assert (back.backend, dict(back.config)) == (plan.backend, dict(plan.config))


def test_a_forecast_of_any_length_comes_back() -> None:
    """A search may be expected to take more seconds than 64 bits can count."""
    chosen = Chosen("bitset", {}, (), "it suits", 1e42)
    back = plan_from_json(plan_to_json(replace(PLANS[3], chosen=chosen)))
    assert known(back.chosen).forecast_s == 1e42


@pytest.mark.parametrize("word", [word.replace("PIECES", "3") for word in REDUCTION_FORMS])
def test_every_reduction_comes_back(word: str) -> None:
    """In every form, with a piece or a number of pieces where it has one."""
    plan = Plan(PLANS[0].puzzle, Request.named("all", False, [word]), "dlx")
    back = plan_from_json(plan_to_json(plan)).request
    assert back == plan.request
    assert [str(reduction) for reduction in back.reductions] == [word]


@pytest.mark.parametrize("form", TRIGGER_FORMS)
def test_every_trigger_comes_back(form: str) -> None:
    """In every form, with the smallest part and the number of pieces where it has them."""
    word = form.replace("PIECES", "3").replace("CELLS", "6")
    plan = Plan(PLANS[0].puzzle, Request.named("all", False, [], [word]), "dlx")
    back = plan_from_json(plan_to_json(plan)).request
    assert back == plan.request
    assert [str(trigger) for trigger in back.triggers] == [word]


@pytest.mark.parametrize("word", ["parity:3", "volume:0", "volume:x@2"])
def test_what_is_no_trigger(word: str) -> None:
    """The message has every form."""
    with pytest.raises(ConfigError, match=f"trigger '{word}'; expected .*, volume:CELLS@PIECES,"):
        Request.named("all", False, [], [word])


@given(packing_puzzles())
@settings(max_examples=15)
def test_random_puzzles_come_back(puzzle: Any) -> None:
    """Fixed pieces, copies and holes among them."""
    assert plan_from_json(plan_to_json(Plan(puzzle, Request(), "dlx"))).puzzle == puzzle


def changed(**changes: object) -> str:
    """A plan of queens with other values."""
    return json.dumps({**json.loads(plan_to_json(PLANS[3])), **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a plan; expected a line of JSON"),
        (changed(plan=2), "plan version 2; expected 1"),
        (changed(request={"symmetry": "any"}), "plan: request.symmetry"),
        (changed(cover=None), "expected one of packing, edges and cover"),
        (changed(random={"seed": 1}, trials={"count": 1, "remaining": 1}), "at most one"),
        (changed(request={"triggers": [{"name": "parity", "down_to": 0}]}), "trigger 'parity@0'"),
        (changed(config={"deep": 1})[:-1] + ', "x": ' + "[" * 400 + "]" * 400 + "}", "plan: "),
        (changed(sub_problem={"taken": [1.5]}), "plan: sub_problem.taken.0"),
    ],
)
def test_what_is_no_plan(text: str, message: str) -> None:
    """Is an error that names the place."""
    with pytest.raises(ConfigError, match=message):
        plan_from_json(text)


@given(st.data())
@settings(max_examples=15)
def test_hostile_covers(data: st.DataObject) -> None:
    """A number changed anywhere makes another problem or an error, never a crash."""
    values = json.loads(plan_to_json(PLANS[3]))
    key = data.draw(st.sampled_from(["lower", "upper", "start", "item", "colour"]))
    place = data.draw(st.integers(0, len(values["cover"][key]) - 1))
    values["cover"][key][place] = data.draw(st.sampled_from([-1, 0, 1, 7, 2**31, 2**63, 2**70]))
    with suppress(ConfigError):
        assert isinstance(plan_from_json(json.dumps(values)).puzzle, CoverProblem)


JOB = Job(load("queens-6"), Request(Symmetry.ALL), "cpsat", {"seed": 3}, Limits(solutions=1))


def test_every_field_counts_in_the_digest() -> None:
    """The puzzle by its content."""
    changes: dict[str, Any] = {
        "puzzle": load("queens-5"),
        "request": replace(JOB.request, labelled=True),
        "backend": "dlx",
        "config": {"seed": 4},
        "limits": Limits(solutions=2),
        "seed": 1,
        "random": RandomOrder(0),
        "trials": Trials(5, 2),
        "cold_start": True,
        "improves": True,
        "objective": Objective.TILES,
        "start": PartialBoard(((None,),)),
        "disassembles": True,
    }
    assert list(changes) == [own.name for own in fields(Job)]
    others = [replace(JOB, **{name: value}) for name, value in changes.items()]
    assert len({job.digest for job in (JOB, *others)}) == 1 + len(changes)
    assert replace(JOB, puzzle=replace(JOB.puzzle, name="renamed")).digest == JOB.digest


def test_a_name_that_is_no_text() -> None:
    """Is an error when the plan is written."""
    puzzle = dataclasses.replace(load("queens-6"), name="a\udcff")
    with pytest.raises(ConfigError, match=r"plan: .*surrogates"):
        plan_to_json(Plan(puzzle, Request(), "dlx"))
