"""A check of a backend: what it requires, and the verdict on one backend."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from dovetail.harness.contract.subject import RefusalError, Subject, ViolationError
from dovetail.plugins import error_words


class Judgement(StrEnum):
    """The result of a check; a refusal with a reason is no fault."""

    OK = "ok"
    REFUSED = "refused"
    FAILED = "failed"
    NOT_RUN = "not-run"


@dataclass(frozen=True)
class Ready:
    """A backend is imported and warm: from here on each check has to end soon."""


@dataclass(frozen=True)
class Verdict:
    """The result of one check. `reason` is why the backend refused or failed, None for `ok`."""

    backend: str
    check: str
    requires: str
    judgement: Judgement
    reason: str | None = None
    total_s: float = 0.0

    @property
    def is_refused(self) -> bool:
        """Whether the backend refused what the check asks."""
        return self.judgement == Judgement.REFUSED

    @property
    def is_wrong(self) -> bool:
        """Whether the backend does not keep what is required, as far as is known."""
        return self.judgement in (Judgement.FAILED, Judgement.NOT_RUN)


@dataclass(frozen=True)
class Check:
    """One thing that every backend has to do: its name, a sentence, and how to find out.

    `run` raises `ViolationError` where the backend does not do it, and `RefusalError` where it
    refuses the puzzle with a reason.
    """

    name: str
    requires: str
    run: Callable[[Subject], None]

    def verdict(self, subject: Subject) -> Verdict:
        """Return the verdict on a backend, also on one that crashes."""
        begun = time.perf_counter()
        judgement, reason = Judgement.OK, None
        try:
            self.run(subject)
        except RefusalError as refusal:
            judgement, reason = Judgement.REFUSED, str(refusal)
        except ViolationError as violation:
            judgement, reason = Judgement.FAILED, str(violation)
        except Exception as error:  # whatever the backend raises
            crash = error_words(error)
            judgement, reason = Judgement.FAILED, f"{subject.asked}: it raised {crash}"
        seconds = time.perf_counter() - begun
        return self.judged(subject.backend.name, judgement, reason, seconds)

    def judged(
        self, backend: str, judgement: Judgement, reason: str | None, seconds: float = 0.0
    ) -> Verdict:
        """Return a verdict of this check."""
        return Verdict(backend, self.name, self.requires, judgement, reason, seconds)


def check(name: str, requires: str) -> Callable[[Callable[[Subject], None]], Check]:
    """Make a check of a function, for the use as a decorator."""
    return lambda run: Check(name, requires, run)
