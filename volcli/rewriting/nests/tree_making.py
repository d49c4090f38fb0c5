"""Trees of loops as they are made of the program's: which loops and statements, with which bounds.

    for %i = 0 to %n step %s { store }      i = s * k,  k >= 0,  s * k < n,  s >= 1: the parameter max(%s, 1)

A loop of the affine dialect that carries values, and that no tiling is over, stays inside of its statement.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Maximum,
    Minimum,
    Monomial,
    NotAffine,
    Parameter,
    Value,
    constant,
    expression_of_atom,
    substitute,
)
from volcli.language.interface import operation_name
from volcli.language.programs.known_loops import counted_loop
from volcli.limits import rewriting as limits
from volcli.model.memory.buffers.nests import Level, LoopLevels
from volcli.model.stated_effects import only_computes
from volcli.model.values.store.store import BoundsStore
from volcli.rewriting.nests.affine_operations import check_inside
from volcli.rewriting.nests.loop_trees import Computed, Node, TiledStatement, TreeLoop, TreeStep
from volcli.symbolic.floors import at_least, below, parts

_CAST = range(2, 65)
"""Widths whose numbers arith.index_cast keeps: the one of an i1 would be -1."""
_MAY_TRAP = ("div", "rem")


def tree_of(
    root: Operation,
    wanted: Collection[SSAValue],
    nests: LoopLevels,
    bounds: BoundsStore,
) -> TreeLoop:
    """The loop ROOT, with all loops inside over WANTED variables, or with such inside.

    Loops of the affine dialect are in it, too, if they carry nothing. Raises NotAffine if they are no
    system of linear inequalities.
    """

    def folded(expression: Expression) -> Expression:
        known = bounds.definitions.resolve(expression)
        if known.is_constant:
            return known
        for _ in range(limits.BOUND_DEPTH):
            before, expression = expression, substitute(expression, linear)
            if expression == before:
                break
        return expression

    def linear(atom: Atom) -> Expression | None:
        if not isinstance(atom, Value) or not isinstance(atom.value.owner, Operation):
            return None
        if not root.is_ancestor(atom.value.owner):
            return None
        found = bounds.definitions.linear(atom)
        if found.single_atom != atom:
            return found
        made = bounds.definitions.definition(atom).expression
        is_known = made is not None and isinstance(made.single_atom, Minimum | Maximum | Monomial)
        return made if is_known else None

    tree = _Trees(nests.of_operation, folded).tree(root, wanted)
    forms = [each for loop in tree.loops for each in loop.inequalities]
    forms += [each.number for each in tree.steps]
    for atom in (atom for form in forms for atom in form.atoms()):
        if isinstance(atom, Value | Dim) and root.is_ancestor(atom.value.owner):
            raise NotAffine("a bound is computed between the loops")
    return tree


@dataclass
class _Trees:
    """Makes trees. LEVELS are the loops that an operation is; FOLDED is what is known of an expression."""

    levels: Callable[[Operation], Sequence[Level]]
    folded: Callable[[Expression], Expression]
    _count: int = 0
    _steps: dict[Expression, TreeStep] = field(default_factory=dict[Expression, TreeStep])

    def tree(self, root: Operation, wanted: Collection[SSAValue]) -> TreeLoop:
        """The loop ROOT, and those of the tree inside."""
        return self._loop(root, wanted, (), {})

    def _loop(
        self,
        op: Operation,
        wanted: Collection[SSAValue],
        around: tuple[TreeLoop, ...],
        known: dict[Atom, Expression],
    ) -> TreeLoop:
        levels, form = self.levels(op), counted_loop(op)
        if form is None or len(op.regions) != 1:
            raise NotAffine(f"'{operation_name(op)}' is not a counted loop with one region")
        if [each.result for each in form.carried_in_order] != list(op.results):
            raise NotAffine(f"'{operation_name(op)}' has results that no iteration passes on")
        made: list[TreeLoop] = []
        for level in levels:
            loop, known = self._header(level, known)
            known = {**known, Value(loop.induction_variable): loop.value}
            made.append(loop)
        innermost = made[-1]
        innermost.carried = form.carried_in_order
        innermost.elements = tuple((e.element, e.yielded) for e in form.reduced if e.element is not None)
        operations = [*list(op.regions[0].block.ops)[:-1], *_combining(innermost)]
        innermost.body = tuple(self._nodes(operations, wanted, (*around, *made), known))
        for outer, inner in pairwise(made):
            outer.body = (inner,)
        return made[0]

    def _nodes(
        self,
        operations: Sequence[Operation],
        wanted: Collection[SSAValue],
        around: tuple[TreeLoop, ...],
        known: dict[Atom, Expression],
    ) -> Iterator[Node]:
        """What stands in one block, in its order."""
        loops = {op for op in operations if self._is_in_tree(op, wanted)}
        carried = list(enumerate(around[-1].carried))
        if not loops:
            check_inside(operations)
            makes = tuple(k for k, each in carried if each.yielded is not each.argument)
            if operations or makes:
                yield TiledStatement(tuple(operations), around, makes)
            return
        if around[-1].elements:
            raise NotAffine("what a loop without an order combines is made in and after loops in it")
        pending: list[Operation] = []
        for op in operations:
            if op in loops:
                yield from _statement(pending, around)
                pending = []
                yield self._loop(op, wanted, around, known)
            elif _is_free(op, around[-1]) and not any(value.owner in pending for value in op.operands):
                check_inside((op,))
                yield Computed((op,))
            else:
                pending.append(op)
        yield from _statement(pending, around)

    def _is_in_tree(self, op: Operation, wanted: Collection[SSAValue]) -> bool:
        """Whether OP is a loop that is made anew."""
        levels = self.levels(op)
        if not levels:
            return False
        if operation_name(op).startswith("affine.") and not op.results:
            return True
        return any(level.variable in wanted for inner in op.walk() for level in self.levels(inner))

    def _header(self, level: Level, known: dict[Atom, Expression]) -> tuple[TreeLoop, dict[Atom, Expression]]:
        """The loop LEVEL without a body, and what is KNOWN of it and inside: its step is positive there."""
        induction = level.induction
        if induction is None:
            raise NotAffine(level.because or "the iterations of a loop are not counted")
        kind = level.variable.type if level.variable is not None else None
        if isinstance(kind, IntegerType) and kind.bitwidth not in _CAST:
            raise NotAffine(f"it is over {kind}, which is not cast to index without loss")
        variable = Parameter(f"i{self._count}")
        self._count += 1
        step, made = self.folded(induction.step), None
        if not step.is_constant:
            made = TreeStep(Parameter(f"bs{len(self._steps)}"), step)
            made = self._steps.setdefault(step, made)
            known = {**known, **({atom: made.facts[0] + 1} if (atom := step.single_atom) is not None else {})}
            step = expression_of_atom(made.parameter)
        lower = [f for e in induction.lower for f in parts(substitute(self.folded(e), known.get), Maximum)]
        upper = [f for e in induction.upper for f in parts(substitute(self.folded(e), known.get), Minimum)]
        value = _value(step, variable, lower)
        first = (
            [at_least(value, each) for each in lower]
            if step == constant(1)
            else [expression_of_atom(variable)]
        )
        inequalities = (*first, *(below(value, each) for each in upper))
        return TreeLoop(level, variable, value, inequalities, made), known


def _combining(loop: TreeLoop) -> Iterator[Operation]:
    """The operations of the regions that combine what iterations of LOOP yield."""
    if loop.elements:
        for region in loop.end.regions:
            yield from list(region.block.ops)[:-1]


def _value(step: Expression, variable: Parameter, lower: Sequence[Expression]) -> Expression:
    """The induction variable: VARIABLE itself, or the first value and so many times STEP."""
    if step == constant(1):
        return expression_of_atom(variable)
    if len(lower) != 1:
        raise NotAffine("a loop with a step begins at a maximum")
    return lower[0] + step * expression_of_atom(variable)


# -- statements ------------------------------------------------------------------------------------------


def _statement(operations: Sequence[Operation], around: tuple[TreeLoop, ...]) -> Iterator[TiledStatement]:
    """OPERATIONS as a statement, if there are any. Raises NotAffine if others use what it makes."""
    if not operations:
        return
    check_inside(operations)
    own, last = set(operations), around[-1].end
    for op in operations:
        for use in (use for result in op.results for use in result.uses):
            if use.operation is not last and not any(each.is_ancestor(use.operation) for each in own):
                raise NotAffine(f"what '{operation_name(op)}' makes is used in a loop after it")
    carried = enumerate(around[-1].carried)
    makes = tuple(k for k, each in carried if each.yielded.owner in own)
    yield TiledStatement(tuple(operations), around, makes)


def _is_free(op: Operation, around: TreeLoop) -> bool:
    """Whether OP may run at any time: it computes, has no regions, divides by nothing, and is not carried."""
    name = operation_name(op)
    chain = {value for each in around.carried for value in (each.argument, each.yielded)}
    if op.regions or not chain.isdisjoint((*op.operands, *op.results)):
        return False
    return only_computes(op) and not any(each in name for each in _MAY_TRAP)
