"""What is answered of lifetimes: the operations that are wrong, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xdsl.ir import Operation, SSAValue

from volcli.language.interface import operation_name


class Wrong(Enum):
    """What an operation does that has no meaning."""

    USED = "uses memory that was freed"
    FREED_TWICE = "frees memory that was freed"
    NO_ALLOCATION = "frees a value that is not an allocation"
    LEAVES = "lets stack memory leave the function"
    UNKNOWN = "has unknown effects on memory"


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


def misuse_text(misuse: Misuse, name: str) -> str:
    """What is wrong with the memory that is called NAME."""
    op = f"'{operation_name(misuse.op)}' op"
    match misuse.wrong:
        case Wrong.USED:
            verb = "returns" if misuse.because == "it is returned" else "uses"
            return f"{op} {verb} {name}, which was freed before"
        case Wrong.FREED_TWICE:
            return f"{op} frees {name}, which was freed before"
        case Wrong.NO_ALLOCATION:
            return f"{op} frees {name}, which is {misuse.because}"
        case Wrong.LEAVES:
            return f"{op} lets {name} leave: memory on the stack {misuse.because}"
        case Wrong.UNKNOWN:
            return f"{op}: {misuse.because}"
