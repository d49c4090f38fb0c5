"""The bodies of linalg.map and linalg.reduce as text: `{ arith.addf }`, or arguments and a region."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli.language.reads import element_type
from volcli_dialects.linalg.bodies import BodyBuilder
from volcli_dialects.linalg.scalars import YieldOp
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece

# Attributes that mean the same as none, and that mlir-opt does not print in the short form.
_NEUTRAL: Sequence[Attribute] = (FastMathFlagsAttr("none"), IntegerOverflowAttr("none"))


@dataclass(frozen=True)
class Payload:
    """A short form's operation and attributes: `{ arith.addf {fastmath = #arith.fastmath<fast>} }`."""

    operation: type[Operation]
    attributes: Mapping[str, Attribute]

    def body(self, operands: Sequence[SSAValue], order: Iterable[int]) -> Region:
        """Apply the operation to the block's arguments in this order and yield its result."""
        body = BodyBuilder(operands)
        inherent: Iterable[str] = ()
        if issubclass(self.operation, IRDLOperation):
            inherent = self.operation.get_irdl_definition().properties
        payload = self.operation.create(
            operands=[body.arguments[index] for index in order],
            result_types=(element_type(operands[-1].type),),
            properties={name: value for name, value in self.attributes.items() if name in inherent},
            attributes={name: value for name, value in self.attributes.items() if name not in inherent},
        )
        body.block.add_op(payload)
        return body.finish(payload.results[0])


def payload_of(body: Region, order: Iterable[int]) -> Operation | None:
    """The one operation of a body that the short form can express, None if it cannot.

    It must take the arguments in this order, have one result of the last argument's type, and be all that is
    yielded.
    """
    block = body.block
    operations = list(block.ops)
    if len(operations) != 2:
        return None
    payload, terminator = operations
    expected = [block.args[index] for index in order]
    fits = (
        not isinstance(payload, UnregisteredOp)
        and not payload.regions
        and not payload.successors
        and list(payload.operands) == expected
        and isinstance(terminator, YieldOp)
        and not terminator.attributes
        and list(terminator.operands) == list(payload.results)
        and [result.type for result in payload.results] == [block.args[-1].type]
    )
    return payload if fits else None


@dataclass(frozen=True)
class ShortForm(SyntaxPiece):
    """` { arith.addf {attributes} }`, if all that the body does is to apply it to its arguments in ORDER.

    ORDER gives the arguments of the payload for a number of operands.
    """

    order: Callable[[int], Sequence[int]]

    def read(self, parser: Parser, found: ReadParts) -> None:
        if parser.parse_optional_punctuation("{") is None:
            return
        position = parser.pos
        name = parser.parse_identifier("operation name expected")
        operation = parser.ctx.get_optional_op(name)
        if operation is None:
            parser.raise_error(f"{name} is not a registered operation", position, parser.pos)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation("}")
        found.arguments.append(Payload(operation, attributes))

    def write(self, printer: Printer, op: Any) -> None:
        payload = self.payload(op)
        if payload is not None:
            printer.print_string(f" {{ {payload.name}")
            attributes = {**payload.properties, **payload.attributes}
            printer.print_op_attributes(
                {name: attributes[name] for name in sorted(attributes) if attributes[name] not in _NEUTRAL}
            )
            printer.print_string(" }")

    def payload(self, op: Any) -> Operation | None:
        """The one operation of the body, None if the short form cannot express it."""
        return payload_of(op.body, self.order(len(op.operands)))


class PayloadBody(ShortForm):
    """Nothing after a short form; otherwise the body: ` (%a : f32, %o : f32) { ... }`."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        if found.arguments:
            operands: list[Any] = [*found.operands["inputs"], *found.operands["outputs"]]
            body = found.arguments.pop().body(operands, self.order(len(operands)))
        else:
            arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
            body = parser.parse_region(arguments)
        found.regions["body"] = [body]

    def write(self, printer: Printer, op: Any) -> None:
        if self.payload(op) is None:
            with printer.delimited(" (", ") "):
                printer.print_list(op.body.block.args, printer.print_block_argument)
            printer.print_region(op.body, print_entry_block_args=False)
