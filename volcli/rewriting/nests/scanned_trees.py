"""Loops over the tiles of a tree of loops, and the loops over the points of one.

Each statement S has a system: the bounds of the loops around it, and its tiles
`B * t <= h_S(i) < B * t + B`. Scanned by themselves (`volcli.symbolic.scanning`) these are nests of loops,
over tiles first and then over the loops that S was in. They are put together along the tree. A loop that
several statements share runs from the least of their lower bounds to the greatest of their upper ones; as
soon as a statement is alone, what its own nest says and the loops around do not imply is a condition:

    for t { for i: S1        for j: S2 }            tiles of t and i, with other lengths of i and j

    for tiles { for t in the tile { for i in both: S1        if there are such j { for j in both: S2 } } }

Each statement runs at the points of its system, since its own loops and conditions have all its inequalities;
and those of one tile run in the order that they had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from volcli.language.expressions import (
    Atom,
    Expression,
    Monomial,
    NotAffine,
    Parameter,
    constant,
    expression_of_atom,
)
from volcli.rewriting.ground.widths import fits
from volcli.rewriting.nests.loop_trees import Computed, Node, TiledStatement, TreeLoop, statements_of
from volcli.symbolic.context import Context
from volcli.symbolic.scanning import Quotient, ScanLoop, ScanNest, needed, scan

_ONE = constant(1)
WAVE = Parameter("w")
"""The sum of the numbers of tiles that run one after the other."""


@dataclass(frozen=True)
class JoinedBounds:
    """`for variable = min(max(lower_1), ...) to max(min(upper_1), ...) step step`, both ends included."""

    variable: Atom
    lower: tuple[tuple[Quotient, ...], ...]
    upper: tuple[tuple[Quotient, ...], ...]
    value: Expression | None = None
    """What the variable is, if the loop has one iteration for all outer ones."""
    step: Expression = _ONE


@dataclass(frozen=True, eq=False)
class Planned:
    """What is run if all of `conditions` are >= 0: a loop around the body, or the operations of a node.

    `loop` is that of the program which it stands for; none of a loop over tiles.
    """

    conditions: tuple[Expression, ...]
    bounds: JoinedBounds | None = None
    loop: TreeLoop | None = None
    body: tuple[Planned, ...] = ()
    run: TiledStatement | Computed | None = None

    @property
    def depth(self) -> int:
        """How many loops are in one another."""
        return (self.bounds is not None) + max((each.depth for each in self.body), default=0)

    @property
    def forms(self) -> Iterator[Expression]:
        """All that is computed for it."""
        yield from self.conditions
        if self.bounds is not None:
            for side in (*self.bounds.lower, *self.bounds.upper):
                for quotient in side:
                    yield quotient.numerator
                    yield quotient.denominator
                    yield quotient.times
            yield self.bounds.step
            if self.bounds.value is not None:
                yield self.bounds.value
        for each in self.body:
            yield from each.forms


def most_factors(plan: Planned) -> int:
    """Of how many sizes and values of the program some product in PLAN is; the numbers of tiles apart.

    A tile's number is a quotient by sizes: its products with these are about as large as other numbers.
    Raises NotAffine if a number has more than 64 bits.
    """
    most = 1
    for form in plan.forms:
        if not fits(form):
            raise NotAffine("a number of more than 64 bits")
        for atom, _ in form.terms:
            factors = atom.factors if isinstance(atom, Monomial) else (atom,)
            most = max(most, sum(not _counts(factor) for factor in factors))
    return most


def _counts(atom: Atom) -> bool:
    """Whether ATOM is the variable of a loop that is made."""
    return isinstance(atom, Parameter) and not atom.name.startswith("b")


@dataclass(frozen=True)
class TileSystem:
    """The numbers of tiles, in the order of their loops, and what each level is in tiles of."""

    variables: tuple[Parameter, ...]
    inequalities: tuple[tuple[Expression, ...], ...]
    """For each statement, in the order of the tree."""
    context: Context


def tiles(
    functions: Sequence[Sequence[Expression]],
    sizes: Sequence[Sequence[Expression]],
    wavefront: int,
    facts: Sequence[Expression] = (),
) -> TileSystem:
    """Tiles of SIZES, those of the outermost level first, along FUNCTIONS: for each statement its own.

    FACTS, each at least 0, are known of other numbers, such as steps.
    The outermost of them run along the sum of the numbers of the first WAVEFRONT ones, if these are several.
    """
    depths, count = len(sizes), len(sizes[0])
    numbers = [[Parameter(f"t{depth}_{k}") for k in range(count)] for depth in range(depths)]
    forms = [list(map(expression_of_atom, level)) for level in numbers]
    order = [each for level in numbers for each in level]
    if wavefront > 1:
        forms[0][0] = expression_of_atom(WAVE)
        for form in forms[0][1:wavefront]:
            forms[0][0] = forms[0][0] - form
        order[0] = WAVE
    found: list[tuple[Expression, ...]] = []
    for own in functions:
        inequalities: list[Expression] = []
        for depth in range(depths):
            inner = own if depth == depths - 1 else forms[depth + 1]
            for form, size, tile in zip(inner, sizes[depth], forms[depth], strict=True):
                offset = form - size * tile
                inequalities += [offset, size - 1 - offset]
        found.append(tuple(inequalities))
    positive = (size - 1 for level in sizes for size in level)
    return TileSystem(tuple(order), tuple(found), Context((*positive, *facts)))


def planned(tree: TreeLoop, around: TileSystem) -> Planned | None:
    """The loops over the tiles AROUND, and over the points of TREE in one; None if it has no point.

    Raises NotAffine if a statement is not a system of linear inequalities, or if its loops depend on signs.
    """
    nests: dict[TiledStatement, ScanNest] = {}
    for statement, inequalities in zip(tree.statements, around.inequalities, strict=True):
        nest = _nest(statement, around, inequalities)
        if nest is not None:
            nests[statement] = nest
    return _Planner(tree, around, nests).root() if nests else None


def _nest(
    statement: TiledStatement, around: TileSystem, inequalities: Sequence[Expression]
) -> ScanNest | None:
    """The loops of STATEMENT alone."""
    own = [each for loop in statement.around for each in loop.inequalities]
    order = [*around.variables, *(loop.variable for loop in statement.around)]
    for is_projected in (True, False):  # cases of signs are asked for only where they are needed
        nests = scan(order, [*own, *inequalities], around.context, is_projected=is_projected)
        if len(nests) <= 1 and all(
            _has_known_bounds(loop, around.context) for n in nests for loop in n.loops
        ):
            return nests[0] if nests else None
    raise NotAffine("the order of the loops depends on the sign of a value")


def _has_known_bounds(loop: ScanLoop, known: Context) -> bool:
    """Whether LOOP has bounds on both sides, whose denominators are KNOWN to be positive."""
    sides = loop.lower, loop.upper
    return all(side and all(known.proves(each.denominator - 1) for each in side) for side in sides)


@dataclass
class _Planner:
    tree: TreeLoop
    around: TileSystem
    nests: Mapping[TiledStatement, ScanNest]

    def root(self) -> Planned:
        return self._tile(0, self.around.context)

    def _tile(self, position: int, known: Context | None) -> Planned:
        """The loop over tiles at POSITION; KNOWN is what the loops around imply, None where one is alone."""
        if position == len(self.around.variables):
            (found,) = self._node(self.tree, position, known)
            return found
        opened, known = self._opened(self.tree, position, known)
        inner = self._tile(position + 1, _within(opened, known))
        return replace(opened, body=(inner,))

    def _node(self, node: Node, position: int, known: Context | None) -> tuple[Planned, ...]:
        if isinstance(node, Computed):
            return (Planned((), run=node),)
        if not any(each in self.nests for each in statements_of(node)):
            return ()
        if isinstance(node, TiledStatement):
            return (Planned(self._conditions(node, position, known), run=node),)
        opened, known = self._opened(node, position, known)
        within = _within(opened, known)
        body = tuple(each for inner in node.body for each in self._node(inner, position + 1, within))
        return (replace(opened, loop=node, body=body),)

    def _opened(self, node: TreeLoop, position: int, known: Context | None) -> tuple[Planned, Context | None]:
        """The loop at POSITION around NODE's statements, without a body; and what is known before it."""
        live = [each for each in node.statements if each in self.nests]
        bounds = self._bounds(live, position)
        if len(live) > 1 or known is None:
            return Planned((), bounds), known
        conditions = self._conditions(live[0], position, known)
        # What holds whenever the loop has an iteration need not be asked before it.
        runs = known.assuming(*self.nests[live[0]].loops[position].facts)
        return Planned(tuple(each for each in conditions if not runs.proves(each)), bounds), None

    def _conditions(
        self, statement: TiledStatement, position: int, known: Context | None
    ) -> tuple[Expression, ...]:
        """What STATEMENT's nest says of the loops outside of POSITION and these do not imply."""
        if known is None:
            return ()
        nest = self.nests[statement]
        facts = [*nest.guard, *(fact for loop in nest.loops[:position] for fact in loop.facts)]
        return tuple(needed([fact for fact in dict.fromkeys(facts) if not known.proves(fact)], known))

    def _bounds(self, live: Sequence[TiledStatement], position: int) -> JoinedBounds:
        loops = list(dict.fromkeys(self.nests[each].loops[position] for each in live))
        value = loops[0].value if len(loops) == 1 else None
        contexts = [self._context(each, position) for each in live]
        return JoinedBounds(
            loops[0].variable,
            _joined([self.nests[each].loops[position] for each in live], contexts, lower=True),
            _joined([self.nests[each].loops[position] for each in live], contexts, lower=False),
            value,
        )

    def _context(self, statement: TiledStatement, position: int) -> Context:
        """What holds at each point of STATEMENT that is in the loop at POSITION."""
        nest = self.nests[statement]
        facts = (fact for loop in nest.loops[: position + 1] for fact in loop.facts)
        return self.around.context.assuming(*nest.guard, *facts)


