"""Volumes: what each value is as a set of indexed elements, and which other one it is a view of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from volcli.facts.fact import EXACT, Certainty, Fact, assuming, json_fields
from volcli.facts.names import NO_NAMES, FactNames
from volcli.presburger.sets.named import NamedSet


@dataclass(frozen=True)
class BoxText:
    """Offset and size of each dimension, and strides where there are some."""

    offset: tuple[str, ...]
    size: tuple[str, ...]
    stride: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[str]]:
        named = (("offset", self.offset), ("size", self.size), ("stride", self.stride))
        return {name: list(each) for name, each in named if each or name != "stride"}

    def __str__(self) -> str:
        """`offset [2, 0], size [4, 1], stride [3, 0]`."""
        parts = [f"offset {_list(self.offset)}", f"size {_list(self.size)}"]
        return ", ".join([*parts, *([f"stride {_list(self.stride)}"] if self.stride else [])])


@dataclass(frozen=True, repr=False)
class VolumeFact(Fact):
    """What a value is: a scalar, an array, a volume of another domain, a view or a slice of another value.

    `domain` are the indices of its elements, without those that facts say to be zero; `hull` is the box
    around them, and `is_box` whether that is all. A slice is the `slice` of the value `source`; `reason` says
    why a view is none. `packed` is where an element is among all of them, row by row, if they are not a box.
    """

    question = "volumes"
    columns = ("value", "kind", "of", "offset, size, stride", "domain")

    value: str
    kind: str
    domain: NamedSet | None
    hull: BoxText | None
    is_box: bool
    source: str | None = None
    slice: BoxText | None = None
    packed: str | None = None
    reason: str | None = None
    names: FactNames = NO_NAMES
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return self.value

    def _fields(self) -> Mapping[str, Any]:
        known = json_fields(self, "value kind domain hull box source slice packed reason", box=self.is_box)
        return {**known, **self.names.to_json(), "assumptions": list(self.assumptions)}

    @property
    def certainty(self) -> Certainty:
        return EXACT if self.domain is not None else Certainty("unknown", self.reason)

    def content(self) -> Any:
        return self.annotation()

    def annotation(self) -> list[str]:
        if self.domain is None:
            return [f"volume {self.value}: unknown: {self.reason}"]
        return [f"volume {self.value}: {self._kind()}{self._note()}{assuming(self.assumptions)}"]

    def _kind(self) -> str:
        if self.source is None:
            where = "" if self.hull is None or self.kind == "scalar" else f", {self.hull}"
            return f"{self.kind}{where}" if self.is_box else f"{self.kind}, not a box, hull {self.hull}"
        where = f": {self.slice}" if self.slice is not None else ""
        return f"{self.kind} of {self.source}{where}"

    def _note(self) -> str:
        packed = "" if self.packed is None else f"; packed at {self.packed}"
        return packed + ("" if self.reason is None else f", not a slice: {self.reason}")

    def rows(self) -> list[tuple[str, ...]]:
        if self.domain is None:
            return [(self.value, "unknown", "", "", self.reason or "")]
        box = self.hull if self.source is None else self.slice
        kind = self.kind if self.is_box else f"{self.kind}, not a box"
        row = (self.value, kind, self.source or "", "" if box is None else str(box), self.domain.text)
        notes = [self._note().lstrip(",; ")] if self._note() else []
        notes += [assuming(self.assumptions).strip()] if self.assumptions else []
        return [row, *((self.value, "", "", "", note) for note in notes)]


def _list(items: Sequence[str]) -> str:
    return f"[{', '.join(items)}]"
