"""Why a number lies between its bounds: what the store collects and leaves, as a fact."""

from __future__ import annotations

from xdsl.ir import SSAValue

from volcli.facts.derivations import BoundReason, CollectedConstraint, DerivationFact
from volcli.language.expressions import Expression, Mod, NotAffine, parameter
from volcli.limits import printing as limits
from volcli.model.function import FunctionModel
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.variables import Disjunct, Variable, own
from volcli.model.values.why.collecting import Constraint
from volcli.model.values.why.derivation import Derivation
from volcli.model.values.why.matrices import Matrix
from volcli.passes.base import Unit
from volcli.passes.selection import where
from volcli.presburger.sets.build import DIM
from volcli.presburger.tableaus.given import with_parameters
from volcli.presburger.tableaus.tableau import Column, Role, Row, Tableau


def derivation_fact(unit: Unit, model: FunctionModel, value: SSAValue, dim: int | None) -> DerivationFact:
    """Why VALUE, or the size of its dimension DIM, lies between its bounds."""
    model = model.as_called
    store = model.bounds
    found = model.assuming.bounds(value, dim)
    derived = store.derivation(value, dim, found)
    rows = _Rows(store, derived)
    left, pieces = _left(store, derived)
    subject = store.texts.of_variable(derived.variable)
    return DerivationFact(
        where(unit, model, value),
        model.name_of(value),
        dim,
        rows.columns,
        tuple(rows.said(unit, model, number) for number in range(len(derived.collection.constraints))),
        tuple(map(store.texts.of_variable, derived.projected)),
        left,
        pieces,
        tuple(
            BoundReason(
                f"{subject} {each.relation} {store.texts.of(each.side)}",
                each.exact, each.reason, each.needs, each.because,
            )
            for each in derived.bounds
        ),
        found.never,
        found.lower.because or found.upper.because or derived.because,
        found.assumptions,
    )  # fmt: skip


class _Rows:
    """The rows of each constraint, over the columns of all of them."""

    def __init__(self, store: BoundsStore, derived: Derivation) -> None:
        self._store = store
        self._constraints = derived.collection.constraints
        self._matrix = Matrix(self._column, "")
        self._steps = 0
        for variable in derived.collection.columns:
            self._matrix.column(variable)
        spans = [self._written(each) for each in self._constraints]
        tableau = self._matrix.tableau()
        self.columns = tuple(column.label for column in tableau.columns)
        self._rows: list[tuple[tuple[Row, ...], tuple[Row, ...]]] = [
            (tableau.equalities[e0:e1], tableau.inequalities[i0:i1]) for (e0, i0), (e1, i1) in spans
        ]

    def _column(self, variable: Variable) -> Column:
        name = self._store.elimination.name(variable)
        return Column(name, self._store.texts.of_variable(variable), Role.DOMAIN)

    def _written(self, constraint: Constraint) -> tuple[tuple[int, int], tuple[int, int]]:
        """Write CONSTRAINT, if it is a row; from where to where its rows are."""
        before = self._matrix.counts
        if constraint.row is not None:
            try:
                self._matrix.system(self._without_remainder(constraint.alternatives[0]))
            except NotAffine:
                return before, before
        return before, self._matrix.counts

    def _without_remainder(self, row: Disjunct) -> Disjunct:
        """ROW, where `e mod c = 0` is `e - c * s = 0` for some integer s."""
        atom = row.zero[0].single_atom if row.zero else None
        if not isinstance(atom, Mod):
            return row
        self._steps += 1
        return Disjunct((atom.numerator - atom.divisor * parameter(f"s{self._steps - 1}"),))

    def said(self, unit: Unit, model: FunctionModel, number: int) -> CollectedConstraint:
        """The constraint NUMBER as a fact states it."""
        constraint = self._constraints[number]
        place = None if constraint.op is None else unit.where(model, constraint.op)
        assumed = None
        if constraint.variable is not None and constraint.row is not None:
            assumed = model.assuming.supposed_by(constraint.variable, constraint.row[0])
        by = assumed or _by(constraint, None if place is None else place.op)
        where_said = None if assumed else place
        return CollectedConstraint(self._text(constraint), by, where_said, *self._rows[number])

    def _text(self, constraint: Constraint) -> str:
        texts = self._store.texts
        if constraint.known is not None:
            return texts.of_set(constraint.known.points)
        said = [self._conjunction(each, constraint.variable) for each in constraint.alternatives]
        return " or ".join(said) or "false"

    def _conjunction(self, disjunct: Disjunct, variable: Variable | None) -> str:
        both = [(e, "=") for e in disjunct.zero] + [(e, ">=") for e in disjunct.nonnegative]
        return " and ".join(self._relation(e, sign, variable) for e, sign in both) or "true"

    def _relation(self, expression: Expression, sign: str, variable: Variable | None) -> str:
        """`expression SIGN 0`, with VARIABLE alone on the left side if it can stand there."""
        text = self._store.texts.of
        factor = 0 if variable is None else dict(expression.terms).get(variable, 0)
        if variable is not None and abs(factor) == 1:
            rest = (expression - factor * own(variable)) * -factor
            turned = {"=": "=", ">=": ">=" if factor == 1 else "<="}[sign]
            return f"{text(own(variable))} {turned} {text(rest)}"
        left = Expression(tuple((a, f) for a, f in expression.terms if f > 0), 0)
        right = left - expression
        if left.is_constant:
            left, right, sign = right, left, {"=": "=", ">=": "<="}[sign]
            left, right = left - left.constant, right - left.constant
        return f"{text(left)} {sign} {text(right)}"


def _by(constraint: Constraint, op: str | None) -> str:
    factor = constraint.factor
    if factor is None:
        return op or "its type"
    if factor.name is not None:
        return factor.name
    return f"{op} requires it" if op is not None else "a condition around it"


def _left(store: BoundsStore, derived: Derivation) -> tuple[str | None, tuple[Tableau, ...]]:
    """What is left, as a condition and as tableaus of its pieces."""
    if derived.left is None:
        return None, ()
    key = store.elimination.name(derived.variable)
    points = derived.left.coalesce()
    if points.find_dim_by_name(DIM.param, key) >= 0:  # it is kept: it is itself
        return store.texts.of_set(points.params()), ()
    count = points.dim(DIM.param)
    named = points.move_dims(DIM.param, count, DIM.set, 0, 1).set_dim_name(DIM.param, count, key)
    moved = named.params()
    parts = moved.get_basic_sets()
    column = Column(key, store.texts.of_variable(derived.variable), Role.DOMAIN)

    def symbol(name: str) -> Column:
        return Column(name, store.texts.of_variable(store.elimination.variable(name)), Role.SYMBOL)

    few = parts if len(parts) <= limits.DERIVATION_PIECES else []
    return store.texts.of_set(moved), tuple(with_parameters(Tableau((column,)), part, symbol) for part in few)
