"""Which values are elements of the function's arguments, as they were when it was called.

An element of an argument may be any number of its type, whatever the other elements are: a leaf that is one
is free. So it is if it is read from a tensor, or from memory that nothing may have written before:

    %a = memref.load %m[%i]      free
    memref.store %c5, %m[%j]
    %b = memref.load %m[%i]      not free: it may be 5, and nothing else

A call writes what the function that it calls does (`writes.py`).

Two reads of one argument may read the same element, and are not independent then: each has a token, and
`conflict` says of two tokens whether they may name one element. Reads at the same index are one variable.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.blocks import blocks_around, home
from volcli.language.expressions import ANY, Atom, Dim, Expression, Index, NotAffine, Value
from volcli.language.memory import Effect, is_memref
from volcli.language.reads import rank_of
from volcli.model.entry import entry_of
from volcli.model.stated_effects import stated_accesses
from volcli.model.values.solver import Solver
from volcli.model.values.tables import Cuts, Progress
from volcli.model.values.writes import Writes, copied, may_be, passes_on, root_of


@dataclass(frozen=True)
class Token:
    """An element of the argument `root`, read by `value` at `index` (None if that is not known).

    What an operation says that `varies` is the one element of what it names.

    What is computed from the elements that the iterations of a loop read has their tokens, `within` that
    loop; what goes around it, those of `past` iterations.
    """

    root: Hashable
    value: SSAValue
    index: tuple[Expression, ...] | None
    within: Operation | None = None
    past: bool = False


def conflict(left: Token, right: Token) -> bool:
    """Whether LEFT and RIGHT may be one element.

    One read is not compared with itself: in an iteration it reads what no other iteration reads, or the
    definition of what goes around its loop is not exact.
    """
    if left.root != right.root or left.value is right.value:
        return False
    if left.within is not None or right.within is not None:
        return True
    return not _are_different(left.index, right.index)


def conflicts(left: Iterable[Token], right: Iterable[Token]) -> bool:
    """Whether a token of LEFT and one of RIGHT may be one element."""
    others = tuple(right)
    return any(conflict(a, b) for a in left for b in others)


def is_fresh(token: Token, op: Operation, counter: Expression) -> bool:
    """Whether the element is another one in each iteration of OP, whose COUNTER steps: m[%i + 1, %k]."""
    for expression in token.index or ():
        factors = [factor for atom, factor in expression.terms if counter.single_atom == atom]
        others = expression - sum(factors) * counter
        if any(factors) and all(_is_outside(atom, op) for atom in others.atoms()):
            return True
    return False


def _is_outside(atom: Atom, op: Operation) -> bool:
    """Whether ATOM is no variable of an iteration of OP; what is made of such is asked for each of them."""
    return not isinstance(atom, Value | Dim) or op not in _around(home(atom.value))


def _are_different(left: tuple[Expression, ...] | None, right: tuple[Expression, ...] | None) -> bool:
    """Whether two indices differ by a constant in some dimension."""
    if left is None or right is None or len(left) != len(right):
        return False
    differences = [a - b for a, b in zip(left, right, strict=True)]
    return any(d.is_constant and d.constant for d in differences)


class _Read:
    """Which element a value is: unknown at first, where an index depends on what is read."""

    def __init__(self, token: Callable[[SSAValue], Token | None]) -> None:
        self._token = token

    def nothing(self, key: SSAValue) -> tuple[Token | None]:
        del key
        return (None,)

    def define(self, key: SSAValue) -> tuple[Token | None]:
        try:
            return (self._token(key),)
        except NotAffine:
            return (None,)

    def is_exact(self, answer: tuple[Token | None]) -> bool:
        return answer[0] is not None

    def progress(self, key: SSAValue, before: tuple[Token | None], after: tuple[Token | None]) -> Progress:
        del key
        if self.is_exact(after) is self.is_exact(before):
            return Progress.THE_SAME
        return Progress.MORE if self.is_exact(after) else Progress.LESS


class Elements:
    """The elements of FUNCTION's arguments that its operations read; indices are resolved by RESOLVE."""

    def __init__(
        self, function: Operation, resolve: Callable[[Expression], Expression], solver: Solver
    ) -> None:
        self._function = function
        self._resolve = resolve
        self._solver = solver
        self._tokens: Cuts[SSAValue, tuple[Token | None]] = Cuts(_Read(self._token))
        self._first: dict[object, dict[Block, SSAValue]] = {}
        self._writes = Writes()
        self._order: dict[Operation, int] | None = None
        self._writers: dict[SSAValue, list[tuple[Operation, tuple[Index, ...] | None]]] = {}

    def token(self, value: SSAValue) -> Token | None:
        """The element that VALUE is; None if it is none, or not certainly as it was in the beginning."""
        return (self._tokens.complete.get(value) or self._solver.solve(self._tokens, value))[0]

    def tokens(self, value: SSAValue) -> frozenset[Token]:
        """The elements that VALUE is, or that decide it (`cmpf olt` of two); none if it is not free."""
        token = self.token(value)
        if token is not None:
            return frozenset((token,))
        operands = questions.either(value.op) if isinstance(value, OpResult) else None
        found = [self._scalar(operand) for operand in operands or ()]
        known = [replace(each, value=value) for each in found if each is not None]
        if len(known) < len(found) or (len(found) == 2 and conflict(*(e for e in found if e is not None))):
            return frozenset()
        return frozenset(known)

    def _scalar(self, value: SSAValue) -> Token | None:
        """The element that VALUE is; an argument is the only one of itself."""
        if isinstance(value, BlockArgument) and self._is_argument(value):
            return Token(value, value, ())
        return self.token(value)

    def first(self, value: SSAValue) -> SSAValue:
        """The value that is known to be the same element as VALUE, and that its place knows; else VALUE."""
        token = self.token(value)
        if token is None or token.index is None:
            return value
        same = self._first.setdefault((token.root, token.index, value.type), {})
        for block in blocks_around(home(value)):
            if block in same:
                return same[block]
        block = home(value)
        assert block is not None
        return same.setdefault(block, value)

    def numbers(self, value: SSAValue) -> Sequence[int]:
        """The numbers that VALUE, an element of a constant, may be; none if it is no such element."""
        try:
            return self._numbers(value)
        except NotAffine:
            return ()

    def _numbers(self, value: SSAValue) -> Sequence[int]:
        read = _element_read(value)
        if read is None:
            return ()
        root, is_whole = root_of(read[0])
        known = questions.elements(root.op) if isinstance(root, OpResult) else None
        if not known or not isinstance(root.type, ShapedType):
            return ()
        position = self._position(read[1], root.type.get_shape()) if is_whole else None
        return sorted(set(known)) if position is None else (known[position],)

    def _position(self, index: Sequence[Index], shape: Sequence[int]) -> int | None:
        """The row-major position of INDEX, if that is constant and inside of SHAPE."""
        position = 0
        for each, size in zip(index, shape, strict=True):
            known = self._resolve(each) if isinstance(each, Expression) else None
            if known is None or not known.is_constant or not 0 <= known.constant < size:
                return None
            position = position * size + known.constant
        return position

    def _token(self, value: SSAValue) -> Token | None:
        if isinstance(value, OpResult) and (varying := questions.varies(value.op)) is not None:
            return Token(varying, value, ())
        read = _element_read(value)
        op = value.op if isinstance(value, OpResult) else _owner(value)
        if read is None or op is None:
            return None
        source, index = read
        root, is_whole = root_of(source)
        if not isinstance(root, BlockArgument) or not self._is_argument(root):
            return None
        if is_memref(root) and self._may_be_written(root, source, index, op):
            return None
        known = index if is_whole and all(isinstance(e, Expression) for e in index) else None
        return Token(
            root,
            value,
            None if known is None else tuple(self._resolve(e) for e in known if isinstance(e, Expression)),
        )

    def _is_argument(self, value: BlockArgument) -> bool:
        return value.block is entry_of(self._function)

    # -- writes ----------------------------------------------------------------------------------------

    def _may_be_written(
        self, root: SSAValue, source: SSAValue, index: tuple[Index, ...], op: Operation
    ) -> bool:
        """Whether something may have written the element of ROOT before OP reads it."""
        if root not in self._writers:
            self._writers[root] = list(self._writes_to(root))
        return any(
            self._may_run_before(writer, op)
            and not (source is root and written is not None and self._is_other(written, index))
            for writer, written in self._writers[root]
        )

    def _is_other(self, left: tuple[Index, ...], right: tuple[Index, ...]) -> bool:
        known = [tuple(self._resolve(e) for e in side if isinstance(e, Expression)) for side in (left, right)]
        return len(known[0]) == len(left) == len(known[1]) and _are_different(known[0], known[1])

    def _writes_to(self, root: SSAValue) -> Iterable[tuple[Operation, tuple[Index, ...] | None]]:
        """The operations that may write to ROOT or pass it on, and the index in it where that is known."""
        for op in self._function.walk():
            if op is self._function:
                continue
            written = self._writes.of_call(op)
            if written is not None:
                if any(may_be(operand, root) for operand in written):
                    yield op, None
                continue
            accesses = stated_accesses(op)
            if accesses is None or (not accesses and passes_on(op)):
                if any(may_be(operand, root) for operand in op.operands):
                    yield op, None
                continue
            for access in accesses:
                if access.effect is Effect.WRITE and may_be(access.memref, root):
                    is_known = access.memref is root and not access.extents
                    yield op, access.index if is_known else None

    def _may_run_before(self, first: Operation, second: Operation) -> bool:
        """Whether FIRST may have run when SECOND does: it stands before it, or both are in one loop."""
        if self._order is None:
            self._order = {op: place for place, op in enumerate(self._function.walk())}
        if self._order[first] < self._order[second] or len(self._function.regions[0].blocks) > 1:
            return True
        around = set(_around(first.parent))
        for parent in _around(second.parent):
            if parent is self._function:
                return False
            if parent in around and _repeats(parent):
                return True
        return False


