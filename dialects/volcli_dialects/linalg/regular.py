"""linalg.map, reduce, transpose and broadcast: structured operations whose maps follow from a list of
dimensions.

Their results are not written: each output that is a tensor has one.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, ClassVar, TypeVar, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, i64
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import SameVariadicOperandSize, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli.language.reads import element_type
from volcli_dialects.linalg.named_ops import parallel_iterators
from volcli_dialects.linalg.payload import PayloadBody, ShortForm
from volcli_dialects.linalg.structured import BuiltBody, StructuredOp, rank_of
from volcli_dialects.syntax.pieces import Attributes, Inferred, InsAndOuts, integers
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.syntax import tensor_types
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece

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


_RESULTS = Inferred(
    "results", lambda found: tensor_types(cast("Sequence[SSAValue]", found.operands["outputs"]))
)


def _in_order(operands: int) -> Sequence[int]:
    """The order of the body's arguments as operands of a short form: the inputs'."""
    return range(operands - 1)


def _output_first(operands: int) -> Sequence[int]:
    """The order of the body's arguments as operands of a short form: the last, then the others."""
    return (operands - 1, *range(operands - 1))


class _MapBody(PayloadBody):
    """Until LLVM 21 it had no argument for the output: an element that it does not use."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        super().read(parser, found)
        block, inputs = found.regions["body"][0].block, found.operands["inputs"]
        operands: list[Any] = [*inputs, *found.operands["outputs"]]
        if inputs and len(block.args) == len(inputs):
            block.insert_arg(element_type(operands[-1].type), len(inputs))


@_last_operand_is_output
@operation("linalg.map")
class MapOp(StructuredOp):
    """out[i] = f(in0[i], in1[i], ..., out[i]) for all i.

    Syntax: `linalg.map { arith.addf } ins(...) outs(...)`, or with the body written out:
    `linalg.map ins(...) outs(...) (%a: f32, %b: f32, %o: f32) { ... }`.
    """

    inputs = var_operand_def()
    outputs = operand_def()  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank = rank_of(self.operands[-1])
        return ArrayAttr((_projection(rank, tuple(range(rank))),) * len(self.operands))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return parallel_iterators(rank_of(self.operands[-1]))

    SYNTAX: ClassVar = (ShortForm(_in_order), InsAndOuts(), Attributes(), _RESULTS, _MapBody(_in_order))


class _AsManyOutputs(SyntaxPiece):
    """No text: there are as many inputs as outputs."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        if len(found.operands["inputs"]) != len(found.operands["outputs"]):
            parser.raise_error("expected as many inputs as outputs", found.start, parser.pos)

    def write(self, printer: Printer, op: Any) -> None:
        pass


@operation("linalg.reduce")
class ReduceOp(_RegularOp):
    """out[i] = f(in[i, k], out[i]) over all k; `dimensions` are the positions of k in the inputs.

    Syntax: `linalg.reduce { arith.addf } ins(...) outs(...) dimensions = [1]`, where the short form applies
    the operation to the output's element first, or with the body written out after as in linalg.map.
    """

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

    SYNTAX: ClassVar = (
        ShortForm(_output_first), InsAndOuts(), _AsManyOutputs(), " dimensions = ", integers("dimensions"),
        Attributes(), _RESULTS, PayloadBody(_output_first),
    )  # fmt: skip


def _copying(dimensions: str) -> Sequence[SyntaxPiece | str]:
    """The syntax of an operation with one input, one output, and the list DIMENSIONS."""
    copied = BuiltBody(lambda _: ("fill", 1))
    return InsAndOuts(), f" {dimensions} = ", integers(dimensions), Attributes(), _RESULTS, copied


@operation("linalg.transpose")
class TransposeOp(_RegularOp):
    """out[i] = in[j] with i[d] = j[permutation[d]]: dimension d of the output is dimension permutation[d]
    of the input.

    Syntax: `linalg.transpose ins(...) outs(...) permutation = [1, 0]`.
    """

    permutation = prop_def(DenseArrayBase.constr(i64))

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        permutation = self.permutation.get_values()
        rank = len(permutation)
        # Iterators are the output's dimensions, so that the input is indexed by the inverse permutation.
        inverse = tuple(sorted(range(rank), key=lambda dimension: permutation[dimension]))
        return ArrayAttr((_projection(rank, inverse), _projection(rank, tuple(range(rank)))))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return parallel_iterators(rank_of(self.operands[-1]))

    SYNTAX: ClassVar = _copying("permutation")


@operation("linalg.broadcast")
class BroadcastOp(_RegularOp):
    """out[i] = in[j], where j is i without the entries at `dimensions`.

    Syntax: `linalg.broadcast ins(...) outs(...) dimensions = [1]`.
    """

    dimensions = prop_def(DenseArrayBase.constr(i64))

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        rank = rank_of(self.operands[-1])
        kept = _without(rank, self.dimensions.get_values())
        return ArrayAttr((_projection(rank, kept), _projection(rank, tuple(range(rank)))))

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        return parallel_iterators(rank_of(self.operands[-1]))

    SYNTAX: ClassVar = _copying("dimensions")
