"""Predicates on elements as people write them: `%a[i, j] = 0 : i < j`, `@f:%b[i] is constant`.

The names in brackets stand for the indices, and may be left away where a predicate is about all elements.
What is behind `:` is a condition as those of `volcli.presburger.sets.conditions`, over indices, arguments and
sizes.

>>> fact = read_predicate("%a[i, j] = 0 : i < j")
>>> fact.value, fact.indices, fact.kind, str(fact.where.points)
('%a', ('i', 'j'), 'zero', '[n0, n1] -> {  : n1 > n0 }')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import Expression
from volcli.presburger.expressions.read_back import expression_of
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import pieces
from volcli.presburger.sets.condition_words import ConditionError, ConditionName
from volcli.presburger.sets.conditions import ParsedCondition, read

_NUMBER = "__number"
_KINDS = ("constant", "sparse", "undefined", "zero")
_HEAD = re.compile(
    r"\s*(?:@(?P<function>[\w$.]+):)?(?P<value>%[\w$.]+(?:#\d+)?)\s*(?:\[(?P<indices>[^\]]*)\])?\s*"
)
_IS = re.compile(r"(?:=(?!=)|==|is\b)\s*")


@dataclass(frozen=True, eq=False)
class ParsedPredicate:
    """What elements of a value are, and where: `kind` of `number`, in terms of the `indices`."""

    text: str
    function: str | None
    value: str
    indices: tuple[str, ...] | None
    kind: str
    number: ParsedCondition | None
    where: ParsedCondition | None

    def expression(self, named: Callable[[ConditionName], Expression]) -> Expression | None:
        """The number that the elements are; None if it is no affine function."""
        assert self.number is not None, "a predicate that says which number"
        names = self.number.names
        position = next(k for k, name in enumerate(names) if name.value == _NUMBER)
        at = self.number.points.find_dim_by_name(DIM.param, f"n{position}")
        function = self.number.points.move_dims(DIM.set, 0, DIM.param, at, 1).dim_max(0)
        found = pieces(function.coalesce())
        if self.number.products or len(found) != 1 or not found[0][0].plain_is_universe():
            return None
        return expression_of(found[0][1], lambda name: named(names[int(name[1:])]))


def read_predicate(text: str) -> ParsedPredicate:
    """The predicate TEXT; raises ConditionError."""
    head = _HEAD.match(text)
    if head is None:
        raise ConditionError("expected a value, as in '%a[i, j] = 0 : i < j'", 0)
    relation = _IS.match(text, head.end())
    if relation is None:
        raise ConditionError("expected '= 0', '= i + 1', 'is constant', ...", head.end())
    said, colon, condition = text[relation.end() :].partition(":")
    where = None if not colon else read(condition, relation.end() + len(said) + 1)
    if where is not None and where.products:
        raise ConditionError("expected an affine condition such as '%a < %b'", relation.end() + len(said) + 1)
    indices = None if head["indices"] is None else _indices(head["indices"], head.start("indices"))
    if relation[0].startswith("is"):
        if said.strip() not in _KINDS:
            raise ConditionError(f"expected one of {', '.join(_KINDS)}", relation.end())
        kind, number = said.strip(), None
    else:
        number = _number(said, relation.end())
        kind = "zero" if said.strip() == "0" else "equal"
    plain = " ".join(text.split())
    return ParsedPredicate(plain, head["function"], head["value"], indices, kind, number, where)


def _indices(text: str, at: int) -> tuple[str, ...]:
    names = tuple(name.strip().removeprefix("%") for name in text.split(",")) if text.strip() else ()
    if not all(name.isidentifier() for name in names) or len(set(names)) < len(names):
        raise ConditionError("expected different names of indices", at)
    return names


def _number(text: str, at: int) -> ParsedCondition:
    """The points at which a number is what TEXT says."""
    read(f"{text} = 0", at)  # an error in it has its place
    found = read(f"{_NUMBER} = {text}", at - len(_NUMBER) - 3)
    values = isl.Set.universe(found.points.get_space())
    if found.points.is_equal(values):
        raise ConditionError("expected a number", at)
    return found
