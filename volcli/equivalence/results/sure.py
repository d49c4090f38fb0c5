"""Values that are numbers for sure: neither poison nor uninitialised, whatever the arguments are.

    %s = arith.shli %x, %y : i32        is poison for y >= 32, and so is `arith.xori %s, %s`, which is no 0
    %a = memref.load %fresh[%i]         is any number each time it is used, so that `%a - %a` is, too

What flags promise (`nsw`, `exact`) is not looked at: operations with flags are compared one by one.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.equivalence.places.numbers import inductions
from volcli.equivalence.places.places import Places
from volcli.equivalence.places.written import Written
from volcli.equivalence.terms.terms import kind_of
from volcli.language import questions
from volcli.language.interface import operation_name
from volcli.language.loops import Loop
from volcli.language.memory import Effect
from volcli.language.programs.definitions import own_body
from volcli.language.reads import Access
from volcli.language.unchanged import cached_method
from volcli.limits import equivalence as limits
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.stated_effects import stated_accesses

_SHIFTS = frozenset(("arith.shli", "arith.shrui", "arith.shrsi"))
_TO_INTEGERS = frozenset(("arith.fptosi", "arith.fptoui"))
_NUMBERS = ("arith.", "math.", "complex.", "affine.", "index.")
_VIEWS = frozenset(
    ("tensor.cast", "tensor.extract", "tensor.extract_slice", "tensor.collapse_shape", "tensor.expand_shape",
     "tensor.dim", "memref.dim", "tensor.from_elements", "tensor.splat", "tensor.insert",
     "tensor.insert_slice", "vector.broadcast", "vector.extract", "vector.splat", "vector.transpose",
     "vector.shape_cast", "vector.step")
)  # fmt: skip
"""Operations on tensors and vectors whose elements are those of operands."""


def makes_poison(op: Operation) -> bool:
    """Whether OP, its flags apart, is poison for some numbers: a shift by the width, a float out of range."""
    name = operation_name(op)
    if name in _TO_INTEGERS:
        return True
    if name not in _SHIFTS:
        return False
    by = op.operands[1]
    number = questions.constant_fill(by.op) if isinstance(by, OpResult) else None
    width = kind_of(op.results[0].type)
    return not (isinstance(number, int) and isinstance(width, int) and 0 <= number < width)


class Sure:
    """Which values of a function are numbers for sure."""

    def __init__(self, places: Places, written: Written) -> None:
        self._places = places
        self._written = written
        self._entry = places.numbers.entry

    @cached_method
    def __call__(self, value: SSAValue) -> bool:
        """Whether all that VALUE is computed from is defined, and initialised."""
        pending, seen = [value], set[SSAValue]()
        while pending:
            each = pending.pop()
            if each in seen:
                continue
            seen.add(each)
            further = self._argument(each) if isinstance(each, BlockArgument) else self._made(each)  # pyright: ignore[reportArgumentType]
            if further is None or len(seen) > limits.SURE_VALUES:
                return False
            pending += further
        return True

    def _argument(self, value: BlockArgument) -> list[SSAValue] | None:
        """What a block's argument may be; None if that is not known."""
        if value.block is self._entry:
            return []
        op = value.block.parent_op()
        if op is None:
            return None
        if any(each.variable is value for each in inductions(op) or ()):
            return []
        counted = questions.loop(op)
        carried = counted.carried if isinstance(counted, Loop) else ()
        found = next(([c.initial, c.yielded] for c in carried if c.argument is value), None)
        body = own_body(op)
        access = None if body is None else body.arguments.get(value)
        return [access.operand] if isinstance(access, Access) else found

    def _made(self, result: OpResult) -> list[SSAValue] | None:
        """What RESULT is made from; None if it may be anything."""
        op, name = result.op, operation_name(result.op)
        if questions.constant_fill.answers(type(op)) or questions.iterates(op) is not None:
            return []
        if reads := [each.memref for each in stated_accesses(op) or () if each.effect is Effect.READ]:
            found = [self._contents(self._places.buffers.root(memref)) for memref in reads]
            if self._has_lanes(op) or None in found:
                return None
            return [value for contents in found for value in contents or ()]
        counted = questions.loop(op)
        if isinstance(counted, Loop):
            return next(([c.initial, c.yielded] for c in counted.carried if c.result is result), None)
        if not op.regions and (name in _VIEWS or (name.startswith(_NUMBERS) and not makes_poison(op))):
            return [v for v in op.operands if not (name.endswith(".dim") and isinstance(v.type, ShapedType))]
        if name == "linalg.fill":
            return [op.operands[0]]
        choices = questions.choices(op) or ()
        return [each.value for each in choices[result.index]] if result.index < len(choices) else None

    @staticmethod
    def _has_lanes(op: Operation) -> bool:
        return any(access.where or access.partial for access in stated_accesses(op) or ())

    @cached_method
    def _contents(self, memory: Root) -> tuple[SSAValue, ...] | None:
        """What is stored into MEMORY, which the function is given; None if that is not known."""
        function = self._entry.parent_op()
        if function is None or memory.origin is not Origin.ARGUMENT:
            return None
        if self._written.doubt(function) is not None:
            return None
        if memory not in self._written(function):
            return ()
        accesses = (access for op in function.walk() for access in stated_accesses(op) or ())
        stored = [
            access.stored
            for access in accesses
            if access.effect is Effect.WRITE and self._places.buffers.root(access.memref) == memory
        ]
        known = tuple(value for value in stored if value is not None)
        return known if stored and len(known) == len(stored) else None
