"""Which values are elements of the function's arguments, as they were when it was called.

An element of an argument may be any number of its type, whatever the other elements are: a leaf that is one
is free. So it is if it is read from a tensor, or from memory that nothing may have written before:

    %a = memref.load %m[%i]      free
    memref.store %c5, %m[%j]
    %b = memref.load %m[%i]      not free: it may be 5, and nothing else

A call writes what the function that it calls does (`writes.py`).

Two reads of one argument may read the same element, and are not independent then: each has a token, and
`conflict` says of two tokens whether they may name one element. Reads at
one index are one variable (see `congruence`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, Index, NotAffine, Value
from volcli.language.memory import is_memref
from volcli.language.programs.blocks import home
from volcli.model.symbols import entry_of
from volcli.model.values.terms.solver import Solver
from volcli.model.values.terms.tables import Cuts, Progress
from volcli.model.values.terms.unwritten import Indices, Unwritten, element_read, operations_around, owner_of
from volcli.model.values.terms.writes import root_of


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
    return not are_different(left.index, right.index)


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
    """Whether ATOM is not a variable of an iteration of OP; composed atoms are asked for each part."""
    return not isinstance(atom, Value | Dim) or op not in operations_around(home(atom.value))


def are_different(left: tuple[Expression, ...] | None, right: tuple[Expression, ...] | None) -> bool:
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
        self,
        function: Operation,
        unwritten: Unwritten,
        resolve: Callable[[Expression], Expression],
        solver: Solver,
    ) -> None:
        self._function = function
        self._unwritten = unwritten
        self._resolve = resolve
        self._solver = solver
        self._tokens: Cuts[SSAValue, tuple[Token | None]] = Cuts(_Read(self._token))

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

    def numbers(self, value: SSAValue) -> Sequence[int]:
        """The numbers that VALUE, an element of a constant, may be; none if it is not such an element."""
        try:
            return self._numbers(value)
        except NotAffine:
            return ()

    def _numbers(self, value: SSAValue) -> Sequence[int]:
        read = element_read(value)
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
        read = element_read(value)
        op = value.op if isinstance(value, OpResult) else owner_of(value)
        if read is None or op is None:
            return None
        source, index = read
        root, is_whole = root_of(source)
        if not isinstance(root, BlockArgument) or not self._is_argument(root):
            return None
        if is_memref(root) and self._unwritten.may_be_written(root, source, index, op, self._is_other):
            return None
        known = index if is_whole and all(isinstance(e, Expression) for e in index) else None
        return Token(
            root,
            value,
            None if known is None else tuple(self._resolve(e) for e in known if isinstance(e, Expression)),
        )

    def _is_argument(self, value: BlockArgument) -> bool:
        return value.block is entry_of(self._function)

    def _is_other(self, left: Indices, right: Indices) -> bool:
        known = [tuple(self._resolve(e) for e in side if isinstance(e, Expression)) for side in (left, right)]
        return len(known[0]) == len(left) == len(known[1]) and are_different(known[0], known[1])
