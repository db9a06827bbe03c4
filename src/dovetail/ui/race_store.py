"""The races of a server: a bounded number, which end with the server."""

from __future__ import annotations

from itertools import count
from threading import Lock
from typing import Self

from dovetail.ui.kept_solutions import Store
from dovetail.ui.race import Race
from dovetail.ui.race_request import read_race
from dovetail.ui.requests import Fields, NotFoundError, RequestError
from dovetail.ui.workspace import Workspace

MAX_RACES = 40
MAX_RUNNING = 24  # lanes, each with a process


class RaceStore:
    """Races by identity; as a context manager, stops all running races at the end."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock, self._store = Lock(), Store()
        self._numbers = count(1)
        self._races: dict[str, Race] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        races = list(self._races.values())
        for race in races:
            race.stop()
        for race in races:
            race.join()

    def races(self) -> list[Race]:
        """Return all races in the order of their starts."""
        return list(self._races.values())

    def race(self, identity: str) -> Race:
        """Return the race with an identity; raise `NotFoundError` if there is none."""
        found = self._races.get(identity)
        if found is None:
            raise NotFoundError("race", identity)
        return found

    def start(self, fields: Fields) -> Race:
        """Start the race that a request describes.

        If the store is full, the oldest race that has ended is dropped. Raises `RequestError` for
        an invalid request, and with status 409 if too many runs are under way.
        """
        question, jobs = read_race(fields, self._workspace)
        with self._lock:
            self._check_limits(len(jobs))
            race = Race(f"r{next(self._numbers)}", question, jobs, self._store)
            self._races[race.identity] = race
            race.start()
            return race

    def delete(self, identity: str) -> None:
        """Stop a race, wait for its end and drop it; raise `NotFoundError` if there is none."""
        race = self.race(identity)
        race.stop()
        race.join()
        with self._lock:
            self._forget(race)

    def _forget(self, race: Race) -> None:
        if self._races.pop(race.identity, None) is not None:
            race.forget()

    def _check_limits(self, lanes: int) -> None:
        """Make room for a race of `lanes` lanes; raise `RequestError` if there is no room."""
        running = sum(not lane.has_ended for race in self.races() for lane in race.lanes)
        if running + lanes > MAX_RUNNING:
            raise RequestError(
                f"{running} runs are under way; expected at most {MAX_RUNNING} at a time",
                status=409,
            )
        if len(self._races) >= MAX_RACES:
            oldest = next((one for one in self.races() if one.has_ended), None)
            if oldest is None:
                raise RequestError(f"{MAX_RACES} races are under way, the limit", status=409)
            self._forget(oldest)
