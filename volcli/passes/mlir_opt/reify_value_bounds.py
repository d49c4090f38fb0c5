"""test-affine-reify-value-bounds: bounds as operations, and comparisons, as in mlir-opt's pass."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from volcli.diagnostics import Diagnostic
from volcli.language.expressions import (
    Dim,
    Expression,
    NotAffine,
    Value,
    constant,
    dim_of,
    substitute,
    value_of,
)
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.values.definitions.definitions import Variable
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.constraint_set import Kept
from volcli.model.values.terms.executions import stopped_at
from volcli.passes.base import Pass, Unit, option
from volcli.passes.mlir_opt.bound_comparisons import answer
from volcli.passes.mlir_opt.bound_requests import COMPARE, REIFY, has, number, problems_of, text
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.materialize import Materializer, fits
from volcli.rewriting.ground.asking import at_most, never_negative
from volcli.rewriting.ground.choice import chosen, chosen_constant
from volcli.rewriting.ground.discovery import applications, asked_size, discovery_order, visible

_SCALE = "vector.vscale"
_RELATIONS = {"EQ": "==", "LB": ">=", "UB": "<"}
"""Between a value and its bound; an upper one is exclusive."""


@dataclass(frozen=True)
class ReifyValueBounds(Pass):
    """Replace each `test.reify_bound` by its bound, and state for each `test.compare` whether it holds.

    The operations, their attributes, the messages (V401 to V403, printed as mlir-opt prints them) and the
    exit code are those of mlir-opt's pass. An upper bound is exclusive (closed, if it is scalable), a lower
    bound and an equality are closed. A bound is an expression, which may be a minimum or a maximum of
    several; it is a constant if one of these is, or if there is no expression. Where mlir-opt finds no bound,
    or one that is not true, or a looser one, the answer differs (docs/deviations.md).
    """

    name = "test-affine-reify-value-bounds"
    summary = "test.reify_bound becomes its bound, test.compare is answered, as in mlir-opt"
    rewrites = True

    reify_to_func_args: bool = option(
        False, help="bounds in terms of the function's arguments and their sizes"
    )
    use_arith_ops: bool = option(False, help="make operations of arith, not affine.apply")

    def apply(self, unit: Unit) -> None:
        if _report_problems(unit):
            unit.failed = True
            return
        for index in range(len(unit.models())):
            self._reify_all(unit, unit.models()[index])
            _compare_all(unit, unit.models()[index])

    def _reify_all(self, unit: Unit, model: FunctionModel) -> None:
        """Replace the operations in the order of the text, up to the first without a bound."""
        ops = [op for op in model.function.walk() if operation_name(op) == REIFY]
        changes = Changes(unit, self.name)
        reification = Reification(changes, model, self.reify_to_func_args, self.use_arith_ops)
        for op in ops:
            value = reification.bound(op)
            if value is None:
                _say(unit, "V401", f"'{REIFY}' op could not reify bound", op)
                unit.failed = True
                break
            reification.replace(op, value)
        changes.finish()


class Reification:
    """The bounds of one function's values, while the operations that ask for them are replaced."""

    def __init__(self, changes: Changes, model: FunctionModel, to_arguments: bool, use_arith: bool) -> None:
        self._changes = changes
        self._model = model
        self._store = model.bounds
        self._to_arguments = to_arguments
        self._use_arith = use_arith

    def bound(self, op: Operation) -> SSAValue | None:
        """The value that takes the place of OP, made before it; None if there is no bound."""
        kind = text(op, "type") or "EQ"
        root, dim = op.operands[0], number(op, "dim")
        exclusive = 1 if kind == "UB" and not has(op, "scalable") else 0
        try:
            store, found = self._found(op, kind, root, dim)
            if found is None or not fits(found + exclusive):
                store, found = self._store, self._constant(op, kind, root, dim)
            if found is None:
                return None
            order = discovery_order(Value(root) if dim is None else Dim(root, dim))
            builder, is_natural = self._changes.before(op), never_negative(store, op)
            made = Materializer(builder, order, self._use_arith, is_natural).value(found + exclusive)
        except NotAffine:
            return None
        size = "" if dim is None else f"d{dim}_"
        self._changes.call(made, builder.name(root, f"{size}{kind.lower()}"))
        if not has(op, "scalable"):  # its bounds hold of a range of vector.vscale that nothing else states
            asked = value_of(root) if dim is None else dim_of(root, dim)
            self._changes.claim(asked, _RELATIONS[kind], value_of(made), at=op)
        return made

    def _found(
        self, op: Operation, kind: str, value: SSAValue, dim: int | None
    ) -> tuple[BoundsStore, Expression | None]:
        """The bound of VALUE, closed, over what it may speak of."""
        if has(op, "constant"):
            return self._store, None
        if has(op, "scalable"):
            store, scales = self._scaled(op)
            bounds = store.bounds(value, dim, kept=BoundsStore.these(scales), at=op)
            found = chosen(bounds, kind, at_most(store, op), scalable=True)
            is_scaled = any(_depends(store, store.value(value, dim), scale) for scale in scales)
            return store, self._with_scale(op, found) if is_scaled and found is not None else found
        if self._to_arguments:
            kept = _indices("arguments", self._store.arguments().contains)
            bounds = self._store.bounds(value, dim, kept=kept, at=op)
            return self._store, chosen(bounds, kind, at_most(self._store, op))
        return self._of_others(op, kind, value, dim)

    def _constant(self, op: Operation, kind: str, value: SSAValue, dim: int | None) -> Expression | None:
        """The constant bound of VALUE, closed, from everything that is known."""
        is_size = dim is not None or asked_size(value) is not None
        return chosen_constant(self._store.constant_bounds(value, dim, at=op), kind, is_size=is_size)

    def _of_others(
        self, op: Operation, kind: str, value: SSAValue, dim: int | None
    ) -> tuple[BoundsStore, Expression | None]:
        """The bound over the first other values that may be used here, after the maps that are composed."""
        through = set(applications(value))
        cache: dict[SSAValue, bool] = {}

        def stops(variable: Variable) -> bool:
            if variable.value in through:
                return False
            return cache.setdefault(variable.value, visible(variable.value, op, self._store.definitions))

        store = self._fresh(stops)
        bounds = store.bounds_of(store.value(value, dim), None, _indices("other values", stops))
        return store, chosen(bounds, kind, at_most(self._store, op))

    def _fresh(self, stops: Callable[[Variable], bool]) -> BoundsStore:
        return BoundsStore(self._model.function, self._model.name_of, stopped_at(stops), like=self._store)

    def _scaled(self, op: Operation) -> tuple[BoundsStore, list[Variable]]:
        """A store in which all `vector.vscale` are one variable, in OP's range; and that variable, if any."""
        least, greatest = (constant(number(op, f"vscale_{side}") or 0) for side in ("min", "max"))
        store = self._fresh(lambda _: False)
        scales = [Value(o.results[0]) for o in self._model.function.walk() if operation_name(o) == _SCALE]
        for scale in scales:
            own = value_of(scale.value)
            store.definitions.suppose(scale, scales[0], (own - least, greatest - own))
        return store, [*scales[:1]]

    def _with_scale(self, op: Operation, found: Expression) -> Expression:
        """FOUND in terms of a new `vector.vscale` (which is there in any case, as in mlir-opt's output)."""
        scale = value_of(self._changes.before(op).make(_SCALE, []))
        return substitute(found, lambda atom: scale if isinstance(atom, Value | Dim) else None)

    def replace(self, op: Operation, value: SSAValue) -> None:
        """VALUE for OP; what was derived of values that depend on it is derived anew."""
        users = [use.operation for use in op.results[0].uses]
        self._changes.replace(op, [value])
        if any(user.results or user.regions for user in users if operation_name(user) != "test.some_use"):
            self._store = BoundsStore(self._model.function, self._model.name_of)


