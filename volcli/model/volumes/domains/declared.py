"""Domains of arguments: `volcli.domain` says where a tensor may be other than zero.

    %l: tensor<4x4xf32> {volcli.domain = affine_set<(d0, d1) : (d0 - d1 >= 0)>}     lower triangular
    %u: tensor<?x?xf32> {volcli.domain = affine_set<(d0, d1)[s0, s1] : (s1 - 1 - d0 - d1 >= 0)>}    upper left

A volume may have any domain (IMPACT 2023, section 1 and appendix A.1: it "encodes its sparsity property by
definition"). A tensor has a box; it is zero, +0 or -0, outside of the domain. d0, d1, ... are its indices,
and s0, s1, ..., if there are any, its sizes. That is an assumption, which callers keep; each answer that
needs it names it.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import AffineSetAttr, ArrayAttr, DictionaryAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstraintKind
from xdsl.utils.hints import isa

from volcli.language.expressions import Atom, Dim, Expression, NotAffine, parameter, substitute
from volcli.language.interface import operation_name
from volcli.language.reads import rank_of
from volcli.model.values.terms.assumptions import attributes_of_arguments
from volcli.model.volumes.domains.given import (
    FactKind,
    GivenFact,
    NameOf,
    attribute_problems,
    conditions_of,
    form_of,
)

ATTRIBUTE = "volcli.domain"
_NO_ARGUMENT = "belongs on an argument of a function: the zeros of computed values are inferred"


def declared_domains(function: Operation, name_of: NameOf) -> Iterator[GivenFact]:
    """The zeros outside of the domains of FUNCTION's arguments; an attribute with a problem declares none."""
    for value, attribute in attributes_of_arguments(function, ATTRIBUTE):
        if problem(value, attribute) is not None:
            continue
        assert isinstance(attribute, AffineSetAttr)
        constraints = [(form_of(value, each), each.kind) for each in attribute.data.constraints]
        outside = tuple((-c - 1,) for form, kind in constraints for c in conditions_of(form, kind))
        written = " and ".join(_text(form, kind) for form, kind in constraints) or "nothing is left out"
        text = f"{name_of(value)} is zero except where {written}"
        yield GivenFact(value, FactKind.ZERO, outside, text, is_about_some=False)


def problems_of(function: Operation, name_of: NameOf) -> Iterator[str]:
    """What is wrong with the domains that FUNCTION declares."""
    return attribute_problems(function, name_of, ATTRIBUTE, problem)


def misplaced(op: Operation, attribute: str = ATTRIBUTE, why: str = _NO_ARGUMENT) -> Iterator[str]:
    """What is wrong with an ATTRIBUTE that stands on OP itself, or on its results: it declares nothing."""
    if attribute in op.attributes or attribute in op.properties:
        yield f"'{attribute}' of '{operation_name(op)}' op {why}"
    rows = op.properties.get("res_attrs", op.attributes.get("res_attrs"))
    for position, row in enumerate(rows.data if isa(rows, ArrayAttr[Attribute]) else ()):
        if isinstance(row, DictionaryAttr) and attribute in row.data:
            yield f"'{attribute}' of result {position} {why}"


def problem(value: SSAValue, attribute: Attribute) -> str | None:
    """Why ATTRIBUTE declares no domain of VALUE."""
    if not isinstance(value.type, TensorType):
        return "is for a ranked tensor, which this is not"
    if not isinstance(attribute, AffineSetAttr):
        return "is not an affine_set such as affine_set<(d0, d1) : (d0 - d1 >= 0)>"
    rank, dims, symbols = rank_of(value), attribute.data.num_dims, attribute.data.num_symbols
    if dims != rank or symbols not in (0, rank):
        return f"has {dims} dimensions and {symbols} symbols, not {rank} and 0 or {rank}"
    try:
        for constraint in attribute.data.constraints:
            form_of(value, constraint)
    except NotAffine as error:
        return f"holds {error}"
    return None


def _text(form: Expression, kind: AffineConstraintKind) -> str:
    def written(atom: Atom) -> Expression | None:
        return parameter(f"s{atom.dimension}") if isinstance(atom, Dim) else None

    return f"{substitute(form, written)} {'=' if kind is AffineConstraintKind.eq else '>='} 0"
