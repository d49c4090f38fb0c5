"""Facts that are given as text about the values of one function, and domains of its arguments.

`volcli.domain` says where a tensor may be other than zero:

    %l: tensor<4x4xf32> {volcli.domain = affine_set<(d0, d1) : (d0 - d1 >= 0)>}     lower triangular
    %u: tensor<?x?xf32> {volcli.domain = affine_set<(d0, d1)[s0, s1] : (s1 - 1 - d0 - d1 >= 0)>}    upper left

A volume may have any domain (IMPACT 2023, section 1 and appendix A.1: it "encodes its sparsity property by
definition"). A tensor has a box; it is zero, +0 or -0, outside of the domain. d0, d1, ... are its indices,
and s0, s1, ..., if there are any, its sizes. That is an assumption, which callers keep; each answer that
needs it names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import AffineSetAttr, ArrayAttr, DictionaryAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstraintKind
from xdsl.utils.hints import isa

from volcli.diagnostics.counted import counted
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    NotAffine,
    Value,
    dim_of,
    loop,
    parameter,
    substitute,
    value_of,
)
from volcli.language.interface import operation_name
from volcli.language.reads import rank_of
from volcli.model.symbols import symbol_of
from volcli.model.values.terms.assumptions import argument, attributes_of_arguments
from volcli.model.volumes.domains.given import (
    EVERYWHERE,
    FactKind,
    GivenFact,
    NameOf,
    attribute_problems,
    conditions_of,
    form_of,
)
from volcli.presburger.expressions.predicates import ParsedPredicate
from volcli.presburger.expressions.read_back import disjunction
from volcli.presburger.sets.condition_words import ConditionName


class NoFact(Exception):
    """Why a text says nothing of a function's values."""


def given_facts(
    function: Operation,
    name_of: NameOf,
    said: Iterable[ParsedPredicate],
    copies: Mapping[SSAValue, SSAValue] | None = None,
) -> Iterator[GivenFact]:
    """Those of the facts that are SAID which are about a value of FUNCTION, or of its COPIES."""
    for each in said:
        value = value_of_fact(function, name_of, each)
        if value is not None:
            yield _of_copy(given_fact(function, name_of, each, value), copies or {})


def _of_copy(fact: GivenFact, copies: Mapping[SSAValue, SSAValue]) -> GivenFact:
    """FACT, over values, over their COPIES."""

    def copied(atom: Atom) -> Expression | None:
        match atom:
            case Value(value):
                return value_of(copies.get(value, value))
            case Dim(value, dimension):
                return dim_of(copies.get(value, value), dimension)
            case _:
                return None

    if not copies:
        return fact
    where = tuple(tuple(substitute(each, copied) for each in every) for every in fact.where)
    number = None if fact.number is None else substitute(fact.number, copied)
    return replace(fact, value=copies.get(fact.value, fact.value), where=where, number=number)


def value_of_fact(function: Operation, name_of: NameOf, said: ParsedPredicate) -> SSAValue | None:
    """The value of FUNCTION that is SAID to have a property; None if it has no such value."""
    if said.function not in (None, symbol_of(function)):
        return None
    return next((value for value in _values(function) if name_of(value) == said.value), None)


def given_fact(function: Operation, name_of: NameOf, said: ParsedPredicate, value: SSAValue) -> GivenFact:
    """What is SAID of VALUE; raises NoFact."""
    if not isinstance(value.type, TensorType):
        raise NoFact(f"{said.value} is not a ranked tensor")
    rank = rank_of(value)
    indices: Sequence[str] = said.indices or ()
    if said.indices is not None and len(indices) != rank:
        raise NoFact(f"{said.value} has {counted(rank, 'dimension')}, and not {len(indices)}")

    def named(name: ConditionName) -> Expression:
        if name.value in indices and name.dim is None:
            return loop(indices.index(name.value))
        found = argument(function, name_of, name)
        if found is None:
            raise NoFact(f"'{name}' is neither an index of {said.value}, nor an argument that is a number")
        return found

    where, number, kind = EVERYWHERE, None, FactKind(said.kind)
    try:
        if said.where is not None:
            names = said.where.names
            where = disjunction(said.where.points, lambda name: named(names[int(name[1:])]))
        if kind is FactKind.EQUAL and (number := said.expression(named)) is None:
            raise NoFact("the number is not an affine function of the indices")
    except NotAffine as error:
        raise NoFact(f"it holds {error}") from error
    return GivenFact(value, kind, where, f"given: {said.text}", number)


def _values(function: Operation) -> Iterator[SSAValue]:
    """The values of the function's own blocks."""
    for region in function.regions:
        for block in region.blocks:
            yield from block.args
            for op in block.ops:
                yield from op.results


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
        return (
            f"has {counted(dims, 'dimension')} and {counted(symbols, 'symbol')}, not {rank} and 0 or {rank}"
        )
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
