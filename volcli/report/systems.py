"""The elimination and the scanning of a system as text, and the hull and the intersection of boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from volcli.language.expressions import Atom, Expression, constant, maximum, minimum
from volcli.language.normal_form import grouped
from volcli.report.lines import Line
from volcli.symbolic.context import Context
from volcli.symbolic.cost import cost
from volcli.symbolic.extrema import simplified
from volcli.symbolic.scanning import Quotient, ScanLoop, ScanNest
from volcli.symbolic.steps import EliminationStep, Numbered, SystemSteps

_HEADING, _SAID = "bold cyan", "green"
Interval = tuple[Expression, Expression]


def system_lines(
    variables: Sequence[Atom], known: Sequence[Expression], steps: SystemSteps
) -> Iterator[Line]:
    """A system over VARIABLES where symbols are KNOWN, its STEPS, and the loops that scan it."""
    yield Line(f"System over {', '.join(map(str, variables))}{_where(known)}", _HEADING)
    yield from _inequalities(steps.given)
    for step in steps.steps:
        yield Line()
        yield from _step(step)
    yield Line()
    yield Line("Loops" if steps.nests else "Loops: none, since the system has no point", _HEADING)
    for nest in steps.nests:
        yield from _nest(nest)


def _where(facts: Sequence[Expression]) -> str:
    return f", where {' and '.join(f'{fact} >= 0' for fact in facts)}" if facts else ""


def _step(step: EliminationStep) -> Iterator[Line]:
    yield Line(f"Eliminate {step.variable}{_where(step.case)}", _HEADING)
    sides = (("S0", step.zero), ("S+", step.lower), ("S-", step.upper), ("S?", step.undetermined))
    yield Line("  " + "   ".join(f"{name} = {_numbers(numbers)}" for name, numbers in sides))
    yield from _inequalities(step.result)
    if step.is_empty:
        yield Line("  no point: the case goes")


def _numbers(numbers: Sequence[int]) -> str:
    return f"{{{', '.join(f'({number})' for number in numbers)}}}"


def _inequalities(found: Sequence[Numbered]) -> Iterator[Line]:
    texts = [f"{each.form} >= 0" for each in found]
    width = max(map(len, texts), default=0)
    for each, text in zip(found, texts, strict=True):
        of = f"from {' and '.join(f'({number})' for number in each.of)}" if each.of else ""
        words = "; ".join(filter(None, (of, each.fate)))
        yield Line(f"  {f'({each.number})':>5} {text:<{width}}  {words}".rstrip())


# -- loops -----------------------------------------------------------------------------------------------


def _nest(nest: ScanNest) -> Iterator[Line]:
    margin = "  "
    if nest.guard:
        yield Line(f"{margin}if {' and '.join(f'{each} >= 0' for each in nest.guard)}", _SAID)
        margin += "  "
    for loop in nest.loops:
        yield Line(f"{margin}{_loop(loop)}", _SAID)
        margin += "" if loop.value is not None else "  "


def _loop(loop: ScanLoop) -> str:
    if loop.value is not None:
        return f"{loop.variable} = {loop.value}"
    low, high = _bound(loop.lower, "max", "ceil"), _bound(loop.upper, "min", "floor")
    return f"for {loop.variable} = {low} to {high}"


def _bound(sides: Sequence[Quotient], extremum: str, rounding: str) -> str:
    texts = [_quotient(each, rounding) for each in sides]
    if not texts:
        return "-inf" if extremum == "max" else "+inf"
    return texts[0] if len(texts) == 1 else f"{extremum}({', '.join(texts)})"


def _quotient(quotient: Quotient, rounding: str) -> str:
    if quotient.is_whole:
        return str(quotient.numerator)
    return f"{rounding}({grouped(quotient.numerator)} / {grouped(quotient.denominator)})"


# -- boxes -----------------------------------------------------------------------------------------------


def box_lines(boxes: Mapping[str, Mapping[str, Interval]], known: Context) -> Iterator[Line]:
    """The hull and the intersection of BOXES, or one of them simplified: what each end was and is."""
    for name, box in boxes.items():
        yield Line(f"Box {name}", _HEADING)
        for dimension, (low, high) in box.items():
            yield Line(f"  {dimension}: [{low}, {high}]")
    first, *others = boxes.values()
    shared = [each for each in first if all(each in box for box in others)]
    titles = ("Hull of", "Intersection of") if len(boxes) > 1 else ("Simplified",)
    for title, (least, greatest) in zip(titles, ((minimum, maximum), (maximum, minimum)), strict=False):
        yield Line()
        yield Line(f"{title} {', '.join(boxes)}{_where(known.facts)}", _HEADING)
        for dimension in shared:
            sides = zip(*(box[dimension] for box in boxes.values()), strict=True)
            joined = [combine(*side) for combine, side in zip((least, greatest), sides, strict=True)]
            ends = [simplified(each, known) for each in joined]
            before = sum(map(cost, joined))
            saved = f"{before} {'operation' if before == 1 else 'operations'}, {sum(map(cost, ends))} left"
            yield Line(f"  {dimension}: [{ends[0]}, {ends[1]}]{_emptiness(ends, known)}  ({saved})", _SAID)
        if left := sorted({each for box in boxes.values() for each in box}.difference(shared)):
            yield Line(f"  without {' and '.join(left)}, of which not each box has an interval")


def _emptiness(ends: Sequence[Expression], known: Context) -> str:
    low, high = ends
    return ", which is empty" if low - high != constant(0) and known.proves(low - high - 1) else ""
