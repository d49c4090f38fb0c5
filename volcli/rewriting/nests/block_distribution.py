"""Block distribution of a loop over processors: each of them runs neighbouring iterations.

Of n iterations, numbered from 0, processor q of p runs those from b * q to b * q + b - 1, with blocks of
b = ceil(n / p): all of them, for p * b >= n, and each once. The last processors may have fewer, or none.

    for %i = 0 to 10, p = 4:  b = 3, the processors run 0-2, 3-5, 6-8 and 9

Source: P. Suriana (2016), chapter 1 (figure 1-2), where the size of a block is given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue

from volcli.language.expressions import (
    Expression,
    NotAffine,
    Parameter,
    constant,
    expression_of_atom,
    value_of,
)
from volcli.limits import rewriting as limits
from volcli.model.memory.buffers.nests import LoopLevels
from volcli.model.values.store.store import BoundsStore
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.index_code import IndexCode
from volcli.rewriting.code.loop_code import PARALLEL, loop_operation
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.nests.carried_values import check_carried
from volcli.rewriting.nests.loop_trees import Computed, Node, TiledStatement, TreeLoop
from volcli.rewriting.nests.scanned_trees import JoinedBounds, Planned
from volcli.rewriting.nests.tree_code import TreeCode, names_of_loops, steps_of
from volcli.rewriting.nests.tree_making import tree_of
from volcli.symbolic.context import Context
from volcli.symbolic.fourier_motzkin import coefficient
from volcli.symbolic.scanning import Quotient


@dataclass
class BlockDistribution:
    """Makes loops over processors in the place of others; NESTS and BOUNDS are those of their function."""

    changes: Changes
    nests: LoopLevels
    bounds: BoundsStore

    def distribute(self, op: Operation, processors: SSAValue, kind: str) -> None:
        """The loop OP in blocks, one for each of PROCESSORS, in a loop of this KIND.

        Raises NotAffine, before anything is changed, if that is not possible.
        """
        tree = tree_of(op, (), self.nests, self.bounds)
        check_carried(tree)
        if tree.makers:
            raise NotAffine("it combines a value, and processors would have a part of it each")
        plan = _as_written(tree, Context(fact for each in tree.steps for fact in each.facts))
        assert plan.bounds is not None
        builder = self.changes.before(op)
        index = IndexCode(builder)
        steps = steps_of(tree, builder, index, self.bounds)
        results = [each.initial for each in tree.cells]
        code = TreeCode(self.changes, index, names_of_loops(self.changes, tree), cells=results)
        count = self._count(builder, index, processors)
        first, end = (
            constant(0) if side is index.constant(0) else value_of(side)
            for side in (
                index.lower(builder, plan.bounds.lower, steps),
                index.end(builder, plan.bounds.upper, steps),
            )
        )
        number = builder.make("arith.maxsi", [index.number(builder, end - first, {}), index.constant(0)])
        known = self.bounds.constant_bounds(processors)
        size_is_known = (end - first).is_constant and known.lower == known.upper is not None
        size = builder.make("arith.ceildivsi", [number, count], called="block")
        block, processor, inside = loop_block(builder, "processor")
        with index.block():
            begin = value_of(size) * value_of(processor)
            own: list[Expression] = []
            for form in (begin, begin + value_of(size)):
                before = inside.make("arith.minsi", [index.number(inside, form, {}), number])
                own.append(first + value_of(before))
            code.put(inside, replace(plan, bounds=_between(tree.variable, *own)), steps)
        operands = [index.constant(0), count, index.constant(1)]
        made = loop_operation(builder, inside, kind, operands, Region([block]))
        if kind == PARALLEL:
            self.changes.without_order(
                [made], because=None if size_is_known else "the size of blocks is a value"
            )
        self.changes.replace(op, results)

    def _count(self, builder: Builder, index: IndexCode, processors: SSAValue) -> SSAValue:
        """PROCESSORS, at least 1 and at most as many as fit."""
        known = self.bounds.constant_bounds(processors)
        if known.lower is None or known.lower < 1:
            processors = builder.make("arith.maxsi", [processors, index.constant(1)])
        if known.upper is None or known.upper > limits.PROCESSORS:
            processors = builder.make("arith.minsi", [processors, index.constant(limits.PROCESSORS)])
        return processors


def loop_block(builder: Builder, name: str) -> tuple[Block, SSAValue, Builder]:
    """The block of a loop over what is called NAME, that variable, and a builder in it."""
    block = Block(arg_types=[IndexType()])
    block.args[0].name_hint = name
    return block, block.args[0], builder.inside(block)


def _between(variable: Parameter, first: Expression, end: Expression) -> JoinedBounds:
    return JoinedBounds(variable, ((Quotient(first, constant(1)),),), ((Quotient(end - 1, constant(1)),),))


def _as_written(node: TreeLoop, known: Context) -> Planned:
    """The loop NODE with its own bounds, around what it is around; steps are KNOWN to be positive."""
    return Planned((), _own_bounds(node, known), node, tuple(_run(each, known) for each in node.body))


def _run(node: Node, known: Context) -> Planned:
    match node:
        case TreeLoop():
            return _as_written(node, known)
        case TiledStatement() | Computed():
            return Planned((), run=node)


def _own_bounds(node: TreeLoop, known: Context) -> JoinedBounds:
    """What the inequalities of NODE say of its variable: c * v + r >= 0 with a constant c, or a step."""
    here = expression_of_atom(node.variable)
    lower: list[Quotient] = []
    upper: list[Quotient] = []
    for each in node.inequalities:
        factor = coefficient(each, node.variable)
        rest = each - factor * here
        if known.proves(factor - 1):
            lower.append(Quotient(-rest, factor))
        else:
            upper.append(Quotient(rest, -factor))
    return JoinedBounds(node.variable, (tuple(lower),), (tuple(upper),))
