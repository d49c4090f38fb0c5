"""Findings, executed on small instances: the command of a run that shows one, or a contradiction.

A finding says what happens in each execution that gets to its operation, or that none gets to it. An
execution in which it happens confirms it. One that gets there, ends, and met nothing of the kind contradicts
it: the finding is then an internal error, and not a fact. Nothing is contradicted where the finding may rest
on more than the function's text: on what callers pass, or on assumptions of the user. A private function is
given what those pass that call it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from volcli.api.confirming.checks import first_operation
from volcli.api.confirming.flow import useful_writers
from volcli.api.confirming.runs import example
from volcli.api.execution import command
from volcli.diagnostics import internal
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.runs.inputs import Inputs
from volcli.execution.runs.instances import small
from volcli.execution.runs.recording import Recorder
from volcli.execution.runs.sampling import Sample, samples
from volcli.facts.dead import DeadFact
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding
from volcli.gate.rules.possible import possible
from volcli.model.symbols import functions, holds_for_all_arguments, is_private, reached_from

_SHOWN_BY = {
    "V203": Defect.BOUNDS, "V205": Defect.UNINITIALIZED, "V207": Defect.RACE,
    **dict.fromkeys(("V216", "V217", "V218"), Defect.LIFETIME),
}  # fmt: skip
_CALLS, _NEVER, _UNREAD = "V208", "V210", "V206"
_LOADS = ("memref.load", "affine.load")
_ACCESSES = (*_LOADS, "memref.store", "affine.store")
_CERTAIN = {
    "V203": _ACCESSES, "V205": _LOADS, "V207": ("affine.parallel", "scf.parallel"), "V216": _ACCESSES,
    "V217": ("memref.dealloc",),
}  # fmt: skip
"""The operations of which each execution shows whether it is as the finding says."""


@dataclass(frozen=True)
class _Claim:
    """A finding about `op`, an example in which it holds, and the operation that none gets to."""

    finding: Finding
    op: Operation
    example: Inputs | None
    never: Operation | None


_Run = tuple[Operation, Sample]
"""The function that was executed, and how that went."""


def confirmed(found: Iterable[Finding], analysed: Analysed) -> Iterator[Finding]:
    """What was FOUND, each finding with the command that shows it, or an internal error in its place."""
    runs: dict[Operation, list[_Run]] = {}
    findings = list(found)
    told = (each for each in findings if each.ignored is None)
    claims = {id(each): claim for each in told if (claim := _claim(each, analysed)) is not None}
    for each in findings:
        claim = claims.get(id(each))
        function = None if claim is None else analysed.function_around(claim.op)
        if claim is None or function is None:
            yield each
            continue
        if function not in runs:
            own = [c for c in claims.values() if analysed.function_around(c.op) is function]
            try:
                runs[function] = list(_runs(analysed, function, own))
            except Exception as error:
                runs[function] = []
                yield _internal(analysed, function, error)
        yield _judged(claim, analysed, function, runs[function])


def _claim(finding: Finding, analysed: Analysed) -> _Claim | None:
    op = analysed.at(finding.place)
    if op is None or finding.code not in (*_SHOWN_BY, _CALLS, _NEVER, _UNREAD):
        return None
    parameters = None if finding.witness is None else finding.witness.get("parameters")
    return _Claim(finding, op, example(parameters or {}), _never_run(finding, op, analysed))


def _never_run(finding: Finding, op: Operation, analysed: Analysed) -> Operation | None:
    """The first operation of what no execution enters, whatever is assumed."""
    for fact in analysed.facts(DeadFact) if finding.code == _NEVER else ():
        if fact.place == finding.place and not fact.assumptions:
            return first_operation(op, fact)
    return None


def _runs(analysed: Analysed, function: Operation, claims: Sequence[_Claim]) -> Iterator[_Run]:
    """Executions that may get to FUNCTION, until each claim is shown."""
    open_claims = list(claims)
    for entry in _entries(analysed, function):
        examples = [claim.example for claim in open_claims if claim.example is not None]
        for run in _runs_of(analysed, entry, open_claims, examples if entry is function else ()):
            yield entry, run
            open_claims = [claim for claim in open_claims if not _shows(claim, run)]
            if not open_claims:
                return


def _entries(analysed: Analysed, function: Operation) -> Sequence[Operation]:
    """The functions that anyone may call to get to FUNCTION; itself, if nothing is seen to call it."""
    if not is_private(function):
        return [function]
    entries = (each for each in functions(analysed.unit.parsed.module) if not is_private(each))
    return [each for each in entries if function in reached_from(each)] or [function]


def _runs_of(
    analysed: Analysed, function: Operation, claims: Sequence[_Claim], examples: Sequence[Inputs]
) -> Iterator[Sample]:
    """Executions of FUNCTION, with EXAMPLES and then small instances, in which CLAIMS are looked for."""
    block = function.regions[0].blocks[0]
    names = analysed.unit.parsed.names.of_arguments(function)
    module = analysed.unit.parsed.module
    assert isinstance(module, ModuleOp)
    observed = frozenset(op for claim in claims for op in (claim.op, claim.never) if op is not None)
    every = (*examples, *small(names, [each.type for each in block.args], Inputs()))
    instances = filter(possible(function, analysed), every)
    is_recorded = any(claim.finding.code == _UNREAD for claim in claims)
    options = Options(observed=observed, traced=None if is_recorded else frozenset())
    machine = Recorder if is_recorded else Machine
    yield from samples(module, function, names, instances, options, machine)


def _judged(claim: _Claim, analysed: Analysed, function: Operation, runs: Sequence[_Run]) -> Finding:
    """The finding of CLAIM, and what RUNS say of it."""
    finding = claim.finding
    can_contradict = holds_for_all_arguments(function, restricted=bool(analysed.settings.assume))
    for entry, run in runs:
        if can_contradict and _contradicts(claim, run):
            shown = _command(claim, analysed, entry, run)
            message = f"{finding.code} is contradicted by its execution, `{shown}`: {finding.message}"
            return analysed.finding("V900", claim.op, message, place=finding.place)
    for entry, run in runs:
        if _shows(claim, run):
            return replace(finding, confirmed=_command(claim, analysed, entry, run))
    return finding


def _shows(claim: _Claim, run: Sample) -> bool:
    """Whether what CLAIM says happens in RUN."""
    stopped, code = run.outcome.stopped, claim.finding.code
    if code == "V205" and run.outcome.observed.get(claim.op):
        return True
    if not isinstance(stopped, Undefined):
        return False
    around = [op for op, _ in stopped.trail]
    if code == _CALLS:
        return claim.op in around
    if stopped.kind is not _SHOWN_BY.get(code):
        return False
    is_there = stopped.operation is claim.op
    return is_there or (code == "V207" and (claim.op in around or _is_in(stopped.operation, claim.op)))


def _is_in(op: Operation | None, function: Operation) -> bool:
    """Whether a finding about a FUNCTION is about OP, too."""
    return op is not None and function.name == "func.func" and function.is_ancestor(op)


def _contradicts(claim: _Claim, run: Sample) -> bool:
    """Whether RUN gets to the operation of CLAIM, and what it says does not happen."""
    observed, code = run.outcome.observed, claim.finding.code
    if code == _NEVER:
        return claim.never is not None and claim.never in observed
    if run.outcome.stopped is not None or claim.op not in observed:
        return False
    if code == _UNREAD:
        return isinstance(run.machine, Recorder) and claim.op in useful_writers(run.machine)
    if code == "V207" and run.inputs is not claim.example:
        return False  # there may be one iteration
    if code in ("V216", "V217") and min((*run.inputs.sizes.values(), *run.inputs.numbers.values(), 1)) < 1:
        return False  # empty memory is not accessed
    return claim.op.name in _CERTAIN.get(code, ()) and not observed[claim.op]


def _command(claim: _Claim, analysed: Analysed, function: Operation, run: Sample) -> str:
    found = command(analysed.function_of(function), claim.finding.file, run.inputs)
    via = analysed.settings.via
    found += f" --via {via}" * (via != "auto")
    if claim.finding.code == "V205" and claim.op.results:
        found += f" --print {analysed.unit.parsed.names.of(claim.op.results[0])}"
    return found


def _internal(analysed: Analysed, function: Operation, error: Exception) -> Finding:
    what, trace = internal.described(error)
    return analysed.finding("V900", function, f"internal error in an execution ({what})", trace=trace)
