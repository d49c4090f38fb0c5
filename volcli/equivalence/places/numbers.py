"""Index values as functions of the iterations around them: what elements are selected by.

Operations in n loops run at points (i_0, ..., i_n-1), the outermost first; the loop points of a structured
operation come after those of the loops around it. In a body all numbers are over these coordinates, and over
parameters that two programs with the same arguments have in common: `a0` for the first argument if it is an
index, `a0_1` for its size along dimension 1.

    func @f(%n: index, ...) { scf.for %i { linalg.generic { %k = linalg.index 1 ... } } }

At the points (i, d0, d1) of the body %k is the coordinate 2, %i the coordinate 0, and %n is `a0`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType, i1
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Index,
    LoopIndex,
    NotAffine,
    Value,
    constant,
    loop,
    parameter,
    substitute,
)
from volcli.language.loops import Induction, Loop, While
from volcli.language.programs.definitions import own_body
from volcli.language.programs.element_numbers import number_at
from volcli.language.programs.loop_numbers import is_index_like
from volcli.language.reads import Access, Condition, Disjunction, is_number, rank_of
from volcli.language.unchanged import cached_method
from volcli.model.symbols import entry_of


def inductions(op: Operation) -> Sequence[Induction] | None:
    """What the arguments of OP's regions run through, if they are loops; None if OP is not a counted loop."""
    counted = questions.loop(op)
    if isinstance(counted, Loop):
        return counted.inductions
    given = questions.indices(op)
    return given.inductions if given is not None and given.inductions else None


SEVERAL_BLOCKS = "the function has several blocks"
"""Why nothing is known of its points and iterations: they are those of loops and branches as regions."""

_collecting: list[dict[OpResult, None]] = []


@contextmanager
def taken_for_integers() -> Generator[Mapping[OpResult, None]]:
    """The results that are taken, within the block, for the integers that their operations state."""
    found: dict[OpResult, None] = {}
    _collecting.append(found)
    try:
        yield found
    finally:
        _collecting.pop()


