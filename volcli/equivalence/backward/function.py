"""What each result of a function, and each buffer that it is given, is computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import islpy as isl
from xdsl.dialects.ub import UnreachableOp
from xdsl.ir import Attribute, Operation, SSAValue

from volcli.equivalence.backward.backward import Backward, Through, nothing
from volcli.equivalence.paths.ends import Ends, Key, add
from volcli.equivalence.paths.leaves import NUMBER, GlobalMemory, Leaf, LeafKind, constant_leaf, unknown
from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.places import defined
from volcli.equivalence.places.numbers import SEVERAL_BLOCKS
from volcli.equivalence.results.bodies import Live, all_points
from volcli.equivalence.results.constants import truth_or_number
from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, loops, parameter
from volcli.language.interface import operation_name
from volcli.language.memory import Effect, MemoryAccess, is_memref
from volcli.language.reads import element_type, is_number, rank_of
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.stated_effects import effects_of
from volcli.model.symbols import symbol_of
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets import build

NOALIAS = "the arguments are different memory"
"""What is assumed where there are several buffers among the arguments, and some are written."""


@dataclass(frozen=True, eq=False)
class Output:
    """What a function leaves behind in one place: `elements`, and the paths from them to leaves.

    If nothing is known, `because` says why.
    """

    elements: isl.Set | None
    ends: Ends
    because: str | None = None


@dataclass(frozen=True)
class Asked:
    """A result, or an argument, at a position."""

    is_result: bool
    position: int


class FunctionSources:
    """Where the results and the final contents of buffers of FUNCTION come from.

    Each output may cost at most OPERATIONS of isl. Only the loop points of structured operations that are
    LIVE contribute. Paths may be followed only TO_OPERATIONS that compute something, and THROUGH some.
    """

    def __init__(
        self,
        function: Operation,
        operations: int = DEFAULT_OPERATIONS,
        live: Live = all_points,
        *,
        to_operations: bool = False,
        through: Through = nothing,
    ) -> None:
        self.function = function
        self._operations = operations
        self._to_operations = to_operations
        self.backward = Backward(function, live, operations, to_operations=to_operations, through=through)
        self._places = self.backward.places
        self.entry = self._places.numbers.entry
        region = self.entry.parent
        self.is_one_block = region is not None and len(region.blocks) == 1

    @property
    def name(self) -> str:
        """The symbol of the function."""
        return symbol_of(self.function)

    @property
    def results(self) -> tuple[SSAValue, ...]:
        """What the function returns: of several blocks, what the first one does that ends it."""
        blocks = () if self.entry.parent is None else self.entry.parent.blocks
        ends = (each.last_op for each in blocks if each.last_op is not None and not each.last_op.successors)
        last = next((each for each in ends if not isinstance(each, UnreachableOp)), None)
        return () if last is None else tuple(last.operands)

    @property
    def arguments(self) -> tuple[SSAValue, ...]:
        """What it is given."""
        return tuple(self.entry.args)

    def value(self, asked: Asked) -> SSAValue:
        """The value that is asked for."""
        return (self.results if asked.is_result else self.arguments)[asked.position]

    def output(self, asked: Asked) -> Output:
        """What is there in the end."""
        return self.result(asked.position) if asked.is_result else self.argument(asked.position)

    def result(self, position: int) -> Output:
        """The result at POSITION: its elements, or those of the buffer that is returned."""
        value = self.results[position]
        if is_memref(value):
            return self._asked(value, lambda: self._returned(value))
        every = build.relation(rank_of(value), loops(rank_of(value)))
        return self._asked(value, lambda: {value: Paths.of(every)})

    def argument(self, position: int) -> Output:
        """What the buffer that is the argument at POSITION holds in the end."""
        value = self.arguments[position]
        return self._asked(value, lambda: self._returned(value))

    def writes(self, position: int) -> bool:
        """Whether the buffer that is the argument at POSITION may be another one in the end."""
        root = self._places.buffers.root(self.arguments[position])
        because = self.backward.written.doubt(self.function)
        return because is not None or root in self.backward.written(self.function)

    def may_free(self, position: int) -> bool:
        """Whether the buffer that is the argument at POSITION may be freed where it is not known."""
        root, written = self._places.buffers.root(self.arguments[position]), self.backward.written
        return any(written.may_free(op, root) for op in self.function.walk())

    def frees(self, position: int) -> bool:
        """Whether something in the function frees the buffer that is the argument at POSITION."""
        root, written = self._places.buffers.root(self.arguments[position]), self.backward.written
        return any(root in written.freed(op) for op in self.function.walk())

    @property
    def effects(self) -> str | None:
        """What the function may do beside its results and what it leaves in its arguments, if anything."""
        doubt = self.backward.written.doubt(self.function)
        if doubt is not None or not self.is_one_block:
            return doubt or SEVERAL_BLOCKS  # which may be those of a loop that never ends
        if any(root.origin is Origin.GLOBAL for root in self.backward.written(self.function)):
            return "the values of globals after the function are not compared"
        printing = (op for op in self.function.walk() if effects_of(op).prints)
        return next((f"what {operation_name(op)} prints is not compared" for op in printing), None)

    def _returned(self, value: SSAValue) -> Ends:
        rank = rank_of(value)
        sizes = tuple(self._places.numbers.sizes(value))
        whole = MemoryAccess(Effect.READ, value, loops(rank), sizes)
        root, relation = self._places.in_memory(whole, 0)
        return {root: Paths.of(relation)}

    def _asked(self, value: SSAValue, start: Callable[[], Ends]) -> Output:
        """The output VALUE, whose elements have the paths START."""
        try:
            with budget(self._operations):
                if not self.is_one_block:
                    raise NotAffine(SEVERAL_BLOCKS)
                elements = build.box(self._places.numbers.sizes(value))
                begun = {key: paths.beginning(elements) for key, paths in start().items()}
                if self._to_operations:
                    begun = {key: paths.uncounted for key, paths in begun.items()}
                return Output(elements, self.leaves(self.backward.block(self.entry, begun)))
        except NotAffine as error:
            return Output(None, {}, str(error))
        except BudgetExceeded as error:
            return Output(None, {}, error.reason)

    def leaves(self, ends: Ends) -> Ends:
        """ENDS at the beginning of the function as leaves."""
        found: Ends = {}
        for key, paths in ends.items():
            leaf, relation = self._leaf(key)
            add(found, leaf, paths if relation is None else paths.through(relation))
        return {key: paths for key, paths in found.items() if not paths.support.is_empty()}

    def _leaf(self, key: Key) -> tuple[Leaf, isl.Map | None]:
        match key:
            case Leaf():
                return key, None
            case Root(origin=Origin.ARGUMENT):
                return Leaf(LeafKind.INPUT, self._position(key.value), rank_of(key.value)), None
            case Root(origin=Origin.GLOBAL):
                return self._global(key)
            case SSAValue() if key in self.arguments:
                position = self._position(key)
                if is_number(key):
                    return NUMBER, build.relation(0, (parameter(f"a{position}"),))
                return Leaf(LeafKind.INPUT, position, rank_of(key)), None
            case _:
                rank = self._places.rank(key)
                nowhere = isl.Map.from_domain(isl.Set.universe(build.space((), rank)))
                return unknown("a value from outside of the function"), nowhere

    def _position(self, value: SSAValue) -> int:
        return self.arguments.index(value)

    def _global(self, root: Root) -> tuple[Leaf, isl.Map | None]:
        """The elements of a constant, or of a global as they were before the function."""
        rank = rank_of(root.value)
        if (op := self._definition(root.symbol)) is not None:
            number = questions.constant_fill(op)
            if isinstance(number, int):
                number = truth_or_number(number, element_type(root.value.type))
                return NUMBER, build.relation(rank, (Expression((), number),))
            nowhere = isl.Map.from_domain(isl.Set.universe(build.space((), rank)))
            if number is not None:
                return constant_leaf(number, root.value.type), nowhere
            literal = questions.literal(op)
            if literal is not None:
                return Leaf(LeafKind.CONSTANT, literal, rank), None
        return Leaf(LeafKind.INPUT, GlobalMemory(root.symbol, self.initially(root.symbol)), rank), None

    def _definition(self, symbol: str | None) -> Operation | None:
        """The global that is called SYMBOL."""
        module = self.function.get_toplevel_object()
        found = (
            (op for op in module.walk() if symbol_of(op) == symbol) if isinstance(module, Operation) else ()
        )
        return next((op for op in found if questions.literal.answers(type(op))), None)

    def initially(self, symbol: str | None) -> Attribute | None:
        """What the global SYMBOL holds before the first call, as the program states it."""
        op = self._definition(symbol)
        return None if op is None else op.properties.get("initial_value")

    def sizes(self, value: SSAValue) -> tuple[Expression, ...]:
        """The sizes of VALUE. Raises NotAffine."""
        return self._places.numbers.sizes(value)

    @cached_property
    def context(self) -> isl.Set:
        """The parameters that the arguments may be. Raises NotAffine."""
        return defined.possible(self.arguments, self._places.numbers)

    @cached_property
    def fitting(self) -> tuple[defined.Equation, ...]:
        """What the function's operations need of sizes, in words."""
        return tuple(dict.fromkeys(defined.fitting(self.entry, self._places.numbers)))

    @cached_property
    def needs(self) -> defined.Needs:
        """For which parameters its operations are defined."""
        return defined.needs(self.entry, self._places.numbers)

    def assumptions(self) -> tuple[str, ...]:
        """What is assumed of memory."""
        buffers = [value for value in self.arguments if is_memref(value)]
        found: list[str] = []
        if len(buffers) > 1 and any(self.writes(self._position(value)) for value in buffers):
            found.append(NOALIAS)
        if any(layout_of(value.type).assumed for value in buffers):
            found.append("the layouts of arguments are injective")
        return tuple(found)
