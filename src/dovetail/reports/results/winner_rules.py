"""Which solver for which puzzle: the rules of a decision tree, in words."""

from __future__ import annotations

import math

from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.features import OPTIONS_PER_ITEM
from dovetail.harness.evaluation.solver_runs import SolverRuns
from dovetail.harness.evaluation.winner_rules import (
    Condition,
    WinnerRule,
    WinnerRules,
    can_learn,
    winner_rules,
)
from dovetail.reports.page import Part
from dovetail.reports.results.contest_words import INSTALL

TITLE = "Which solver for which puzzle"
DEFINITIONS = (
    "The rules are a decision tree of two levels at most (CART), made from what records have of "
    "puzzles: cells, pieces (tiles of a board), options per item of the exact cover, solutions, "
    "and the kind of puzzle. They describe these puzzles; how well they predict others is measured "
    "by predicting each puzzle from the others.",
)


def winner_rules_part(contest: Contest | None, runs: SolverRuns) -> Part | None:
    """The rules for a contest; None where there is nothing to tell."""
    if contest is None:
        return None
    if not can_learn():
        needs = f"Rules for who is fastest need scikit-learn: {INSTALL}."
        return Part("rules", TITLE, (needs,))
    found = winner_rules(contest, runs)
    if found is None:
        return None
    return Part(
        "rules",
        TITLE,
        (*map(_rule_text, found.rules), _trust(found)),
        definitions=DEFINITIONS,
    )


def _rule_text(rule: WinnerRule) -> str:
    conditions = " and ".join(map(_condition_text, rule.conditions))
    subject = conditions[:1].upper() + conditions[1:]
    return f"{subject}: {rule.solver}, fastest on {rule.wins} of {rule.questions}."


def _condition_text(condition: Condition) -> str:
    if condition.is_family:
        return condition.feature if condition.above else f"not {condition.feature}"
    bound = "more than" if condition.above else "at most"
    if condition.feature == OPTIONS_PER_ITEM:
        return f"{bound} {condition.limit:.1f} {condition.feature}"
    return f"{bound} {math.floor(condition.limit):,} {condition.feature}"


def _trust(rules: WinnerRules) -> str:
    """How often the rules are right about puzzles that they have not seen."""
    better = "more" if rules.predicted > rules.guessed else "no more"
    return (
        f"Predicting each puzzle from the others, such rules name the fastest solver of "
        f"{rules.predicted} of {rules.questions}; always naming the most frequent winner is right "
        f"for {rules.guessed}, so the rules know {better} than that."
    )
