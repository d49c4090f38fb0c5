"""What is answered to a `test.compare`, in mlir-opt's words."""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Expression, NotAffine, value_of
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Verdict
from volcli.passes.mlir_opt.bound_requests import COMPARE, field, has, text

_RELATIONS = {"EQ": "==", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}

Answer = tuple[str, str]
"""The code of a diagnostic, and its text."""


def answer(store: BoundsStore, op: Operation) -> Answer:
    """What is said of OP; V401 if it asks for what cannot be asked: then nothing after it is looked at."""
    relation = _RELATIONS.get(text(op, "cmp") or "EQ", "==")
    if not has(op, "compose"):
        return _compared(store, op, relation)
    if relation != "==":
        return "V401", f"'{COMPARE}' op comparison operator must be EQ when 'composed' is specified"
    return _composed(store, op)


def _compared(store: BoundsStore, op: Operation, relation: str) -> Answer:
    try:
        left, right = _sides(op)
        found = store.compare(left, relation, right, at=op)
    except NotAffine:
        return "V402", "unknown"
    if found.verdict is Verdict.PROVED:
        return "V403", "true"
    return ("V403", "false") if found.never else ("V402", "unknown")


def _composed(store: BoundsStore, op: Operation) -> Answer:
    """Equal or not, whatever the values of the variables are."""
    code, said = _compared(store, op, "==")
    if code == "V402":
        return code, "could not determine equality"
    return code, {"true": "equal", "false": "different"}[said]


def _sides(op: Operation) -> tuple[Expression, Expression]:
    """Both sides: an operand, or a map of as many as it has inputs."""
    operands = [value_of(operand) for operand in op.operands]
    sides: list[Expression] = []
    for name in ("lhs_map", "rhs_map"):
        map_ = field(op, name)
        count = map_.data.num_dims + map_.data.num_symbols if isinstance(map_, AffineMapAttr) else 1
        inputs, operands = operands[:count], operands[count:]
        if isinstance(map_, AffineMapAttr):
            if not map_.data.results:
                raise NotAffine("a map without results")
            dims, symbols = inputs[: map_.data.num_dims], inputs[map_.data.num_dims :]
            sides.append(evaluate(map_.data.results[0], dims, symbols))
        else:
            sides.append(inputs[0])
    return sides[0], sides[1]
