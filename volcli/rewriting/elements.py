"""After a rewrite each result is computed from the same elements as before, and buffers hold the same.

The functions that changed are compared with what they were (`volcli.model.sources`), as `volcli diff` does it
for two programs. A difference is an error of the rewrite. What is not known, or costs too much, says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.comparison import Version, compared
from volcli.facts.differences import DIFFERENT, UNKNOWN
from volcli.frontend.parse.snapshot import Snapshot
from volcli.language.expressions import Dim, Expression, Value, parameter
from volcli.model.function import FunctionModel, functions
from volcli.model.volumes.live import live
from volcli.passes.base import Unit
from volcli.presburger import build
from volcli.presburger.build import DIM
from volcli.presburger.names import parameters_of_space
from volcli.rewriting.checking import Failure

_OPERATIONS = 200_000
"""What the comparison of one output may cost: about a tenth of a second."""
_LARGEST = 2_000
"""Functions of more operations are not compared."""


def unlike(unit: Unit, before: Snapshot, left_out: bool | None = None) -> Iterator[Failure]:
    """The functions of UNIT that compute other things than BEFORE; UNIT counts what is not known.

    LEFT_OUT says that loop points that contribute nothing may be missing, and if so whether that may rest on
    finite numbers (`volcli.model.volumes.live`).
    """
    for function in list(functions(unit.parsed.module)):
        old = before.copy_of(function)
        if old is None or old.is_structurally_equivalent(function):
            continue
        if sum(1 for _ in function.walk()) > _LARGEST:
            unit.unchecked.append("the function is too large")
            continue
        name_of = unit.parsed.names.of
        leaves = None if left_out is None else _Contributing(old, name_of, assume_finite=left_out)
        found = compared(Version(old, name_of), Version(function, name_of), _OPERATIONS, leaves)
        unit.unchecked += [str(each) for each in found.outputs if each.verdict == UNKNOWN]
        wrong = [str(each) for each in found.outputs if each.verdict == DIFFERENT]
        if wrong:
            yield function, f"it computes something else than before: {'; '.join(wrong)}"


class _Contributing:
    """The loop points of the operations of FUNCTION that contribute to its results."""

    def __init__(
        self, function: Operation, name_of: Callable[[SSAValue], str], *, assume_finite: bool
    ) -> None:
        self._model = FunctionModel(function, name_of)
        self._assume_finite = assume_finite

    def __call__(self, op: Operation, number: Callable[[Value | Dim], Expression]) -> isl.Set | None:
        """Those of OP, over parameters that NUMBER takes values to; None: all."""
        if not op.results or not self._model.owns(op.results[0]):
            return None
        view = self._model.view(op.results[0])
        found = live(view.flow, op, self._assume_finite)
        if found is None or found.is_everything:
            return None
        points = found.points
        for name in parameters_of_space(points):
            value = number(view.store.origin(name))
            position = points.find_dim_by_name(DIM.param, name)
            points = points.set_dim_name(DIM.param, position, f"{name}_before")
            points = points.intersect_params(build.equal(parameter(f"{name}_before"), value))
            position = points.find_dim_by_name(DIM.param, f"{name}_before")
            points = points.project_out(DIM.param, position, 1)
        return points
