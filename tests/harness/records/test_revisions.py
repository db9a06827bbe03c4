"""Records by computer and by revision."""

from __future__ import annotations

from dovetail.harness.records.recording import (
    Computer,
    Revision,
    by_computer,
    by_revision,
    newest,
)
from harness.records.made import made


def test_a_computer_is_a_processor_with_its_cores() -> None:
    """Another system or more memory make no other one."""
    machine = {"processor": "P", "cores": 2}
    one, other = (made(machine={**machine, "system": system}) for system in "ab")
    larger = made(machine={**machine, "cores": 4})
    unknown = made(machine=None)
    found = by_computer([one, larger, other, unknown])
    assert list(found.values()) == [[one, other], [larger], [unknown]]
    titles = [computer.title for computer in found]
    assert titles == ["P, 2 cores", "P, 4 cores", "machine not recorded"]
    assert Computer(None, 1).title == "processor not recorded, 1 core"


def test_titles_of_revisions() -> None:
    """The version and the beginning of the commit, with the mark of changed files."""
    assert Revision("1.2", None).title == "1.2"
    assert Revision("1.2", "0123456789abcdef+").title == "1.2 (012345678+)"
    assert Revision(None, "0123").title == "version not recorded (0123)"


def test_revisions_stand_in_the_order_of_their_first_use() -> None:
    """Not of their names or of the file; without times they come first."""
    later = made(commit="a", begun="2026-02-01")
    first, again = (made(commit="b", begun=begun) for begun in ("2026-01-01", "2026-03-01"))
    undated = made(commit="c", begun=None)
    found = by_revision([later, first, again, undated])
    assert [revision.commit for revision in found] == ["c", "b", "a"]
    assert list(found.values())[1] == [first, again]


def test_the_newest_records_of_each_job() -> None:
    """All repeats of the revision that ran it last."""
    old = made(job="1", commit="a", begun="2026-01-01")
    new = [made(job="1", commit="b", begun="2026-01-02", repeat=repeat) for repeat in (0, 1)]
    alone = made(job="2", commit="a", begun="2026-01-01")
    assert newest([*new, old, alone]) == [*new, alone]
    undated = [made(job="1", commit=commit, begun=None) for commit in "ab"]
    assert newest(undated) == undated[1:]
