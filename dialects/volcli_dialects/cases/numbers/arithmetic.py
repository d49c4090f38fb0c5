"""Arithmetic on two integers, of arith and index alike: what the tables of this room say of it, by name.

An operation has the name that it has in the index dialect: `arith.divsi` and `index.divs` are "divs".
Costs are those of the names that each has for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation

from volcli.language.expressions import Expression, maximum, minimum, value_of
from volcli.language.instructions import Instruction, Instructions
from volcli.language.questions import (
    demands,
    determined,
    index_value,
    instructions,
    unit,
    value_cases,
    wrapped_value,
)
from volcli_dialects.cases.numbers.quotients import QUOTIENTS
from volcli_dialects.cases.numbers.value_facts import DEMANDS, FACTS
from volcli_dialects.cases.numbers.wrapping import (
    UNITS,
    UNSIGNED,
    lowest_bits,
    number,
    rounded_down,
    rounded_up,
    truncating,
    width,
)

_VALUES: Mapping[str, Callable[[Expression, Expression], Expression | None]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordivs": rounded_down,
    "ceildivs": rounded_up,
    "divs": truncating,
    "rems": lambda a, b: a - truncating(a, b) * b,
    "mins": minimum,
    "maxs": maximum,
    "shl": lambda a, b: a * 2**b.constant if b.is_constant and 0 <= b.constant < 63 else None,
    "shrs": lambda a, b: a // 2**b.constant if b.is_constant and 0 <= b.constant < 64 else None,
}
"""The result on numbers that are taken not to wrap around."""


def register_arithmetic(kinds: Mapping[str, type[Operation]]) -> None:
    """Register for KINDS, by their names, what is known of their values, their operands and their units."""
    for name, kind in kinds.items():
        if (formula := _VALUES.get(name)) is not None:
            index_value.case(kind)(_value(formula))
        if (of_bits := UNSIGNED.get(name)) is not None:
            wrapped_value.case(kind)(
                lambda op, f=of_bits: None if width(op.results[0].type) is None else f(op)
            )
        if name in FACTS:
            value_cases.case(kind)(FACTS[name])
        if name in DEMANDS:
            demands.case(kind)(DEMANDS[name])
        if name in QUOTIENTS:
            determined.case(kind)(QUOTIENTS[name])
        if name in UNITS:
            unit.case(kind)(lambda op, number=UNITS[name]: number if _is_number(op) else None)
    # `a and 7` is a mod 8: it does not depend on the width.
    index_value.case(kinds["and"])(lambda op: lowest_bits(op) if _is_number(op) else None)


def _is_number(op: Operation) -> bool:
    """Whether OP gives an integer of several bits."""
    return width(op.results[0].type) not in (None, 1)


def _value(
    formula: Callable[[Expression, Expression], Expression | None],
) -> Callable[[Operation], Expression | None]:
    def value(op: Operation) -> Expression | None:
        if op.results[0].type == i1:  # true + true is false
            return None
        return formula(value_of(op.operands[0]), number(op.operands[1]))

    return value


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
