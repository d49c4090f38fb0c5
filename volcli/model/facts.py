"""Facts: what volcli says of a program, as data, as rows of a table and as annotation lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from xdsl.ir import Attribute, Operation

from volcli.diagnostics import Place
from volcli.expressions import Expression


@dataclass(frozen=True)
class Where:
    """What a fact is about: an operation of a function, and its place in the file."""

    function: str
    op: str
    place: Place
    operation: Operation | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Fact(ABC):
    """One statement about one value or operation."""

    question: ClassVar[str]
    """The question that it answers, as `--ask` names it."""
    columns: ClassVar[tuple[str, ...]]
    """The headings of its rows in a table."""

    where: Where

    @property
    def function(self) -> str:
        return self.where.function

    @property
    def op(self) -> str:
        return self.where.op

    @property
    def place(self) -> Place:
        return self.where.place

    def to_json(self) -> dict[str, Any]:
        """The fact as docs/facts.schema.json describes it."""
        return {
            "question": self.question,
            "function": self.function,
            "op": self.op,
            "line": self.place.line,
            "column": self.place.column,
            **self._fields(),
        }

    @abstractmethod
    def _fields(self) -> Mapping[str, Any]:
        """The fields that this question adds."""

    @abstractmethod
    def content(self) -> Any:
        """What an attribute of the operation says: the fact without its place, as a JSON value."""

    @abstractmethod
    def annotation(self) -> list[str]:
        """The lines that are written above the operation; none if they would say nothing new."""

    @abstractmethod
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of the table."""


def size_json(size: Expression | None) -> int | str | None:
    """A size as JSON: a number if it is constant, else the expression's text."""
    if size is None:
        return None
    return size.constant if size.is_constant else str(size)


def assuming(names: Sequence[str]) -> str:
    """What an answer says of the assumptions that it needs: ` assuming cf.assert %k`."""
    return f" assuming {' and '.join(names)}" if names else ""


@dataclass(frozen=True)
class ShapeFact(Fact):
    """The sizes of a value's dimensions; `is_news` if they say more than its type, or it is a result."""

    question = "shapes"
    columns = ("value", "type", "shape")

    value: str
    type: Attribute
    sizes: tuple[Expression, ...]
    is_news: bool
    assumptions: tuple[str, ...] = ()
    """What the sizes need to be these."""

    def _fields(self) -> Mapping[str, Any]:
        dims = [{"eq": size_json(s), "lb": size_json(s), "ub": size_json(s)} for s in self.sizes]
        assumed = {"assumptions": list(self.assumptions)}
        return {"value": self.value, "type": str(self.type), "dims": dims, **assumed}

    def content(self) -> Any:
        return [size_json(size) for size in self.sizes]

    def _shape(self) -> str:
        return f"[{', '.join(map(str, self.sizes))}]{assuming(self.assumptions)}"

    def annotation(self) -> list[str]:
        return [f"shape {self.value}: {self._shape()}"] if self.is_news else []

    def rows(self) -> list[tuple[str, ...]]:
        return [(self.value, str(self.type), self._shape())]


@dataclass(frozen=True)
class ParameterName:
    """What a parameter of a printed set stands for.

    `kind` is "argument" (an integer argument), "size" (of a dimension `dim`), "computed" (from arguments and
    sizes, in a way that is not affine), or "loaded" (from the elements of the values `data`).
    """

    name: str
    kind: str
    value: str
    dim: int | None
    where: Where
    data: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        place = self.where.place
        return {
            "name": self.name, "kind": self.kind, "value": self.value, "dim": self.dim, "op": self.where.op,
            "line": place.line, "column": place.column, "data": list(self.data),
        }  # fmt: skip


@dataclass(frozen=True)
class VolumeName:
    """What a volume of a printed set stands for: a value, or what `user` uses of a scalar constant."""

    name: str
    value: str
    user: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "value": self.value, "user": self.user}


@dataclass(frozen=True)
class Names:
    """The names in the sets and maps of a fact, which differ from the program's where isl has other rules."""

    parameters: tuple[ParameterName, ...] = ()
    volumes: tuple[VolumeName, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "parameters": [p.to_json() for p in self.parameters],
            "volumes": [v.to_json() for v in self.volumes],
        }


_NO_ELEMENT = "depends on no element"
"""What is said of a value that is computed from sizes alone."""


