"""Which solver for which puzzle: the rules of a decision tree, in words."""

from __future__ import annotations

import math

from dovetail.extras import install_command
from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.features import OPTIONS_PER_ITEM
from dovetail.harness.evaluation.winner_rules import (
    Condition,
    WinnerRule,
    WinnerRules,
    can_learn,
    winner_rules,
)
from dovetail.reports.page import Part

TITLE = "Which solver for which puzzle"
DEFINITIONS = (
    "The rules are a decision tree of two levels at most (CART), made from what records have of "
    "puzzles: cells, pieces (tiles of a board), options per item of the exact cover, solutions, "
    "and the kind of puzzle. They describe these puzzles; how well they predict others is measured "
    "by predicting each puzzle from the others.",
)


def winner_rules_part(contest: Contest | None) -> Part | None:
    """The rules for a contest; None where there are none.

    Rules that predict no better than a guess are folded away.
    """
    if contest is None:
        return None
    if not can_learn():
        needs = f"Rules for who is fastest need scikit-learn: {install_command('evaluation')}."
        return Part("rules", TITLE, (needs,))
    found = winner_rules(contest)
    if found is None:
        return None
    rules = tuple(map(_rule_text, found.rules))
    if found.is_better_than_guessing:
        return Part("rules", TITLE, (*rules, _trust(found)), definitions=DEFINITIONS)
    tree = Part("rules-tree", "The tree nevertheless", rules, folded=True)
    return Part("rules", TITLE, (_trust(found),), parts=(tree,), definitions=DEFINITIONS)


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
    compared = (
        f"by rules made from the other puzzles, the fastest solver of {rules.predicted} of "
        f"{rules.questions} is predicted; always naming {rules.frequent} is right for "
        f"{rules.guessed}."
    )
    if rules.is_better_than_guessing:
        return f"How far this holds: {compared}"
    return f"These features do not tell who is fastest: {compared}"
