"""Sparsity regions: which elements of a value depend on data, on constants around it, or on neither."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import islpy as isl

from volcli.facts.fact import EXACT, Certainty, Fact, assuming, json_fields
from volcli.facts.names import NO_NAMES, FactNames
from volcli.presburger.measures.counts import count_at
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.named import NamedSet
from volcli.presburger.sets.names import parameters_of_space


@dataclass(frozen=True)
class RegionRow:
    """One region: its `points`, and their gist within the domain (for people)."""

    kind: str
    degree: int
    points: NamedSet
    gist: NamedSet
    count: int | None
    phase: tuple[tuple[str, int, int], ...]
    """(dimension, residue, modulus), where constants lie between the data."""
    zero: bool
    assumes: tuple[str, ...]
    """The fastmath flags that operations lack for the region to be static."""
    zero_assumes: tuple[str, ...]
    """Those that they lack for it to be zero, where it is not zero under `assumes`."""
    polynomial: str | None = None
    """The number of its elements where it has some, if that is a polynomial of the parameters."""

    @property
    def set(self) -> isl.Set:
        """Its points as isl has them."""
        return self.points.set

    def count_at(self, **parameters: int) -> int:
        """The number of its elements where its parameters have these values: `count_at(t_d0=8)`.

        Raises ValueError for the value of a parameter that it does not have, and if one has no value.
        """
        names = parameters_of_space(self.set)
        if strange := sorted(set(parameters) - set(names)):
            raise ValueError(f"no parameter is called {strange[0]}; there are {', '.join(names) or 'none'}")
        if free := [name for name in names if name not in parameters and self._has(name)]:
            raise ValueError(f"{free[0]} needs a value")
        return count_at(self.set, parameters)

    def _has(self, parameter: str) -> bool:
        return self.set.involves_dims(DIM.param, self.set.find_dim_by_name(DIM.param, parameter), 1)

    @property
    def label(self) -> str:
        text = self.kind
        if self.kind == "sparse":
            text = f"sparse of degree {self.degree}" if self.degree else "sparse in gaps"
        text += " zero" if self.zero else ", zero" if self.zero_assumes else ""
        return text + "".join(f", {d} mod {m} = {r}" for d, r, m in self.phase)

    def to_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "kind": self.kind, "degree": self.degree, "set": self.points.text, "count": self.count,
        }  # fmt: skip
        if self.polynomial is not None:
            row["polynomial"] = self.polynomial
        if self.phase:
            row["phase"] = {dimension: [residue, modulus] for dimension, residue, modulus in self.phase}
        if self.zero:
            row["zero"] = True
        if self.assumes:
            row["assumes"] = list(self.assumes)
        if self.zero_assumes:
            row["zero_assumes"] = list(self.zero_assumes)
        return row

    def cells(self) -> tuple[str, str, str]:
        """What it is, how many elements, and which."""
        count = self.polynomial or ("parametric" if self.count is None else str(self.count))
        flags = self.zero_assumes or self.assumes
        assumed = f" assuming {', '.join(flags)}" if flags else ""
        return self.label + assumed, count, self.gist.text


@dataclass(frozen=True, repr=False)
class RegionsFact(Fact):
    """The sparsity regions of a value, a partition of its index domain (None: they are not known).

    `common` boundaries reach every element that depends on data: no degree counts them.
    """

    question = "regions"
    columns = ("value", "region", "elements", "where")

    value: str
    domain: NamedSet | None
    regions: tuple[RegionRow, ...]
    exact: bool
    reason: str | None
    names: FactNames = NO_NAMES
    assumptions: tuple[str, ...] = ()
    common: int = 0
    relative_to: tuple[str, ...] = ()
    """The values whose elements are data; none: those of the function's arguments."""
    told_apart: str | None = None
    """The last value before it whose elements `common` boundaries tell apart, if here they do not."""

    @property
    def subject(self) -> str:
        """`%act0`, and `%act0 relative to %ifm`."""
        data = f" relative to {', '.join(self.relative_to)}" if self.relative_to else ""
        return self.value + data

    def _reaching_all(self) -> str:
        reach = "boundary reaches" if self.common == 1 else "boundaries reach"
        until = f"; the last value whose elements they tell apart is {self.told_apart}"
        return f"{self.common} {reach} every element that depends on data" + until * bool(self.told_apart)

    def _fields(self) -> Mapping[str, Any]:
        known = json_fields(self, "value domain regions common told_apart relative_to exact reason")
        return {**known, **self.names.to_json(), "assumptions": list(self.assumptions)}

    @property
    def certainty(self) -> Certainty:
        if self.domain is None:
            return Certainty("unknown", self.reason)
        return EXACT if self.exact else Certainty("approximate", self.reason)

    def content(self) -> Any:
        if self.domain is None:
            return f"unknown: {self.reason}"
        return [region.to_json() for region in self.regions]

    def annotation(self) -> list[str]:
        if self.domain is None:
            return [f"regions {self.subject}: unknown: {self.reason}"]
        note = "" if self.exact else f" (over-approximate: {self.reason})"
        note += f" ({self._reaching_all()})" if self.common else ""
        note += assuming(self.assumptions)
        lines = [f"regions {self.subject}{note}:"]
        cells = [region.cells() for region in self.regions]
        width = max((len(label) for label, _, _ in cells), default=0)
        digits = max((len(count) for _, count, _ in cells), default=0)
        return lines + [
            f"  {label.ljust(width)}  {count.rjust(digits)}  {gist}" for label, count, gist in cells
        ]

    def rows(self) -> list[tuple[str, ...]]:
        if self.domain is None:
            return [(self.subject, "unknown", "", self.reason or "")]
        rows = [(self.subject, *region.cells()) for region in self.regions]
        notes = [self._reaching_all()] if self.common else []
        notes += [assuming(self.assumptions).strip()] if self.assumptions else []
        return [*rows, *((self.subject, "", "", note) for note in notes)]
