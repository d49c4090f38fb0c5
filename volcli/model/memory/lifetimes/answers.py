"""What is answered of lifetimes: the operations that are wrong, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xdsl.ir import Operation, SSAValue


class Wrong(Enum):
    """What an operation does that has no meaning."""

    USED = "uses memory that was freed"
    FREED_TWICE = "frees memory that was freed"
    NO_ALLOCATION = "frees what is not an allocation"
    LEAVES = "lets stack memory leave the function"
    UNKNOWN = "does to memory what is not known"


@dataclass(frozen=True)
class Misuse:
    """OP is wrong about the `value`; in every execution that gets there if `certain`.

    `earlier` is the operation that had freed the memory, or allocated it on the stack. `because` says what
    the memory is, or how it leaves.
    """

    wrong: Wrong
    op: Operation
    value: SSAValue
    certain: bool
    earlier: Operation | None = None
    because: str = ""
