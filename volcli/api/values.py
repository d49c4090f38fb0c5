"""One value of a function, and the place of an operation: what questions are asked of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, SSAValue

from volcli.api.asking import F, answer
from volcli.api.derivations import derivation_fact
from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.facts.bounds import BoundsFact
from volcli.facts.derivations import DerivationFact
from volcli.facts.fact import Fact
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact
from volcli.facts.shapes import ShapeFact
from volcli.language.interface import operation_name
from volcli.language.reads import is_number
from volcli.model.function import FunctionModel
from volcli.passes.analyses.element_maps import map_fact
from volcli.passes.analyses.infer_shapes import shape_fact
from volcli.passes.analyses.sparsity_regions import regions_fact
from volcli.passes.analyses.value_bounds import bounds_fact, bounds_in_terms, variables_named
from volcli.passes.base import Unit

if TYPE_CHECKING:
    from volcli.api.function import Function

_NEAREST = 8


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
        """What the value, or the size of its dimension DIM, lies between; see `Function.bounds`."""
        kind = self.value.type
        if dim is None and not is_number(kind):
            raise self._refused("it is no index value and no integer", "name a dimension: bounds('%t', 0)")
        if dim is not None and not 0 <= dim < self._rank():
            raise self._refused(f"it has no dimension {dim}", f"it has {self._rank()} dimensions, from 0 on")
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
        """Why the value, or the size of its dimension DIM, lies between its bounds.

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
            raise self._refused("it is no index value and no integer", "name a dimension: derivation(0)")
        if dim is not None and not 0 <= dim < self._rank():
            raise self._refused(f"it has no dimension {dim}", f"it has {self._rank()} dimensions, from 0 on")
        return self._asked(DerivationFact, lambda unit, model: derivation_fact(unit, model, self.value, dim))

    def shape(self) -> ShapeFact:
        """The size of every dimension; see `Function.shape`."""
        if not isinstance(self.value.type, ShapedType):
            raise self._refused("it has no dimensions", "`bounds` says what a number lies between")

        def ask(unit: Unit, model: FunctionModel) -> ShapeFact:
            return shape_fact(unit, model, self.value, self.type, is_result=self.value in model.results())

        return self._asked(ShapeFact, ask)

    def element_map(self, to: str | FunctionValue = "inputs") -> MapFact:
        """Which elements of others each of its elements depends on; see `Function.element_map`."""
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


@dataclass(frozen=True, eq=False, repr=False)
class Spot:
    """The operation at a place of the text: its `values` are its results, and the arguments of its regions.

    `facts` are those of its place that passes have found; `function` is None outside of all functions.
    """

    place: Place
    op: str
    function: Function | None
    values: tuple[FunctionValue, ...]
    facts: tuple[Fact, ...]

    def __repr__(self) -> str:
        names = ", ".join(value.name for value in self.values)
        return f"<Spot {self.place.line}:{self.place.column} {self.op}{': ' * bool(names)}{names}>"


def spot_at(units: Sequence[Unit], file: str, line: int, column: int | None) -> Spot:
    """What begins in LINE of FILE, at or before COLUMN. Raises UsageError (V010)."""
    from volcli.api.function import Function

    places = [
        (unit.parsed.written_at(op), unit, op)
        for unit in units
        for op in unit.parsed.module.walk()
        if op is not unit.parsed.module
    ]
    there = [found for found in places if found[0].line == line and found[0].file == file]
    if not there:
        nearest = sorted({place.line for place, _, _ in places}, key=lambda n: (abs(n - line), n))[:_NEAREST]
        note = f"operations begin in lines {', '.join(map(str, sorted(nearest)))}" if nearest else None
        at = Place(file, line, column or 1)
        raise UsageError(Diagnostic("V010", "no operation begins in this line", at, note))
    before = [found for found in there if column is not None and found[0].column <= column]
    # The first of those at one place: what the text leaves out is at the place of the operation around it.
    place, unit, op = max(before or there[:1], key=lambda found: found[0].column)
    around = [model.function for model in unit.models() if model.function.is_ancestor(op)]
    of = around[0] if around else op
    entries = [region.blocks[0] for region in op.regions if region.blocks]
    values = [*op.results, *(argument for block in entries for argument in block.args)]
    return Spot(
        place,
        operation_name(op),
        Function(unit, of) if around else None,
        tuple(FunctionValue(unit, of, value) for value in values),
        tuple(fact for fact in unit.facts if unit.operation(fact.where) is op),
    )