def _element_read(value: SSAValue) -> tuple[SSAValue, tuple[Index, ...]] | None:
    """The tensor or memref, and the index, of the one element that VALUE is."""
    if isinstance(value.type, ShapedType):
        return None
    if not isinstance(value, OpResult):
        return _scalar_of(value)
    accesses = questions.accesses(value.op)
    if accesses:
        access = accesses[0]
        is_element = len(accesses) == 1 and access.effect is Effect.READ and not access.extents
        return (access.memref, access.index) if is_element and access.partial is None else None
    return copied(value)


def _owner(argument: SSAValue) -> Operation | None:
    """The operation of which a block has ARGUMENT."""
    return argument.block.parent_op() if isinstance(argument, BlockArgument) else None


def _scalar_of(argument: SSAValue) -> tuple[SSAValue, tuple[Index, ...]] | None:
    """The operand that ARGUMENT, of the body of a structured operation, is any element of."""
    op = _owner(argument)
    reads = None if op is None else questions.element_reads(op)
    for alternative in (a for result in reads or () for a in result.alternatives):
        if argument in alternative.scalars and argument not in alternative.accumulators:
            operand = alternative.scalars[argument].operand
            return operand, (ANY,) * rank_of(operand)
    return None


def _repeats(op: Operation) -> bool:
    """Whether the regions of OP may run more than once: those of a branch run at most once."""
    is_branch = questions.choices.answers(type(op)) or questions.guards.answers(type(op))
    return questions.loop.answers(type(op)) or not is_branch


def _around(block: Block | None) -> Iterable[Operation]:
    """The operations that BLOCK is in, from the inside out."""
    for each in blocks_around(block):
        parent = each.parent_op()
        if parent is not None:
            yield parent
