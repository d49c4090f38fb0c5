"""Templates: what a statement says whose text was read before, but for the names in it.

`%5 = arith.addi %3, %4 : index` and `%8 = arith.addi %5, %n : index` are the same text around their names,
which fill the slots 0, 1 and 2: the result is slot 0, the operands are slots 1 and 2. What a statement with
regions says stands in pieces of text around these: `scf.if %c {`, ` else {`, and nothing after the last one.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import DenseResourceAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, SSAValues, Use

from volcli.frontend.text.lexer import BLANK, SUFFIX
from volcli.frontend.text.locations import locate_hidden_operations
from volcli.limits import frontend as limits

LINE = re.compile(rf"([^\n/]{{0,{limits.TEMPLATE_CHARACTERS}}}+){BLANK}")
"""The text up to the end of its line or a comment; and what is blank after it."""
NAME = re.compile(rf"([%^@]|dense_resource<)({SUFFIX})")
"""The name of a value, block, symbol or resource, and what marks it."""
_WORD = re.compile(r"[a-zA-Z_][a-zA-Z0-9_$.]*+")


class SlotUse(NamedTuple):
    """A value that is used: of those that SLOT names the one with this NUMBER, of this TYPE."""

    slot: int
    number: int
    type: Attribute


class Slot(NamedTuple):
    """The name NUMBER in a text, before which OFFSET characters stand that are not of names."""

    number: int
    offset: int

    def start(self, begin: int, names: Sequence[str]) -> int:
        """Where it stands if the text begins at BEGIN and has these NAMES."""
        number, offset = self
        if number < 2:
            return begin + offset + (len(names[0]) if number else 0)
        return begin + offset + sum(map(len, names[:number]))


class SlotSymbol(NamedTuple):
    """The attribute KEY, which is as VALUE is but for the symbol or resource that SLOT names."""

    slot: int
    is_property: bool
    key: str
    value: Attribute

    def named(self, names: Sequence[str]) -> Attribute:
        """The attribute for these NAMES."""
        name = StringAttr(names[self.slot])
        match self.value:
            case SymbolRefAttr():
                return SymbolRefAttr.new((name, self.value.nested_references))
            case DenseResourceAttr():
                return DenseResourceAttr.new((name, self.value.type))
            case _:
                return name


def symbol_in(value: Attribute) -> str | None:
    """What `SlotSymbol` can replace in an attribute."""
    match value:
        case SymbolRefAttr() if not value.nested_references.data:
            return value.root_reference.data
        case DenseResourceAttr():
            return value.resource_handle.data
        case StringAttr():
            return value.data
        case _:
            return None


class Opening(NamedTuple):
    """What a piece of text before a region says; REST is what follows after that, by the next piece.

    The name of the operation stands AT a place after the names of its results. The types of ARGUMENTS may
    depend on those of the values that are used before the region.
    """

    kind: type[Operation]
    at: Slot
    uses: Sequence[SlotUse]
    arguments: Sequence[tuple[Slot, Attribute]] | None
    rest: dict[str, Opening | Template]


class Template(NamedTuple):
    """What a whole statement says.

    Its first names define the RESULTS, each that many. HIDDEN are the regions that the text leaves out,
    without places; ENDINGS the terminators that regions of the text get where they have none. The statement
    is known to end before what begins as one of AFTER: see `beginning`.
    """

    kind: type[Operation]
    at: Slot
    operands: Sequence[SlotUse]
    results: Sequence[tuple[Slot, int]]
    result_types: Sequence[Attribute]
    properties: dict[str, Attribute]
    attributes: dict[str, Attribute]
    symbols: Sequence[SlotSymbol]
    successors: Sequence[Slot]
    hidden: Sequence[Region]
    endings: list[type[Operation] | None]
    after: set[str]

    def make(
        self,
        names: Sequence[str],
        operands: Sequence[SSAValue],
        successors: Sequence[Block],
        regions: Sequence[Region],
        location: Any,
    ) -> Operation:
        """The operation with these parts; the same as `kind.create` makes, in a third of its time."""
        op: Any = self.kind.__new__(self.kind)
        op._operands = SSAValues(operands)
        op._operand_uses = _uses(op, operands)
        op.results = SSAValues([OpResult(kind, op, index) for index, kind in enumerate(self.result_types)])
        op.properties = self.properties.copy()
        op.attributes = self.attributes.copy()
        for symbol in self.symbols:
            (op.properties if symbol.is_property else op.attributes)[symbol.key] = symbol.named(names)
        op.location = location
        op._successors = tuple(successors)
        op._successor_uses = _uses(op, successors) if successors else ()
        op.regions = tuple(regions)
        if self.hidden:
            op.regions = tuple(region.clone() for region in self.hidden)
            locate_hidden_operations(op)
        for region in op.regions:
            region.parent = op
        return op


def _uses(op: Operation, used: Sequence[Any]) -> tuple[Use, ...]:
    """The uses by OP of what is USED, each the first of its value's."""
    uses: list[Use] = []
    for index, value in enumerate(used):
        first = value.first_use
        value.first_use = use = Use(op, index, None, first)
        if first is not None:
            first._prev_use = use
        uses.append(use)
    return tuple(uses)


def append(block: Any, op: Any) -> None:
    """Add OP, which is new, at the end of BLOCK: `block.add_op` without looking whether it is new."""
    last = block._last_op
    op.parent = block
    if last is None:
        block._first_op = op
    else:
        op._prev_op = last
        last._next_op = op
    block._last_op = op


def without_names(piece: str) -> tuple[Hashable, list[str]]:
    """What is the same in statements alike, and the names in the PIECE of text, without what marks them.

    Names that occur again are a part of it: `affine.load %m[%i, %i]` has other operands than with `%i, %j`.

    >>> without_names("%c = arith.addi %a, %b : i32"), without_names("f %a, %a")
    (('% = arith.addi %, % : i32', ['c', 'a', 'b']), (('f %, %', (0, 0)), ['a', 'a']))
    """
    parts = NAME.split(piece)
    names = parts[2::3]
    del parts[2::3]
    text = "".join(parts)
    if len(names) > 1 and len(set(names)) != len(names):
        return (text, tuple(map(names.index, names))), names
    return text, names


def slots_of(piece: str) -> list[Slot]:
    """The slots in a PIECE of text."""
    slots: list[Slot] = []
    length = 0
    for number, name in enumerate(NAME.finditer(piece)):
        slots.append(Slot(number, name.start() - length))
        length += len(name[2])
    return slots


def is_cut(line: re.Match[str]) -> bool:
    """Whether LINE ends before a `//` that may be no comment, but stand in a string or an attribute."""
    piece = line[1]
    if not line.string.startswith("/", line.end(1)):
        return False
    return '"' in piece or piece.count("<") != piece.count(">") - piece.count("->")


def beginning(text: str, offset: int) -> str:
    """What begins at OFFSET, as far as what stands before it can depend on that.

    Names are all alike, and words with a dot, which name operations: to a parser that looks one token ahead
    none of them is a part of the statement before if one was not.

    >>> [beginning("%a = arith.addi loc", at) for at in (0, 5, 16, 19)]
    ['%', '.', 'loc', '']
    """
    first = text[offset : offset + 1]
    if first in '%"^}':
        return first
    word = _WORD.match(text, offset)
    if word is None:
        return first
    return "." if "." in word[0] else word[0]
