"""Congruence: variables that are equal since the same is computed of the same, by what operations say alone.

Each variable has a *value number*, an expression over variables: where its operation states it, that with
value numbers put in; else itself. An expression that is not linear is a variable of its own, the first in the
program that is stated so. Variables with one number are one number in each execution, as far as they are
computed; what wraps around is, in all of them.

    %a = arith.addi %n, %c1      n + 1
    %m = arith.maxsi %a, %c4     m, for max(n + 1, 4)
    %k = arith.maxsi %c4, %a     m

The first is the first in the program, not the first that is asked for: answers do not depend on the order of
questions. Chains of sums get a number of their own, or they would cost the square of their length.

Source: B. Alpern, M. Wegman, F. Zadeck, Detecting equality of variables in programs (POPL 1988); here of
what is defined before it is used: a variable that goes around a loop is its own number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, ShapedType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult

from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, NotAffine, Value, substitute
from volcli.language.memory import is_memref
from volcli.language.programs.blocks import blocks_around, home
from volcli.language.reads import is_number
from volcli.language.unchanged import operations_in
from volcli.limits import values as limits
from volcli.model.symbols import entry_of
from volcli.model.values.terms.argument_elements import are_different
from volcli.model.values.terms.unwritten import Indices, Unwritten, element_read
from volcli.model.values.terms.variables import Variable, own, width_of
from volcli.model.values.terms.writes import root_of


class Congruence:
    """The classes of congruent variables of FUNCTION; VALUE and SIZES are what its operations state."""

    def __init__(
        self,
        function: Operation,
        value: Callable[[OpResult], Expression | None],
        sizes: Callable[[Operation], Sequence[questions.Sizes]],
        unwritten: Callable[[], Unwritten],
    ) -> None:
        self._function = function
        self._unwritten = unwritten
        self._value = value
        self._sizes = sizes
        self._numbers: dict[Variable, Expression] = {}
        self._classes: dict[Variable, list[Variable]] = {}
        self._first: dict[tuple[Expression, Attribute | None], Variable] = {}
        self._read: dict[tuple[object, ...], dict[Block, Variable]] = {}
        self._rest = iter(operations_in(function))
        self._entered: set[Operation] = set()

    def until(self, variable: Variable) -> Iterator[Variable]:
        """The variables that are congruent to VARIABLE, in the order of the program, and VARIABLE at last.

        The operations until its own are numbered: they decide its class.
        """
        last = variable.value.op if isinstance(variable.value, OpResult) else self._function
        while last not in self._entered and (op := next(self._rest, None)) is not None:
            self._entered.add(op)
            if op is self._function or op.parent is None:  # it was taken out since then
                continue
            for made, stated in self._stated(op):
                self._add(made, stated)
            for result in op.results:
                if is_number(result) and Value(result) not in self._numbers:
                    self._add_read(result)
        yield from takewhile(lambda other: other != variable, self._classes.get(variable, ()))
        yield variable

    def _stated(self, op: Operation) -> Iterator[tuple[Variable, Expression]]:
        """The variables that OP makes, and what it states of them."""
        for result in op.results:
            try:
                if isinstance(result.type, ShapedType):
                    for dimension, size in self._dynamic(result, result.type):
                        yield Dim(result, dimension), size
                elif not _is_wider(result.type) and (stated := self._value(result)) is not None:
                    yield Value(result), stated
            except NotAffine:
                continue

    def _dynamic(self, result: OpResult, kind: ShapedType) -> Iterator[tuple[int, Expression]]:
        shape = kind.get_shape()
        if DYNAMIC_INDEX not in shape:
            return
        sizes = self._sizes(result.op)[result.index]
        for dimension, (declared, size) in enumerate(zip(shape, sizes, strict=False)):
            if declared == DYNAMIC_INDEX and size is not None:
                yield dimension, size

    def _add(self, variable: Variable, stated: Expression) -> None:
        try:
            number = substitute(stated, self._number)
        except NotAffine:
            return
        is_linear = all(isinstance(atom, Value | Dim) for atom, _ in number.terms)
        if is_linear and len(number.terms) <= limits.SUM_TERMS:
            self._numbers[variable] = number
            return
        kind = variable.value.type if isinstance(variable, Value) else None
        self._put(variable, self._first.setdefault((number, kind), variable))

    def _put(self, variable: Variable, first: Variable) -> None:
        """VARIABLE is congruent to FIRST."""
        self._numbers[variable] = own(first)
        same = self._classes.setdefault(first, [])
        same.append(variable)
        self._classes[variable] = same

    def _add_read(self, value: OpResult) -> None:
        """VALUE may be an element of an argument, as that was in the beginning: one that was read before.

        The first read of it is one in the same block or around it: what others read may not be known there.
        """
        try:
            read = element_read(value)
            numbers = None if read is None else self._index(read[1])
        except NotAffine:
            return
        if read is None:
            return
        root, is_whole = root_of(read[0])
        if not is_whole or numbers is None or home(root) is not entry_of(self._function):
            return
        if not isinstance(root, BlockArgument):
            return
        if is_memref(root) and self._unwritten().may_be_written(root, *read, value.op, self._are_different):
            return
        same = self._read.setdefault((root, numbers, value.type), {})
        first = next((same[block] for block in blocks_around(home(value)) if block in same), None)
        if first is None and (block := value.op.parent) is not None:
            first = same[block] = Value(value)
        assert first is not None
        self._put(Value(value), first)

    def _are_different(self, left: Indices, right: Indices) -> bool:
        try:
            return are_different(self._index(left), self._index(right))
        except NotAffine:
            return False

    def _index(self, index: Indices) -> tuple[Expression, ...] | None:
        """The value numbers of an INDEX; None if it is not known."""
        known = [substitute(each, self._number) for each in index if isinstance(each, Expression)]
        return tuple(known) if len(known) == len(index) else None

    def _number(self, atom: Atom) -> Expression | None:
        return self._numbers.get(atom) if isinstance(atom, Value | Dim) else None


def _is_wider(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType) and width_of(kind) > limits.SUM_BITS
