"""V316: what of a file was not read, or not analysed, so that nothing which is said of the file covers it.

Each summary counts it, whatever codes are wanted. As findings, it is told where proofs are asked for (V314 or
V315): "nothing is unknown" is not a proof about an access in a text that was not read. What is a finding by
its own code is not told twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic, Place
from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.frontend.unread import UnreadOperation
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.settings import UNANALYSED
from volcli.language.declared import DeclaredOperation
from volcli.language.interface import operation_name
from volcli.language.memory import is_memref
from volcli.model.stated_effects import has_unknown_effects
from volcli.model.symbols import called_by


@dataclass(frozen=True)
class Gap:
    """Something that was not analysed, and the CODE of the reason."""

    code: str
    place: Place | None
    message: str


def unanalysed(analysed: Analysed) -> Iterator[Finding]:
    """A finding for each gap of which the own code is not wanted."""
    for gap in gaps(analysed):
        if gap.code not in analysed.settings.codes:
            message = f"{gap.message} ({gap.code})"
            yield analysed.finding("V316", analysed.at(gap.place), message, place=gap.place)


def gaps(analysed: Analysed) -> Iterator[Gap]:
    """What was not read or not analysed of what is shown."""
    for each in analysed.unit.diagnostics:
        if each.code in UNANALYSED and each.code != "V301" and not _is_declared(analysed, each):
            yield Gap(each.code, each.place, each.message)
    for op in analysed.unit.parsed.module.walk():
        if _is_unknown(op):
            message = f"what '{operation_name(op)}' op does to its operands and in its regions is unknown"
            yield Gap("V301", analysed.unit.parsed.written_at(op), message)


def _is_declared(analysed: Analysed, diagnostic: Diagnostic) -> bool:
    """Whether DIAGNOSTIC is that an operation is read as text, and its effects are declared."""
    return diagnostic.code == "V306" and isinstance(analysed.at(diagnostic.place), DeclaredOperation)


def _is_unknown(op: Operation) -> bool:
    """Whether OP has no case, and may access memory that it is given, or run what is in it in any way."""
    if isinstance(op, OpaqueOperation | UnreadOperation) or called_by(op) is not None:
        return False
    has_parts = bool(op.regions) or any(is_memref(value) for value in op.operands)
    return has_parts and op.parent is not None and has_unknown_effects(op)
