"""The stablehlo dialect: what JAX, PyTorch/XLA and TensorFlow hand to a compiler.

StableHLO's specification says of each operation which elements it reads; the cases say the same. Its
element-wise operations do not broadcast: that is `broadcast_in_dim`.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from volcli.language.definitions import without_definition
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.requirements import register_divisions, register_requirements
from volcli_dialects.stablehlo import (
    contractions,
    convolutions,
    elementwise,
    gathering,
    layout,
    regions,
    rows,
)
from volcli_dialects.stablehlo.loops import WhileOp
from volcli_dialects.stablehlo.ops import (
    ELEMENTWISE,
    INDEXED,
    OPS,
    REGIONS,
    OptimizationBarrierOp,
    ReduceOp,
    ReturnOp,
)
from volcli_dialects.verification.tensors import verify_by_definition

_OTHERS = (OptimizationBarrierOp, ReduceOp, ReturnOp, WhileOp)


def dialect() -> Dialect:
    """The operations of this folder."""
    return dialect_of("stablehlo", (*OPS.values(), *REGIONS.values(), *INDEXED.values(), *_OTHERS))


without_definition(
    "stablehlo",
    {
        "it computes with whole matrices": "cholesky triangular_solve",
        "its padding is data": "dynamic_conv",
        "other processes take part": (
            "all_gather all_reduce all_to_all collective_broadcast collective_permute infeed outfeed "
            "partition_id recv reduce_scatter replica_id send"
        ),
        "it is random": "rng rng_bit_generator",
        "it is defined elsewhere": "composite custom_call",
        "data decides how often its regions run": "while",
        "its values are not tensors": "after_all get_tuple_element tuple",
    },
)

_TOTAL_IF_STATIC = frozenset(f"stablehlo.{name}" for name in ("pad", "reshape", "slice"))
_TOTAL = frozenset(f"stablehlo.{name}" for name, *_ in ELEMENTWISE) | {
    f"stablehlo.{name}"
    for name in (
        "bitcast_convert", "broadcast_in_dim", "clamp", "compare", "complex", "concatenate", "constant",
        "convert", "convolution", "dot_general", "dynamic_slice", "dynamic_update_slice",
        "get_dimension_size", "iota", "reduce_precision", "reverse", "select", "transpose",
    )
}  # fmt: skip
"""Its functions of elements are defined for all numbers, shifts by the width and more among them."""

register_divisions([OPS["divide"], OPS["remainder"]])
register_requirements([*OPS.values(), *REGIONS.values(), *INDEXED.values()], _TOTAL, _TOTAL_IF_STATIC)

_OF_OTHER_ELEMENTS = ("abs", "imag", "is_finite", "real")
verify_by_definition(
    (*OPS.values(), *REGIONS.values(), *INDEXED.values(), ReduceOp),
    [OPS[_name] for _name, *_ in ELEMENTWISE if _name not in _OF_OTHER_ELEMENTS],
)
