"""as-linalg: operations that state a definition become linalg.generic."""

from __future__ import annotations

from dataclasses import dataclass

from volcli.diagnostics import Diagnostic
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.passes.base import Pass, Unit
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.tensors.as_linalg import write_as_linalg


@dataclass(frozen=True)
class AsLinalg(Pass):
    """Write products, convolutions and reductions of other dialects as linalg.generic.

    What an operation states as its definition, loops, accesses and a body, is written out: a window that
    leaves its operand reads one that is padded with zeros, sums begin with a tensor of zeros, and a bias is
    added in an operation of its own. So `partition` and `tile` work on tosa.conv2d and stablehlo.dot_general.

    Sizes must be known. An operation that stays as it is gets a remark with the reason (V310).
    """

    name = "as-linalg"
    summary = "operations with a definition become linalg.generic"
    rewrites = True
    wants = "products, convolutions and reductions of tosa and stablehlo"

    def apply(self, unit: Unit) -> None:
        """Write each operation of each function."""
        changes = Changes(unit, self.name)
        for model in unit.models():
            for op in list(model.function.walk()):
                try:
                    write_as_linalg(changes, model, op)
                except NotAffine as error:
                    message = f"{operation_name(op)} is not written as linalg.generic: {error}"
                    unit.diagnostics.append(Diagnostic("V310", message, unit.parsed.written_at(op)))
        changes.finish()
