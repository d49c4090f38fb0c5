"""What is answered of lifetimes: the operations that are wrong, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.language.interface import operation_name
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.occurrence.certainty import CertainIterations


class Wrong(Enum):
    """What an operation does that has no meaning."""

    USED = "uses memory that was freed"
    FREED_TWICE = "frees memory that was freed"
    NO_ALLOCATION = "frees a value that is not an allocation"
    LEAVES = "lets stack memory leave the function"
    UNKNOWN = "has unknown effects on memory"


@dataclass(frozen=True, eq=False)
class MisusedIterations:
    """The iterations of `levels` in which an operation is wrong, of those in which it `runs`."""

    happens: CertainIterations
    runs: isl.Set
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class Misuse:
    """OP is wrong about the `value`; in every execution that gets there if `certain`.

    `earlier` is the operation that had freed the memory, or allocated it on the stack. `because` says what
    the memory is, or how it leaves. It is so in some iterations only if these are known, `at`. It is
    `whenever_freed` if nothing but whether the memory was freed before decides whether it is wrong.
    """

    wrong: Wrong
    op: Operation
    value: SSAValue
    certain: bool
    earlier: Operation | None = None
    because: str = ""
    whenever_freed: bool = False
    at: MisusedIterations | None = None


def misuse_text(misuse: Misuse, name: str, example: str = "") -> str:
    """What is wrong with the memory that is called NAME, in an iteration that is an EXAMPLE."""
    op = f"'{operation_name(misuse.op)}' op{example}"
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
