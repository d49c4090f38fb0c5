"""Domains of arguments: `volcli.domain` says where a tensor may be other than zero.

    %l: tensor<4x4xf32> {volcli.domain = affine_set<(d0, d1) : (d0 - d1 >= 0)>}     lower triangular
    %u: tensor<?x?xf32> {volcli.domain = affine_set<(d0, d1)[s0, s1] : (s1 - 1 - d0 - d1 >= 0)>}    upper left

A volume may have any domain (IMPACT 2023, section 1 and appendix A.1: it "encodes its sparsity property by
definition"). A tensor has a box; it is zero, +0 or -0, outside of the domain. d0, d1, ... are its indices,
and s0, s1, ..., if there are any, its sizes. That is an assumption, which callers keep; each answer that
needs it names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import AffineSetAttr, ArrayAttr, DictionaryAttr, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind
from xdsl.utils.hints import isa

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Atom, Dim, Expression, NotAffine, dim_of, loops, parameter, substitute
from volcli.language.interface import operation_name
from volcli.language.reads import Conjunction, rank_of
from volcli.model.values.assumptions import attributes_of_arguments
from volcli.model.values.sizes import Sizes
from volcli.presburger import build

ATTRIBUTE = "volcli.domain"
_NO_ARGUMENT = "is for an argument of a function: of what is computed, the zeros are found"


@dataclass(frozen=True, eq=False)
class DeclaredDomain:
    """VALUE is zero where one of CONDITIONS is negative, as TEXT says in words."""

    value: BlockArgument
    conditions: Conjunction
    text: str

    def elements(self, store: Sizes) -> isl.Set:
        """The elements of the argument that lie in the domain."""
        resolved = tuple(map(store.resolve, self.conditions))
        return store.domain(self.value).intersect(build.nonnegative(rank_of(self.value), resolved))


def declared_domains(function: Operation, name_of: Callable[[SSAValue], str]) -> Iterator[DeclaredDomain]:
    """The domains of the arguments of FUNCTION; an attribute that has a problem declares none."""
    for value, attribute in attributes_of_arguments(function, ATTRIBUTE):
        if problem(value, attribute) is not None:
            continue
        assert isinstance(attribute, AffineSetAttr)
        constraints = [(_form(value, each), each.kind) for each in attribute.data.constraints]
        conditions = tuple(c for form, kind in constraints for c in _conditions(form, kind))
        written = " and ".join(_text(form, kind) for form, kind in constraints) or "nothing is left out"
        yield DeclaredDomain(value, conditions, f"{name_of(value)} is zero except where {written}")


def problems_of(function: Operation, name_of: Callable[[SSAValue], str]) -> Iterator[str]:
    """What is wrong with the domains that FUNCTION declares."""
    for value, attribute in attributes_of_arguments(function, ATTRIBUTE):
        if (message := problem(value, attribute)) is not None:
            yield f"'{ATTRIBUTE}' of {name_of(value)} {message}"


def misplaced(op: Operation) -> Iterator[str]:
    """What is wrong with domains that stand on OP itself, or on its results: those declare nothing."""
    if ATTRIBUTE in op.attributes or ATTRIBUTE in op.properties:
        yield f"'{ATTRIBUTE}' of '{operation_name(op)}' op {_NO_ARGUMENT}"
    rows = op.properties.get("res_attrs", op.attributes.get("res_attrs"))
    for position, row in enumerate(rows.data if isa(rows, ArrayAttr[Attribute]) else ()):
        if isinstance(row, DictionaryAttr) and ATTRIBUTE in row.data:
            yield f"'{ATTRIBUTE}' of result {position} {_NO_ARGUMENT}"


def problem(value: SSAValue, attribute: Attribute) -> str | None:
    """Why ATTRIBUTE declares no domain of VALUE."""
    if not isinstance(value.type, TensorType):
        return "is for a ranked tensor, which this is not"
    if not isinstance(attribute, AffineSetAttr):
        return "is no affine_set, as in affine_set<(d0, d1) : (d0 - d1 >= 0)>"
    rank, dims, symbols = rank_of(value), attribute.data.num_dims, attribute.data.num_symbols
    if dims != rank or symbols not in (0, rank):
        return f"has {dims} dimensions and {symbols} symbols, not {rank} and 0 or {rank}"
    try:
        for constraint in attribute.data.constraints:
            _form(value, constraint)
    except NotAffine as error:
        return f"holds {error}"
    return None


def _form(value: SSAValue, constraint: AffineConstraintExpr) -> Expression:
    """What CONSTRAINT says to be 0, or not to be negative; raises NotAffine."""
    rank = rank_of(value)
    sizes = [dim_of(value, d) for d in range(rank)]
    form = evaluate(constraint.lhs, loops(rank), sizes) - evaluate(constraint.rhs, loops(rank), sizes)
    return -form if constraint.kind is AffineConstraintKind.le else form


def _conditions(form: Expression, kind: AffineConstraintKind) -> Sequence[Expression]:
    return (form, -form) if kind is AffineConstraintKind.eq else (form,)


def _text(form: Expression, kind: AffineConstraintKind) -> str:
    def written(atom: Atom) -> Expression | None:
        return parameter(f"s{atom.dimension}") if isinstance(atom, Dim) else None

    return f"{substitute(form, written)} {'=' if kind is AffineConstraintKind.eq else '>='} 0"
