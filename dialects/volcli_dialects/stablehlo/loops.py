"""stablehlo.while, as StableHLO's own printer writes it, and the loop that it is."""

from __future__ import annotations

from typing import Self

from xdsl.ir import Region
from xdsl.irdl import IRDLOperation, region_def, var_operand_def, var_result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli.language.loops import While
from volcli.language.questions import until
from volcli_dialects.cases.parts import yielded
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import parse_assignments, print_assignments
from volcli_dialects.syntax.syntax import print_attributes


@operation("stablehlo.while")
class WhileOp(IRDLOperation):
    """`%r:2 = stablehlo.while(%i = %x, %s = %y) : t, u cond { ... } do { ... }`.

    Both regions take the values of the iteration, by the same names.
    """

    inits = var_operand_def()
    res = var_result_def()
    cond = region_def()
    body = region_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        arguments, operands = parse_assignments(parser)
        parser.parse_punctuation(":")
        types = (
            parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type) if operands else []
        )
        attributes = parser.parse_optional_attr_dict_with_keyword()
        regions = list[Region]()
        for word in ("cond", "do"):
            parser.parse_keyword(word)
            own = [each.resolve(kind) for each, kind in zip(arguments, types, strict=True)]
            regions.append(parser.parse_region(own))
        return cls.create(
            operands=parser.resolve_operands(operands, types, position),
            result_types=types,
            regions=regions,
            attributes={} if attributes is None else dict(attributes.data),
        )

    def print(self, printer: Printer) -> None:
        print_assignments(printer, self.cond.block.args, self.inits)
        printer.print_string(" : ")
        printer.print_list(self.inits.types, printer.print_attribute)
        if self.attributes:
            printer.print_string(" attributes")
            print_attributes(printer, self.attributes)
        for word, region in (("cond", self.cond), ("do", self.body)):
            printer.print_string(f" {word} ")
            printer.print_region(region, print_entry_block_args=False)


@until.case(WhileOp)
def while_loop(op: WhileOp) -> While:
    """As long as the element of what `cond` returns is true; both regions take the same values."""
    (condition,) = yielded(op.cond, 1)
    before, count = tuple(op.cond.block.args), len(op.inits)
    return While(
        before=before,
        initial=tuple(op.inits),
        condition=condition,
        forwarded=before,
        after=tuple(op.body.block.args),
        yielded=tuple(yielded(op.body, count)),
        results=tuple(op.results),
    )