def _within(opened: Planned, known: Context | None) -> Context | None:
    """What is known in the loop that is OPENED."""
    return None if known is None or opened.bounds is None else inside(opened.bounds, known)


def inside(bounds: JoinedBounds, known: Context) -> Context:
    """What is KNOWN before a loop of BOUNDS, and what holds in each of its iterations."""
    found: list[Expression] = []
    for sides, lower in ((bounds.lower, True), (bounds.upper, False)):
        facts = [facts_of(bounds.variable, each, lower=lower) for each in sides]
        alternatives = [known.assuming(*each) for each in facts]
        every = dict.fromkeys(fact for each in facts for fact in each)
        found += [fact for fact in every if all(each.proves(fact) for each in alternatives)]
    return known.assuming(*found)


def _joined(
    loops: Sequence[ScanLoop], contexts: Sequence[Context], *, lower: bool
) -> tuple[tuple[Quotient, ...], ...]:
    """The bounds of LOOPS of which the least lower, or the greatest upper, is that of all of them.

    Those of one loop, if they hold at the points of all others, whose CONTEXTS say what holds there.
    """
    sides = [loop.lower if lower else loop.upper for loop in loops]
    distinct = list(dict.fromkeys(sides))
    for side in distinct if len(distinct) > 1 else ():
        facts = facts_of(loops[0].variable, side, lower=lower)
        if all(context.proves(fact) for context in contexts for fact in facts):
            return (side,)
    return tuple(distinct)


def facts_of(variable: Atom, side: Sequence[Quotient], *, lower: bool) -> list[Expression]:
    """That VARIABLE keeps to the bounds of SIDE."""
    here = expression_of_atom(variable)
    sign = 1 if lower else -1
    return [(each.denominator * here - each.numerator) * sign for each in side]
