"""Loops in one another as a tree: what is run in which of them, in which order.

    for %i {                    loop i: [ statement 1, loop j: [ statement 2 ] ]
      store %s[%i]
      for %j { store %m[%i, %j] }
    }

A *statement* is a sequence of operations of one block that run together. What only computes a number, of
none that a statement makes, may run at any time: it stands beside the statements and does not belong to one.
A loop with the step 1 is its variable, `lower <= i < upper`; one with another step s is `i = lower + s * k`
with a variable k >= 0. A step that is a value is a parameter, max(s, 1): no program runs a loop whose step is
less. A bound `e floordiv c` is linear, multiplied by c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import Expression, Parameter, expression_of_atom
from volcli.language.loops import Carried
from volcli.model.memory.buffers.nests import Level


@dataclass(frozen=True, eq=False)
class Computed:
    """Operations that may run at any time, and as often as one likes."""

    operations: tuple[Operation, ...]


@dataclass(frozen=True, eq=False)
class TiledStatement:
    """Operations that run together, in each iteration of the loops `around` them, outermost first.

    They make the values at the positions `makes` of those that the innermost loop carries.
    """

    operations: tuple[Operation, ...]
    around: tuple[TreeLoop, ...]
    makes: tuple[int, ...] = ()


@dataclass(frozen=True)
class TreeStep:
    """The `parameter` that stands for max(`number`, 1), the step of loops."""

    parameter: Parameter
    number: Expression

    @property
    def facts(self) -> tuple[Expression, ...]:
        """What is known of it, each at least 0."""
        form = expression_of_atom(self.parameter)
        return form - 1, form - self.number


@dataclass(eq=False)
class TreeLoop:
    """A loop: its `variable` counts, its induction variable is `value`, and `inequalities` are >= 0.

    What it has `carried` from one iteration to the next is in the order of its results. An operation with
    several variables is a loop in a loop. What has no order runs in one: a value that it combines is carried.
    `elements` are what the combining regions call an iteration's values, and these.
    """

    level: Level
    variable: Parameter
    value: Expression
    inequalities: tuple[Expression, ...]
    step: TreeStep | None = None
    carried: tuple[Carried, ...] = ()
    elements: tuple[tuple[SSAValue, SSAValue], ...] = ()
    body: tuple[Node, ...] = ()

    @property
    def steps(self) -> tuple[TreeStep, ...]:
        """The steps that are values, of this loop and of those inside, each once."""
        return tuple(dict.fromkeys(each.step for each in self.loops if each.step is not None))

    @property
    def induction_variable(self) -> SSAValue:
        found = self.level.variable
        assert found is not None
        return found

    @property
    def statements(self) -> tuple[TiledStatement, ...]:
        """All that run inside."""
        return tuple(statement for node in self.body for statement in statements_of(node))

    @property
    def end(self) -> Operation:
        """What ends its body, and yields what it carries."""
        found = self.level.op.regions[0].block.last_op
        assert found is not None
        return found

    @property
    def cells(self) -> tuple[Carried, ...]:
        """What its operation carries: the innermost loop has it, of an operation that is several."""
        inner = next((node for node in self.body if isinstance(node, TreeLoop)), None)
        is_same = inner is not None and inner.level.op is self.level.op
        return inner.cells if inner is not None and is_same else self.carried

    @property
    def yields(self) -> tuple[SSAValue, ...]:
        """What its body has made of what it carries: what the end yields, or its combining regions return."""
        last = [region.block.last_op for region in self.end.regions]
        return tuple(value for op in last or [self.end] if op is not None for value in op.operands)

    @property
    def makers(self) -> tuple[TiledStatement, ...]:
        """The statements that make what loops carry."""
        return tuple(each for each in self.statements if each.makes)

    @property
    def loops(self) -> Iterator[TreeLoop]:
        """This loop, and those inside of it that are in the tree."""
        yield self
        for node in self.body:
            if isinstance(node, TreeLoop):
                yield from node.loops


Node = TreeLoop | TiledStatement | Computed


def statements_of(node: Node) -> tuple[TiledStatement, ...]:
    """The statements that NODE is, or has inside."""
    match node:
        case TiledStatement():
            return (node,)
        case Computed():
            return ()
        case TreeLoop():
            return node.statements