class Numbers:
    """The index values of one function."""

    def __init__(self, function: Operation) -> None:
        self.entry = entry_of(function)
        self._known: dict[SSAValue, Expression | None] = {}

    @cached_method
    def depth(self, block: Block) -> int:
        """How many coordinates the points have at which BLOCK runs. Raises NotAffine behind a branch."""
        if block is self.entry:
            return 0
        op = block.parent_op()
        if op is None or op.parent is None or block.parent is self.entry.parent:
            raise NotAffine(SEVERAL_BLOCKS)
        return self.depth(op.parent) + self.own(op)

    def own(self, op: Operation) -> int:
        """How many loops OP runs its regions in."""
        body = own_body(op)
        if body is not None:
            return body.loops
        if isinstance(questions.loop(op), While):
            return 1
        return len(inductions(op) or ())

    def around(self, op: Operation) -> int:
        """How many coordinates the points have at which OP runs."""
        assert op.parent is not None
        return self.depth(op.parent)

    def of_value(self, value: SSAValue) -> int:
        """How many coordinates the points have at which VALUE is made."""
        return self.depth(value.block) if isinstance(value, BlockArgument) else self.around(value.owner)  # pyright: ignore[reportArgumentType]

    def value(self, value: SSAValue) -> Expression:
        """The integer VALUE. Raises NotAffine if it is not such a function."""
        if value not in self._known:
            self._known[value] = None  # of what is computed from itself nothing is known
            with suppress(NotAffine):
                self._known[value] = self._found(value)
        known = self._known[value]
        if known is None:
            raise NotAffine("an index is not an affine function of the loops and the arguments")
        return known

    def expression(self, expression: Expression, at: int) -> Expression:
        """EXPRESSION, whose own loops are the coordinates from AT on."""

        def leaf(atom: Atom) -> Expression | None:
            match atom:
                case LoopIndex(position):
                    return loop(at + position)
                case Value():
                    return self.value(atom.value)
                case Dim():
                    return self.size(atom.value, atom.dimension)
                case _:
                    return None

        return substitute(expression, leaf)

    def index(self, index: Sequence[Index], at: int) -> tuple[Expression, ...] | None:
        """INDEX, whose own loops are the coordinates from AT on; None if it is not known."""
        try:
            known = tuple(self.expression(e, at) for e in index if isinstance(e, Expression))
        except NotAffine:
            return None
        return known if len(known) == len(index) else None

    def condition(self, value: SSAValue) -> Condition | None:
        """When the i1 VALUE holds; None if that is not a condition on coordinates and parameters."""
        try:
            stated = questions.condition(value.op) if isinstance(value, OpResult) else None
            if stated is not None:
                return Condition(self.where(stated.true), self.where(stated.false))
            number = self.value(value)
        except NotAffine:
            return None
        return truth(number)

    def where(self, disjunction: Disjunction) -> Disjunction:
        """DISJUNCTION over coordinates; truths in it are put into it. Raises NotAffine."""
        found: list[tuple[Expression, ...]] = [()]
        result: list[tuple[Expression, ...]] = []
        for conjunction in disjunction:
            found = [()]
            for each in conjunction:
                split = self._truth(each)
                parts = ((self.expression(each, 0),),) if split is None else split
                found = [(*before, *part) for before in found for part in parts]
            result += found
        return tuple(result)

    def _truth(self, each: Expression) -> Disjunction | None:
        """When the truth holds, or does not, that is compared with 1 or 0; None if it is not a truth."""
        atom = each.terms[0][0] if len(each.terms) == 1 else None
        if not isinstance(atom, Value) or not isinstance(atom.value, OpResult):
            return None
        split = self.condition(atom.value) if atom.value.type == i1 else None
        if split is None:
            return None
        return split.true if each.terms[0][1] > 0 else split.false

    def size(self, value: SSAValue, dimension: int) -> Expression:
        """The size of VALUE along DIMENSION. Raises NotAffine."""
        kind = value.type
        if isinstance(kind, ShapedType) and kind.get_shape()[dimension] != DYNAMIC_INDEX:
            return constant(kind.get_shape()[dimension])
        if isinstance(value, BlockArgument):
            if value.block is self.entry:
                return parameter(f"a{value.index}_{dimension}")
            return self.size(self._initial(value), dimension)
        assert isinstance(value, OpResult)
        counted = questions.loop(value.op)
        if isinstance(counted, Loop):
            initial = next((c.initial for c in counted.carried if c.result is value), None)
            if initial is not None:
                return self.size(initial, dimension)
        stated = questions.result_sizes(value.op)
        size = None if stated is None else stated[value.index][dimension]
        return self._chosen_size(value, dimension) if size is None else self.expression(size, 0)

    def _chosen_size(self, value: OpResult, dimension: int) -> Expression:
        """The size that all values have that VALUE may be. Raises NotAffine."""
        choices = questions.choices(value.op) or ()
        chosen = choices[value.index] if value.index < len(choices) else ()
        sizes = {self.size(each.value, dimension) for each in chosen}
        if len(sizes) != 1:
            raise NotAffine("a size is not known")
        return sizes.pop()

    def sizes(self, value: SSAValue) -> tuple[Expression, ...]:
        """All sizes of VALUE. Raises NotAffine."""
        rank = len(value.type.get_shape()) if isinstance(value.type, ShapedType) else 0
        return tuple(self.size(value, d) for d in range(rank))

    def _initial(self, argument: BlockArgument) -> SSAValue:
        op = argument.block.parent_op()
        counted = None if op is None else questions.loop(op)
        if isinstance(counted, Loop):
            for carried in counted.carried:
                if carried.argument is argument:
                    return carried.initial
        raise NotAffine("the size of a block's argument")

    def _found(self, value: SSAValue) -> Expression:
        if isinstance(value, BlockArgument):
            return self._argument(value)
        assert isinstance(value, OpResult)
        around = questions.iterates(value.op)
        at = 0 if around is None else self.around(around)
        stated = questions.value_of_result(value) if is_index_like(value) else None
        if stated is None and is_number(value):
            number = questions.constant_fill(value.op)
            stated = constant(number) if isinstance(number, int) else None
        if stated is None:
            raise NotAffine("a number that is data")
        for each in _collecting:
            each[value] = None
        return self.expression(stated, at)

    def _argument(self, value: BlockArgument) -> Expression:
        if value.block is self.entry:
            if not is_number(value):
                raise NotAffine("an argument that is not an integer")
            return parameter(f"a{value.index}")
        op = value.block.parent_op()
        assert op is not None, "a block of the function"
        for k, each in enumerate(inductions(op) or ()):
            if each.variable is value:
                return loop(self.around(op) + k)
        number = self._of_element(value, op)
        if number is None:
            raise NotAffine("an argument of a block")
        return self.expression(number, self.around(op))

    @staticmethod
    def _of_element(argument: BlockArgument, op: Operation) -> Expression | None:
        """The number that an element of an operand of OP is; an output's is another one at each point."""
        body = own_body(op)
        access = None if body is None or argument in body.states else body.arguments.get(argument)
        return number_at(access) if isinstance(access, Access) and rank_of(access.operand) else None


def truth(number: Expression) -> Condition:
    """When a NUMBER that is 0 or else true is that: as an i1 it may be written as -1."""
    return Condition(((number - 1,), (-number - 1,)), ((number, -number),))
