"""What the binary operations of scalars cost, by the names that arith and index have for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from xdsl.ir import Operation

from volcli.language.instructions import Instruction, Instructions
from volcli.language.questions import instructions

OF_NAME: Mapping[str, Instruction] = {
    "add": Instruction.ADD,
    "sub": Instruction.SUB,
    "mul": Instruction.MUL,
    "div": Instruction.DIV,
    "floordiv": Instruction.DIV,
    "ceildiv": Instruction.DIV,
    "rem": Instruction.MOD,
    "max": Instruction.COMPARE,
    "min": Instruction.COMPARE,
    "and": Instruction.AND,
    "or": Instruction.OR,
    "xor": Instruction.NOT,
    "shl": Instruction.SHIFT,
    "shr": Instruction.SHIFT,
}
"""Each operation without what it says of its operands: `maxsi` and `maxu` are `max`."""


def costs(kind: type[Operation], *found: Instruction) -> None:
    """An operation of KIND takes the instructions FOUND."""

    @instructions.case(kind)
    def taken(op: Operation) -> Instructions:
        return Counter(found)


def costs_by_name(kinds: Mapping[str, type[Operation]], *signs: str) -> None:
    """The operations of KINDS, by their names in the dialect, cost what OF_NAME says; SIGNS end the names."""
    for name, kind in kinds.items():
        stems = [name, *(name.removesuffix(sign) for sign in signs if name.endswith(sign))]
        if (found := next((OF_NAME[stem] for stem in stems if stem in OF_NAME), None)) is not None:
            costs(kind, found)
