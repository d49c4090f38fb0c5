"""Whether a program with a fix computes what it computed before, as `volcli diff` proves it.

BEFORE and AFTER are texts of a file that differ in one function. The fix is made if AFTER refines BEFORE: for
all arguments for which BEFORE is defined, all outputs of the function are equal. It is safe if BEFORE refines
AFTER, too, and neither answer assumes anything: then the same executions are undefined.

That buffers among the arguments are different memory is assumed by each comparison of two programs. It is no
reason here: a store is a dead one, and code is dead, whichever arguments are the same memory (`memory-flow`,
`dead-code`); the comparison sees to it that the text has become what is meant.

Example: of two stores to %m[%i] the first one can be removed safely: the second one is out of bounds where it
is. A store to %a[%i] that nothing reads cannot: where %i is 9 of 9, nothing is out of bounds without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from volcli.api.program import Program
from volcli.diagnostics import UsageError, internal
from volcli.equivalence.backward.function import NOALIAS
from volcli.facts.differences import EQUAL, FunctionComparison
from volcli.frontend.text.annotate import without_comments
from volcli.frontend.text.source import Source, split_chunks
from volcli.gate.findings.settings import Settings
from volcli.loading.driver import load_source


@dataclass(frozen=True)
class FixProof:
    """Whether a fix may be made, and why not, or why not without being asked for."""

    verdict: Literal["safe", "unsafe", "unproved"]
    reason: str = ""


def proved(before: Source, after: Source, function: str, settings: Settings) -> FixProof:
    """What is known of AFTER, in which FUNCTION of BEFORE is edited."""
    if without_comments(before.text).split() == without_comments(after.text).split():
        return FixProof("safe")
    before, after = different(before, after)

    def compared() -> FixProof:
        old, new = (loaded(each, settings) for each in (before, after))
        if (worse := _unread(old, new)) is not None:
            return FixProof("unproved", f"the edited text cannot be read: {worse}")
        return _compared(old, new, function)

    return attempted(compared)


def attempted(prove: Callable[[], FixProof]) -> FixProof:
    """What PROVE proves: nothing if it fails."""
    try:
        return prove()
    except UsageError as error:
        return FixProof("unproved", error.diagnostic.message)
    except Exception as error:
        return FixProof("unproved", f"internal error in the comparison ({internal.described(error)[0]})")


def different(before: Source, after: Source) -> tuple[Source, Source]:
    """The one chunk in which BEFORE and AFTER differ, of both; all of them if there are several."""
    pairs = [*zip(split_chunks(before), split_chunks(after), strict=False)]
    unlike = [(one, other) for one, other in pairs if one.text != other.text]
    is_one = len(unlike) == 1 and len(split_chunks(before)) == len(split_chunks(after))
    return unlike[0] if is_one else (before, after)


def loaded(source: Source, settings: Settings) -> Program:
    """The program of SOURCE, read as SETTINGS say, for all arguments: a comparison looks at no condition."""
    return load_source(
        source, split=True, budget=settings.budget, timeout=settings.timeout, via=settings.via,
        effects=settings.effects,
    )  # fmt: skip


def _unread(old: Program, new: Program) -> str | None:
    """What is wrong with NEW that is not wrong with OLD."""
    known = {(each.code, each.message) for each in old.diagnostics}
    return next((e.message for e in new.diagnostics if (e.code, e.message) not in known), None)


def _compared(old: Program, new: Program, function: str) -> FixProof:
    """FUNCTION of OLD and NEW compared."""
    forth = old.diff(new, function, executed=False)
    if (unlike := _unlike(forth)) is not None:
        return FixProof("unproved", f"the function is not proved to stay equal: {unlike}")
    if needed := _needed(forth):
        return FixProof("unsafe", f"the program is equal if {' and '.join(dict.fromkeys(needed))}")
    back = new.diff(old, function, executed=False)
    if _unlike(back) is not None or _needed(back):
        return FixProof("unsafe", "errors that may have happened no longer happen")
    return FixProof("safe")


def _needed(found: Sequence[FunctionComparison]) -> list[str]:
    """What is assumed in what was FOUND, and is more than that arguments are different memory."""
    return [one for each in found for one in (*each.assumptions, *each.needed) if one != NOALIAS]


def _unlike(found: Sequence[FunctionComparison]) -> str | None:
    """Why not all functions in FOUND are equal; None if they are."""
    for each in found:
        if each.verdict != EQUAL:
            said = (str(one) for one in each.outputs if one.verdict != EQUAL)
            return next(said, each.reason or each.verdict)
    return None
