"""Which index values and sizes are computed from data: a graph walk from a number to what determines it.

A number is *loaded* if some element of a tensor (or of memory, or a floating-point scalar) takes part in its
computation: `%i` is, in `%v = tensor.extract %p[%c0]`, `%i = arith.remui %v, %c3`. An integer argument, a
constant and the size of an argument are not, and neither is what is computed from them alone: they are the
parameters of the program. A loaded number may differ between two runs that agree in all parameters, so that
what moves with it depends on the data that it was computed from.

Invariant: `is_loaded(n)` holds if n is data, or if it holds of one of `_determined_by(n)`. What a loop
carries is computed from itself in earlier iterations: it is data if something on the way is. Arguments of
blocks that neither the function nor a loop passes count as data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ComplexType,
    ShapedType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, NotAffine, Value
from volcli.language.loops import Loop, While
from volcli.language.reads import captured_values, is_number, rank_of

Number = Value | Dim
"""An SSA value, or the size of one of its dimensions."""


class Provenance:
    """What the numbers of the function FUNCTION are computed from; memoised."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        self._loaded: dict[Number, bool] = {}

    def is_loaded(self, number: Number) -> bool:
        """Whether data takes part in the computation of NUMBER."""
        known = self._loaded
        if number in known:
            return known[number]
        after: dict[Number, Number | None] = {number: None}
        stack = [number]
        while stack:
            current = stack.pop()
            before = () if current in known else self._determined_by(current)
            if before is None or known.get(current, False):
                way: Number | None = current
                while way is not None:  # what is computed from it, too
                    known[way] = True
                    way = after[way]
                return True
            new = [each for each in before if each not in after]
            after.update(dict.fromkeys(new, current))
            stack += new
        known.update(dict.fromkeys(after, False))
        return False

    def asks_loaded_size(self, op: Operation) -> bool:
        """Whether a size that OP, or an operation in it, can ask for is loaded."""
        return bool(self.loaded_sizes(op))

    def loaded_sizes(self, op: Operation) -> list[Number]:
        """The sizes that OP, or an operation in it, can ask for and that are loaded."""
        asked = dict.fromkeys(
            o for inner in op.walk() for o in inner.operands if isinstance(o.type, ShapedType)
        )
        sizes = (Dim(value, d) for value in asked for d in range(rank_of(value)))
        return [size for size in sizes if self.is_loaded(size)]

    def sources(self, number: Number) -> tuple[SSAValue, ...]:
        """The loaded values that determine NUMBER: itself, or those that determine a size.

        A size that the operation does not state is determined by all that the operation uses.
        """

        def before(current: Number) -> Sequence[Number] | None:
            if not isinstance(current, Dim) or not isinstance(current.value, OpResult):
                return None
            return self._determined_by(current) or [Value(v) for v in _used(current.value.op)]

        return self._ends(number, before)

    def data(self, number: Number) -> tuple[SSAValue, ...]:
        """The values whose elements take part in the computation of NUMBER: `%p` for `extract %p[0] + 1`."""
        return self._ends(number, self._determined_by)

    def _ends(
        self, number: Number, before: Callable[[Number], Sequence[Number] | None]
    ) -> tuple[SSAValue, ...]:
        """The loaded values in which the walk from NUMBER to what is BEFORE it ends, in their order."""
        found: dict[SSAValue, None] = {}
        seen: set[Number] = set()
        stack = [number]
        while stack:
            current = stack.pop()
            if current in seen or not self.is_loaded(current):
                continue
            seen.add(current)
            determining = before(current)
            if determining is None:
                found[current.value] = None
            stack.extend(reversed(determining or ()))
        return tuple(found)

    def _determined_by(self, number: Number) -> Sequence[Number] | None:
        """What NUMBER is computed from; None if it is data itself."""
        value = number.value
        if isinstance(value, BlockArgument):
            is_first = value.block.parent_op() is self.function and value.block.prev_block is None
            if is_first and (isinstance(number, Dim) or is_number(value)):
                return ()
            return _in_loop(value) if isinstance(number, Value) else None
        if not isinstance(value, OpResult):
            return None
        stated = _stated_size(number) if isinstance(number, Dim) else _stated_value(value)
        if stated is not None:
            return _numbers(stated)
        if questions.constant_fill.answers(type(value.op)):
            return ()
        if isinstance(number, Value):
            left = _after_loop(value)
            left = _after_branch(value) if left is None else left
            if left is not None:
                return left
        if not _computes(value.op):
            return None
        operands = _used(value.op)
        return [Value(o) for o in operands] if all(_is_immutable(o.type) for o in operands) else None


