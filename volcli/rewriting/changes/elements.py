"""After a rewrite each result is computed from the same elements as before, and buffers hold the same.

The functions that changed are compared with what they were (`volcli.model.sources`), as `volcli diff` does it
for two programs. A difference is an error of the rewrite. A remark (V313) says what is not known, or
costs too much, and what executions of both on small inputs show: if they differ, that is an error, too. The
comparison is done in a copy of this process: what ends that, a crash of isl included, is a remark.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import islpy as isl
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic, internal
from volcli.equivalence.results.same import is_unchanged
from volcli.facts.differences import DIFFERENT, UNKNOWN
from volcli.frontend.parse.snapshot import Snapshot
from volcli.limits import rewriting as limits
from volcli.model.function import FunctionModel
from volcli.model.symbols import functions, holds_for_all_arguments, symbol_of
from volcli.passes.base import Unit
from volcli.passes.models import Models
from volcli.presburger.limits.copies import is_copy
from volcli.presburger.limits.worker import apart
from volcli.presburger.sets.build import DIM
from volcli.rewriting.ground.checking import Failure

if TYPE_CHECKING:  # numpy is imported when something is executed
    from volcli.equivalence.trials.trials import Trial


def unlike(
    unit: Unit,
    before: Snapshot,
    *,
    assume_finite: bool,
    remarks: bool = True,
    otherwise: str | None = None,
    proved: Collection[Operation] = (),
) -> Iterator[Failure]:
    """The functions of UNIT that compute other things than BEFORE; a remark names what is not known.

    Of functions that are PROVED to compute what they did, nothing is said that is not known here.

    If how that is known OTHERWISE is told, they are only compared without tiles, which are quick to compare.

    What is multiplied by a structural zero may be left out: of floats by their flags, or if that is assumed.
    Without REMARKS it is only counted. A rehearsal of a rewrite (see `worker`) is not checked.
    """
    if is_copy():
        return
    models = Models(unit.parsed, (), None)
    for function in list(functions(unit.parsed.module)):
        old = before.copy_of(function)
        if old is None or is_unchanged(old, function):
            continue  # a function that it calls is compared by itself
        if sum(1 for _ in function.walk()) > limits.CHECKED_OPERATIONS:
            if otherwise is None:
                large = f"the function has more than {limits.CHECKED_OPERATIONS} operations"
                yield from _unchecked(unit, (old, function), remarks, [large])
            continue
        work = partial(_compared, unit, models, (old, function), otherwise, assume_finite)
        found = apart(work, unit.timeout)
        if isinstance(found, str):  # the rewrite is not to blame for what stops its check
            yield from _unchecked(unit, (old, function), remarks, [found])
            continue
        if found[0] is None:
            unit.unchecked.append(str(otherwise))
            continue
        unknown, wrong = found[0]
        if wrong and (unit.assume or unit.given):
            unknown, wrong = [*unknown, *(f"{each}, where what is stated may not hold" for each in wrong)], []
        if wrong:
            yield function, f"it computes something else than before: {'; '.join(wrong)}"
        else:
            yield from _unchecked(unit, (old, function), remarks, [] if function in proved else unknown)


def _compared(
    unit: Unit,
    models: Models,
    versions: tuple[Operation, Operation],
    otherwise: str | None,
    assume_finite: bool,
) -> tuple[list[str], list[str]] | None:
    """What is unknown of outputs of two VERSIONS of a function, and what is different; None if not compared.

    It is done in a copy of this process: isl may crash on the relations of a program in tiles. What compares
    is imported here, since most rewrites change nothing, or too large a function.
    """
    from volcli.equivalence.comparison import compared
    from volcli.rewriting.changes.comparing import (
        compared_without_tiles,
        is_alike_counted,
        without_tiles,
    )

    was, now = (
        FunctionModel(each, unit.parsed.names.of, followed=partial(models.followed, each))
        for each in versions
    )
    assumed = _assumed(unit, versions[1])
    try:
        with internal.unheard():
            pair = (unit.parsed, was), (unit.parsed, now)
            if is_alike_counted(*pair):
                return [], []
            plain = without_tiles(*pair)
            found = compared_without_tiles(
                plain, limits.CHECK_OPERATIONS, assume_finite=assume_finite, defined=assumed
            )
            if found is None and otherwise is None:
                found = compared(
                    was, now, limits.CHECK_OPERATIONS, assume_finite=assume_finite, defined=assumed
                )
    except Exception as error:
        return [str(error)], []
    if found is None:
        return None
    unknown, wrong = (
        [str(each) for each in found.outputs if each.verdict == verdict] for verdict in (UNKNOWN, DIFFERENT)
    )
    return unknown, wrong


def _assumed(unit: Unit, function: Operation) -> isl.Set | None:
    """The arguments of FUNCTION for which affine conditions hold that are assumed; None if there are none."""
    names = unit.parsed.names.of_arguments(function)
    found: isl.Set | None = None
    for each in unit.assume:
        if each.products or any(name.value not in names for name in each.names):
            continue
        points = each.points
        for k, name in enumerate(each.names):
            position = points.find_dim_by_name(DIM.param, f"n{k}")
            size = "" if name.dim is None else f"_{name.dim}"
            points = points.set_dim_name(DIM.param, position, f"a{names.index(name.value)}{size}")
        found = points if found is None else found.intersect(points)
    return None if found is None else found.params()


def _unchecked(
    unit: Unit, versions: tuple[Operation, Operation], remarks: bool, reasons: Sequence[str]
) -> Iterator[Failure]:
    """Execute two VERSIONS of a function, which are not compared for REASONS: a failure, or a remark."""
    unit.unchecked += reasons
    if not reasons:
        return
    function = versions[1]
    trial = _tried(unit, *versions)
    if trial.discrepancies:
        first = trial.discrepancies[0]
        sizes = [f"dim(%{name}, {d}) = {size}" for (name, d), size in first.inputs.sizes.items()]
        given = ", ".join([*sizes, *(f"%{name} = {n}" for name, n in first.inputs.numbers.items())])
        at = f", for {given}" if given else ""
        yield function, f"it computes something else than before: {first.output}: {first.text}{at}"
    elif remarks:
        message = (
            f"a rewrite of @{symbol_of(function)} was not checked: {'; '.join(reasons)}; executed: {trial}"
        )
        unit.report(Diagnostic("V313", message, unit.parsed.written_at(function)))


def _tried(unit: Unit, before: Operation, after: Operation) -> Trial:
    """Both versions, executed; not where a rewrite may rest on what is said of arguments."""
    from volcli.equivalence.trials.trials import Trial, tried
    from volcli.equivalence.trials.versions import Version

    if not holds_for_all_arguments(before, restricted=bool(unit.assume or unit.given)):
        return Trial(0, 0, obstacle="it may rest on facts about the arguments")
    found: list[Version] = []
    for function in (before, after):
        module = function.get_toplevel_object()
        assert isinstance(module, ModuleOp)
        found.append(Version(module, function, unit.parsed.names.of_arguments(function)))
    return tried(*found)
