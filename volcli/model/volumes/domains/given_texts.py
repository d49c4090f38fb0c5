"""Facts that are given as text, about the values of one function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    NotAffine,
    Value,
    dim_of,
    loop,
    substitute,
    value_of,
)
from volcli.language.reads import rank_of
from volcli.model.symbols import symbol_of
from volcli.model.values.terms.assumptions import argument
from volcli.model.volumes.domains.given import EVERYWHERE, FactKind, GivenFact, NameOf
from volcli.presburger.expressions.predicates import ParsedPredicate
from volcli.presburger.expressions.read_back import disjunction
from volcli.presburger.sets.conditions import ConditionName


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
        raise NoFact(f"{said.value} has {rank} dimensions, and not {len(indices)}")

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
