"""One function before and after a pass, compared in any process: plain data in, plain data out."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from volcli.diagnostics import Severity, UsageError, internal
from volcli.facts.differences import FunctionComparison
from volcli.facts.levels import BY_OPERATIONS, Comparing
from volcli.frontend.text.source import Source
from volcli.gate.work.environment import environment
from volcli.gate.work.work import UNREPRODUCIBLE
from volcli.limits.presburger import DEFAULT_SECONDS
from volcli.validation.results import ComparedFunction

if TYPE_CHECKING:
    from volcli.api.program import Program

_FORMAT = 2


@dataclass(frozen=True)
class ComparisonOptions:
    """How programs are read and compared: the options of `volcli diff`."""

    comparing: Comparing = BY_OPERATIONS
    assume_finite: bool = False
    effects: tuple[str, ...] = ()
    budget: int | None = None
    timeout: float | None = DEFAULT_SECONDS
    via: Any = "auto"
    executed: bool = True


@dataclass(frozen=True)
class ProgramPair:
    """Two programs, by text and the names that they have in answers, and which function to compare.

    Without a FUNCTION, all are compared.
    """

    before: str
    after: str
    names: tuple[str, str]
    function: str | None
    how: ComparisonOptions

    @property
    def label(self) -> str:
        """`a.mlir -> a.mlir after cse: @f`."""
        return " -> ".join(self.names) + (f": @{self.function}" if self.function is not None else "")

    @property
    def key(self) -> str:
        """What the result depends on, as a digest."""
        parts = (
            _FORMAT,
            self.before,
            self.after,
            self.names,
            self.function,
            self.how,
            environment(self.how.via),
        )
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True)
class PairResult:
    """What is known of the functions of a pair, and how long it took; LASTING: another run finds the same."""

    functions: tuple[ComparedFunction, ...]
    seconds: float
    lasting: bool = True

    def to_json(self) -> list[Any]:
        """It as JSON, for the cache."""
        return [[each.function, each.verdict, each.lines, each.data] for each in self.functions]

    @classmethod
    def from_json(cls, data: list[Any]) -> PairResult:
        """What `to_json` gave DATA of; it is known in no time."""
        return cls(tuple(ComparedFunction(name, v, tuple(lines), d) for name, v, lines, d in data), 0.0)


def compared(pair: ProgramPair) -> PairResult:
    """What is known of PAIR; what cannot be read or fails is unknown, with the reason."""
    began = time.process_time()
    try:
        functions, lasting = _compared(pair)
    except UsageError as error:
        functions, lasting = [unknown(pair, str(error.diagnostic))], True
    except Exception as error:
        functions, lasting = [unknown(pair, internal.described(error)[0])], False
    return PairResult(tuple(functions), time.process_time() - began, lasting)


def unknown(pair: ProgramPair, reason: str) -> ComparedFunction:
    """That nothing is known of PAIR, for this REASON."""
    return ComparedFunction.unknown(pair.function or "*", reason)


def most_seconds(pair: ProgramPair) -> float | None:
    """The processor time that PAIR may take."""
    return pair.how.timeout


def _compared(pair: ProgramPair) -> tuple[list[ComparedFunction], bool]:
    before, after = (
        _read(text, name, pair.how)
        for text, name in ((pair.before, pair.names[0]), (pair.after, pair.names[1]))
    )
    how, unread = pair.how, _unread(before, after)
    if unread is None and pair.function is not None and not (_has(before, pair) or _has(after, pair)):
        return [], True  # it is declared, and what it is called with is compared where that is done
    found = before.diff(
        after, pair.function, compare=how.comparing.level, reassociate=how.comparing.reassociate,
        assume_finite=how.assume_finite, executed=how.executed,
    )  # fmt: skip
    lasting = not any(each.code in UNREPRODUCIBLE for each in (*before.diagnostics, *after.diagnostics))
    return [_explained(each, _unread(before, after)) for each in found], lasting


def _unread(*programs: Program) -> str | None:
    """What of PROGRAMS cannot be read, if something cannot."""
    said = (each for program in programs for each in program.diagnostics)
    errors = (each for each in said if each.severity is Severity.ERROR and each.code.startswith("V1"))
    return next(map(str, errors), None)


def _has(program: Program, pair: ProgramPair) -> bool:
    """Whether PROGRAM defines the function of PAIR."""
    return any(model.name == pair.function for unit in program.units for model in unit.models())


def _explained(found: FunctionComparison, unread: str | None) -> ComparedFunction:
    """FOUND; a function that one program seems not to have may be in the part that was UNREAD."""
    if found.reason is not None and not found.outputs and unread is not None:
        return ComparedFunction.unknown(found.function, unread)
    return ComparedFunction.of(found)


@lru_cache(maxsize=4)
def _read(text: str, name: str, how: ComparisonOptions) -> Program:
    """The program in TEXT, which answers call NAME; that of the step before is still there."""
    from volcli.loading.driver import load_source

    return load_source(
        Source(name, text), split=False, budget=how.budget, timeout=how.timeout, via=how.via,
        effects=how.effects,
    )  # fmt: skip
