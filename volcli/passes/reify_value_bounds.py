"""test-affine-reify-value-bounds: bounds as operations, and comparisons, as in mlir-opt's pass."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from volcli.diagnostics import Diagnostic
from volcli.expressions import (
    Dim,
    Expression,
    Maximum,
    Minimum,
    NotAffine,
    Value,
    constant,
    substitute,
    value_of,
)
from volcli.interface import operation_name
from volcli.model.affine_maps import evaluate
from volcli.model.bounds.answers import Bounds, ConstantBounds, Verdict
from volcli.model.bounds.definitions import Variable
from volcli.model.bounds.elimination import Kept
from volcli.model.bounds.store import BoundsStore
from volcli.model.function import FunctionModel
from volcli.passes.base import Pass, Unit, option
from volcli.passes.discovery import applications, discovery_order, visible
from volcli.passes.materialize import Materializer, Site
from volcli.passes.reified_operations import (
    field,
    has,
    number,
    problems_of_compare,
    problems_of_reify,
    text,
)

_REIFY, _COMPARE, _SCALE = "test.reify_bound", "test.compare", "vector.vscale"
_RELATIONS = {"EQ": "==", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}


@dataclass(frozen=True)
class ReifyValueBounds(Pass):
    """Replace each `test.reify_bound` by its bound, and say of each `test.compare` whether it holds.

    The operations, their attributes, the messages (V401 to V403, printed as mlir-opt prints them) and the
    exit code are those of mlir-opt's pass. An upper bound is exclusive (closed, if it is scalable), a lower
    bound and an equality are closed. A bound is an expression if one describes it, else a constant if there
    is one, else a minimum or a maximum of expressions. Where mlir-opt finds no bound, or one that is not
    true, or a looser one, the answer differs (docs/deviations.md).
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
        ops = [op for op in model.function.walk() if operation_name(op) == _REIFY]
        reification = Reification(unit, model, self.reify_to_func_args, self.use_arith_ops)
        for op in ops:
            value = reification.bound(op)
            if value is None:
                _say(unit, "V401", f"'{_REIFY}' op could not reify bound", op)
                unit.failed = True
                break
            reification.replace(op, value)
        if ops:
            unit.rewrote()


class Reification:
    """The bounds of one function's values, while the operations that ask for them are replaced."""

    def __init__(self, unit: Unit, model: FunctionModel, to_arguments: bool, use_arith: bool) -> None:
        self._unit = unit
        self._model = model
        self._store = model.bounds
        self._to_arguments = to_arguments
        self._use_arith = use_arith

    def bound(self, op: Operation) -> SSAValue | None:
        """The value that takes the place of OP, made before it; None if there is no bound."""
        kind = text(op, "type") or "EQ"
        dim = number(op, "dim")
        exclusive = 1 if kind == "UB" and not has(op, "scalable") else 0
        try:
            store, found = self._found(op, kind, op.operands[0], dim)
            if found is None:
                return None
            root = op.operands[0]
            order = discovery_order(Value(root) if dim is None else Dim(root, dim))

            def never_negative(expression: Expression) -> bool:
                low = store.constant_bounds_of(store.definitions.resolve(expression), op).lower
                return low is not None and low >= 0

            site = Site(op, self._unit.parsed.context)
            found = self._with_scale(op, site, found) + exclusive
            made = Materializer(site, order, self._use_arith, never_negative)
            return made.value(found)
        except NotAffine:
            return None

    def _found(
        self, op: Operation, kind: str, value: SSAValue, dim: int | None
    ) -> tuple[BoundsStore, Expression | None]:
        """The bound of VALUE, closed, over what it may speak of."""
        if has(op, "constant"):
            return self._store, _constant(self._store.constant_bounds(value, dim, at=op), kind)
        if has(op, "scalable"):
            store, scale = self._scaled(number(op, "vscale_min") or 0, number(op, "vscale_max") or 0)
            return store, _chosen(store.bounds(value, dim, kept=scale, at=op), kind)
        if self._to_arguments:
            kept = _indices("arguments", self._store.arguments().contains)
            return self._store, _chosen(self._store.bounds(value, dim, kept=kept, at=op), kind)
        through = set(applications(value))
        cache: dict[SSAValue, bool] = {}

        def stops(variable: Variable) -> bool:
            """At the first other values that may be used here, over the applications that are composed."""
            if variable.value in through:
                return False
            return cache.setdefault(variable.value, visible(variable.value, op, self._store.definitions))

        store = self._fresh(stops)
        kept = _indices("other values", stops)
        return store, _chosen(store.bounds_of(store.value(value, dim), None, kept), kind)

    def _fresh(self, stops: Callable[[Variable], bool]) -> BoundsStore:
        return BoundsStore(self._model.function, self._model.name_of, stops=stops, like=self._store)

    def _scaled(self, least: int, greatest: int) -> tuple[BoundsStore, Kept]:
        """A store in which all `vector.vscale` are one variable from LEAST to GREATEST, and that variable."""
        store = self._fresh(lambda _: False)
        scales = [v for v in map(_scale_of, self._model.function.walk()) if v is not None]
        for scale in scales:
            own = value_of(scale)
            store.definitions.suppose(Value(scale), Value(scales[0]), (own - least, constant(greatest) - own))
        return store, BoundsStore.these(map(Value, scales[:1]))

    @staticmethod
    def _with_scale(op: Operation, site: Site, found: Expression) -> Expression:
        """FOUND in terms of a new `vector.vscale`, if it is scalable."""
        if not has(op, "scalable") or found.is_constant:
            return found
        scale = value_of(site.make(_SCALE, []))
        return substitute(found, lambda atom: scale if isinstance(atom, Value | Dim) else None)

    def replace(self, op: Operation, value: SSAValue) -> None:
        """VALUE for OP; what was derived of values that depend on it is derived anew."""
        users = [use.operation for use in op.results[0].uses]
        Rewriter.replace_op(op, [], [value])
        if any(user.results or user.regions for user in users if operation_name(user) != "test.some_use"):
            self._store = BoundsStore(self._model.function, self._model.name_of)


