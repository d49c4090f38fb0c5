"""Buffers: what memory a memref is of, as far as that is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xdsl.ir import SSAValue


class Origin(Enum):
    """Where the memory of a buffer comes from."""

    ALLOCATION = "allocation"
    GLOBAL = "global"
    ARGUMENT = "argument"
    UNKNOWN = "unknown"
    ESCAPED = "escaped"


@dataclass(frozen=True)
class SharedArgument:
    """An argument for which calls pass the memory of others: of one `always`, or of these `sometimes`.

    They are earlier arguments, numbered from 0.
    """

    always: int | None = None
    sometimes: frozenset[int] = frozenset()


NOTHING_SHARED = SharedArgument()


@dataclass(frozen=True)
class Root:
    """A buffer: the value that stands for all of it. A global is one buffer, whatever value names it.

    What is not known to be one buffer may be `among` several. A memref that was made of one without a rank
    is `behind` that one: its elements cannot be compared with those of another one that is. Escaped memory is
    any of those that it is `among`. What is `held` is a value that is not a memref, and whose memory this is.
    """

    origin: Origin
    value: SSAValue
    symbol: str | None = None
    because: str | None = None
    among: frozenset[Root] = frozenset()
    behind: Root | None = None
    held: SSAValue | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Root) or self.origin is not other.origin:
            return False
        return self.value is other.value if self.symbol is None else self.symbol == other.symbol

    @property
    def made(self) -> SSAValue:
        """The value with which the buffer is made anew."""
        return self.value if self.held is None else self.held

    def __hash__(self) -> int:
        return hash(self.symbol or id(self.value))
