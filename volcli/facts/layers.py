"""Layers: of each operation on tensors what it reaches of the inputs, its border, and what it multiplies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from volcli.diagnostics.counted import counted
from volcli.facts.fact import EXACT, Certainty, Fact, assumed, json_fields
from volcli.language.expressions import Expression, constant

COLUMNS = (
    "value",
    "shape",
    "input",
    "field",
    "stride",
    "offset",
    "border",
    "padding",
    "multiplications",
    "zero",
)


def share_of(part: Expression | None, whole: Expression | None) -> Fraction | None:
    """PART / WHOLE if that is one number, whatever the parameters are; None if not, or if WHOLE is 0.

    >>> from volcli.language.expressions import parameter
    >>> batch = parameter("n")
    >>> share_of(3 * batch, 12 * batch), share_of(batch, 12 * batch + 1)
    (Fraction(1, 4), None)
    """
    if part is None or whole is None:
        return None
    numbers = dict(part.terms)
    atom, number = whole.terms[0] if whole.terms else (None, whole.constant)
    if not number:
        return None
    share = Fraction(part.constant if atom is None else numbers.get(atom, 0), number)
    return share if part * share.denominator == whole * share.numerator else None


@dataclass(frozen=True)
class FieldMove:
    """A window moves by `step` for each element along the dimension `along` of a value, on average.

    Windows repeat after `period` elements, moved: 2 behind a transposed convolution of stride 2.
    """

    along: int
    step: Fraction
    period: int = 1

    def __str__(self) -> str:
        return str(self.step) if self.step else f"mod {self.period}"

    @property
    def of_dimension(self) -> str:
        """`2*d1`."""
        return f"{self}*d{self.along}".removeprefix("1*") if self.step else f"d{self.along} {self}"

    def to_json(self) -> dict[str, Any]:
        return {"along": self.along, "stride": str(self.step), "period": self.period}


@dataclass(frozen=True)
class FieldDimension:
    """What one element reaches along a dimension of an input: `size` indices at most, `whole` if all of them.

    The window of these may begin before the input, and end after it. It makes all `moves`, and begins at
    `offset` for the first element; without moves, every element reaches the same ones. None for a `size` is
    all of an unknown number, for an `offset` one that differs by element.
    """

    size: int | None
    whole: bool
    moves: tuple[FieldMove, ...] = ()
    offset: int | None = None

    def to_json(self) -> dict[str, Any]:
        moves = [each.to_json() for each in self.moves]
        moved = moves[0] if len(moves) == 1 else {"moves": moves} if moves else {}
        return {"size": self.size, "whole": self.whole, **moved, "offset": self.offset}

    def cells(self) -> tuple[str, str]:
        """Its stride, the sum of several with their dimensions, and its offset."""
        if not self.moves:
            return "-", "-"
        offset = "varies" if self.offset is None else str(self.offset)
        if len(self.moves) == 1:
            return str(self.moves[0]), offset
        return " + ".join(each.of_dimension for each in self.moves), offset


@dataclass(frozen=True)
class ReceptiveField:
    """What one element reaches of an `input`, dimension by dimension; `exact` if some element reaches it."""

    input: str
    dimensions: tuple[FieldDimension, ...]
    exact: bool

    @property
    def is_whole(self) -> bool:
        """Whether every element may reach all of the input."""
        return all(each.whole and not each.moves for each in self.dimensions)

    def to_json(self) -> dict[str, Any]:
        dims = [each.to_json() for each in self.dimensions]
        return {"input": self.input, "dims": dims, "whole": self.is_whole, "exact": self.exact}

    def cells(self) -> tuple[str, str, str, str]:
        """The input, and the sizes, strides and offsets of its dimensions."""
        sizes = "x".join("all" if each.size is None else str(each.size) for each in self.dimensions)
        moves = [each.cells() for each in self.dimensions]
        strides, offsets = (", ".join(each[k] for each in moves) for k in (0, 1))
        return self.input, ("" if self.exact else "<= ") + sizes, strides, offsets


@dataclass(frozen=True, repr=False)
class LayerFact(Fact):
    """What one operation adds to a network.

    Of its `elements`, `border` depend on data and on padding, and `padding` on no data at all. It multiplies
    `multiplications` times, of which `zeros` have a factor that is structurally zero, if operations carry the
    flags `assumes`. None for a number: it is not known. A layer that is not `shown` has no row: it reaches
    what its operand reaches, and multiplies nothing.
    """

    question = "layers"
    columns = COLUMNS

    value: str
    sizes: tuple[Expression, ...]
    fields: tuple[ReceptiveField, ...]
    border: Expression | None
    padding: Expression | None
    multiplications: Expression | None
    zeros: Expression | None
    width: int | None
    """The bytes of an element."""
    assumes: tuple[str, ...]
    reason: str | None
    shown: bool
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return self.value

    @property
    def elements(self) -> Expression:
        """How many elements the result has."""
        return prod(self.sizes, start=constant(1))

    @property
    def bytes(self) -> Expression | None:
        """How much memory they take."""
        return None if self.width is None else self.elements * self.width

    def _fields(self) -> Mapping[str, Any]:
        return {
            "value": self.value,
            "sizes": [_number(size) for size in self.sizes],
            "fields": [each.to_json() for each in self.fields],
            "elements": _number(self.elements),
            **{
                name: _number(getattr(self, name))
                for name in ("border", "padding", "multiplications", "zeros")
            },
            "border_share": _ratio(share_of(self.border, self.elements)),
            "padding_share": _ratio(share_of(self.padding, self.elements)),
            "zero_share": _ratio(share_of(self.zeros, self.multiplications)),
            "bytes": _number(self.bytes),
            **json_fields(self, "assumes reason assumptions"),
        }

    @property
    def certainty(self) -> Certainty:
        if self.reason is not None:
            return Certainty("approximate", self.reason)
        return EXACT

    def content(self) -> Any:
        fields = self._fields()
        return {name: value for name, value in fields.items() if name not in ("value", "reason")}

    def annotation(self) -> list[str]:
        if not self.shown:
            return []
        cells = dict(zip(self.columns, self.rows()[0], strict=True))
        numbers = [f"{name} {cells[name]}" for name in COLUMNS[6:] if cells[name]]
        fields = [" ".join(each.cells()[:2]) for each in self.fields if not each.is_whole]
        reaching = f" reaches {', '.join(fields)}" if fields else ""
        said = ", ".join(numbers)
        return [f"layer {self.value}{reaching}{': ' * bool(said)}{said}{assumed(self.assumptions)}"]

    def rows(self) -> list[tuple[str, ...]]:
        if not self.shown:
            return []
        rows = [each.cells() for each in self.fields if not each.is_whole]
        for text, is_exact in (("all", True), ("<= all", False)):
            if whole := ", ".join(e.input for e in self.fields if e.is_whole and e.exact is is_exact):
                rows.append((whole, text, "", ""))
        first, *others = rows or [("", "", "", "")]
        shape = "x".join(map(_factor, self.sizes)) or "scalar"
        numbers = (
            percent(self.border, self.elements),
            percent(self.padding, self.elements),
            "" if self.multiplications is None else str(self.multiplications),
            percent(self.zeros, self.multiplications)
            + (" assuming " + ", ".join(self.assumes)) * bool(self.assumes),
        )
        return [(self.value, shape, *first, *numbers), *(("", "", *each, "", "", "", "") for each in others)]


@dataclass(frozen=True, repr=False)
class NetworkFact(Fact):
    """The sums of the layers of a function, over those of which the numbers are known."""

    question = "layers"
    columns = COLUMNS

    layers: int
    multiplications: Expression
    zeros: Expression
    bytes: Expression
    assumes: tuple[str, ...]
    missing: int
    """Of how many layers a number is not known."""

    @property
    def subject(self) -> str:
        return f"@{self.function}"

    def _fields(self) -> Mapping[str, Any]:
        return {
            "value": self.subject,
            "layers": self.layers,
            **{name: _number(getattr(self, name)) for name in ("multiplications", "zeros", "bytes")},
            "zero_share": _ratio(share_of(self.zeros, self.multiplications)),
            "assumes": list(self.assumes),
            "missing": self.missing,
        }

    @property
    def certainty(self) -> Certainty:
        return Certainty("approximate", f"of {self.missing} layers") if self.missing else EXACT

    def content(self) -> Any:
        return dict(self._fields())

    def annotation(self) -> list[str]:
        return []

    def rows(self) -> list[tuple[str, ...]]:
        zero = ">= " * bool(self.missing) + _zero(self.zeros, self.multiplications, self.assumes)
        size = counted(str(self.bytes), "byte")
        return [("total", size, "", "", "", "", "", "", str(self.multiplications), zero)]


def _factor(size: Expression) -> str:
    """SIZE as a factor of a shape."""
    text = str(size)
    return f"({text})" if " " in text else text


def _zero(zeros: Expression | None, every: Expression | None, assumes: tuple[str, ...]) -> str:
    """`12.5% assuming nnan, ninf`."""
    share = percent(zeros, every)
    return share + under(assumes) * (share not in ("", "?"))


def under(flags: tuple[str, ...]) -> str:
    """` assuming nnan, ninf`."""
    return f" assuming {', '.join(flags)}" if flags else ""


def percent(part: Expression | None, whole: Expression | None) -> str:
    """`12.5%`; nothing for a share of 0, or of nothing, `?` for one that is not known."""
    if whole is None or (part is not None and part.is_constant and part.constant == 0):
        return ""
    share = share_of(part, whole)
    return ("?" if part is None else "parametric") if share is None else f"{float(100 * share):.1f}%"


def _number(number: Expression | None) -> int | str | None:
    """As JSON: a number if it is one, else its text."""
    if number is None:
        return None
    return number.constant if number.is_constant else str(number)


def _ratio(share: Fraction | None) -> float | None:
    return None if share is None else float(share)