def _scale_of(op: Operation) -> SSAValue | None:
    return op.results[0] if operation_name(op) == _SCALE else None


def _indices(key: Hashable, contains: Callable[[Variable], bool]) -> Kept:
    """The index values and the sizes among what CONTAINS says."""
    return Kept(
        ("indices", key),
        lambda v: contains(v) and (isinstance(v, Dim) or isinstance(v.value.type, IndexType)),
    )


def _constant(bounds: ConstantBounds, kind: str) -> Expression | None:
    if bounds.never:
        return constant(0)
    if kind == "LB":
        number = bounds.lower
    elif kind == "UB" or bounds.lower == bounds.upper:
        number = bounds.upper
    else:
        number = None
    return None if number is None else constant(number)


def _chosen(bounds: Bounds, kind: str) -> Expression | None:
    """One expression before a constant, a constant before several; any number, of what never runs."""
    if bounds.never:
        return constant(0)
    lower, upper = bounds.lower, bounds.upper
    equal = bounds.equal
    if equal is None and lower.expression is not None and lower.expression == upper.expression:
        equal = lower.expression
    if kind not in ("LB", "UB"):
        return equal
    side = lower if kind == "LB" else upper
    number = None if side.constant is None else constant(side.constant)
    expression = side.expression if equal is None else equal
    if expression is None:
        return number
    several = any(isinstance(atom, Minimum | Maximum) for atom in expression.atoms())
    return number if several and number is not None else expression


# -- comparisons -------------------------------------------------------------------------------------------


def _compare_all(unit: Unit, model: FunctionModel) -> None:
    for op in model.function.walk():
        if operation_name(op) != _COMPARE:
            continue
        relation = _RELATIONS.get(text(op, "cmp") or "EQ", "==")
        if has(op, "compose"):
            if relation != "==":
                message = f"'{_COMPARE}' op comparison operator must be EQ when 'composed' is specified"
                _say(unit, "V401", message, op)
                unit.failed = True
                return
            _say(unit, *_composed(model.bounds, op), op)
        else:
            _say(unit, *_compared(model.bounds, op, relation), op)


def _compared(store: BoundsStore, op: Operation, relation: str) -> tuple[str, str]:
    try:
        left, right = _sides(op)
        found = store.compare(left, relation, right, at=op)
    except NotAffine:
        return "V402", "unknown"
    if found.verdict is Verdict.PROVED:
        return "V403", "true"
    return ("V403", "false") if found.never else ("V402", "unknown")


def _composed(store: BoundsStore, op: Operation) -> tuple[str, str]:
    """Equal or not, whatever the values of the variables are."""
    code, answer = _compared(store, op, "==")
    if code == "V402":
        return code, "could not determine equality"
    return code, {"true": "equal", "false": "different"}[answer]


def _sides(op: Operation) -> tuple[Expression, Expression]:
    """Both sides: an operand, or a map of as many as it has inputs."""
    operands = [value_of(operand) for operand in op.operands]
    sides: list[Expression] = []
    for name in ("lhs_map", "rhs_map"):
        map_ = field(op, name)
        count = map_.data.num_dims + map_.data.num_symbols if isinstance(map_, AffineMapAttr) else 1
        inputs, operands = operands[:count], operands[count:]
        if isinstance(map_, AffineMapAttr):
            dims, symbols = inputs[: map_.data.num_dims], inputs[map_.data.num_dims :]
            sides.append(evaluate(map_.data.results[0], dims, symbols))
        else:
            sides.append(inputs[0])
    return sides[0], sides[1]


def _say(unit: Unit, code: str, message: str, op: Operation) -> None:
    unit.diagnostics.append(Diagnostic(code, message, unit.parsed.written_at(op)))


def _report_problems(unit: Unit) -> bool:
    """Say what is wrong with the operations of this pass; whether anything is."""
    found = False
    for op in unit.parsed.module.walk():
        name = operation_name(op)
        problems = {_REIFY: problems_of_reify, _COMPARE: problems_of_compare}.get(name)
        message = None if problems is None else next(problems(op), None)
        if message is not None:
            _say(unit, "V401", f"'{name}' op {message}", op)
            found = True
    return found
