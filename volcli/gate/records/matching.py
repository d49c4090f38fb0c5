"""Which entry of an earlier run is which one of this run, though code was moved, renamed or changed.

Two entries of one kind are the same, in this order of preference:

1. the same file, key and content: nothing has changed;
2. for what callers rely on, the same file and key: two functions that exchange their bodies have changed;
3. the same content, moved or renamed: first with the same answer, then another one, each time first in the
   same file. Several places of equal content may have different answers, as for what holds there;
4. the same file and key: what it is computed from has changed. A file has moved if what was in it alone is in
   another one now, or if it is the one that is gone, and that the one that is new.

Each entry is taken once, so that of two equal ones in the old run and three in the new one, one is new. %0
and %1 are not names, but numbers that move up where something is written before them: in 4, what is called so
is paired in its order, and only if a file has as many of it as it had.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

_OF_CALLERS = ("preconditions", "written")
"""What is asked of functions, for whoever calls them."""
_NUMBERED = re.compile(r"%(\d+)\b")


class BaselineEntry(Protocol):
    """What is matched: `kind` is a code or a question, `said` the answer, without names."""

    @property
    def kind(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def said(self) -> str: ...


O = TypeVar("O", bound=BaselineEntry)  # noqa: E741 - of old, as N is of new
N = TypeVar("N", bound=BaselineEntry)


@dataclass(frozen=True)
class Matching(Generic[O, N]):
    """Pairs of one content, pairs that only their keys make, and what is in one run only."""

    same: tuple[tuple[O, N], ...]
    changed: tuple[tuple[O, N], ...]
    gone: tuple[O, ...]
    new: tuple[N, ...]


def matched(old: Sequence[O], new: Sequence[N]) -> Matching[O, N]:
    """OLD entries matched with NEW ones."""
    left, rest = dict(enumerate(old)), dict(enumerate(new))
    same: list[tuple[O, N]] = []
    changed: list[tuple[O, N]] = []

    def pair(by: Callable[[BaselineEntry], Hashable | None], into: list[tuple[O, N]]) -> None:
        """Pair what is equal BY something, in order; what that is None of stays."""
        places: defaultdict[Hashable, list[int]] = defaultdict(list)
        for position in reversed(left):
            places[by(left[position])].append(position)
        for position, entry in list(rest.items()):
            if (key := by(entry)) is not None and (positions := places.get(key)):
                into.append((left.pop(positions.pop()), rest.pop(position)))

    pair(lambda each: (each.kind, each.file, each.key, each.content), same)
    pair(lambda each: (each.kind, each.file, each.key) if each.kind in _OF_CALLERS else None, changed)
    pair(lambda each: (each.kind, each.file, each.content, each.said), same)
    pair(lambda each: (each.kind, each.content, each.said), same)
    pair(lambda each: (each.kind, each.file, each.content), same)
    pair(lambda each: (each.kind, each.content), same)
    left, rest = _in_order_of_numbers(left), _in_order_of_numbers(rest)
    pair(_by_key(_moved(old, new, same), left.values(), rest.values()), changed)
    return Matching(tuple(same), tuple(changed), tuple(left.values()), tuple(rest.values()))


def _moved(
    old: Sequence[BaselineEntry],
    new: Sequence[BaselineEntry],
    same: Sequence[tuple[BaselineEntry, BaselineEntry]],
) -> Mapping[str, str]:
    """For files that are no more, what they are now: the file that most of their content, the SAME, is in."""
    before, after = {each.file for each in old}, {each.file for each in new}
    gone, born = before - after, after - before
    votes = Counter(
        (mine.file, theirs.file) for mine, theirs in same if mine.file in gone and theirs.file in born
    )
    found: dict[str, str] = {}
    for (file, now), _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0])):
        found.setdefault(file, now)
    if len(gone) == len(born) == 1:
        found.setdefault(*gone, *born)
    return found


def _in_order_of_numbers(entries: Mapping[int, N]) -> dict[int, N]:
    """ENTRIES, %2 before %10; as they were where no value is called by its number."""

    def numbers(entry: tuple[int, BaselineEntry]) -> list[int]:
        return [int(found[1]) for found in _NUMBERED.finditer(entry[1].key)]

    return dict(sorted(entries.items(), key=numbers))


def _by_key(
    moved: Mapping[str, str], left: Iterable[BaselineEntry], rest: Iterable[BaselineEntry]
) -> Callable[[BaselineEntry], Hashable | None]:
    """The key of an entry, in the file that its own was MOVED to, and without numbers.

    None for what has numbers where LEFT and REST do not have as many of that.
    """

    def key(each: BaselineEntry) -> tuple[str, str, str]:
        return each.kind, moved.get(each.file, each.file), _NUMBERED.sub("%", each.key)

    before, after = Counter(map(key, left)), Counter(map(key, rest))

    def by(each: BaselineEntry) -> Hashable | None:
        found = key(each)
        is_named = _NUMBERED.search(each.key) is None
        return found if is_named or before[found] == after[found] else None

    return by


def sorted_entries(entries: Iterable[N]) -> list[N]:
    """ENTRIES in an order that depends on nothing but what they are."""
    return sorted(entries, key=lambda each: (each.file, each.kind, each.key, each.content))
