"""The loops of one structured operation, and what is done at each of their points."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind, AffineExpr, AffineMap, AffineSet
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Dim, Expression, LoopIndex, Value
from volcli.language.memory import is_memref
from volcli.language.reads import Access
from volcli.model.as_loops.making import Put, Unfolding, at_end_of, before


class OperationNest:
    """The loops of one operation, whose VALUES are what it computes."""

    def __init__(
        self, of: Unfolding, op: Operation, body: TensorDefinition, values: Sequence[SSAValue]
    ) -> None:
        self._of = of
        self._op = op
        self._body = body
        self._values = values
        self._loops: list[SSAValue] = []

    def put(self) -> None:
        """The loops, after the operation."""
        after = self._op.next_op
        assert after is not None, "a block ends with a terminator"
        put = before(after)

        bounds = [self._bound(self._of.resolved(size), put) for size in self._body.sizes]
        for position, (upper, operands) in enumerate(bounds):
            block = Block(arg_types=[IndexType()])
            block.args[0].name_hint = f"d{position}"
            self._of.make(
                "affine.for",
                put,
                operands,
                regions=[Region(block)],
                lowerBoundMap=AffineMapAttr(AffineMap(0, 0, (AffineExpr.constant(0),))),
                upperBoundMap=AffineMapAttr(upper),
                step=IntegerAttr(1, IndexType()),
                operandSegmentSizes=DenseArrayBase.from_list(i32, [0, len(operands), 0]),
            )
            self._loops.append(block.args[0])
            put = at_end_of(block)
        self._points(put)
        for loop in self._loops:
            inside = loop.owner
            assert isinstance(inside, Block)
            self._of.make("affine.yield", at_end_of(inside))

    def _bound(self, size: Expression, put: Put) -> tuple[AffineMap, list[SSAValue]]:
        """SIZE as a map of symbols, and these."""
        form, operands = AffineExpr.constant(size.constant), list[SSAValue]()
        for atom, factor in size.terms:
            assert isinstance(atom, Value | Dim)
            form = form + AffineExpr.symbol(len(operands)) * factor
            operands.append(self._of.leaf(atom, put))
        return AffineMap(0, len(operands), (form,)), operands

    def _points(self, put: Put) -> None:
        """What is done at one point: elements are read, the body computes, and elements are written."""
        body, copies = self._body, dict[SSAValue, SSAValue]()
        for argument, stands in body.arguments.items():
            if argument.first_use is None:
                continue
            if isinstance(stands, Expression):
                copies[argument] = self._index(stands, put)
                continue
            assert isinstance(stands, Access), "a body of an operation's own has no truths"
            if not is_memref(array := self._of.array(stands.operand)):
                copies[argument] = stands.operand
            elif self._op.results and argument in body.states:
                copies[argument] = self._old(body.states[argument], stands, put)
            else:
                copies[argument] = self._load(array, stands.index, put)
        for op in body.block.ops:
            if op is not body.block.last_op:
                self._computed(op, copies, put)
        for output, array in zip(body.outputs, self._values, strict=True):
            value = copies.get(output.yields, output.yields)
            operands = (value, self._of.array(array), *self._indices(output.element, put))
            self._of.make("memref.store", put, operands)

    def _computed(self, op: Operation, copies: dict[SSAValue, SSAValue], put: Put) -> None:
        """What OP of the body computes; the number of a loop is the loop."""
        number = questions.index_value(op) if len(op.results) == 1 else None
        atom = None if number is None else number.single_atom
        if isinstance(atom, LoopIndex):
            copies[op.results[0]] = self._loops[atom.position]
            return
        copy = op.clone(copies)
        copy.location = op.location
        put(copy)

    def _old(self, output: int, stands: Access, put: Put) -> SSAValue:
        """The old element of a tensor: the initial one at the first point of an element, then its own."""
        index = self._body.outputs[output].element
        used = {atom.position for each in index for atom, _ in each.terms if isinstance(atom, LoopIndex)}
        others = [loop for k, loop in enumerate(self._loops) if k not in used]
        initial, own = self._of.array(stands.operand), self._of.array(self._values[output])
        if not others:
            return self._load(initial, index, put)
        zero = tuple(
            AffineConstraintExpr(AffineConstraintKind.eq, AffineExpr.dimension(k), AffineExpr.constant(0))
            for k in range(len(others))
        )
        blocks = [Block(), Block()]
        for block, array in zip(blocks, (initial, own), strict=True):
            loaded = self._load(array, index, at_end_of(block))
            self._of.make("affine.yield", at_end_of(block), (loaded,))
        kind = own.type
        assert isa(kind, MemRefType[Attribute])
        condition = AffineSetAttr(AffineSet(len(others), 0, zero))
        regions = [Region(block) for block in blocks]
        made = self._of.make("affine.if", put, others, [kind.element_type], regions, condition=condition)
        return made.results[0]

    def _load(self, array: SSAValue, index: Sequence[object], put: Put) -> SSAValue:
        kind = array.type
        assert isa(kind, MemRefType[Attribute])
        operands = (array, *self._indices(index, put))
        return self._of.make("memref.load", put, operands, [kind.element_type]).results[0]

    def _indices(self, index: Sequence[object], put: Put) -> list[SSAValue]:
        return [self._index(each, put) for each in index if isinstance(each, Expression)]

    def _index(self, form: Expression, put: Put) -> SSAValue:
        """FORM, over the loops, as an index."""
        atom = form.single_atom
        if isinstance(atom, LoopIndex):
            return self._loops[atom.position]
        result, operands = AffineExpr.constant(form.constant), list[SSAValue]()
        for each, factor in form.terms:
            assert isinstance(each, LoopIndex)
            result = result + AffineExpr.dimension(len(operands)) * factor
            operands.append(self._loops[each.position])
        mapped = AffineMapAttr(AffineMap(len(operands), 0, (result,)))
        return self._of.make("affine.apply", put, operands, [IndexType()], map=mapped).results[0]
