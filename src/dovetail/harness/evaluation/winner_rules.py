"""Which solver is fastest on which puzzles: a small decision tree, as rules.

The tree is that of scikit-learn (CART: L. Breiman, J. Friedman, R. Olshen, C. Stone,
"Classification and Regression Trees", 1984), two decisions deep; it is in the extra `evaluation`.
How far to trust it is measured: each puzzle is predicted by a tree of the others, beside the guess
that the most frequent winner always wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dovetail.harness.evaluation.contest import Contest
from dovetail.harness.evaluation.features import features
from dovetail.harness.records.families import FAMILIES, OTHER_PUZZLES

DEPTH = 2
MIN_QUESTIONS = 8
MIN_OF_A_RULE = 2
MAX_LEFT_OUT_ALONE = 100  # of more questions, a tenth is predicted by a tree of the others
SEED = 0
FAMILY_NAMES = (*FAMILIES.values(), OTHER_PUZZLES)


@dataclass(frozen=True)
class Condition:
    """A limit on a feature: at most `limit`, or above it. A family has the limit 0.5."""

    feature: str
    limit: float
    above: bool

    @property
    def is_family(self) -> bool:
        """Whether the feature is a family of puzzles."""
        return self.feature in FAMILY_NAMES


@dataclass(frozen=True)
class WinnerRule:
    """On the `questions` that meet all `conditions`, `solver` is fastest on `wins`."""

    conditions: tuple[Condition, ...]
    solver: str
    wins: int
    questions: int


@dataclass(frozen=True)
class WinnerRules:
    """The `rules` of a tree, and of how many `questions` it knew the winner unseen.

    `predicted` were right by trees that had not seen them, `guessed` by naming the most frequent
    winner, `frequent`.
    """

    rules: tuple[WinnerRule, ...]
    predicted: int
    guessed: int
    frequent: str
    questions: int

    @property
    def is_better_than_guessing(self) -> bool:
        """Whether the features say anything about puzzles that were not seen."""
        return self.predicted > self.guessed


def can_learn() -> bool:
    """Whether scikit-learn is installed."""
    return find_spec("sklearn") is not None


def winner_rules(contest: Contest) -> WinnerRules | None:
    """The rules for a contest. Needs scikit-learn.

    None for fewer than eight questions, where one solver is fastest on all, or where no feature
    divides them.
    """
    winners = [contest.solvers[row] for row in contest.par2_s.argmin(axis=0)]
    names, values = _table(contest)
    if len(winners) < MIN_QUESTIONS or len(set(winners)) < 2 or not names:
        return None
    tree = _tree().fit(values, winners)
    rules = tuple(_rules(tree, names))
    if len(rules) < 2:
        return None
    ((frequent, guessed),) = Counter(winners).most_common(1)
    return WinnerRules(rules, _predicted(values, winners), guessed, frequent, len(winners))


def _table(contest: Contest) -> tuple[list[str], NDArray[np.float64]]:
    """The features that are known of all questions and differ, and a row of them for each."""
    runs = contest.runs
    known = [
        features([runs.runs[s, q] for s in runs.solvers if (s, q) in runs.runs])
        for q in contest.questions
    ]
    names = list(dict.fromkeys(name for one in known for name in one))
    rows = [
        [one.get(name, 0.0 if name in FAMILY_NAMES else np.nan) for name in names] for one in known
    ]
    values = np.array(rows)
    kept = [
        column
        for column in range(len(names))
        if not np.isnan(values[:, column]).any() and np.ptp(values[:, column])
    ]
    return [names[column] for column in kept], values[:, kept]


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(
        max_depth=DEPTH, min_samples_leaf=MIN_OF_A_RULE, random_state=SEED
    )


def _predicted(values: NDArray[np.float64], winners: Sequence[str]) -> int:
    """How many winners are predicted by trees of other questions."""
    from sklearn.model_selection import KFold, cross_val_predict

    folds = len(winners) if len(winners) <= MAX_LEFT_OUT_ALONE else 10
    parts = KFold(folds, shuffle=True, random_state=SEED)
    predicted = cross_val_predict(_tree(), values, np.array(winners), cv=parts)
    return int((predicted == np.array(winners)).sum())


def _rules(tree: Any, names: Sequence[str]) -> list[WinnerRule]:
    """The leaves of a fitted tree from left to right; those of one decision alike are one."""

    def below(node: int, conditions: tuple[Condition, ...]) -> list[WinnerRule]:
        nodes = tree.tree_
        left, right = int(nodes.children_left[node]), int(nodes.children_right[node])
        if left < 0:
            return [_leaf(tree, node, conditions)]
        feature, limit = names[nodes.feature[node]], float(nodes.threshold[node])
        branches = ((left, False), (right, True))
        rules = [
            rule
            for child, above in branches
            for rule in below(child, (*conditions, Condition(feature, limit, above)))
        ]
        return (
            rules if len({rule.solver for rule in rules}) > 1 else [_leaf(tree, node, conditions)]
        )

    return below(0, ())


def _leaf(tree: Any, node: int, conditions: tuple[Condition, ...]) -> WinnerRule:
    questions = int(tree.tree_.n_node_samples[node])
    shares = tree.tree_.value[node][0]
    first = int(shares.argmax())
    wins = round(float(shares[first] / shares.sum()) * questions)
    return WinnerRule(conditions, str(tree.classes_[first]), wins, questions)
