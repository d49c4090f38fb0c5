"""IREE's util dialect, as far as it says what values are: util.assume.int."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    irdl_attr_definition,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli.language.expressions import NotAffine, constant, value_of
from volcli.language.loops import Choice
from volcli.language.questions import assumptions, choices, element_reads, index_values
from volcli.language.reads import Conjunction, Disjunction, elementwise
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.numbers.wrapping import width
from volcli_dialects.syntax.pieces import Attributes, Types
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece, WrittenOperation

_FIELDS = ("umin", "umax", "udiv")


@irdl_attr_definition
class IntAssumptionAttr(ParametrizedAttribute):
    """`#util.int.assumption<umin = 1, umax = 512, udiv = 16>`: bounds and a divisor of an unsigned number."""

    name = "util.int.assumption"

    umin: IntAttr | NoneAttr
    umax: IntAttr | NoneAttr
    udiv: IntAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found: dict[str, Attribute] = {}

        def field() -> None:
            name = parser.parse_optional_keyword_in(set(_FIELDS))
            if name is None:
                parser.raise_error(f"expected one of: {', '.join(_FIELDS)}")
            parser.parse_punctuation("=")
            found[name] = IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=False))

        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, field)
        return [found.get(name, NoneAttr()) for name in _FIELDS]

    def print_parameters(self, printer: Printer) -> None:
        fields = zip(_FIELDS, (self.umin, self.umax, self.udiv), strict=True)
        given = [f"{name} = {number.data}" for name, number in fields if isinstance(number, IntAttr)]
        printer.print_string(f"<{', '.join(given)}>")


class _Assumed(SyntaxPiece):
    """`%a<umin = 1, udiv = 4>, %b[<umax = 3>, <umin = 7>]`: operands with their assumptions."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        def assumption() -> IntAssumptionAttr:
            return IntAssumptionAttr.new(IntAssumptionAttr.parse_parameters(parser))

        def operand() -> tuple[UnresolvedOperand, ArrayAttr[IntAssumptionAttr]]:
            unresolved = parser.parse_unresolved_operand()
            row = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, assumption)
            return unresolved, ArrayAttr([assumption()] if row is None else row)

        pairs = parser.parse_comma_separated_list(parser.Delimiter.NONE, operand)
        found.operands["arguments"] = [value for value, _ in pairs]
        found.properties["assumptions"] = ArrayAttr([row for _, row in pairs])

    def write(self, printer: Printer, op: Any) -> None:
        for position, (value, row) in enumerate(zip(op.operands, op.assumptions, strict=True)):
            printer.print_string(", " if position else " ")
            printer.print_ssa_value(value)
            with printer.delimited(*(("", "") if len(row) == 1 else ("[", "]"))):
                printer.print_list(row, lambda assumption: assumption.print_parameters(printer))


@operation("util.assume.int")
class AssumeIntOp(WrittenOperation):
    """`%r:2 = util.assume.int %a<umin = 1, udiv = 4>, %b[<umax = 3>, <umin = 7>] : index, index`.

    The results are the operands; of each, one of its assumptions holds, if it has any.
    """

    arguments = var_operand_def()
    assumptions = prop_def(ArrayAttr[ArrayAttr[IntAssumptionAttr]])
    res = var_result_def()

    SYNTAX: ClassVar = (_Assumed(), Attributes(), " : ", Types("arguments", "res"))


def dialect() -> Dialect:
    """The one operation that volcli knows of it."""
    return dialect_of("util", [AssumeIntOp], [IntAssumptionAttr])


def _pairs(op: AssumeIntOp) -> Iterator[tuple[SSAValue, ArrayAttr[IntAssumptionAttr]]]:
    if not len(op.operands) == len(op.results) == len(op.assumptions):
        raise NotAffine("the assumptions do not fit the operands")
    return zip(op.operands, op.assumptions, strict=True)


@assumptions.case(AssumeIntOp)
def assumed(op: AssumeIntOp) -> Sequence[Disjunction]:
    """umin <= x <= umax and x mod udiv = 0 for the unsigned x, in one of its assumptions."""
    stated: list[Disjunction] = []
    for value, row in _pairs(op):
        bits = width(value.type)
        if bits is not None and bits > 1 and row.data:
            stated.append(tuple(c for assumption in row for c in _alternatives(value, bits, assumption)))
    return stated


def _alternatives(value: SSAValue, bits: int, assumption: IntAssumptionAttr) -> Iterator[Conjunction]:
    """The signed numbers that are meant: those that are not negative, and the negative ones, 2^bits less."""
    umin, umax, udiv = (
        number.data if isinstance(number, IntAttr) else default
        for number, default in (
            (assumption.umin, 0), (assumption.umax, 2**bits - 1), (assumption.udiv, 1)
        )
    )  # fmt: skip
    half: int = 2 ** (bits - 1)
    for first, shift in ((0, 0), (half, 2 * half)):
        low, high = max(umin, first), min(umax, first + half - 1)
        if low <= high:
            x = value_of(value)
            beyond = () if shift == 0 and umax >= half else (constant(high - shift) - x,)
            divided = (-((x + shift) % udiv),) if udiv > 1 else ()
            yield (x - (low - shift), *beyond, *divided)


# Each result is its operand.
element_reads.case(AssumeIntOp)(
    lambda op: [elementwise(result, [value]) for result, value in zip(op.results, op.operands, strict=False)]
)
# Each result is its operand.
index_values.case(AssumeIntOp)(lambda op: [value_of(value) for value, _ in _pairs(op)])
# Each result is its operand, of whatever width.
choices.case(AssumeIntOp)(lambda op: [(Choice(((),), value),) for value, _ in _pairs(op)])
