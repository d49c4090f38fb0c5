"""Which MARS an access reads or writes, by the numbers that the sets of its array have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volcli.facts.fact import EXACT, Certainty, Fact
from volcli.facts.mars import MarsFact


@dataclass(frozen=True)
class MarsAccessed:
    """The sets, by their positions among all, that are accessed in tiles of one class (None: all tiles).

    Those `in_some` are accessed in some of these tiles, and not in others."""

    tiles: str | None
    sets: tuple[int, ...]
    in_some: tuple[int, ...] = ()

    @property
    def numbers(self) -> str:
        """`1, 3; 2 in some tiles`, counted from 1."""
        always, sometimes = (
            ", ".join(str(each + 1) for each in self.sets if (each in self.in_some) == is_some)
            for is_some in (False, True)
        )
        return "; ".join([always] * bool(always) + [f"{sometimes} in some tiles"] * bool(sometimes)) or "none"

    @property
    def text(self) -> str:
        """`tiles { [t0, t1] : t0 = t1 }: 1, 3`."""
        return self.numbers if self.tiles is None else f"{self.tiles}: {self.numbers}"


@dataclass(frozen=True, repr=False)
class MarsAccessFact(Fact):
    """The sets of ARRAY that one access reads, or writes: of what tiles read, or of what they produce."""

    question = "mars"
    columns = MarsFact.columns

    array: str
    kind: Literal["read", "produced"]
    writes: bool
    classes: tuple[MarsAccessed, ...]

    @property
    def subject(self) -> str:
        return f"{self.array} {self.kind}: {'store' if self.writes else 'load'}"

    def _fields(self) -> Mapping[str, Any]:
        return {
            "array": self.array,
            "kind": self.kind,
            "access": "write" if self.writes else "read",
            "classes": [
                {"tiles": each.tiles, "sets": list(each.sets), "in_some": list(each.in_some)}
                for each in self.classes
            ],
        }

    @property
    def certainty(self) -> Certainty:
        return EXACT

    def content(self) -> Any:
        return [each.text for each in self.classes]

    def _lines(self) -> list[str]:
        """`written here: 1, 2`; one line for each class of tiles if these are not the same."""
        here = "written here:" if self.writes else "read here:"
        if len({(each.sets, each.in_some) for each in self.classes}) == 1:
            return [f"{here} {self.classes[0].numbers}"]
        return [here, *(f"  {each.text}" for each in self.classes)]

    def annotation(self) -> list[str]:
        first, *others = self._lines()
        return [f"mars {self.array} {self.kind}, {first}", *others]

    def rows(self) -> list[tuple[str, ...]]:
        first, *others = self._lines()
        return [
            (f"{self.array} {self.kind}", first, "", "", "", ""),
            *(("", line, "", "", "", "") for line in others),
        ]
