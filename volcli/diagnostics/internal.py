"""Internal errors: each costs the one answer in which it came up, and becomes V900 at its place.

There are two doors. A case of a dialect is asked at `Interface.__call__`; isl is asked within `budget`. What
comes out of them as an exception, and is none of volcli's own (those say something), is a mistake of whoever
wrote the case, or of isl's user: the answer is unknown, and the next question is asked.

>>> with at("an operation"):
...     what = remember(ZeroDivisionError("division by zero"), "'bounds' of tensor")
>>> what
"internal error in 'bounds' of tensor (ZeroDivisionError: division by zero)"
>>> [(failure.at, failure.what == what) for failure in forget()]
[('an operation', True)]
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from volcli.limits import printing as limits


@dataclass(frozen=True)
class Failure:
    """An internal error AT an operation, a place or a dialect (None: not known); TRACE is where it began."""

    at: object
    what: str
    trace: str
    package: str | None = None
    """The other package that is to blame."""


_failures: list[Failure] = []
_places: list[object] = []
_seen: list[object] = [None]


def is_message(error: Exception) -> bool:
    """Whether an exception is not a mistake: one of volcli's own, or of a limit of the machine."""
    return type(error).__module__.partition(".")[0] == "volcli" or isinstance(
        error, RecursionError | MemoryError
    )


def remember(error: Exception, where: str, package: str | None = None) -> str:
    """Remember the internal ERROR that came up in WHERE, a part of another PACKAGE; what to say of it."""
    line = next(iter(str(error).splitlines()), "")[: limits.EXCEPTION_TEXT]
    kind = type(error).__name__
    what = f"internal error in {where} ({kind}: {line})" if line else f"internal error in {where} ({kind})"
    import traceback

    trace = "".join(traceback.format_exception(error))
    _failures.append(Failure(_places[-1] if _places else _seen[-1], what, trace, package))
    return what


def described(error: Exception) -> tuple[str, str]:
    """What ERROR says, after its kind, and its trace: where no case and no isl query is to blame."""
    import traceback

    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return what, "".join(traceback.format_exception(error))


def forget() -> list[Failure]:
    """The failures since the last time, of which no more is known from now on."""
    found = _failures.copy()
    _failures.clear()
    return found


@contextmanager
def unheard() -> Generator[None, None, None]:
    """What fails in the block is its own matter, and is not remembered."""
    count = len(_failures)
    try:
        yield
    finally:
        del _failures[count:]


def look_at(place: object) -> None:
    """What fails from now on, in no block of `at`, fails at PLACE; None: not known."""
    _seen[-1] = place


@contextmanager
def at(place: object) -> Generator[None, None, None]:
    """What fails in the block fails at PLACE, an operation."""
    _places.append(place)
    try:
        yield
    finally:
        _places.pop()


def is_foreign(package: str) -> bool:
    """Whether a PACKAGE, as `package_of` names it, is not one of volcli's.

    >>> is_foreign("volcli_dialects.arith"), is_foreign("their_plugin")
    (False, True)
    """
    return package.partition(".")[0] not in ("volcli", "volcli_dialects")


def package_of(function: object) -> str:
    """The package that a FUNCTION comes from: of a plug-in, the one that was installed."""
    module = str(getattr(function, "__module__", ""))
    name = module.partition(".")[0]
    return module if name in ("volcli_dialects", *sys.builtin_module_names) else name
