"""What the names in the sets and relations of a fact stand for in the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from volcli.facts.fact import Where, json_fields


@dataclass(frozen=True)
class ParameterName:
    """What a parameter of a printed set stands for.

    `kind` is "argument" (an integer argument), "size" (of a dimension `dim`), "computed" (from arguments and
    sizes, in a way that is not affine), or "loaded" (from the elements of the values `data`).
    """

    name: str
    kind: Literal["argument", "size", "computed", "loaded"]
    value: str
    dim: int | None
    where: Where
    data: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        place = self.where.place
        known = json_fields(self, "name kind value dim op", op=self.where.op)
        return {**known, "line": place.line, "column": place.column, "data": list(self.data)}


@dataclass(frozen=True)
class VolumeName:
    """What a volume of a printed set stands for: a value, or what `user` uses of a scalar constant."""

    name: str
    value: str
    user: str | None = None

    def to_json(self) -> dict[str, Any]:
        return json_fields(self, "name value user")


@dataclass(frozen=True)
class FactNames:
    """The names in the sets and maps of a fact, which differ from the program's where isl has other rules."""

    parameters: tuple[ParameterName, ...] = ()
    volumes: tuple[VolumeName, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return json_fields(self, "parameters volumes")


NO_NAMES = FactNames()
