"""One function under analysis: its store, relations, element facts and names, each made when first asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsolatedFromAbove, IsTerminator

from volcli import questions
from volcli.model.bounds.assuming import Assuming
from volcli.model.bounds.assumptions import Assumption, stated
from volcli.model.bounds.resolution import Resolution
from volcli.model.bounds.store import BoundsStore
from volcli.model.dimension_names import dimension_names
from volcli.model.element_map import ElementMaps, Use
from volcli.model.memory.model import Memory
from volcli.model.relations import Relations
from volcli.model.sizes import Parameters, Sizes
from volcli.model.sparsity import ElementFlow
from volcli.model.symbols import symbol_of
from volcli.model.volume import Volume
from volcli.presburger.budget import DEFAULT_OPERATIONS
from volcli.reads import rank_of


class FunctionModel:
    """What the analyses of one function share, so that each thing is computed once.

    A question about bounds or memory may cost so many OPERATIONS of isl. Unless it is CONDITIONAL, sizes rest
    on no assumption and no assertion.
    """

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        assumptions: Sequence[Assumption] = (),
        operations: int = DEFAULT_OPERATIONS,
        *,
        conditional: bool = True,
    ) -> None:
        self.operations = operations
        self._conditional = conditional
        self.function = function
        self.name_of = name_of
        self.assumptions = assumptions

    @property
    def name(self) -> str:
        """The function's symbol, or the operation's name if it has none."""
        return symbol_of(self.function)

    @cached_property
    def resolution(self) -> Resolution:
        return Resolution(self.function, self.name_of, lambda: self.assuming, assertions=self._conditional)

    @cached_property
    def _parameters(self) -> Parameters:
        return Parameters(self.resolution)

    @cached_property
    def shapes(self) -> Sizes:
        """The sizes of each value as they are known where it is made."""
        return Sizes(self.resolution, self._parameters)

    @cached_property
    def store(self) -> Sizes:
        """The sizes of all values as they are known at the end of the function."""
        return Sizes(self.resolution, self._parameters, self.resolution.last)

    @cached_property
    def relations(self) -> Relations:
        return Relations(self.store)

    @cached_property
    def assuming(self) -> Assuming:
        """The bounds, with the assumptions that each answer needed: those given, and of the attributes."""
        given = (*stated(self.function, self.name_of), *self.assumptions) if self._conditional else ()
        return Assuming(self.function, self.name_of, given, self.operations)

    @property
    def bounds(self) -> BoundsStore:
        return self.assuming.store

    @cached_property
    def memory(self) -> Memory:
        return Memory(self.bounds, operations=self.operations)

    @cached_property
    def flow(self) -> ElementFlow:
        return ElementFlow(self.store, self.relations)

    @cached_property
    def maps(self) -> ElementMaps:
        return ElementMaps(self.store, self.relations)

    @cached_property
    def dimension_names(self) -> Mapping[SSAValue, tuple[str, ...]]:
        return dimension_names(self.store, self.relations)

    def names_of_dimensions(self, value: SSAValue) -> tuple[str, ...]:
        """The dimension names of VALUE: the iterators' where they are known, else d0, d1, ..."""
        return self.dimension_names.get(value) or tuple(f"d{d}" for d in range(rank_of(value)))

    def volume(self, value: SSAValue) -> Volume:
        """VALUE as a volume, for the parameter values that are possible."""
        domain = self.store.domain(value).intersect_params(self.store.context())
        return Volume(self.maps.volume_name(Use(value)), self.names_of_dimensions(value), domain)

    @property
    def has_control_flow(self) -> bool:
        """Whether the function has several blocks: then it is not a program of IMPACT 2023, section 4.3."""
        return len(self.resolution.blocks) > 1

    def results(self) -> list[SSAValue]:
        """The values that the function returns (its live-outs), each once."""
        found: dict[SSAValue, None] = {}
        for block in self.resolution.blocks:
            last = block.last_op
            if last is not None and last.has_trait(IsTerminator) and not last.successors:
                found.update(dict.fromkeys(last.operands))
        return list(found)

    def values(self) -> Iterator[SSAValue]:
        """All values of the function's blocks, not those of nested regions."""
        for block in self.resolution.blocks:
            yield from block.args
            for op in block.ops:
                yield from op.results

    def owns(self, value: SSAValue) -> bool:
        """Whether VALUE is one of `values`."""
        if isinstance(value, BlockArgument):
            return any(value.block is block for block in self.resolution.blocks)
        return isinstance(value, OpResult) and any(
            value.op.parent is block for block in self.resolution.blocks
        )


def functions(module: ModuleOp) -> Iterator[Operation]:
    """The operations with a body directly in MODULE, or in modules inside it.

    Loops and branches that stand in a module are no functions, whose arguments any caller would choose: if a
    module has no function, it is the one that they are in. Beside functions nothing is said of them (see
    `beside_functions`).
    """
    loose = {op for op in module.body.ops if _is_loop_or_branch(op)}
    if loose and not _has_functions(module):
        yield module
        return
    for op in module.body.ops:
        if op in loose:
            continue
        if isinstance(op, ModuleOp):
            yield from functions(op)
        elif any(region.blocks for region in op.regions):
            yield op


def beside_functions(module: ModuleOp) -> Iterator[Operation]:
    """The loops and branches that stand beside functions in MODULE, or in modules inside it."""
    for op in module.body.ops:
        if isinstance(op, ModuleOp):
            yield from beside_functions(op)
        elif _is_loop_or_branch(op) and _has_functions(module):
            yield op


def _has_functions(module: ModuleOp) -> bool:
    return any(op.has_trait(IsolatedFromAbove) for op in module.body.ops)


def _is_loop_or_branch(op: Operation) -> bool:
    kind = type(op)
    return bool(op.regions) and (questions.loop.answers(kind) or questions.guards.answers(kind))
