"""The operations of planned loops as affine.for, where all bounds are affine: sizes of tiles are constants.

    affine.for %i_tile = 0 to affine_map<()[n] -> ((n + 7) floordiv 8)>()[%n] {
      affine.for %i = affine_map<(t) -> (t * 8)>(%i_tile) to min affine_map<(t)[n] -> (n, t * 8 + 8)>...

Accesses stay what they were, by maps of affine variables. A condition is an scf.if all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, IndexType, IntegerAttr, i32
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsolatedFromAbove

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Monomial,
    Value,
    constant,
    substitute,
)
from volcli.language.interface import operation_name
from volcli.rewriting.code.index_code import Known
from volcli.rewriting.code.materialize import affine_map
from volcli.rewriting.ground.builder import Builder, is_affine_dimension
from volcli.rewriting.nests.loop_trees import TreeLoop
from volcli.rewriting.nests.scanned_trees import JoinedBounds, Planned
from volcli.rewriting.nests.tree_code import TreeCode
from volcli.symbolic.scanning import Quotient


@dataclass
class AffineTreeCode(TreeCode):
    """Makes the loops of a plan that `is_affine`; `variables` are theirs."""

    variables: set[SSAValue] = field(default_factory=set[SSAValue])

    def _block(self, variable: Atom, carried: Sequence[SSAValue]) -> Block:
        block = super()._block(variable, carried)
        self.variables.add(block.args[0])
        return block

    def _make_loop(
        self,
        builder: Builder,
        bounds: JoinedBounds,
        block: Block,
        known: Known,
        first: Sequence[SSAValue],
        yielded: Sequence[SSAValue],
    ) -> Operation:
        builder.inside(block).operation("affine.yield", yielded)
        (lower,), (upper,) = bounds.lower, bounds.upper
        sides = (
            [substitute(_rounded_up(each), known.get) for each in lower],
            [substitute(_rounded_down(each) + 1, known.get) for each in upper],
        )
        maps: list[AffineMapAttr] = []
        operands: list[SSAValue] = []
        counts: list[int] = []
        for side in sides:
            map_, values = self._map(builder, side)
            maps.append(map_)
            operands += values
            counts.append(len(values))
        properties: dict[str, Attribute] = {
            "lowerBoundMap": maps[0],
            "upperBoundMap": maps[1],
            "step": IntegerAttr(bounds.step.constant, IndexType()),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [*counts, len(first)]),
        }
        return builder.operation(
            "affine.for",
            [*operands, *first],
            results=[each.type for each in yielded],
            properties=properties,
            regions=[Region([block])],
        )

    def _number(self, builder: Builder, form: Expression, known: Known) -> SSAValue:
        form = substitute(form, known.get)
        only = form.single_atom
        if isinstance(only, Value):
            return only.value
        map_, operands = self._map(builder, [form])
        return builder.make("affine.apply", operands, properties={"map": map_})

    def _map(self, builder: Builder, forms: Sequence[Expression]) -> tuple[AffineMapAttr, list[SSAValue]]:
        """The map of FORMS and its operands; the loops of `variables` are not yet around them."""

        def is_dimension(value: SSAValue) -> bool:
            return value in self.variables or is_affine_dimension(value)

        return affine_map(forms, {atom: builder.leaf(atom) for atom in _values(forms)}, is_dimension)

    def _make_plain(self, operations: tuple[Operation, ...]) -> None:
        """The variables are those of affine loops."""


def is_affine(plan: Planned, tree: TreeLoop) -> bool:
    """Whether all loops of TREE are affine.for, and those of PLAN may be."""
    if any(operation_name(loop.level.op) != "affine.for" for loop in tree.loops):
        return False
    return _has_affine_bounds(plan) and all(map(_is_affine_form, plan.forms))


def _has_affine_bounds(plan: Planned) -> bool:
    """Whether each loop has one maximum below and one minimum above, with constant divisors."""
    if plan.bounds is not None:
        sides = plan.bounds.lower, plan.bounds.upper
        if any(len(side) > 1 for side in sides):
            return False
        numbers = [each for side in sides for q in side[0] for each in (q.denominator, q.times)]
        if not all(each.is_constant for each in (*numbers, plan.bounds.step)):
            return False
    return all(map(_has_affine_bounds, plan.body))


def _is_affine_form(form: Expression) -> bool:
    """Whether FORM is linear over what affine maps take."""
    return not any(isinstance(atom, Monomial) for atom in form.atoms()) and all(
        map(_is_taken, (atom for atom in form.atoms() if isinstance(atom, Value | Dim)))
    )


def _is_taken(atom: Value | Dim) -> bool:
    """Whether affine maps take ATOM: it is a variable of an affine loop, or made right in a function."""
    value = atom.value
    if isinstance(atom, Value) and is_affine_dimension(value):
        return True
    block = value.op.parent if isinstance(value, OpResult) else value.owner
    owner = block.parent_op() if isinstance(block, Block) else None
    return owner is not None and owner.has_trait(IsolatedFromAbove)


def _rounded_up(quotient: Quotient) -> Expression:
    divisor = quotient.denominator.constant
    return (quotient.numerator + constant(divisor - 1)) // divisor * quotient.times.constant


def _rounded_down(quotient: Quotient) -> Expression:
    return quotient.numerator // quotient.denominator.constant * quotient.times.constant


def _values(forms: Sequence[Expression]) -> list[Value | Dim]:
    found: dict[Atom, None] = dict.fromkeys(atom for form in forms for atom in form.atoms())
    return [atom for atom in found if isinstance(atom, Value | Dim)]
