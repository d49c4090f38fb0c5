"""Comparisons and selection on scalars, vectors and tensors.

xDSL's comparisons give i1 whatever they compare; ours give i1 in the shape of the operands.
"""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS, FastMathFlagsAttr
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.irdl import eq, operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.flags import FASTMATH, NO_FASTMATH
from volcli_dialects.syntax.op_types import FLOATS, INTEGERS, like, truth_of
from volcli_dialects.syntax.pieces import Attributes, Inferred, OperandList, Type
from volcli_dialects.syntax.properties import numbered
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.written import Operand, ReadParts, SyntaxPiece, WrittenOperation

_TRUTH = like(eq(i1))


_OPERANDS = (", ", Operand("lhs"), ", ", Operand("rhs"))
_TYPE = (
    Attributes(), " : ", Type("lhs", "rhs"),
    Inferred("result", lambda found: [truth_of(found.types["lhs"][0])]),
)  # fmt: skip


@operation("arith.cmpi")
class CmpiOp(WrittenOperation, Redeclared, arith.CmpiOp):
    """`%r = arith.cmpi slt, %a, %b : tensor<4xi32>`; the predicate may be a string, as it was once."""

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(INTEGERS)
    rhs = operand_def(INTEGERS)
    result = result_def(_TRUTH)

    SYNTAX: ClassVar = (" ", numbered("predicate", CMPI_COMPARISON_OPERATIONS), *_OPERANDS, *_TYPE)


@operation("arith.cmpf")
class CmpfOp(WrittenOperation, Redeclared, arith.CmpfOp):
    """`%r = arith.cmpf olt, %a, %b fastmath<nnan> : vector<4xf32>`."""

    predicate = prop_def(IntegerAttr)
    lhs = operand_def(FLOATS)
    rhs = operand_def(FLOATS)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)
    result = result_def(_TRUTH)

    SYNTAX: ClassVar = (
        " ", numbered("predicate", CMPF_COMPARISON_OPERATIONS), *_OPERANDS,
        FASTMATH,
        *_TYPE,
    )  # fmt: skip


class _SelectTypes(SyntaxPiece):
    """`t`, or `vector<4xi1>, t` of a condition for each element."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        kind, condition = parser.parse_type(), i1
        if parser.parse_optional_punctuation(","):
            kind, condition = parser.parse_type(), kind
        found.types |= {"operands": [condition, kind, kind], "results": [kind]}

    def write(self, printer: Printer, op: Any) -> None:
        condition = [] if op.cond.type == i1 else [op.cond.type]
        printer.print_list([*condition, op.lhs.type], printer.print_attribute)


@operation("arith.select")
class SelectOp(WrittenOperation, Redeclared, arith.SelectOp):
    """`%r = arith.select %c, %a, %b : i1-typed condition`, or with the condition's type in front.

    `arith.select %c, %a, %b : vector<4xi1>, vector<4xf32>` selects element by element.
    """

    cond = operand_def(_TRUTH)
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()

    SYNTAX: ClassVar = (" ", OperandList(), Attributes(), " : ", _SelectTypes())


COMPARISONS = (CmpiOp, CmpfOp, SelectOp)
