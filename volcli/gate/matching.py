"""Which entry of an earlier run is which one of this run, though code was moved, renamed or changed.

Two entries of one kind are the same, in this order of preference:

1. the same file, key and content: nothing has changed;
2. the same content, moved or renamed: first with the same answer, then another one, each time first in the
   same file. Several places of equal content may have different answers, as for what holds there;
3. the same file and key: what it is computed from has changed.

Each entry is taken once, so that of two equal ones in the old run and three in the new one, one is new.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


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

    def pair(by: Callable[[BaselineEntry], Hashable], into: list[tuple[O, N]]) -> None:
        places: defaultdict[Hashable, list[int]] = defaultdict(list)
        for position in reversed(left):
            places[by(left[position])].append(position)
        for position, entry in list(rest.items()):
            if positions := places.get(by(entry)):
                into.append((left.pop(positions.pop()), rest.pop(position)))

    pair(lambda each: (each.kind, each.file, each.key, each.content), same)
    pair(lambda each: (each.kind, each.file, each.content, each.said), same)
    pair(lambda each: (each.kind, each.content, each.said), same)
    pair(lambda each: (each.kind, each.file, each.content), same)
    pair(lambda each: (each.kind, each.content), same)
    pair(lambda each: (each.kind, each.file, each.key), changed)
    return Matching(tuple(same), tuple(changed), tuple(left.values()), tuple(rest.values()))


def sorted_entries(entries: Iterable[N]) -> list[N]:
    """ENTRIES in an order that depends on nothing but what they are."""
    return sorted(entries, key=lambda each: (each.file, each.kind, each.key, each.content))
