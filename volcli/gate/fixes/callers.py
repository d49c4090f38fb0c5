"""Whether what a function is made to state holds: it is what the function needs, and each call fulfils it.

Let P be the weakest precondition of the function (V204, V215). Outside of P it goes out of bounds, or has a
race, in each execution: so what states P has the same defined executions, with the same results. It is safe
to state P if all uses of the function in its module are calls, at least one, that are proved to fulfil P.
Without any call, P is what its author holds of callers elsewhere. Where arithmetic may overflow, other
arguments may do, too: then `diff` names that, and stating P is not safe either.

    func.func @f(%m: memref<?xf32>) { load %m[9] }        P: dim(%m, 0) >= 10
    call @f(%a), of 16 elements                           safe; of %n elements: not proved
"""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.diagnostics import Place
from volcli.frontend.text.source import Source
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.fix import Fix
from volcli.gate.findings.settings import Settings
from volcli.gate.fixes.proving import FixProof, different, loaded
from volcli.gate.fixes.stating import stating
from volcli.gate.fixes.written import WrittenText
from volcli.model.memory.checks.answers.access_answers import AccessVerdict
from volcli.model.memory.checks.calls.preconditions import Precondition
from volcli.passes.analyses.preconditions import Functions
from volcli.passes.analyses.race_needs import RaceNeeds
from volcli.passes.base import Unit

NEEDS: dict[str, type[Functions] | type[RaceNeeds]] = {"V204": Functions, "V215": RaceNeeds}
"""Who knows what functions need, by the code of the finding about that."""


def stated(finding: Finding, unit: Unit, written: WrittenText) -> Fix | None:
    """The text WRITTEN of UNIT, in which the function of FINDING states what it needs."""
    function = _function(unit, finding.place)
    return None if function is None else stating(function, _needed(finding.code, unit, function), written)


def shown_by_callers(before: Source, after: Source, finding: Finding, settings: Settings) -> FixProof:
    """Whether BEFORE shows what AFTER states, which is what FINDING says of a function."""
    before, after = different(before, after)
    (old, f), (new, g) = (_found(each, finding, settings) for each in (before, after))
    if f is None or g is None or stated(finding, old, WrittenText(old.parsed)) != finding.fix:
        return FixProof("unproved", "without what is assumed, the function needs something else")
    if _needed(finding.code, new, g) is not None:
        return FixProof("unproved", "the function needs more than what it would state")
    calls = old.shared(NEEDS[finding.code]).calls_of(f)
    if calls is None:
        return FixProof(
            "unproved", f"not all uses of @{finding.function} are calls whose arguments are known"
        )
    for each in calls:
        if each.verdict is not AccessVerdict.IN_BOUNDS:
            place = old.parsed.written_at(each.op)
            said = f"the call at {place.line}:{place.column} is not proved to fulfil it"
            return FixProof("unproved", said)
    if not calls:
        return FixProof("unsafe", "no call in the file shows that it holds")
    return FixProof("safe")


def _found(source: Source, finding: Finding, settings: Settings) -> tuple[Unit, Operation | None]:
    """The function of FINDING in SOURCE, with the unit that it is in."""
    units = loaded(source, settings).units
    found = ((each, function) for each in units if (function := _function(each, finding.place)) is not None)
    return next(found, (units[0], None))


def _function(unit: Unit, place: Place | None) -> Operation | None:
    """The function of UNIT that is written at PLACE."""
    found = (model.function for model in unit.of_module())
    return next((each for each in found if unit.parsed.written_at(each) == place), None)


def _needed(code: str, unit: Unit, function: Operation) -> Precondition | None:
    checked = unit.shared(NEEDS[code]).of(function)
    return None if checked is None else checked.needed