def _in_loop(value: BlockArgument) -> Sequence[Number] | None:
    """What VALUE is computed from in the iterations of a loop around it; None if no loop gives it."""
    around = value.block.parent_op()
    loop = None if around is None else questions.loop(around)
    if isinstance(loop, While):
        return [Value(each) for each in _of_condition(loop).get(value, ())] or None
    if loop is None:
        return None
    for each in loop.carried:
        if each.argument is value:
            return [Value(each.initial), Value(each.yielded)]
    return _bounds(loop) if any(each.variable is value for each in loop.inductions) else None


def _after_loop(value: OpResult) -> Sequence[Number] | None:
    """What VALUE, the result of a loop, is computed from; None if it is none that a loop carries."""
    loop = questions.loop(value.op) if value.op.regions and is_number(value) else None
    if isinstance(loop, While):
        return [Value(loop.forwarded[value.index]), Value(loop.condition)]
    if loop is None:
        return None
    found = next((each for each in loop.carried if each.result is value), None)
    return None if found is None else [Value(found.initial), Value(found.yielded), *_bounds(loop)]


def _after_branch(value: OpResult) -> Sequence[Number] | None:
    """What VALUE, a number that a branch gives, is chosen from and by."""
    if not value.op.regions or not is_number(value) or not questions.choices.answers(type(value.op)):
        return None
    try:
        stated = questions.choices(value.op)
    except NotAffine:
        return None
    if stated is None:
        return None
    deciding = (e for each in stated[value.index] for where in each.when for e in where)
    numbers = (number for e in deciding for number in _numbers(e))
    return [*(Value(each.value) for each in stated[value.index]), *numbers]


def _of_condition(loop: While) -> Mapping[SSAValue, tuple[SSAValue, ...]]:
    """What the arguments of LOOP's regions are computed from."""
    first = zip(loop.before, zip(loop.initial, loop.yielded, strict=True), strict=True)
    return dict(first) | {a: (f,) for a, f in zip(loop.after, loop.forwarded, strict=True)}


def _bounds(loop: Loop) -> list[Number]:
    """What the iterations of LOOP are computed from."""
    forms = (form for each in loop.inductions for form in (*each.lower, *each.upper, each.step))
    return [number for form in forms for number in _numbers(form)]


def _computes(op: Operation) -> bool:
    """Whether the results of OP are computed from what it uses: what has no case may make data of nothing."""
    cases = (questions.element_reads, questions.index_value, questions.wrapped_value, questions.choices)
    inside = (inner for region in op.regions for block in region.blocks for inner in block.ops)
    return any(case.answers(type(op)) for case in cases) and all(
        inner.results == () or _computes(inner) or questions.constant_fill.answers(type(inner))
        for inner in inside
    )


def _used(op: Operation) -> list[SSAValue]:
    return [*op.operands, *captured_values(op)]


def _is_immutable(kind: Attribute) -> bool:
    """Whether a value of type KIND is all that it holds: a memref may hold anything that was stored."""
    return is_number(kind) or isinstance(kind, AnyFloat | ComplexType | TensorType | VectorType)


def _stated_value(value: OpResult) -> Expression | None:
    if not is_number(value):
        return None
    try:
        return questions.value_of_result(value)
    except NotAffine:
        return None


def _stated_size(size: Dim) -> Expression | None:
    """What the operation says of SIZE, or the number that its type declares."""
    kind, value = size.value.type, size.value
    if isinstance(kind, ShapedType):
        shape = kind.get_shape()
        if size.dimension < len(shape) and shape[size.dimension] != DYNAMIC_INDEX:
            return Expression((), shape[size.dimension])
    if not isinstance(value, OpResult):
        return None
    try:
        stated = questions.result_sizes(value.op)
    except NotAffine:
        return None
    sizes = () if stated is None else stated[value.index]
    return sizes[size.dimension] if size.dimension < len(sizes) else None


def _numbers(expression: Expression) -> list[Number]:
    return list(dict.fromkeys(a for a in expression.atoms() if isinstance(a, Value | Dim)))


def loaded(provenance: Provenance, numbers: Iterable[Number]) -> tuple[SSAValue, ...]:
    """The loaded values that determine some of NUMBERS, each once."""
    return tuple(dict.fromkeys(v for number in numbers for v in provenance.sources(number)))