def _depends(store: BoundsStore, expression: Expression, variable: Variable) -> bool:
    """Whether VARIABLE, which has not just one value, is among what EXPRESSION is computed from."""
    low, high = store.definitions.range(variable)
    mask = store.definitions.mask(store.elimination.all_variables([expression]))
    return low != high and bool(mask & store.definitions.bit(variable))


def _indices(key: Hashable, contains: Callable[[Variable], bool]) -> Kept:
    """The index values and the sizes among what CONTAINS says."""
    return Kept(
        ("indices", key),
        lambda v: contains(v) and (isinstance(v, Dim) or isinstance(v.value.type, IndexType)),
    )


def _compare_all(unit: Unit, model: FunctionModel) -> None:
    """Answer in the order of the text, whether or not the answers before were any."""
    for op in model.function.walk():
        if operation_name(op) != COMPARE:
            continue
        code, message = answer(model.bounds, op)
        _say(unit, code, message, op)
        if code == "V401":
            unit.failed = True
            return


def _report_problems(unit: Unit) -> bool:
    """Say what is wrong with the first wrong operation of each function; whether anything is."""
    found = False
    for model in unit.models():
        problems = ((op, message) for op in model.function.walk() for message in problems_of(op))
        for op, message in itertools.islice(problems, 1):
            _say(unit, "V401", f"'{operation_name(op)}' op {message}", op)
            found = True
    return found


def _say(unit: Unit, code: str, message: str, op: Operation) -> None:
    unit.diagnostics.append(Diagnostic(code, message, unit.parsed.written_at(op)))
