"""Tables of answers, complete or provisional, and the components that the latter live in (`solver.py`)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Key = TypeVar("Key", contravariant=True)


class Progress(Enum):
    """What a round says of a question, compared with the round before."""

    LESS = "less"
    THE_SAME = "the same"
    MORE = "more"


class Equations(Protocol[Key, V]):
    """The equations of the questions at which cycles are cut."""

    def nothing(self, key: Key) -> V:
        """The answer that is always true."""
        ...

    def define(self, key: Key) -> V:
        """The answer that follows from what is known of others."""
        ...

    def is_exact(self, answer: V) -> bool:
        """Whether there is nothing more to say than ANSWER."""
        ...

    def progress(self, key: Key, before: V, after: V) -> Progress:
        """What AFTER says, compared with BEFORE, which was not exact."""
        ...


@dataclass(eq=False)
class Table(Generic[K, V]):
    """The answers to questions of one kind. Those that are COMPLETE may be looked up without the solver."""

    complete: dict[K, V] = field(default_factory=dict, init=False)
    provisional: dict[K, tuple[V, Component]] = field(default_factory=dict, init=False)


@dataclass(eq=False)
class Cuts(Table[K, V]):
    """The answers to questions at which cycles are cut, by their EQUATIONS."""

    equations: Equations[K, V]
    open: dict[K, Component] = field(default_factory=dict, init=False)
    last: dict[K, V] = field(default_factory=dict, init=False)
    """What the last round knows, while a component iterates."""


Cut = tuple[Cuts[Any, Any], Any]
Answers = dict[Cut, Any]


class Component:
    """What depends on an open cut at some DEPTH: the component of which it is the root, or a part of one."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self._made: list[tuple[Table[Any, Any], Any]] = []
        self._cuts: dict[Cut, None] = {}
        self.hypotheses: list[tuple[Hashable, Callable[[], bool]]] = []
        self._larger: Component | None = None

    def keep(self, table: Table[K, V], key: K, answer: V) -> None:
        """ANSWER is provisional: it lives as long as this component."""
        table.provisional[key] = answer, self
        self._made.append((table, key))

    def keep_cut(self, cut: Cut, answer: Any) -> None:
        """The same of a cut, which is to be defined anew in each round."""
        self.keep(*cut, answer)
        self._cuts[cut] = None

    def join(self, larger: Component) -> None:
        """This is a part of a LARGER component."""
        larger._made += self._made
        larger._cuts |= self._cuts
        larger.hypotheses += self.hypotheses
        self._larger = larger

    def largest(self) -> Component:
        """The component that this one is a part of by now."""
        found = self
        while found._larger is not None:
            found = found._larger
        return found

    def answers(self) -> Answers:
        """The provisional answers of its cuts."""
        return {(cuts, key): cuts.provisional[key][0] for cuts, key in self._cuts}

    def forget(self) -> None:
        """Forget the provisional answers, and what they suppose."""
        for table, key in self._made:
            table.provisional.pop(key, None)
        self._made.clear()
        self._cuts.clear()
        self.hypotheses.clear()
