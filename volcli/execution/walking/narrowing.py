"""Which iterations of a loop may write an element, by the linear forms of subscripts and bounds.

A walk back over last writers visits these alone. It also asks whether each access is in bounds in all
iterations, since what it does not visit it does not see: `doubtful` is the first operation that may not be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from volcli.execution.elements.operands import function_of
from volcli.execution.tensors.structured import linear_map
from volcli.execution.walking.forms import Bounds, Ends, LoopForm, least, most, numbers_with
from volcli.execution.walking.sites import WalkSites
from volcli.execution.walking.total import divides_by_operands, is_total
from volcli.execution.walking.walked import (
    Allocated,
    Amount,
    ChosenRegion,
    Copied,
    ElementRead,
    ElementWrite,
    EndedMemory,
    IndexResult,
    Mapped,
    PartOf,
    Repeated,
    StructuredWrite,
)

Span = tuple[LoopForm | None, LoopForm | None]
"""What an index is at least, and at most; None: that is not known."""


class WalkNarrowing:
    """The forms of what SITES has. NUMBER gives the value of what is computed outside of all loops."""

    def __init__(
        self,
        sites: WalkSites,
        number: Callable[[SSAValue], int | None],
        sizes: Callable[[SSAValue], Sequence[int] | None],
    ) -> None:
        self._sites = sites
        self._number = number
        self._sizes = sizes
        self._bounds: dict[Operation, Bounds] = {}
        self._spans: dict[tuple[Operation, SSAValue], list[Span]] = {}
        self._forms: dict[SSAValue, LoopForm | None] = {}
        self._reduced: dict[tuple[Operation, SSAValue], list[list[tuple[LoopForm, int, int]]]] = {}

    # -- iterations ------------------------------------------------------------------------------------

    def between(self, loop: Operation, root: SSAValue, outer: Sequence[int], index: Sequence[int]) -> Ends:
        """Between which numbers of LOOP, at OUTER of those around, the element INDEX of ROOT is written."""
        if (loop, root) not in self._reduced:
            writes = self._sites.writes(loop, root)
            self._reduced[loop, root] = [self._inside(write, root, len(outer) + 1) for write in writes]
        found = [
            numbers_with([(form, sign * index[d]) for form, d, sign in forms], outer)
            for forms in self._reduced[loop, root]
        ]
        lows, highs = ([each[k] for each in found] for k in range(2))
        low = None if None in lows else min((each for each in lows if each is not None), default=None)
        high = None if None in highs else max((each for each in highs if each is not None), default=None)
        return low, high

    def _inside(self, write: Operation, root: SSAValue, outside: int) -> list[tuple[LoopForm, int, int]]:
        """Forms of the first OUTSIDE loops that are at most an index, by a sign, where WRITE writes ROOT."""
        assert write.parent is not None
        loops, found = self._around(write.parent), list[tuple[LoopForm, int, int]]()
        for d, (low, high) in enumerate(self.spans(write, root)):
            found += [] if low is None else [(each, d, 1) for each in least(low, loops, outside)]
            negated = None if high is None else high.times(-1)
            found += [] if negated is None else [(each, d, -1) for each in least(negated, loops, outside)]
        return found

    def _around(self, block: Block) -> list[Bounds]:
        return [self.bounds(loop) for loop in self._sites.loops(block)]

    def bounds(self, loop: Operation) -> Bounds:
        """What the number of LOOP is at least and at most."""
        if loop not in self._bounds:
            kind = self._sites.kind(loop)
            assert isinstance(kind, Repeated)
            lower, upper = self._results(loop, kind.lower, "max"), self._results(loop, kind.upper, "min")
            self._bounds[loop] = (lower, [_last(lower, each, kind) for each in upper])
        return self._bounds[loop]

    def _results(self, op: Operation, of: Mapped, choice: str) -> list[LoopForm]:
        """The linear ones of the results of which the least or the largest is a bound, by CHOICE."""
        found: list[LoopForm] = []
        for expression in of.map.results:
            one = Mapped(AffineMap(of.map.num_dims, of.map.num_symbols, (expression,)), of.operands)
            form = self._mapped(op, one)[0]
            if form is not None:
                found.append(form)
            elif len(of.operands) == len(of.map.results) == 1 and isinstance(of.operands[0], OpResult):
                inner = self._sites.kind(of.operands[0].op)
                if isinstance(inner, IndexResult) and inner.choice == choice:
                    found += self._results(of.operands[0].op, inner.of, choice)
        return found

    # -- forms -----------------------------------------------------------------------------------------

    def spans(self, op: Operation, root: SSAValue) -> list[Span]:
        """Of each index of ROOT, between which forms it is where OP writes."""
        if (op, root) not in self._spans:
            kind = self._sites.kind(op)
            assert kind is not None
            (memory,) = self._sites.written(op, kind)
            if isinstance(kind, ElementWrite):
                forms = self._mapped(op, kind.at)
                inner: list[Span] = [(form, form) for form in forms]
            else:
                sizes = self._sizes(memory)
                rank = len(memory.type.get_shape()) if isinstance(memory.type, ShapedType) else 0
                inner = (
                    [(None, None)] * rank
                    if sizes is None
                    else [(LoopForm(0), LoopForm(n - 1)) for n in sizes]
                )
            for part in reversed(self._sites.path(memory)[1]):
                inner = self._through(part, inner)
            self._spans[op, root] = inner
        return self._spans[op, root]

    def _through(self, part: Operation, inner: Sequence[Span]) -> list[Span]:
        """The spans in the source of PART of what has the spans INNER in it."""
        kind = self._sites.kind(part)
        assert isinstance(kind, PartOf)
        found: list[Span] = []
        for d, (offset, stride) in enumerate(zip(kind.offsets, kind.strides, strict=True)):
            start = self._amount(offset)
            span = inner[kind.kept.index(d)] if d in kind.kept else (LoopForm(0), LoopForm(0))
            low, high = span
            if start is None or not isinstance(stride, int) or stride < 0 or low is None or high is None:
                found.append((None, None))
            else:
                found.append((start + low.times(stride), start + high.times(stride)))
        return found

    def _amount(self, amount: Amount) -> LoopForm | None:
        return LoopForm(amount) if isinstance(amount, int) else self.form(amount)

    def _mapped(self, op: Operation, of: Mapped) -> list[LoopForm | None]:
        """The results of OF, a map of OP, as forms."""
        linear = linear_map(of.map, function_of(op, of.map))
        if linear is None:
            return [None] * len(of.map.results)
        operands = [self.form(each) for each in of.operands]
        found: list[LoopForm | None] = []
        for constant, factors in zip(linear.constants, linear.factors, strict=True):
            form: LoopForm | None = LoopForm(constant)
            for factor, operand in zip(factors, operands, strict=True):
                if factor and form is not None:
                    form = None if operand is None else form + operand.times(factor)
            found.append(form)
        return found

    def form(self, value: SSAValue) -> LoopForm | None:
        """VALUE as a form of the loops around it; None if it is not linear, or not known."""
        if value not in self._forms:
            self._forms[value] = self._form(value)
        return self._forms[value]

    def _form(self, value: SSAValue) -> LoopForm | None:
        if isinstance(value, BlockArgument):
            loops = self._sites.loops(value.block)
            if loops and value.block.parent_op() is loops[-1]:
                return LoopForm(0, {len(loops) - 1: 1}) if value.index == 0 else None
        elif isinstance(value, OpResult):
            kind = self._sites.kind(value.op)
            if isinstance(kind, IndexResult) and len(kind.of.map.results) == 1:
                return self._mapped(value.op, kind.of)[0]
        number = self._number(value)
        return None if number is None else LoopForm(number)

    # -- what is not visited ---------------------------------------------------------------------------

    def doubtful(self) -> Operation | None:
        """The first operation that may be undefined in an iteration that no walk visits."""
        for op in self._sites.function.walk():
            if op is not self._sites.function and not self._is_total(op):
                return op
        return None

    def _is_total(self, op: Operation) -> bool:
        match self._sites.kind(op):
            case ElementRead(memory=memory, at=at) | ElementWrite(memory=memory, at=at):
                return self._is_alive(op) and self._fits(op, self._mapped(op, at), memory)
            case PartOf() as part:
                return self._is_part(op, part)
            case IndexResult(of=of):
                return not divides_by_operands(of.map)
            case Repeated(step=step):
                return isinstance(step, int) and step > 0
            case Allocated(sizes=sizes):
                return all(self._is_within(op, self._amount(each), None) for each in sizes)
            case Copied(source=source, target=target):
                sizes = self._sizes(source)
                return self._is_alive(op) and sizes is not None and sizes == self._sizes(target)
            case StructuredWrite():
                return self._is_alive(op) and all(
                    self._sizes(each) is not None for each in self._sites.read(op)
                )
            case EndedMemory() | ChosenRegion():
                return True
            case None:
                return is_total(op)

    def _is_alive(self, op: Operation) -> bool:
        """Whether all memory that OP accesses has not ended."""
        kind = self._sites.kind(op)
        assert kind is not None
        accessed = (*self._sites.read(op), *self._sites.written(op, kind))
        return not any(self._sites.is_ended(op, self._sites.path(memory)[0]) for memory in accessed)

    def _fits(self, op: Operation, forms: Sequence[LoopForm | None], memory: SSAValue) -> bool:
        sizes = self._sizes(memory)
        return sizes is not None and all(
            self._is_within(op, form, size) for form, size in zip(forms, sizes, strict=True)
        )

    def _is_part(self, op: Operation, part: PartOf) -> bool:
        sizes = self._sizes(part.source)
        if sizes is None:
            return False
        for offset, count, stride, size in zip(part.offsets, part.sizes, part.strides, sizes, strict=True):
            start = self._amount(offset)
            if not isinstance(count, int) or not isinstance(stride, int) or start is None or stride < 0:
                return False
            ends = (start, start + LoopForm(max(count - 1, 0) * stride))
            if not all(self._is_within(op, each, size) for each in ends):
                return False
        return True

    def _is_within(self, op: Operation, form: LoopForm | None, size: int | None) -> bool:
        """Whether FORM, at OP, is surely from 0 on and below SIZE (None: any)."""
        if form is None or op.parent is None:
            return False
        loops = self._around(op.parent)
        if not any(each.constant >= 0 for each in least(form, loops, 0)):
            return False
        return size is None or any(each.constant < size for each in most(form, loops, 0))


def _last(lower: Sequence[LoopForm], upper: LoopForm, kind: Repeated) -> LoopForm:
    """What a number below UPPER is at most: steps from one number LOWER on, it need not be next to it."""
    if len(lower) == len(kind.lower.map.results) == 1 and isinstance(kind.step, int) and kind.step > 0:
        room = upper + lower[0].times(-1)
        if not room.factors:
            return lower[0] + LoopForm((room.constant - 1) // kind.step * kind.step)
    return upper + LoopForm(-1)
