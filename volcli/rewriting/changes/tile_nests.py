"""Loops over tiles as a program has them: which loops these are, and the bounds of the others without them.

What is asked of bounds is `volcli.symbolic.tile_numbers`; here the loops of one nest, with all that their
bounds are computed from, become what that is about.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.ir import Block, Operation, SSAValue

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
    value_of,
)
from volcli.language.programs.blocks import blocks_around
from volcli.limits import rewriting as limits
from volcli.model.function import FunctionModel
from volcli.model.values.products.polynomial_conditions import PolynomialConditions
from volcli.rewriting.changes.tile_facts import known_points
from volcli.rewriting.changes.tile_functions import CountedAlong, iterations_along
from volcli.rewriting.changes.value_quotients import (
    ValueQuotients,
    is_positive,
    left_beside,
    multiplies,
    quotient,
    quotients_in,
)
from volcli.rewriting.ground.bound_uses import blocks_of_statements, bounds_others, is_counted, variable_of
from volcli.rewriting.ground.discovery import visible
from volcli.rewriting.ground.size_parameters import SizeParameters
from volcli.symbolic.context import Context
from volcli.symbolic.floors import parts
from volcli.symbolic.fourier_motzkin import coefficient, is_over
from volcli.symbolic.scanning import Quotient
from volcli.symbolic.tile_numbers import CountedLoop, TileOf


@dataclass(frozen=True, eq=False)
class PointBounds:
    """New bounds of a loop: all of `inequalities` are at least 0."""

    lower: tuple[Quotient, ...] | None
    upper: tuple[Quotient, ...]
    inequalities: tuple[Expression, ...]


class TileNest:
    """The loop ROOT of MODEL's function, over tiles, and all inside. Raises NotAffine if it is none.

    A bound that is an extremum of numbers from before the nest IS SPLIT, or stands for itself, as sizes do.
    """

    def __init__(self, root: Operation, model: FunctionModel, *, is_split: bool = False) -> None:
        self.root = root
        self._is_split = is_split
        self._model = model
        self._levels = model.memory_as_written.nests
        self._known = PolynomialConditions(model.bounds.elimination, frozenset(blocks_around(root.parent)))
        self._paths = {block: self._path(block) for block in blocks_of_statements(root)}
        every = list(dict.fromkeys(op for path in self._paths.values() for op in path))
        if not every or len(every) > limits.TILE_LOOPS:
            raise NotAffine("too many loops, or none")
        for op in every:
            self._known.forms[Value(variable_of(op))] = value_of(variable_of(op))
        inside = {Value(result) for op in root.walk() for result in op.results}
        self._sizes = SizeParameters(model.bounds, {*(Value(variable_of(op)) for op in every), *inside})
        quotients = quotients_in(root, model.bounds)
        self._known.forms.update((Value(each), value_of(each)) for each in quotients)
        self._quotients = ValueQuotients(quotients, self._form)
        self._counted = {op: self._counted_loop(op) for op in every}
        self._known.define_all()
        self._points = known_points(root, model.bounds, self._known, self._sizes)
        self._counted = {op: self._points.in_whole_steps(each) for op, each in self._counted.items()}
        self.tiles = self._found()
        self.bounds = {op: found for op in every if (found := self._new_bounds(op)) is not None}
        self._check()
        self.along = {op: self._of_tile(tiles) for op, tiles in self.tiles.items()}
        self.functions = {op: partial(iterations_along, found) for op, found in self.along.items()}
        """What each loop over tiles counts, as a function of the iterations of an access inside."""
        self.steps = self._steps()

    def _path(self, block: Block) -> tuple[Operation, ...]:
        """The loops from the root to BLOCK. Raises NotAffine if something else is around it, but branches."""
        found: list[Operation] = []
        op = block.parent_op()
        while op is not None:
            if is_counted(op):
                found.append(op)
            elif self._levels.of_operation(op):
                raise NotAffine("a loop that is not of one variable")
            if op is self.root:
                return tuple(reversed(found))
            op = op.parent_op()
        raise AssertionError(block)

    def _counted_loop(self, op: Operation) -> CountedLoop:
        (level,) = self._levels.of_operation(op)
        induction = level.induction
        if induction is None:
            raise NotAffine("the iterations of a loop are not counted")
        upper = tuple(part for e in induction.upper for part in self._parts(e, Minimum))
        lower = [part for e in induction.lower for part in self._parts(e, Maximum)]
        own = tuple(part for each in lower for part in left_beside(each, upper))
        step = self._sizes.stands_for(self._over_symbols(induction.step))
        known = self._quotients.of_loop(value_of(induction.variable), own, upper)
        return CountedLoop(Value(induction.variable), own, upper, step, known)

    def _form(self, value: SSAValue) -> Expression:
        """VALUE over parameters for sizes."""
        return self._sizes.stands_for(self._over_symbols(value_of(value)))

    def _over_symbols(self, expression: Expression) -> Expression:
        return self._known.over_symbols(self._model.bounds.definitions.resolve(expression))

    def _parts(self, end: Expression, kind: type[Minimum] | type[Maximum]) -> tuple[Expression, ...]:
        """What END, a bound of a loop, is the extremum of, of this KIND."""
        form = self._over_symbols(end)
        known = self._sizes.stands_for(form)
        if self._is_split and isinstance(form.single_atom, kind) and isinstance(known.single_atom, Parameter):
            return tuple(map(self._sizes.stands_for, parts(form, kind)))
        return parts(known, kind)

    def _loops(self, path: Sequence[Operation]) -> list[CountedLoop]:
        return [self._counted[op] for op in path]

    # -- tiles -----------------------------------------------------------------------------------------

    def _found(self) -> dict[Operation, dict[Block, TileOf]]:
        """The loops over tiles, each with what it counts of each block inside. Raises NotAffine."""
        candidates = {variable_of(op): op for op in self._counted if bounds_others(op)}
        while True:
            found: dict[Operation, dict[Block, TileOf]] = {}
            every = {Value(variable) for variable in candidates}
            for block, path in self._paths.items():
                for each in self._points.tiles(self._loops(path), every):
                    assert isinstance(each.tile.variable, Value)
                    found.setdefault(candidates[each.tile.variable.value], {})[block] = each
            inside = {op: sum(op in path for path in self._paths.values()) for op in found}
            lost = [v for v, op in candidates.items() if op not in found or len(found[op]) < inside[op]]
            if not lost:
                return found
            if candidates.pop(lost[-1]) is self.root:  # it may be a point, which those around it count
                raise NotAffine("no loop over tiles")

    @property
    def _variables(self) -> set[Value]:
        return {Value(variable_of(op)) for op in self.tiles}

    def _new_bounds(self, op: Operation) -> PointBounds | None:
        """The bounds of the loop OP without tiles; None if it is over tiles, or they are what they were."""
        counted = self._counted[op]
        if op in self.tiles or not any(is_over(e, self._variables) for e in counted.inequalities):
            return None
        path = next(path[: path.index(op) + 1] for path in self._paths.values() if op in path)
        known = self._points.points(self._loops(path), self._variables)
        lower, upper, kept = list[Quotient](), list[Quotient](), list[Expression]()
        outside = {Value(variable_of(each)) for each in path}
        for sign, each in self._written(known, counted.variable, outside):
            factor = coefficient(each, counted.variable)
            rest = self._sizes.written(each - factor * value_of(variable_of(op)))
            bound = quotient(-sign * rest, self._sizes.written(sign * factor))
            (lower if sign > 0 else upper).append(bound)
            kept.append(each)
        if counted.step != constant(1):
            if any(is_over(e, self._variables) for e in counted.lower):
                raise NotAffine("a loop over points that has a step")
            kept += [value_of(variable_of(op)) - e for e in counted.lower]
            return PointBounds(None, tuple(upper), tuple(kept))
        if not lower or not upper:
            raise NotAffine("a loop over points without bounds of its own")
        return PointBounds(tuple(lower), tuple(upper), tuple(kept))

    def sign(self, factor: Expression) -> int:
        """The sign of FACTOR, by what is known of its symbols alone: 0 if it is not known."""
        if factor.is_constant:
            return (factor.constant > 0) - (factor.constant < 0)
        about = {*factor.atoms()}
        known = Context(each for each in self._points.facts if about.issuperset(each.atoms()))
        return next((sign for sign in (1, -1) if known.proves(sign * factor - 1)), 0)

    def _written(
        self, known: Sequence[Expression], variable: Atom, outside: Collection[Value]
    ) -> list[tuple[int, Expression]]:
        """Those of KNOWN over loops OUTSIDE and values from before the nest, with their signs of VARIABLE.

        Products of values from before alone are in them where a side has no others.
        """
        fixed = [(self.sign(coefficient(e, variable)), e) for e in known if self._is_fixed(e, outside)]
        plain = [(sign, e) for sign, e in fixed if sign and self._is_plain(e, outside)]
        sides = {sign for sign, _ in plain}
        return plain + [(sign, e) for sign, e in fixed if sign and sign not in sides]

    def _is_plain(self, form: Expression, outside: Collection[Value]) -> bool:
        """Whether all products in FORM are of loops OUTSIDE."""
        atoms = self._sizes.written(form).atoms()
        return all(not isinstance(atom, Monomial) or multiplies(atom, outside) for atom in atoms)

    def _is_fixed(self, form: Expression, outside: Collection[Value]) -> bool:
        """Whether FORM is over loops OUTSIDE and values from before the nest alone."""
        return all(
            atom in outside or visible(atom.value, self.root, self._model.bounds.definitions)
            for atom in self._sizes.written(form).atoms()
            if isinstance(atom, Value | Dim)
        )

    def _check(self) -> None:
        """That the loops without tiles reach what those with tiles reach. Raises NotAffine."""
        for block, path in self._paths.items():
            points: list[Expression] = []
            for op in path:
                if op not in self.tiles:
                    bounds = self.bounds.get(op)
                    points += self._counted[op].inequalities if bounds is None else bounds.inequalities
            tiles = [self.tiles[op][block] for op in path if op in self.tiles]
            if not self._points.covers(points, self._loops(path), tiles):
                raise NotAffine("points that are in no tile")

    # -- without tiles ---------------------------------------------------------------------------------

    def _steps(self) -> tuple[str, ...]:
        """What is assumed of the steps of the loops over tiles."""
        name_of, found = self._model.name_of, dict[str, None]()
        for op in self.tiles:
            (level,) = self._levels.of_operation(op)
            assert level.induction is not None
            if not is_positive(self._model.bounds, level.induction.step, op):
                found[f"the step of {name_of(variable_of(op))} is positive"] = None
        return tuple(found)

    def _of_tile(self, tiles: Mapping[Block, TileOf]) -> dict[Block, CountedAlong]:
        """What a loop over TILES counts of each block. Raises NotAffine."""
        found: dict[Block, CountedAlong] = {}
        first: Expression | None = None
        for block, each in tiles.items():
            factors = self._of_points(each.form, self._paths[block])
            points = sum((factor * value_of(v) for v, factor in factors.items()), start=constant(0))
            rest = each.form - points
            first = rest if first is None else first
            if not (rest - first).is_constant:
                raise NotAffine("tiles that are counted from different points")
            found[block] = factors, (rest - first).constant
        return found

    def _of_points(self, form: Expression, path: Sequence[Operation]) -> dict[SSAValue, Expression]:
        found: dict[SSAValue, Expression] = {}
        variables = {Value(variable_of(op)) for op in path}
        if not self._is_fixed(form, variables):
            raise NotAffine("tiles along what is computed between the loops")
        for op in path:
            if op not in self.tiles:
                factor = coefficient(form, Value(variable_of(op)))
                if is_over(factor, variables):
                    raise NotAffine("tiles along a product of induction variables")
                found[variable_of(op)] = factor
        return found

    def written(self, tile: Operation) -> dict[Block, Expression]:
        """The function that TILE counts, of each block inside, in values of the program."""
        return {block: self._sizes.written(each.form) for block, each in self.tiles[tile].items()}
