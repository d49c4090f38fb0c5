"""V230 to V235: facts that an earlier run had and this one has lost.

| question           | is lost when                                                                     |
|--------------------|----------------------------------------------------------------------------------|
| `bounds`           | the numbers in [lower, upper] are not all in what it was before                  |
| `access`           | it was in bounds, and is not proved to be                                        |
| `loops`            | it was parallel, or a reduction, and is less                                     |
| `regions`, `zeros` | fewer elements are known to be zero or static; fewer multiplications are by zero |
| `preconditions`    | some arguments that were right are not any more                                  |
| `written`          | an element of an argument that was written is not known to be                    |
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import islpy as isl

from volcli.diagnostics import CODES
from volcli.diagnostics.counted import counted
from volcli.facts.preconditions import precondition_set
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.grounds import Ground
from volcli.gate.records.record import Answer, Record
from volcli.gate.records.written import fewer
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.conditions import ParsedCondition

_CODES = {
    "access": "V231", "preconditions": "V234", "loops": "V232", "written": "V235", "regions": "V233",
    "zeros": "V233", "bounds": "V230",
}  # fmt: skip
"""The code of each question, the gravest first."""
_ORDERS = {"parallel": 2, "reduction": 1}


def lost(before: Record, after: Record) -> str | None:
    """What is lost of BEFORE where the answer is now that of AFTER; None if nothing is."""
    old, new = before.answer, after.answer
    if not old:
        return None
    match before.question:
        case "bounds":
            return f"was in {_interval(old)}, and is in {_interval(new)}" if _is_looser(old, new) else None
        case "access":
            return None if new else "was in bounds, and is not proved to be"
        case "loops":
            if _ORDERS[old["kind"]] <= _ORDERS.get(new.get("kind", ""), 0):
                return None
            return f"was {_order(old['kind'])}, and is {_order(new.get('kind', 'carried'))}"
        case "regions" | "zeros":
            words = {"zero": "zero elements", "static": "static elements", "zeros": "multiplications by zero"}
            less = [name for name in words if old.get(name, 0) > new.get(name, 0)]
            said = (f"had {old[name]} {words[name]}, and has {new.get(name, 0)}" for name in less)
            return " and ".join(said) or None
        case "preconditions":
            return _more_needed(old["condition"], new.get("condition"))
        case "written":
            return fewer(old, new, after.names)
        case _:
            return None


def _interval(answer: Answer) -> str:
    lower, upper = answer.get("lower"), answer.get("upper")
    return f"[{'-inf' if lower is None else lower}, {'+inf' if upper is None else upper}]"


def _is_looser(old: Answer, new: Answer) -> bool:
    lower, upper = new.get("lower"), new.get("upper")
    is_below = old["lower"] is not None and (lower is None or lower < old["lower"])
    return is_below or (old["upper"] is not None and (upper is None or upper > old["upper"]))


def _order(kind: str) -> str:
    return {"reduction": "a reduction", "parallel": "parallel"}.get(kind, "not known to be parallel")


def _more_needed(old: str, new: str | None) -> str | None:
    """What is needed now, if some arguments fulfil OLD and not NEW, or that cannot be read."""
    if new is None or old == new or new == "true" or old == "false":
        return None
    before, after = precondition_set(old), precondition_set(new)
    if new == "false" or (old == "true" and after is None):
        return f"needs {new}"
    if after is not None and (old == "true" or before is not None) and _implies(before, after):
        return None
    return f"needs {new}, and needed {'nothing' if old == 'true' else old}"


def _implies(before: ParsedCondition | None, after: ParsedCondition) -> bool:
    """Whether AFTER holds wherever BEFORE (None: anywhere) does."""
    holds = _by_names(after)
    if before is None:
        return bool(holds.complement().is_empty())
    given = _by_names(before).align_params(holds.get_space())
    return bool(given.is_subset(holds.align_params(given.get_space())))


def _by_names(condition: ParsedCondition) -> isl.Set:
    """Where CONDITION holds, over parameters that are called as its names."""
    points = condition.points
    for position, name in enumerate(condition.names):
        points = points.set_dim_name(DIM.param, position, str(name))
    return points


def regressions(pairs: Sequence[tuple[Record, Record]], file: str) -> list[Finding]:
    """What is lost in FILE: PAIRS of what was known and what is. One finding for each function.

    Of several facts that one change costs it is about the first of the gravest kind, and counts the others.
    """
    found: dict[str, list[tuple[Record, str]]] = {}
    for before, after in pairs:
        if _CODES.get(before.question) in after.ignored:
            continue
        if (said := lost(before, after)) is not None:
            found.setdefault(after.function, []).append((after, said))
    return [_finding(file, sorted(each, key=_gravity)) for each in found.values()]


def _gravity(each: tuple[Record, str]) -> tuple[int, int, int]:
    record, _ = each
    return list(_CODES).index(record.question), record.line, record.column


def _finding(file: str, lost_there: Sequence[tuple[Record, str]]) -> Finding:
    """What is LOST THERE, in one function, as one finding."""
    (record, said), more = lost_there[0], len(lost_there) - 1
    others = f" (and {counted(more, 'more fact')} of the function)" if more else ""
    if record.names:
        said = re.sub(r"%a(\d+)\b", lambda found: record.names[int(found[1])], said)
    code = _CODES[record.question]
    return Finding(
        code,
        CODES[code].severity.value,
        file,
        record.line,
        record.column,
        record.function,
        record.subject,
        f"{record.subject} {said}{others}",
        CODES[code].next_step,
        (Ground("", record.content),),
    )
