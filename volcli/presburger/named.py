"""Sets and relations with the names of the program, as answers hold them: text, and isl's object.

What isl prints is read back as the same set, so that an answer can be sent to another process, kept in a
file, and compared, by its text; isl's object is made of it when it is asked for. Printing may cost isl time:
it is done once, where the answer is computed, within the budget of that.

>>> import pickle
>>> even = NamedSet.of(isl.Set("[n] -> { t[i] : 0 <= i < n and i mod 2 = 0 }"))
>>> even
NamedSet('[n] -> { t[i] : (i) mod 2 = 0 and 0 <= i < n }')
>>> pickle.loads(pickle.dumps(even)) == even
True
>>> pickle.loads(pickle.dumps(even)).set.is_equal(even.set)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import islpy as isl


@dataclass(frozen=True, repr=False)
class _Named:
    """Text in isl's notation; two are equal if their texts are."""

    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text,)


@dataclass(frozen=True, repr=False)
class NamedSet(_Named):
    """A set of points: `{ t[i] : 0 <= i < 4 }`."""

    @staticmethod
    def of(points: isl.Set) -> NamedSet:
        """POINTS, whose names are those that are to be printed."""
        named = NamedSet(str(points))
        named.__dict__["set"] = points
        return named

    @cached_property
    def set(self) -> isl.Set:
        """The set as isl has it."""
        return isl.Set(self.text)


@dataclass(frozen=True, repr=False)
class NamedMap(_Named):
    """A relation between the points of two spaces: `{ r[i] -> t[i + 1] : 0 <= i < 3 }`."""

    @staticmethod
    def of(relation: isl.Map) -> NamedMap:
        """RELATION, whose names are those that are to be printed."""
        named = NamedMap(str(relation))
        named.__dict__["map"] = relation
        return named

    @cached_property
    def map(self) -> isl.Map:
        """The relation as isl has it."""
        return isl.Map(self.text)


@dataclass(frozen=True, repr=False)
class NamedUnionMap(_Named):
    """Relations between several spaces: `{ r[i] -> t[i + 1]; r[i] -> u[] }`."""

    @staticmethod
    def of(relation: isl.UnionMap) -> NamedUnionMap:
        """RELATION, whose names are those that are to be printed."""
        named = NamedUnionMap(str(relation))
        named.__dict__["map"] = relation
        return named

    @cached_property
    def map(self) -> isl.UnionMap:
        """The relations as isl has them."""
        return isl.UnionMap(self.text)
