"""What holds at a place: conditions of branches, inductions of loops, assertions that ran before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli import questions
from volcli.expressions import Expression, NotAffine, Product, Value, dim_of, value_of
from volcli.interface import operation_name
from volcli.loops import Induction, While
from volcli.model.bounds.elimination import Elimination
from volcli.model.bounds.ranges import range_of
from volcli.model.bounds.variables import Variable
from volcli.reads import Disjunction

Place = Operation | SSAValue | None
"""An operation or a value: what is said of it holds whenever the program gets there."""

MOST_GUARDS = 24
"""So many conditions are looked at together; an answer that needs more is not exact."""


@dataclass(frozen=True, eq=False)
class Factor:
    """Something that holds at a place: a condition, or that an induction variable is inside its loop."""

    condition: Disjunction
    variables: tuple[Variable, ...]
    name: str | None = None


class Places:
    """What holds at each place of a function."""

    def __init__(self, elimination: Elimination) -> None:
        self.definitions = elimination.definitions
        self._elimination = elimination
        self._guards: dict[Block, tuple[Factor, ...]] = {}
        self._asserted: dict[Block, list[tuple[int, Factor]]] | None = None
        self._times: list[int] = []
        self._assumed: list[Factor] = []
        self._chosen: dict[tuple[tuple[Expression, ...], tuple[Factor, ...]], list[Factor]] = {}
        self._known: dict[tuple[Block | None, int], list[Factor]] = {}
        self._ignored: frozenset[str] = frozenset()

    def assume(self, name: str, condition: Disjunction) -> None:
        """CONDITION, which has this NAME, holds at all places."""
        self._assumed.append(self._factor(condition, name))

    def assumed(self) -> list[Factor]:
        """What holds at all places."""
        return [factor for factor in self._assumed if factor.name not in self._ignored]

    @property
    def ignored(self) -> frozenset[str]:
        """The names of what is not known now."""
        return self._ignored

    @contextmanager
    def ignoring(self, names: frozenset[str]) -> Generator[None]:
        """Within the block, what has one of NAMES is not known."""
        before, self._ignored = self._ignored, names
        try:
            yield
        finally:
            self._ignored = before

    def relevant(self, expressions: Sequence[Expression], places: Sequence[Place]) -> list[Factor]:
        """What holds whenever all PLACES are reached, as far as it has to do with EXPRESSIONS."""
        held = [self.holding(place) for place in places]
        factors = held[0] if len(held) == 1 else list(dict.fromkeys(chain.from_iterable(held)))
        if not factors:
            return []
        key = tuple(expressions), tuple(factors)
        chosen = self._chosen.get(key)
        if chosen is None:
            chosen = self._connected(expressions, factors)
            if self.definitions.is_settled:
                self._chosen[key] = chosen
        return chosen

    def _connected(self, expressions: Sequence[Expression], factors: Sequence[Factor]) -> list[Factor]:
        """Those of FACTORS that share variables with EXPRESSIONS, or with others of them."""
        mask = self.definitions.mask(self._elimination.all_variables(expressions))
        chosen: list[Factor] = []
        remaining = [(f, self.definitions.mask(f.variables)) for f in factors]
        grown = True
        while grown and len(chosen) < MOST_GUARDS:
            grown = False
            for pair in list(remaining):
                if pair[1] & mask and len(chosen) < MOST_GUARDS:
                    # An induction variable that is in the slice brings its loop along.
                    if pair[0].condition != ((),) or pair[1] & ~mask:
                        chosen.append(pair[0])
                        mask |= pair[1]
                        grown = True
                    remaining.remove(pair)
        return chosen

    def holding(self, place: Place) -> list[Factor]:
        """Everything that holds at PLACE: from the loops and branches around it, and from what ran before."""
        block, before = self._block_and_time(place)
        self._assertions()
        key = block, bisect_left(self._times, before)
        factors = self._known.get(key)
        if factors is None:
            factors = self._known[key] = self._all_holding(block, before)
        return [f for f in factors if f.name not in self._ignored] if self._ignored else factors

    def _all_holding(self, block: Block | None, before: int) -> list[Factor]:
        factors = list(self._assumed)
        while block is not None:
            factors.extend(self.of_block(block))
            factors.extend(f for time, f in self._assertions().get(block, ()) if time < before)
            parent = block.parent_op()
            if parent is None or parent is self.definitions.function:
                break
            block = parent.parent
        return _each_once(factors)

    def around(self, place: Place) -> Iterator[Block]:
        """The blocks around PLACE in which something holds, from the inside out."""
        block, _ = self._block_and_time(place)
        while block is not None:
            if self.of_block(block):
                yield block
            parent = block.parent_op()
            block = None if parent is None or parent is self.definitions.function else parent.parent

    def block(self, place: Place) -> Block | None:
        """The block that PLACE is in."""
        return self._block_and_time(place)[0]

    def _block_and_time(self, place: Place) -> tuple[Block | None, int]:
        match place:
            case None:
                return None, -1
            case Operation():
                return place.parent, self.definitions.place(place)
            case BlockArgument():
                return place.block, self.definitions.position(place)
            case OpResult():
                return place.op.parent, self.definitions.position(place)
            case _:
                return None, -1

    def of_block(self, block: Block) -> tuple[Factor, ...]:
        """What holds in BLOCK, because of the operation that it belongs to."""
        known = self._guards.get(block)
        if known is None:
            known = self._guards[block] = tuple(self._guards_of(block))
        return known

    def _guards_of(self, block: Block) -> Iterator[Factor]:
        op, region = block.parent_op(), block.parent
        if op is None or op is self.definitions.function:
            return
        try:
            loop = questions.loop(op)
            if loop is not None and not isinstance(loop, While):
                for induction in loop.inductions:
                    yield self._inside(induction)
            indices = questions.indices(op)
            for induction in () if indices is None else indices.inductions:
                yield self._inside(induction)
            for guard in questions.guards(op) or ():
                if guard.region is region:
                    yield self._factor(guard.condition)
        except NotAffine:
            return

    def _inside(self, induction: Induction) -> Factor:
        variables = self._elimination.all_variables([self.definitions.resolve(value_of(induction.variable))])
        return Factor(((),), tuple(variables))

    def _factor(self, condition: Disjunction, name: str | None = None) -> Factor:
        condition = _affine(condition)
        resolved = tuple(tuple(self.definitions.resolve(e) for e in c) for c in condition)
        variables = self._elimination.all_variables([e for c in resolved for e in c])
        return Factor(resolved, tuple(variables), name)

    def _name(self, op: Operation) -> str:
        """What an answer calls the assumption that OP states: `cf.assert %ok`."""
        return f"{operation_name(op)} {', '.join(map(self.definitions.name_of, op.operands))}"

    def _stated(self, op: Operation) -> list[Factor]:
        """What OP asserts or promises."""
        if op is self.definitions.function or not questions.assumptions.answers(type(op)):
            return []
        try:
            return [self._factor(c, self._name(op)) for c in questions.assumptions(op) or ()]
        except NotAffine:
            return []

    def _sizes(self, op: Operation) -> Iterator[Factor]:
        """Sizes are not negative, or what makes them is undefined: `tensor.empty(%n)` has run, so %n >= 0.

        A size that is not known exactly says no more of the values that it is computed from.
        """
        if op is self.definitions.function:
            return
        for result in op.results:
            shape = result.type.get_shape() if isinstance(result.type, ShapedType) else ()
            for dimension in (d for d, size in enumerate(shape) if size == DYNAMIC_INDEX):
                size = self.definitions.resolve(dim_of(result, dimension))
                if self._may_be_negative(size):
                    variables = self._elimination.all_variables([size])
                    yield Factor(((size,),), tuple(variables))

    def _may_be_negative(self, size: Expression) -> bool:
        low, _ = range_of(size, self.definitions.range)
        if low is not None and low >= 0:
            return False
        variables = self.definitions.slice_of(self._elimination.all_variables([size]))
        known = [self.definitions.definition(variable) for variable in variables]
        expressions = [size, *(e for each in known for a in each.alternatives for e in a.expressions())]
        products = (atom for e in expressions for atom in e.atoms() if isinstance(atom, Product))
        return all(each.exact for each in known) and next(products, None) is None

    def _assertions(self) -> dict[Block, list[tuple[int, Factor]]]:
        if self._asserted is None:
            self._asserted = {}
            for op in self.definitions.function.walk():
                factors = [*self._stated(op), *self._sizes(op)]
                if op.parent is not None and factors:
                    timed = [(self.definitions.place(op), factor) for factor in factors]
                    self._asserted.setdefault(op.parent, []).extend(timed)
            self._times = sorted(time for held in self._asserted.values() for time, _ in held)
        return self._asserted


def _each_once(factors: Sequence[Factor]) -> list[Factor]:
    """FACTORS without those that say what another one before them says: one condition is asserted often."""
    found: dict[object, Factor] = {}
    for factor in factors:
        key = factor.condition if factor.condition != ((),) else factor
        found.setdefault(key, factor)
    return list(found.values())


def _affine(condition: Disjunction) -> Disjunction:
    """CONDITION; if it is just that a truth value holds, or does not, what that means."""
    if len(condition) != 1 or len(condition[0]) != 1 or len(condition[0][0].terms) != 1:
        return condition
    (only,) = condition[0]
    atom, factor = only.terms[0]
    is_true, is_false = (factor, only.constant) == (1, -1), (factor, only.constant) == (-1, 0)
    if not isinstance(atom, Value) or not isinstance(atom.value, OpResult) or not (is_true or is_false):
        return condition
    stated = questions.condition(atom.value.op)
    if stated is None:
        return condition
    return stated.true if is_true else stated.false
