"""What loops, branches and assertions say of index values: what a dialect's cases of the questions answer.

`scf.for %i = %lb to %ub step %s iter_args(%a = %init) -> index { ... scf.yield %next }` has one induction
and one carried value:

    Induction(%i, lower=(%lb,), upper=(%ub,), step=%s)        %lb <= %i < %ub, %i = %lb + k * %s
    Carried(initial=%init, argument=%a, yielded=%next, result=%r)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Region, SSAValue

from volcli.language.expressions import Expression
from volcli.language.reads import Disjunction

MARK = "volcli.parallel"
"""The attribute of a loop whose iterations have no order: whoever wrote the program says so."""


@dataclass(frozen=True, eq=False)
class Induction:
    """The iterations `i = l, l + step, l + 2 * step, ... < u` of a loop, l = max(lower), u = min(upper).

    `step` is positive, or the loop is undefined. `sequential` iterations run one after the other, so that
    the last one is well-defined; those of a parallel loop do not.
    """

    variable: SSAValue
    lower: tuple[Expression, ...]
    upper: tuple[Expression, ...]
    step: Expression
    sequential: bool = True


@dataclass(frozen=True, eq=False)
class Indices:
    """What the arguments of a region run through that is run at indices of a result, in any order.

    It runs where the condition `where` holds: padding is computed outside of the source only. If operations
    name the indices, and not arguments, there are no inductions, and `where` says whether there is an index.
    """

    inductions: tuple[Induction, ...]
    where: Disjunction = ((),)


@dataclass(frozen=True, eq=False)
class Carried:
    """A value that goes around a counted loop: `argument` is `initial`, and then what was `yielded`.

    `result` is the last that was yielded, or `initial` after no iteration.
    """

    initial: SSAValue
    argument: SSAValue
    yielded: SSAValue
    result: SSAValue


@dataclass(frozen=True, eq=False)
class Reduced:
    """The `result` combines what is `initial`, if that is given, with what all iterations have `yielded`.

    As the loop would do it `in_order`, it carries a value, which it combines with its `element`: the
    argument of the combining region that stands for what an iteration has yielded.
    """

    initial: SSAValue | None
    yielded: SSAValue
    result: SSAValue
    in_order: Carried | None = None
    element: SSAValue | None = None


@dataclass(frozen=True, eq=False)
class Loop:
    """A counted loop: the inductions of its body, what it passes on to the next iteration, and combines."""

    inductions: tuple[Induction, ...]
    carried: tuple[Carried, ...] = ()
    reduced: tuple[Reduced, ...] = ()

    @property
    def carried_in_order(self) -> tuple[Carried, ...]:
        """What it carries if its iterations run one after the other: what it combines, too."""
        return (*self.carried, *(each.in_order for each in self.reduced if each.in_order is not None))


@dataclass(frozen=True, eq=False)
class While:
    """A loop as long as a condition holds: scf.while.

    `before` are the arguments of the region that computes the `condition` and what it forwards: first
    `initial`, then what the second region yields. `after` are the arguments of the second region: what was
    `forwarded` while the condition held. `results` are what is forwarded when it does not.
    """

    before: tuple[SSAValue, ...]
    initial: tuple[SSAValue, ...]
    condition: SSAValue
    forwarded: tuple[SSAValue, ...]
    after: tuple[SSAValue, ...]
    yielded: tuple[SSAValue, ...]
    results: tuple[SSAValue, ...]


@dataclass(frozen=True, eq=False)
class Branch:
    """A branch to a block: it is taken if `when` holds, and the block's arguments are the values `passed`."""

    when: Disjunction
    passed: tuple[SSAValue, ...]


@dataclass(frozen=True, eq=False)
class Choice:
    """One of the values that a result may be: it is `value` where `when` holds.

    The choices of one result exclude each other, and one of them holds. Shaped values have the sizes of the
    value that is chosen.
    """

    when: Disjunction
    value: SSAValue


@dataclass(frozen=True, eq=False)
class Guard:
    """`condition` holds whenever `region` runs; over values from outside of it."""

    region: Region
    condition: Disjunction