@dataclass(frozen=True)
class MapFact(Fact):
    """The element map from a value to the function's inputs, or to the operands of its operation."""

    question = "maps"
    columns = ("value", "map", "exact")

    value: str
    text: str
    """The whole map in isl notation; null in JSON if it could not be computed."""
    pieces: tuple[str, ...]
    """One line per volume, without what the index domains imply."""
    exact: bool
    reason: str | None
    names: Names = Names()
    assumptions: tuple[str, ...] = ()

    def _fields(self) -> Mapping[str, Any]:
        return {"value": self.value, "map": self.text or None, "exact": self.exact, "reason": self.reason,
                **self.names.to_json(), "assumptions": list(self.assumptions)}  # fmt: skip

    def content(self) -> Any:
        return self.text or f"unknown: {self.reason}"

    def annotation(self) -> list[str]:
        note = "" if self.exact else f" (over-approximate: {self.reason})"
        note += assuming(self.assumptions)
        if not self.text:
            return [f"map {self.value}: unknown: {self.reason}"]
        if not self.pieces:
            return [f"map {self.value}{note}: {_NO_ELEMENT}"]
        return [f"map {self.value}{note}:", *(f"  {piece}" for piece in self.pieces)]

    def rows(self) -> list[tuple[str, ...]]:
        exact = ("yes" if self.exact else f"no: {self.reason}") + assuming(self.assumptions)
        return [(self.value, piece, exact) for piece in self.pieces or (self._empty(),)]

    def _empty(self) -> str:
        return _NO_ELEMENT if self.text else "unknown"


@dataclass(frozen=True)
class RegionRow:
    """One region: its whole set (for machines) and its gist within the domain (for people)."""

    kind: str
    degree: int
    points: str
    gist: str
    count: int | None
    phase: Mapping[str, tuple[int, int]]
    zero: bool
    assumes: tuple[str, ...]
    """The fastmath flags that operations lack for the region to be static."""
    zero_assumes: tuple[str, ...]
    """Those that they lack for it to be zero, where it is not zero under `assumes`."""

    @property
    def label(self) -> str:
        text = self.kind
        if self.kind == "sparse":
            text = f"sparse of degree {self.degree}" if self.degree else "sparse in gaps"
        text += " zero" if self.zero else ", zero" if self.zero_assumes else ""
        return text + "".join(f", {d} mod {m} = {r}" for d, (r, m) in self.phase.items())

    def to_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "kind": self.kind, "degree": self.degree, "set": self.points, "count": self.count,
        }  # fmt: skip
        if self.phase:
            row["phase"] = {d: list(residue) for d, residue in self.phase.items()}
        if self.zero:
            row["zero"] = True
        if self.assumes:
            row["assumes"] = list(self.assumes)
        if self.zero_assumes:
            row["zero_assumes"] = list(self.zero_assumes)
        return row


@dataclass(frozen=True)
class RegionsFact(Fact):
    """The sparsity regions of a value, a partition of its index domain."""

    question = "regions"
    columns = ("value", "region", "elements", "where")

    value: str
    domain: str
    regions: tuple[RegionRow, ...]
    exact: bool
    reason: str | None
    names: Names = Names()
    assumptions: tuple[str, ...] = ()

    def _fields(self) -> Mapping[str, Any]:
        return {
            "value": self.value,
            "domain": self.domain or None,
            "regions": [region.to_json() for region in self.regions],
            "exact": self.exact,
            "reason": self.reason,
            **self.names.to_json(),
            "assumptions": list(self.assumptions),
        }

    def content(self) -> Any:
        regions = [region.to_json() for region in self.regions]
        return regions if self.domain else f"unknown: {self.reason}"

    def annotation(self) -> list[str]:
        if not self.domain:
            return [f"regions {self.value}: unknown: {self.reason}"]
        note = "" if self.exact else f" (over-approximate: {self.reason})"
        note += assuming(self.assumptions)
        lines = [f"regions {self.value}{note}:"]
        cells = [_cells(region) for region in self.regions]
        width = max((len(label) for label, _, _ in cells), default=0)
        digits = max((len(count) for _, count, _ in cells), default=0)
        return lines + [
            f"  {label.ljust(width)}  {count.rjust(digits)}  {gist}" for label, count, gist in cells
        ]

    def rows(self) -> list[tuple[str, ...]]:
        if not self.domain:
            return [(self.value, "unknown", "", self.reason or "")]
        return [(self.value, *_cells(region)) for region in self.regions]


def _cells(region: RegionRow) -> tuple[str, str, str]:
    count = "parametric" if region.count is None else str(region.count)
    flags = region.zero_assumes or region.assumes
    assumed = f" assuming {', '.join(flags)}" if flags else ""
    return region.label + assumed, count, region.gist
