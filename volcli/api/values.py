"""One value of a function, and the place of an operation: what questions are asked of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from volcli.api.asking import F, answer
from volcli.api.derivations import derivation_fact
from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.counted import counted
from volcli.facts.bounds import BoundsFact
from volcli.facts.derivations import DerivationFact
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact
from volcli.facts.shapes import ShapeFact
from volcli.language.reads import is_number
from volcli.model.function import FunctionModel
from volcli.passes.analyses.element_maps import map_fact
from volcli.passes.analyses.infer_shapes import shape_fact
from volcli.passes.analyses.sparsity_regions import regions_fact
from volcli.passes.analyses.value_bounds import bounds_fact, bounds_in_terms, variables_named
from volcli.passes.base import Unit


@dataclass(frozen=True, eq=False, repr=False)
class FunctionValue:
    """One value of a function: `program.function("f").value("%n")`. The questions are those of `Function`."""

    unit: Unit
    function: Operation
    value: SSAValue

    def __reduce__(self) -> NoReturn:
        raise TypeError("a value cannot be pickled: send its Program, or the facts that it answers with")

    @property
    def name(self) -> str:
        """As the program writes it, with its %."""
        return self.unit.parsed.names.of(self.value)

    @property
    def type(self) -> str:
        """Its type, as MLIR writes it."""
        return str(self.value.type)

    def bounds(self, dim: int | None = None, in_terms_of: Sequence[str] = ()) -> BoundsFact:
        """The bounds of the value, or of the size of its dimension DIM; see `Function.bounds`."""
        kind = self.value.type
        if dim is None and not is_number(kind):
            raise self._refused(
                "it is neither an index value nor an integer", "name a dimension: bounds('%t', 0)"
            )
        if dim is not None and not 0 <= dim < self._rank():
            raise self._refused(
                f"it has no dimension {dim}", f"it has {counted(self._rank(), 'dimension')}, from 0 on"
            )
        if not in_terms_of:
            return self._asked(BoundsFact, lambda unit, model: bounds_fact(unit, model, self.value, dim))

        def ask(unit: Unit, model: FunctionModel) -> BoundsFact:
            chosen = variables_named(unit, model, in_terms_of)
            if chosen is None:
                message = f"no index or integer value, or size, for each of {', '.join(in_terms_of)}"
                raise UsageError(Diagnostic("V005", message, note="write %a, or dim(%t, 0) for a size"))
            return bounds_in_terms(unit, model, self.value, dim, chosen)

        return self._asked(BoundsFact, ask)

    def derivation(self, dim: int | None = None) -> DerivationFact:
        """Why the value, or the size of its dimension DIM, has its bounds.

        >>> import volcli
        >>> f = volcli.loads('''func.func @f(%a: index, %b: index) -> index {
        ...   %c8 = arith.constant 8 : index
        ...   %0 = arith.minsi %a, %c8 : index
        ...   %1 = arith.addi %0, %b : index
        ...   return %1 : index
        ... }''').function("f")
        >>> found = f.value("%1").derivation()
        >>> for number, each in enumerate(found.constraints, 1):
        ...     print(number, each.text)
        1 %1 = %0 + %b
        2 %0 <= %a
        3 %0 <= 8
        4 %0 = %a or %0 = 8
        >>> [(each.text, each.needs) for each in found.bounds]
        [('%1 = %b + min(%a, 8)', (1, 2, 3, 4))]
        """
        if dim is None and not is_number(self.value.type):
            raise self._refused(
                "it is neither an index value nor an integer", "name a dimension: derivation(0)"
            )
        if dim is not None and not 0 <= dim < self._rank():
            raise self._refused(
                f"it has no dimension {dim}", f"it has {counted(self._rank(), 'dimension')}, from 0 on"
            )
        return self._asked(DerivationFact, lambda unit, model: derivation_fact(unit, model, self.value, dim))

    def shape(self) -> ShapeFact:
        """The size of every dimension; see `Function.shape`."""
        if not isinstance(self.value.type, ShapedType):
            raise self._refused("it has no dimensions", "`bounds` gives the bounds of a number")

        def ask(unit: Unit, model: FunctionModel) -> ShapeFact:
            return shape_fact(unit, model, self.value, self.type, is_result=self.value in model.results())

        return self._asked(ShapeFact, ask)

    def element_map(self, to: str | FunctionValue = "inputs") -> MapFact:
        """The elements of other values that each of its elements depends on; see `Function.element_map`."""
        target = to if isinstance(to, str) else to.value
        return self._asked(MapFact, lambda unit, model: map_fact(unit, model, self.value, target))

    def regions(self, relative_to: Sequence[FunctionValue] = ()) -> RegionsFact:
        """Its dense, sparse and static regions; see `Function.regions`."""
        data = [each.value for each in relative_to]
        return self._asked(RegionsFact, lambda unit, model: regions_fact(unit, model, self.value, data))

    def _asked(self, kind: type[F], ask: Callable[[Unit, FunctionModel], F]) -> F:
        return answer(self.unit, self.function, kind, ask)

    def _rank(self) -> int:
        kind = self.value.type
        return len(kind.get_shape()) if isinstance(kind, ShapedType) else 0

    def _refused(self, why: str, note: str) -> UsageError:
        return UsageError(Diagnostic("V005", f"{self.name} is of type {self.type}: {why}", note=note))

    def __repr__(self) -> str:
        return f"<Value {self.name}: {self.type}>"
