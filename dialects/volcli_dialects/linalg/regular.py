"""linalg.map, reduce, transpose and broadcast: structured operations whose maps follow from a list of
dimensions.

Their results are not written: each output that is a tensor has one.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Self, TypeVar

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, IntegerType, i64
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import SameVariadicOperandSize, irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.linalg.bodies import build_body
from volcli_dialects.linalg.named_ops import parallel_iterators
from volcli_dialects.linalg.payload import (
    parse_payload,
    parse_region_with_arguments,
    payload_of,
    print_body,
    print_payload,
)
from volcli_dialects.linalg.structured import StructuredOp, rank_of
from volcli_dialects.syntax.syntax import (
    parse_named_integer_list,
    parse_operand_group,
    print_attributes,
    print_named_integer_list,
    print_operand_group,
    tensor_types,
)

Op = TypeVar("Op", bound=StructuredOp)


@cache
def _projection(loops: int, dimensions: tuple[int, ...]) -> AffineMapAttr:
    """`(d0, ..., d(loops - 1)) -> (d<dimensions>)`."""
    return AffineMapAttr(AffineMap(loops, 0, tuple(map(AffineExpr.dimension, dimensions))))


def _without(rank: int, dimensions: Iterable[int]) -> tuple[int, ...]:
    """The dimensions of a space that are not among these: (0, 2) for rank 3 without (1,)."""
    removed = set(dimensions)
    return tuple(dimension for dimension in range(rank) if dimension not in removed)


class _RegularOp(StructuredOp, ABC):
    """As many inputs as outputs, without an attribute that says so."""

    irdl_options = (SameVariadicOperandSize(),)

    def misfit(self) -> str | None:
        """There is one input, and one output."""
        number = len(self.operands)
        return None if number == 2 else f"expected 2 operands, but found {number}"


def _last_operand_is_output(cls: type[Op]) -> type[Op]:
    """Replace xDSL's accessor: the one output of `linalg.map` is a list to those who ask any operation."""

    def outputs(op: Operation) -> Sequence[SSAValue]:
        return op.operands[-1:]

    setattr(cls, outputs.__name__, property(outputs))
    return cls


@_last_operand_is_output
@irdl_op_definition
class MapOp(StructuredOp):
    """out[i] = f(in0[i], in1[i], ..., out[i]) for all i.

    Syntax: `linalg.map { arith.addf } ins(...) outs(...)`, or with the body written out:
    `linalg.map ins(...) outs(...) (%a: f32, %b: f32, %o: f32) { ... }`.
    """

    name = "linalg.map"

    inputs = var_operand_def()
    outputs = operand_def()  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank = rank_of(self.operands[-1])
        return ArrayAttr((_projection(rank, tuple(range(rank))),) * len(self.operands))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return parallel_iterators(rank_of(self.operands[-1]))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        payload = parse_payload(parser)
        inputs, outputs = parse_operand_group(parser, "ins"), parse_operand_group(parser, "outs")
        attributes = parser.parse_optional_attr_dict()
        operands = (*inputs, *outputs)
        if payload is None:
            body = parse_region_with_arguments(parser)
        else:
            body = payload.body(operands, range(len(inputs)))
        return cls.create(
            operands=operands, result_types=tensor_types(outputs), attributes=attributes, regions=(body,)
        )

    def print(self, printer: Printer) -> None:
        payload = payload_of(self.body, range(len(self.operands) - 1))
        if payload is not None:
            print_payload(printer, payload)
        print_operand_group(printer, "ins", self.inputs)
        print_operand_group(printer, "outs", self.operands[-1:])
        print_attributes(printer, self.attributes)
        if payload is None:
            print_body(printer, self.body)


def _parse_with_dimensions(
    parser: Parser, name: str
) -> tuple[Sequence[SSAValue], Sequence[SSAValue], DenseArrayBase[IntegerType], dict[str, Attribute]]:
    inputs, outputs = parse_operand_group(parser, "ins"), parse_operand_group(parser, "outs")
    dimensions = parse_named_integer_list(parser, name)
    return inputs, outputs, dimensions, parser.parse_optional_attr_dict()


def _print_with_dimensions(
    printer: Printer, op: StructuredOp, name: str, dimensions: DenseArrayBase[IntegerType]
) -> None:
    print_operand_group(printer, "ins", op.inputs)
    print_operand_group(printer, "outs", op.outputs)
    print_named_integer_list(printer, name, dimensions)
    print_attributes(printer, op.attributes)


