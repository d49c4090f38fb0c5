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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar

import islpy as isl

from volcli.presburger.sets.latex import latex

T = TypeVar("T", isl.Set, isl.Map, isl.UnionMap)


@dataclass(frozen=True, repr=False)
class _Named(Generic[T]):
    """Text in isl's notation, and what isl reads it as; two are equal if their texts are."""

    text: str
    _kind: ClassVar[Any]

    @classmethod
    def of(cls, named: T) -> Self:
        """A set or relation whose names are those that are to be printed."""
        made = cls(str(named))
        made.__dict__["isl"] = named
        return made

    @classmethod
    def when_asked(cls, make: Callable[[], T]) -> Self:
        """What MAKE gives, which is called when the text is asked for: that must cost next to nothing."""
        made = cls.__new__(cls)
        made.__dict__["_make"] = make
        return made

    def __getattr__(self, name: str) -> Any:
        make = self.__dict__.get("_make") if name == "text" else None
        if make is None:
            raise AttributeError(name)
        named: T = make()
        self.__dict__.update(isl=named, text=str(named))
        del self.__dict__["_make"]
        return self.__dict__["text"]

    @cached_property
    def isl(self) -> T:
        """As isl has it."""
        return self._kind(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def _repr_latex_(self) -> str:
        """For notebooks, which typeset it."""
        return latex(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text,)


class NamedSet(_Named[isl.Set]):
    """A set of points: `{ t[i] : 0 <= i < 4 }`."""

    _kind = isl.Set

    @property
    def set(self) -> isl.Set:
        """The set as isl has it."""
        return self.isl


class _NamedRelation(_Named[T]):
    @property
    def map(self) -> T:
        """The relation as isl has it."""
        return self.isl


class NamedMap(_NamedRelation[isl.Map]):
    """A relation between the points of two spaces: `{ r[i] -> t[i + 1] : 0 <= i < 3 }`."""

    _kind = isl.Map


class NamedUnionMap(_NamedRelation[isl.UnionMap]):
    """Relations between several spaces: `{ r[i] -> t[i + 1]; r[i] -> u[] }`."""

    _kind = isl.UnionMap
