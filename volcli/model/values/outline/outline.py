"""The outline of a function: what each of its operations says alone, whatever is asked of it.

Which operations may end the execution, assert or demand something, and which values are large: all that is
written in the operations themselves. It is found once, and all stores of the function share it. A store that
looks at few values, those after a bound that is reified, then costs as much as these do, and not as much as
the function.

An outline is of the operations that there were when it was made, but for those taken out since then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ShapedType
from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, Mod, NotAffine, Value, has_product
from volcli.language.loops import Loop, While
from volcli.language.programs.known_loops import is_while, known_loop
from volcli.language.reads import is_number
from volcli.language.unchanged import cached_method, once, operations_in
from volcli.limits.widths import ALL_BITS, GREATEST, HALF, LARGE
from volcli.model.symbols import entry_of
from volcli.model.values.outline.called import asserting_calls
from volcli.model.values.outline.calls import multiplies_inside
from volcli.model.values.outline.congruence import Congruence
from volcli.model.values.outline.growth import Growth
from volcli.model.values.outline.poison import Poison, handed_on
from volcli.model.values.terms.numbering import Numbering, Segments
from volcli.model.values.terms.requirements import (
    Requirement,
    is_event,
    may_be_undefined,
    may_end,
    requirements,
    stated_sizes,
)
from volcli.model.values.terms.unwritten import Unwritten
from volcli.model.values.terms.variables import Variable, is_wide, own, variables_of, width_of


class Outline:
    """The operations of FUNCTION, whose values `name_of` names, by what they say."""

    def __init__(self, function: Operation, name_of: Callable[[SSAValue], str]) -> None:
        self.function = function
        self.numbering = Numbering(function)
        self._name_of = name_of
        self._values: dict[OpResult, Expression | NotAffine | None] = {}

    # -- values ----------------------------------------------------------------------------------------

    def value(self, result: OpResult) -> Expression | None:
        """What its operation says of an index or integer RESULT; in its wrapping form if it has one."""
        if result not in self._values:
            try:
                self._values[result] = _value(result)
            except NotAffine as error:
                self._values[result] = error
        found = self._values[result]
        if isinstance(found, NotAffine):
            raise found
        return found

    @cached_method
    def sizes(self, op: Operation) -> Sequence[questions.Sizes]:
        """What OP says of its results' sizes."""
        return stated_sizes(op)

    @cached_property
    def large(self) -> frozenset[SSAValue]:
        """What is large of itself, and all of 64 bits that is computed from it."""
        operations = operations_in(self.function)
        found: list[SSAValue] = [r for op in operations for r in op.results if self._is_large(r)]
        found += [variable for loop in self._loops for variable in _large_inductions(loop)]
        return _computed_from(found)

    @cached_property
    def _loops(self) -> list[Loop | While]:
        """The loops of the function."""
        loops = map(known_loop, operations_in(self.function))
        return [loop for loop in loops if loop is not None]

    def width_facts(self, variable: Variable) -> tuple[Expression, ...]:
        """That VARIABLE has 64 bits, where something reads its bits: `-1` as `2^64 - 1`, and 2^64 as 0.

        Elsewhere nothing is said of numbers of 64 bits: they are small enough for what is computed of them.
        """
        if isinstance(variable, Dim):
            return (GREATEST - own(variable),) if self._unsigned else ()
        if variable.value not in self._unsigned or not is_wide(variable.value.type):
            return ()
        return own(variable) + HALF, GREATEST - own(variable)

    @cached_property
    def _unsigned(self) -> frozenset[SSAValue]:
        """Numbers of 64 bits that are read without a sign, and those that they are computed from."""
        found = dict.fromkeys(value for op in operations_in(self.function) for value in self._read(op))
        pending = list(found)
        while pending:
            new = [each for each in dict.fromkeys(_sources(pending.pop())) if each not in found]
            found.update(dict.fromkeys(new))
            pending += new
        return frozenset(found)

    def _read(self, op: Operation) -> Iterator[SSAValue]:
        """The numbers of 64 bits whose remainders by 2^64 are in what OP says of its results, or more."""
        wide = (result for result in op.results if is_wide(result.type))
        for result, kind in zip(op.results, op.result_types, strict=True):
            if isinstance(kind, IntegerType) and width_of(kind) > 64:
                said = self.said_of(result)
                yield from (v.value for e in said for v in variables_of(e) if isinstance(v, Value))
        for expression in (e for result in wide for e in self.said_of(result)):
            for atom in expression.atoms():
                if isinstance(atom, Mod) and atom.divisor == ALL_BITS and not _is_signed(atom):
                    yield from (v.value for v in variables_of(atom.numerator) if isinstance(v, Value))

    @cached_property
    def outgrowing(self) -> frozenset[SSAValue]:
        """What may be large: that, products, and what is multiplied around loops; with what follows."""
        results = (r for op in operations_in(self.function) for r in op.results if is_wide(r.type))
        found = [r for r in results if self._is_fast(r) or any(map(has_product, self.said_of(r)))]
        return self.large | _computed_from(found)

    @cached_property
    def multiplies(self) -> bool:
        """Whether some operation multiplies, divides, or goes in steps of, values: they may be variables."""
        if any(map(_has_steps, self._loops)):
            return True
        return any(map(self._is_multiplying, operations_in(self.function)))

    def _is_multiplying(self, op: Operation) -> bool:
        if op is self.function:
            return False
        if any(has_product(e) for r in op.results for e in self.said_of(r)):
            return True
        if any(has_product(e) for sizes in self.sizes(op) for e in sizes if e is not None):
            return True
        return questions.determined.answers(type(op)) and any(map(self._is_undetermined, op.results))

    def _is_undetermined(self, result: OpResult) -> bool:
        try:
            return self.value(result) is None
        except NotAffine:
            return True

    @cached_property
    def growth(self) -> Growth:
        """What grows exponentially around the loops of the function."""
        return Growth(self._loops, self.numbering, self.value)

    def _is_fast(self, value: SSAValue) -> bool:
        return bool(self._loops) and self.growth.is_fast(value)

    def _is_large(self, result: OpResult) -> bool:
        """Whether RESULT may be large for small operands: what is unsigned, widened, or a large constant."""
        return is_wide(result.type) and any(map(_speaks_of_large, self.said_of(result)))

    def said_of(self, result: OpResult) -> list[Expression]:
        """What its operation says of RESULT: what it is, or else in which cases it lies between what."""
        try:
            stated = self.value(result)
            if stated is not None:
                return [stated]
            cases = questions.value_cases(result.op)
            return [] if cases is None else [e for conjunction in cases[result.index] for e in conjunction]
        except NotAffine:
            return []

    @cached_property
    def congruence(self) -> Congruence:
        """The classes of variables that are equal because they are computed alike."""
        return Congruence(self.function, self.value, self.sizes, lambda: self.unwritten)

    @cached_property
    def unwritten(self) -> Unwritten:
        """What may have written the elements of arguments before they are read."""
        return Unwritten(self.function)

    # -- operations ------------------------------------------------------------------------------------

    @cached_property
    def is_straight(self) -> bool:
        """Whether the operations of the function run one after the other: in one block, and once."""
        inside = (op for op in operations_in(self.function) if op is not self.function)
        return len(self.function.regions[0].blocks) == 1 and not any(op.regions for op in inside)

    @cached_property
    def segments(self) -> Segments:
        """The parts of the function between the operations of the first block that may end the execution."""
        ops = entry_of(self.function).ops
        ends = [self.numbering.place(op) for op in ops if any(map(may_end, operations_in(op)))]
        return Segments(self.function, self.numbering, ends)

    def last_in_each_call(self) -> Operation | None:
        """The last operation of the first block that runs in each call: the first at which one may end."""
        return once("last in each call", self.function, self._last_in_each_call)

    def _last_in_each_call(self, function: Operation) -> Operation | None:
        ops = entry_of(function).ops
        ends = self.segments.ends
        if not ends:
            return ops.last
        certain = [op for op in ops if self.numbering.place(op) <= ends[0]]
        return certain[-1] if certain else None

    @cached_property
    def eventful(self) -> dict[Block, list[Operation]]:
        """Of each block, the operations that assert something inside, or run until something holds."""
        found: dict[Block, dict[Operation, None]] = defaultdict(dict)
        for op in operations_in(self.function):
            if not self.is_event(op):
                continue
            around = op if self.is_around_itself(op) else op.parent_op()
            while around is not None and around is not self.function:
                if around.parent is not None:
                    found[around.parent][around] = None
                around = around.parent_op()
        return {block: list(ops) for block, ops in found.items()}

    def is_event(self, op: Operation) -> bool:
        """Whether OP asserts something, itself or by what it calls, or goes on until something holds.

        A division does where it may be undefined.
        """
        return is_event(op) or op in self.asserting_calls or may_be_undefined(op) or self.poison.decides(op)

    def is_around_itself(self, op: Operation) -> bool:
        """Whether the event OP itself says what holds after it: a loop that ended, a call that returned."""
        return is_while(op) or op in self.asserting_calls

    @cached_property
    def asserting_calls(self) -> frozenset[Operation]:
        """The operations that call a function which asserts something."""
        return asserting_calls(self.function) if self._calls else frozenset()

    @cached_property
    def multiplying_calls(self) -> frozenset[Operation]:
        """The operations that call a function in which numbers of 64 bits are multiplied."""
        return frozenset(filter(multiplies_inside, self._calls))

    @cached_property
    def _calls(self) -> list[Operation]:
        """The operations that call a function whose body is seen."""
        return [op for op in operations_in(self.function) if questions.callee(op) is not None]

    def requiring(self) -> Iterator[tuple[Operation, Sequence[Requirement]]]:
        """The operations that require sizes to be equal, and what they require."""
        return ((op, required) for op, required in self._requiring if op.parent is not None)

    @cached_property
    def _requiring(self) -> list[tuple[Operation, Sequence[Requirement]]]:
        inside = (op for op in operations_in(self.function) if op is not self.function)
        found = ((op, list(requirements(op, self._name_of, self.sizes))) for op in inside)
        return [(op, required) for op, required in found if required]

    def demanding(self) -> Iterator[Operation]:
        """The operations that assert or demand something, or make something of a dynamic size."""
        return (op for op in self._demanding if op.parent is not None)

    @cached_property
    def _demanding(self) -> list[Operation]:
        inside = (op for op in operations_in(self.function) if op is not self.function)
        return [op for op in inside if _demands(op) or self.poison.decides(op)]

    @cached_property
    def poison(self) -> Poison:
        """Which values may be poison, and what is undefined then."""
        return Poison(self.function)


