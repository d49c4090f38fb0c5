"""The dialects that there are cases for: volcli's own, and those that other packages announce.

A package announces a dialect in the entry-point group `volcli.dialects` (name = dialect, value =
`package.module:dialect`, a function that makes it). What is wrong with it costs that dialect alone: its
operations are then unknown ones, and that is said once, at the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from xdsl.ir import Dialect, Operation

from volcli.diagnostics import internal
from volcli.language import questions
from volcli.language.interface import Interface
from volcli.runtime.installed import DIALECTS, may_announce

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = DIALECTS


@dataclass(frozen=True)
class Provider:
    """Where a dialect comes from: `load` imports the function that makes it."""

    dialect: str
    package: str
    version: str
    entry: str
    load: Callable[[], Callable[[], Dialect]] = field(compare=False)

    @property
    def origin(self) -> str:
        """The package with its version, and the entry point.

        >>> Provider("signal", "signal-dialect", "1.0", "signal_dialect:dialect", lambda: Dialect).origin
        'signal-dialect 1.0 (signal_dialect:dialect)'
        """
        return f"{self.package} {self.version} ({self.entry})"

    @property
    def to_blame(self) -> str | None:
        """The package, if it is another one than volcli."""
        return None if self.package == "volcli" else self.package

    def make(self) -> Dialect:
        """The dialect; one without operations where it cannot be made, which `internal` then remembers."""
        try:
            return self.made()
        except Exception as error:
            with internal.at(self.dialect):
                internal.remember(error, f"dialect '{self.dialect}' of {self.origin}", self.to_blame)
            return Dialect(self.dialect)

    def made(self) -> Dialect:
        """The dialect; raises what its package raises, TypeError for something that is none of that name."""
        make = cast("Callable[[], object]", self.load())  # another package promises nothing
        found = make()
        if not isinstance(found, Dialect):
            raise TypeError(f"{self.entry} makes {type(found).__name__}, which is not an xdsl.ir.Dialect")
        if found.name != self.dialect:
            raise TypeError(f"{self.entry} makes the dialect '{found.name}'")
        return found


def announced() -> Iterator[Provider]:
    """The dialects of other packages, by name: the same order in each process."""
    if not may_announce(GROUP):
        return
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value)):
        package, version = _distribution(entry)
        yield Provider(entry.name, package, version, entry.value, entry.load)


def _distribution(entry: EntryPoint) -> tuple[str, str]:
    if entry.dist is None:
        return entry.value.partition(":")[0], "of unknown version"
    return entry.dist.name, entry.dist.version


@dataclass(frozen=True)
class Loaded:
    """A dialect with its operations, and per question those that some case answers for.

    `problem` says why it could not be loaded.
    """

    provider: Provider
    operations: tuple[str, ...]
    cases: dict[str, tuple[str, ...]]
    problem: str | None = None


def loaded(provider: Provider) -> Loaded:
    """The dialect of PROVIDER, imported."""
    try:
        dialect = provider.made()
    except Exception as error:
        return Loaded(provider, (), {}, f"{type(error).__name__}: {error}")
    kinds: dict[str, type[Operation]] = {kind.name: kind for kind in dialect.operations}
    cases = {
        question.name: tuple(sorted(name for name, kind in kinds.items() if question.answers(kind)))
        for question in all_questions()
    }
    return Loaded(provider, tuple(sorted(kinds)), {name: ops for name, ops in cases.items() if ops})


def all_questions() -> list[Interface[object]]:
    """The questions, in the order of `volcli/language/questions.py`."""
    return [each for each in vars(questions).values() if isinstance(each, Interface)]
