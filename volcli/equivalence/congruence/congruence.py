"""Whether two functions do the same in the same order: see `numbering` for what is the same.

Both functions are walked side by side. What has an effect, or regions of its own, is an *event*: the n-th
event of a block of the first function is compared with the n-th one of the same block of the second. It has
to be the same operation on the same numbers; its regions are walked in the same way, with arguments that are
equal. What is read from memory is numbered by where, and by the last event before it that may write. So each
event finds the same memory, by induction over the execution, in loops of any form, and whatever calls and
unknown operations do.

An operation that may be undefined (a load, a division, a slice) has to be done by the first function, too, at
a place from which the second one's is reached for sure, or before the next event after which it may not be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr

from volcli.equivalence.congruence.numbering import NotCongruent, ValueNumbers, has_flags, stated
from volcli.equivalence.results.same import needed_alignment, says_all, symbols_of
from volcli.equivalence.results.sure import makes_poison
from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, maximum, minimum
from volcli.language.loops import Loop
from volcli.language.memory import Effect, Effects, MemoryAccess
from volcli.model.stated_effects import effects_of, only_computes, stated_accesses

_INDEX = IndexType()
_NO_EFFECTS = Effects()
_CONTROL = ("scf.", "affine.")
_LOOPS = {"scf.for": "for", "affine.for": "for", "scf.parallel": "parallel", "affine.parallel": "parallel"}
_UNSIGNED = "unsignedCmp"
_PLAIN = ("memref.load", "memref.store", "affine.load", "affine.store")
"""Of these, an access says all."""
_YIELDS = {"affine.yield": "scf.yield"}
_IMPLICIT = ("affine.yield", "scf.yield", "scf.reduce")
"""These may be left out if they pass on nothing."""
_OF_FUNCTIONS = ("sym_name", "sym_visibility")
_TOTAL = ("arith.", "math.", "complex.")
_PARTIAL = ("div", "rem", "assert")
"""Operations of `_TOTAL` dialects are defined for all operands, but for these."""
_MAPS = ("affine.apply", "affine.min", "affine.max")


@dataclass
class _Walk:
    """A block that is walked: what was done for sure before, and what the other side has to have done."""

    block: Block
    done: set[int]
    needed: set[int] = field(default_factory=set[int])


def congruent(before: Operation, after: Operation, unchanged: Callable[[], set[str]]) -> ValueNumbers | None:
    """The numbers with which two functions do the same in the same order: None if that is not known.

    What BEFORE and AFTER refer to by a symbol has to be among what is UNCHANGED.
    """
    numbers = ValueNumbers()
    try:
        _SideBySide(numbers, unchanged).functions(before, after)
    except (NotCongruent, NotAffine):
        return None
    return numbers


class _SideBySide:
    """Two programs, with the NUMBERS of their values; `_version` is that of all memory."""

    def __init__(self, numbers: ValueNumbers, unchanged: Callable[[], set[str]]) -> None:
        self._numbers = numbers
        self._unchanged = unchanged
        self._version = numbers.fresh()

    def functions(self, one: Operation, other: Operation) -> None:
        """Two functions, for the same arguments, of which the same is stated."""
        if _without(one, _OF_FUNCTIONS) != _without(other, _OF_FUNCTIONS):
            raise NotCongruent
        self._regions(one, other, frozenset(), writes=True)

    # -- regions and blocks ------------------------------------------------------------------------------

    def _regions(self, one: Operation, other: Operation, done: frozenset[int], *, writes: bool) -> None:
        """The regions of ONE and OTHER, each of which has one block or none."""
        if len(one.regions) != len(other.regions):
            raise NotCongruent
        for mine, theirs in zip(one.regions, other.regions, strict=True):
            version = self._version
            if writes:
                self._version = self._numbers.fresh()
            a, b = _block(mine), _block(theirs)
            if a is not None and b is not None:
                self._pair(a.args, b.args)
                self._blocks(_Walk(a, set(done)), _Walk(b, set(done)))
            elif a is not b:
                raise NotCongruent
            self._version = version

    def _pair(self, one: Sequence[SSAValue], other: Sequence[SSAValue]) -> None:
        """ONE and OTHER are equal, one by one."""
        if [value.type for value in one] != [value.type for value in other]:
            raise NotCongruent
        for mine, theirs in zip(one, other, strict=True):
            self._numbers.pair(mine, theirs)

    def _blocks(self, mine: _Walk, theirs: _Walk) -> None:
        """Two blocks, event by event, up to their ends."""
        for one, other in zip_longest(self._events(mine), self._events(theirs)):
            if one is None or other is None:
                raise NotCongruent
            if _may_not_go_on(one):
                self._check(mine, theirs)
            self._event(one, other, frozenset(mine.done))
        self._check(mine, theirs)

    @staticmethod
    def _check(mine: _Walk, theirs: _Walk) -> None:
        """What the second block needs up to here, the first one has done."""
        if not theirs.needed <= mine.done:
            raise NotCongruent

    def _events(self, walk: _Walk) -> Iterator[Operation]:
        """The events of a block; what stands before each has numbers then."""
        for op in walk.block.ops:
            number = self._computed(op)
            if number is None:
                if op.operands or op.regions or op.name not in _IMPLICIT:
                    yield op
            elif not is_total(op):
                walk.done.add(number)
                walk.needed.add(number)

    # -- what only computes ------------------------------------------------------------------------------

    def _computed(self, op: Operation) -> int | None:
        """The number of OP, whose results have theirs then; None if it is an event."""
        if not op.results or questions.buffer.answers(type(op)):
            return None
        read = _single(op, Effect.READ)
        if read is not None and len(op.results) == 1:
            return self._numbers.number(op.results[0], "load", *self._place(read), self._version)
        if op.regions and (op.name.startswith(_CONTROL) or not all(map(only_computes, op.walk()))):
            return None
        if not op.regions and not only_computes(op):
            accesses = stated_accesses(op)
            if not accesses or effects_of(op) != _NO_EFFECTS:
                return None
            if any(access.effect is not Effect.READ for access in accesses):
                return None
            return self._computed_from(op, self._version)
        return self._computed_from(op)

    def _computed_from(self, op: Operation, *around: Hashable) -> int:
        self._check_symbols(op)
        if not says_all(op):
            raise NotCongruent
        return self._numbers.computed(op, *around, *self._within(op, 0))

    def _within(self, op: Operation, depth: int) -> Iterator[Hashable]:
        """What the regions of OP, which only compute, make of arguments that are known by their places."""
        for number, region in enumerate(op.regions):
            block = _block(region)
            if block is None:
                continue
            for argument in block.args:
                self._numbers.number(argument, "argument", depth, number, argument.index, argument.type)
            for inner in block.ops:
                self._check_symbols(inner)
                yield self._numbers.computed(inner, *self._within(inner, depth + 1))

    def _place(self, access: MemoryAccess) -> tuple[Hashable, ...]:
        """The element that ACCESS goes to."""
        indices = [each for each in access.index if isinstance(each, Expression)]
        where = tuple(self._numbers.integer(each, _INDEX) for each in indices)
        return self._numbers.of(access.memref), where

    # -- events --------------------------------------------------------------------------------------------

    def _event(self, one: Operation, other: Operation, done: frozenset[int]) -> None:
        """ONE and OTHER are the same operation on the same numbers, and what they run is, too."""
        writes = _writes(one) or _writes(other)
        if not (self._same_store(one, other) or self._same_loop(one, other)):
            self._same(one, other)
        self._regions(one, other, done, writes=writes)
        self._pair(one.results, other.results)
        if writes:
            self._version = self._numbers.fresh()

    def _same_store(self, one: Operation, other: Operation) -> bool:
        """Whether both write one value to one element."""
        mine, theirs = _single(one, Effect.WRITE), _single(other, Effect.WRITE)
        if mine is None or theirs is None or mine.stored is None or theirs.stored is None:
            return False
        places = self._place(mine), self._place(theirs)
        return places[0] == places[1] and self._numbers.same([mine.stored], [theirs.stored])

    def _same_loop(self, one: Operation, other: Operation) -> bool:
        """Whether both are the same counted loop, up to the regions."""
        kinds = [_LOOPS.get(each.name) for each in (one, other)]
        if None in kinds or kinds[0] != kinds[1] or _UNSIGNED in (*one.properties, *other.properties):
            return False
        if kinds[0] == "parallel" and (one.results or other.results):
            return False
        mine, theirs = questions.loop(one), questions.loop(other)
        if not isinstance(mine, Loop) or not isinstance(theirs, Loop):
            return False
        initial = [[each.initial for each in loop.carried] for loop in (mine, theirs)]
        return self._bounds(mine) == self._bounds(theirs) and self._numbers.same(*initial)

    def _bounds(self, loop: Loop) -> list[Hashable]:
        found: list[Hashable] = []
        for own in loop.inductions:
            bounds = maximum(*own.lower), minimum(*own.upper), own.step
            kind = own.variable.type
            found += [kind, *(self._numbers.integer(each, kind) for each in bounds)]
        return found

    def _same(self, one: Operation, other: Operation) -> None:
        """The same operation on the same numbers."""
        self._check_symbols(one)
        if not says_all(one):
            raise NotCongruent
        names = [_YIELDS.get(op.name, op.name) for op in (one, other)]
        if names[0] != names[1] or stated(one) != stated(other) or one.successors or other.successors:
            raise NotCongruent
        if not self._numbers.same(one.operands, other.operands):
            raise NotCongruent

    def _check_symbols(self, op: Operation) -> None:
        """What OP refers to is the same in both programs."""
        if any(name not in self._unchanged() for name in symbols_of(op)):
            raise NotCongruent


def _block(region: Region) -> Block | None:
    """The one block of REGION, or None if there is none."""
    blocks = [*region.blocks]
    if len(blocks) > 1:
        raise NotCongruent
    return blocks[0] if blocks else None


def _single(op: Operation, effect: Effect) -> MemoryAccess | None:
    """The one access of OP, if that is all that it does: to one element, whose index is known, for sure."""
    if op.regions or effects_of(op) != _NO_EFFECTS:
        return None
    accesses = stated_accesses(op) or ()
    if len(accesses) != 1 or accesses[0].effect is not effect:
        return None
    (access,) = accesses
    is_plain = not (access.extents or access.where or access.partial or access.atomic)
    is_plain = is_plain and not needed_alignment(op)
    is_known = all(isinstance(each, Expression) for each in access.index)
    return access if is_plain and is_known and op.name in _PLAIN else None


def is_total(op: Operation) -> bool:
    """Whether OP is defined for all operands, and no poison for any."""
    if op.regions or has_flags(op) or makes_poison(op):
        return False
    if op.name.startswith(_TOTAL):
        return not any(word in op.name for word in _PARTIAL)
    maps = [each.data for each in op.properties.values() if isinstance(each, AffineMapAttr)]
    return op.name in _MAPS and all(map(_divides_by_numbers, chain(*(each.results for each in maps))))


def _divides_by_numbers(found: AffineExpr) -> bool:
    """Whether all divisors in FOUND are numbers, which are positive."""
    if not isinstance(found, AffineBinaryOpExpr):
        return True
    divides = found.kind not in (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)
    if divides and not (isinstance(found.rhs, AffineConstantExpr) and found.rhs.value > 0):
        return False
    return _divides_by_numbers(found.lhs) and _divides_by_numbers(found.rhs)


def _writes(op: Operation) -> bool:
    """Whether OP, or something in it, may write."""
    return any(not only_computes(inner) and not _reads(inner) for inner in op.walk())


def _reads(op: Operation) -> bool:
    accesses = stated_accesses(op)
    is_read = accesses is not None and all(access.effect is Effect.READ for access in accesses)
    return is_read and effects_of(op) == _NO_EFFECTS


def _may_not_go_on(op: Operation) -> bool:
    """Whether it is possible that what stands after OP is not reached."""
    return bool(op.regions) or effects_of(op).is_ordered or questions.assumptions.answers(type(op))


def _without(op: Operation, names: Collection[str]) -> object:
    """What OP states, but for what has one of NAMES."""
    return [[item for item in items if item[0] not in names] for items in stated(op)]