def _value(result: OpResult) -> Expression | None:
    kind = result.type
    if not is_number(kind):
        return None
    is_exact = isinstance(kind, IndexType) or width_of(kind) in (1, 64)
    stated = questions.value_of_result(result) if is_exact else None
    return stated if stated is not None else questions.wrapped_value(result.op)


def _demands(op: Operation) -> bool:
    kind = type(op)
    if questions.assumptions.answers(kind) or questions.demands.answers(kind):
        return True
    shapes = (r.type.get_shape() for r in op.results if isinstance(r.type, ShapedType))
    return any(DYNAMIC_INDEX in shape for shape in shapes)


def _computed_from(values: Sequence[SSAValue]) -> frozenset[SSAValue]:
    """VALUES, and all of 64 bits that is computed from them."""
    stack = list(values)
    met = set(stack)
    while stack:
        uses = stack.pop().uses
        new = {each for use in uses for each in handed_on(use.operation) if is_wide(each.type)}
        stack += new - met
        met |= new
    return frozenset(met)


def _is_signed(remainder: Mod) -> bool:
    """Whether it is part of `(x + 2^63) mod 2^64 - 2^63`, what is left of x in 64 bits: mostly x."""
    return remainder.numerator.constant % ALL_BITS == HALF


def _sources(value: SSAValue) -> Iterator[SSAValue]:
    """The numbers of 64 bits that VALUE is computed from, or that its loop or branch hands on to it."""
    op = value.op if isinstance(value, OpResult) else value.owner.parent_op()
    if op is None:
        return
    yield from (each for each in op.operands if is_wide(each.type))
    for region in op.regions:
        for block in region.blocks:
            if block.last_op is not None:
                yield from (each for each in block.last_op.operands if is_wide(each.type))


def _large_inductions(loop: Loop | While) -> Iterator[SSAValue]:
    """The variables of LOOP that run up, or from, a large number that it states itself."""
    for each in loop.inductions if isinstance(loop, Loop) else ():
        if any(map(_speaks_of_large, (*each.lower, *each.upper, each.step))):
            yield each.variable


def _has_steps(loop: Loop | While) -> bool:
    """Whether LOOP goes in steps that are values."""
    return isinstance(loop, Loop) and any(not each.step.is_constant for each in loop.inductions)


def _speaks_of_large(number: Expression) -> bool:
    atoms = set(number.atoms())
    if abs(number.constant) >= LARGE or any(isinstance(a, Mod) and a.divisor > LARGE for a in atoms):
        return True
    kinds = (atom.value.type for atom in atoms if isinstance(atom, Value))
    return any(isinstance(kind, IntegerType) and 32 <= width_of(kind) < 64 for kind in kinds)