@irdl_op_definition
class ReduceOp(_RegularOp):
    """out[i] = f(in[i, k], out[i]) over all k; `dimensions` are the positions of k in the inputs.

    Syntax: `linalg.reduce { arith.addf } ins(...) outs(...) dimensions = [1]`, where the short form applies
    the operation to the output's element first, or with the body written out after as in linalg.map.
    """

    name = "linalg.reduce"

    dimensions = prop_def(DenseArrayBase.constr(i64))

    def misfit(self) -> str | None:
        """There is an input; then there is an output."""
        return None if self.operands else "expected 2 or more operands, but found 0"

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank = rank_of(self.operands[0])
        whole = _projection(rank, tuple(range(rank)))
        kept = _projection(rank, _without(rank, self.dimensions.get_values()))
        count = len(self.operands) // 2
        return ArrayAttr((whole,) * count + (kept,) * count)

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        reduced = self.dimensions.get_values()
        return ArrayAttr(
            IteratorTypeAttr.reduction() if dimension in reduced else IteratorTypeAttr.parallel()
            for dimension in range(rank_of(self.operands[0]))
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        payload = parse_payload(parser)
        inputs, outputs, dimensions, attributes = _parse_with_dimensions(parser, "dimensions")
        if len(inputs) != len(outputs):
            parser.raise_error("expected as many inputs as outputs", position, parser.pos)
        operands = (*inputs, *outputs)
        if payload is None:
            body = parse_region_with_arguments(parser)
        else:
            body = payload.body(operands, _output_first(len(operands)))
        return cls.create(
            operands=operands,
            result_types=tensor_types(outputs),
            properties={"dimensions": dimensions},
            attributes=attributes,
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        payload = payload_of(self.body, _output_first(len(self.operands)))
        if payload is not None:
            print_payload(printer, payload)
        _print_with_dimensions(printer, self, "dimensions", self.dimensions)
        if payload is None:
            print_body(printer, self.body)


def _output_first(operands: int) -> Sequence[int]:
    """The order of the body's arguments as operands of a short form: the last, then the others."""
    return (operands - 1, *range(operands - 1))


def _element_copy(operands: Sequence[SSAValue]) -> Region:
    return build_body("fill", operands)


def _parse_copy(cls: type[Op], parser: Parser, name: str) -> Op:
    """The common parser of transpose and broadcast: one input, one output, a list of dimensions."""
    position = parser.pos
    inputs, outputs, dimensions, attributes = _parse_with_dimensions(parser, name)
    if (len(inputs), len(outputs)) != (1, 1):
        parser.raise_error("expected 1 input and 1 output", position, parser.pos)
    operands = (*inputs, *outputs)
    properties: Mapping[str, Attribute] = {name: dimensions}
    return cls.create(
        operands=operands,
        result_types=tensor_types(outputs),
        properties=dict(properties),
        attributes=attributes,
        regions=(_element_copy(operands),),
    )


@irdl_op_definition
class TransposeOp(_RegularOp):
    """out[i] = in[j] with i[d] = j[permutation[d]]: dimension d of the output is dimension permutation[d]
    of the input.

    Syntax: `linalg.transpose ins(...) outs(...) permutation = [1, 0]`.
    """

    name = "linalg.transpose"

    permutation = prop_def(DenseArrayBase.constr(i64))

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        permutation = self.permutation.get_values()
        rank = len(permutation)
        # Iterators are the output's dimensions, so that the input is indexed by the inverse permutation.
        inverse = tuple(sorted(range(rank), key=lambda dimension: permutation[dimension]))
        return ArrayAttr((_projection(rank, inverse), _projection(rank, tuple(range(rank)))))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return parallel_iterators(rank_of(self.operands[-1]))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_copy(cls, parser, "permutation")

    def print(self, printer: Printer) -> None:
        _print_with_dimensions(printer, self, "permutation", self.permutation)


@irdl_op_definition
class BroadcastOp(_RegularOp):
    """out[i] = in[j], where j is i without the entries at `dimensions`.

    Syntax: `linalg.broadcast ins(...) outs(...) dimensions = [1]`.
    """

    name = "linalg.broadcast"

    dimensions = prop_def(DenseArrayBase.constr(i64))

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank = rank_of(self.operands[-1])
        kept = _without(rank, self.dimensions.get_values())
        return ArrayAttr((_projection(rank, kept), _projection(rank, tuple(range(rank)))))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return parallel_iterators(rank_of(self.operands[-1]))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_copy(cls, parser, "dimensions")

    def print(self, printer: Printer) -> None:
        _print_with_dimensions(printer, self, "dimensions", self.dimensions)
