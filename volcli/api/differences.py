"""Two programs, compared function by function."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import islpy as isl
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from volcli.api.asking import unknown_name
from volcli.api.discrepancies import commands_of
from volcli.diagnostics import internal
from volcli.equivalence.backward.function import NOALIAS
from volcli.equivalence.comparison import compared
from volcli.equivalence.congruence.functions import congruent_models
from volcli.equivalence.results.constants import has_special_number
from volcli.equivalence.undefined import Meaning
from volcli.equivalence.undefined.restricting import restricts
from volcli.facts.differences import DIFFERENT, EQUAL, UNKNOWN, FunctionComparison, OutputComparison
from volcli.facts.levels import BY_OPERATIONS, SOURCES, SUMS, Comparing
from volcli.language import questions
from volcli.language.reads import element_type
from volcli.limits import printing as limits
from volcli.limits.rewriting import COMPARED_DEPTH
from volcli.model.memory.loops.loops import named_assumptions
from volcli.model.symbols import is_private
from volcli.passes.base import Unit
from volcli.presburger.limits.budget import Watch
from volcli.presburger.limits.copies import Copy, Ended
from volcli.rewriting.changes.as_nests import equal_as_nests
from volcli.rewriting.changes.comparing import WithoutTiles, compared_without_tiles, depth, without_tiles
from volcli.rewriting.tensors.written_out import adds_bias, written_out

_DEFINEDNESS = "definedness"
_UNDEFINED_BEFORE = OutputComparison(_DEFINEDNESS, UNKNOWN, "BEFORE is undefined for all arguments")

if TYPE_CHECKING:
    from volcli.frontend.parse.parser import ParsedModule
    from volcli.model.function import FunctionModel


@dataclass(frozen=True)
class _Asked:
    """What is asked of each function, and whether what is unknown is executed."""

    comparing: Comparing
    assume_finite: bool
    executed: bool


def differences(
    before: Sequence[Unit],
    after: Sequence[Unit],
    function: str | None = None,
    *,
    comparing: Comparing = BY_OPERATIONS,
    assume_finite: bool = False,
    executed: bool = True,
) -> list[FunctionComparison]:
    """The functions of BEFORE in their order, and those that only AFTER has; or only FUNCTION.

    Private functions that one of them alone has are left out: they are compared where they are called.
    """
    old, new = _functions(before), _functions(after)
    keys = list(dict.fromkeys([*old, *new]))
    if function is not None:
        function = function.removeprefix("@")
        names = list(dict.fromkeys(name for name, _ in keys))
        if function not in names:
            raise unknown_name("function", f"@{function}", [f"@{n}" for n in names])
        keys = [key for key in keys if key[0] == function]
    else:
        keys = [key for key in keys if not _is_inner(old.get(key), new.get(key))]
    asked = _Asked(comparing, assume_finite, executed)
    return [_reported(key[0], old.get(key), new.get(key), asked) for key in keys]


def _functions(units: Sequence[Unit]) -> dict[tuple[str, int], tuple[Unit, FunctionModel]]:
    """The functions of UNITS by their names, and several of one name by their order."""
    found: dict[tuple[str, int], tuple[Unit, FunctionModel]] = {}
    count: Counter[str] = Counter()
    for unit in units:
        for model in unit.models():
            found[model.name, count[model.name]] = unit, model
            count[model.name] += 1
    return found


def _is_inner(old: tuple[Unit, FunctionModel] | None, new: tuple[Unit, FunctionModel] | None) -> bool:
    """Whether one program alone has a function, which nothing outside calls: its callers are compared."""
    both = [each[1].function for each in (old, new) if each is not None]
    return len(both) == 1 and is_private(both[0])


def _compared_apart(
    old: tuple[ParsedModule, FunctionModel],
    new: tuple[ParsedModule, FunctionModel],
    operations: int | None,
    asked: _Asked,
    without: Callable[[], WithoutTiles | None],
    defined: isl.Set | None = None,
) -> FunctionComparison:
    """Whether OLD and NEW compute alike where OLD is DEFINED; WITHOUT makes them without tiles.

    In another process if they have nests that isl may not survive.
    """

    def work() -> FunctionComparison:
        options: Any = {
            "comparing": asked.comparing, "assume_finite": asked.assume_finite, "defined": defined
        }  # fmt: skip
        found = compared_without_tiles(without(), operations, **options)
        return compared(old[1], new[1], operations, **options) if found is None else found

    if max(depth(model) for _, model in (old, new)) <= COMPARED_DEPTH or not hasattr(os, "fork"):
        return work()
    found = Copy(Watch(), limits.DIFFERENCE_SECONDS, limits.DIFFERENCE_SECONDS).run(work)
    return FunctionComparison(old[1].name, (), reason=found.why) if isinstance(found, Ended) else found[0]


def _with_names(found: WithoutTiles | None, known: tuple[str, ...]) -> WithoutTiles | None:
    """FOUND, with what it assumes beside what is KNOWN to be assumed."""
    return None if found is None else (found[0], named_assumptions(found[1], noalias=NOALIAS in known))


def _reported(
    name: str,
    old: tuple[Unit, FunctionModel] | None,
    new: tuple[Unit, FunctionModel] | None,
    asked: _Asked,
) -> FunctionComparison:
    """The answer for one function; an internal error costs that one, and is said at the function (V900)."""
    if old is None or new is None:
        side = "after" if old is None else "before"
        return FunctionComparison(name, (), reason=f"only the program {side} has a function of this name")
    with internal.at(old[1].function):
        try:
            found = _compared(old, new, asked)
        except Exception as error:
            if internal.is_message(error):
                raise
            found = FunctionComparison(name, (), reason=internal.remember(error, "the comparison"))
    for failure in internal.forget():
        _report(failure, old, new)
    return found


def _report(
    failure: internal.Failure, old: tuple[Unit, FunctionModel], new: tuple[Unit, FunctionModel]
) -> None:
    """Say FAILURE in the program that has its operation; of another place, at the function before."""
    for unit, _ in (old, new):
        if isinstance(failure.at, Operation) and unit.parsed.module.is_ancestor(
            unit.parsed.original(failure.at)
        ):
            unit.report_internal_error(failure)
            return
    at = old[1].function if isinstance(failure.at, Operation) else failure.at
    old[0].report_internal_error(replace(failure, at=at))


def _compared(
    old: tuple[Unit, FunctionModel], new: tuple[Unit, FunctionModel], asked: _Asked
) -> FunctionComparison:
    operations = old[0].budget
    pair = (old[0].parsed, old[1]), (new[0].parsed, new[1])
    found = _proved(*pair, operations, asked)
    if found.verdict == UNKNOWN:
        found = equal_as_nests(*pair, lambda one, other: _proved(one, other, operations, asked)) or found
    if found.verdict != DIFFERENT:
        return found if found.verdict != UNKNOWN or not asked.executed else _tried(found, old, new)
    is_restricted = any(map(restricts, old[1].followed.function.walk()))
    if not is_restricted and (asked.comparing.level == SOURCES or not _may_cancel(old[1], new[1])):
        return found
    doubted = replace(found, outputs=tuple(map(_unconfirmed, found.outputs)))
    confirmed = _tried(doubted, old, new)
    is_final = is_restricted or _is_decisive(confirmed)
    return _with_witnesses(confirmed, found) if is_final else found


def _is_decisive(found: FunctionComparison) -> bool:
    """Whether runs show a difference, or were equal."""
    return found.verdict == DIFFERENT or (found.tried or "").startswith("no difference")


def _with_witnesses(confirmed: FunctionComparison, found: FunctionComparison) -> FunctionComparison:
    """CONFIRMED, with the elements that were FOUND to be other ones where a run confirms them."""
    known = {each.output: each for each in found.outputs if each.witness is not None}
    outputs = list(confirmed.outputs)
    for k, each in enumerate(outputs):
        if each.verdict == DIFFERENT and each.output in known:
            outputs[k] = replace(known[each.output], runs=each.runs)
    return replace(confirmed, outputs=tuple(outputs))


def _may_cancel(*models: FunctionModel) -> bool:
    """Whether what is computed in one of the functions of MODELS may not depend on what it is computed from.

    x + y - x is y, of integers, and x + NaN is NaN.
    """
    walked = [op for model in models for op in model.function.walk()]
    if any(map(has_special_number, walked)):
        return True
    ops = (op for op in walked if op.operands)
    made = (value for op in ops if not questions.accesses(op) for value in op.results)
    return any(isinstance(element_type(value.type), IntegerType) for value in made)


def _unconfirmed(found: OutputComparison) -> OutputComparison:
    """A difference of sources as long as no run shows one of values."""
    if found.witness is None:
        return found
    return OutputComparison(found.output, UNKNOWN, f"{found.witness}, which may not matter to its value")


def _tried(
    found: FunctionComparison, old: tuple[Unit, FunctionModel], new: tuple[Unit, FunctionModel]
) -> FunctionComparison:
    """FOUND, with what the execution of OLD and NEW on small inputs shows of what is unknown."""
    from volcli.equivalence.trials.trials import tried
    from volcli.equivalence.trials.versions import Version

    versions = [
        Version(unit.parsed.module, model.function, unit.parsed.names.of_arguments(model.function))
        for unit, model in (old, new)
    ]
    try:
        trial = tried(*versions)
    except Exception as error:
        if internal.is_message(error):
            raise
        return replace(found, tried=f"not tried: {internal.remember(error, 'the execution')}")
    outputs = {each.output: each for each in found.outputs}
    for each in trial.discrepancies:
        known = outputs.get(each.output)
        name, text = each.output, each.text
        if known is not None and known.verdict == EQUAL and _DEFINEDNESS in outputs:
            name, text = _DEFINEDNESS, f"after: {each.output} is undefined: {each.text}"
        is_open = known is None or (known.verdict == UNKNOWN and known.level != SUMS)
        if is_open or name == _DEFINEDNESS:
            runs = commands_of(each, (old[0], new[0]), versions, found.function)
            outputs[name] = OutputComparison(name, DIFFERENT, text, runs=runs)
    found = replace(found, outputs=tuple(outputs.values()))
    if found.verdict == DIFFERENT:
        return replace(found, reason=None)
    return replace(found, tried=str(trial))


def _doubted(found: OutputComparison, reason: str) -> OutputComparison:
    """FOUND, but that a difference may be where REASON holds."""
    return found if found.verdict != DIFFERENT else OutputComparison(found.output, UNKNOWN, reason)


def _proved(
    old: tuple[ParsedModule, FunctionModel],
    new: tuple[ParsedModule, FunctionModel],
    operations: int | None,
    asked: _Asked,
) -> FunctionComparison:
    """What is proved of OLD and NEW: that they do the same in the same order, or what sets know of them."""
    if (assumptions := congruent_models(old[1], new[1])) is not None:
        same = compared(old[1], new[1], operations, comparing=asked.comparing, congruent=True)
        return replace(same, assumptions=assumptions)
    without = cache(lambda: without_tiles(old, new))
    definitions = (old[0], written_out(*old)), (new[0], written_out(*new))
    found = _compared_apart(*definitions, operations, asked, without)
    if found.verdict != EQUAL and adds_bias(old[1]) and not adds_bias(new[1]):
        first = old[0], written_out(*old, bias_first=True)
        again = _compared_apart(first, definitions[1], operations, asked, without)
        found = again if again.verdict == EQUAL else found
    if found.reason is not None:
        return found
    meaning = Meaning(old[1], new[1], operations, lambda: _with_names(without(), found.assumptions))
    if found.verdict == DIFFERENT:
        if (misuse := meaning.misuse_before()) is not None:
            return replace(found, outputs=tuple(_doubted(each, misuse) for each in found.outputs))
        defined = meaning.before_is_defined()
        if defined is None or not defined.is_empty():
            return _compared_apart(*definitions, operations, asked, without, defined)
        return replace(found, outputs=(_UNDEFINED_BEFORE,))
    defined = meaning.before_is_defined() if found.verdict == UNKNOWN else None
    if defined is not None and not (defined.is_empty() or defined.plain_is_universe()):
        again = _compared_apart(*definitions, operations, asked, without, defined)
        found = again if again.verdict == EQUAL else found  # sizes that accesses need matter, perhaps
    doubts = tuple(meaning.doubts())
    assumptions = dict.fromkeys((*found.assumptions, *meaning.assumptions))
    found = replace(found, outputs=(*found.outputs, *doubts), assumptions=tuple(assumptions))
    if found.verdict == EQUAL:
        return found  # what the program after needs, the program before needs as well
    if found.verdict == DIFFERENT and found.needed:
        said = f"AFTER needs {' and '.join(found.needed)}, and BEFORE does not"
        return replace(found, outputs=(*found.outputs, OutputComparison("sizes", DIFFERENT, said)))
    return replace(found, assumptions=(*found.needed, *found.assumptions))
