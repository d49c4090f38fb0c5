"""The linalg dialect of LLVM 22.

Every structured operation is a `LinalgStructuredOperation`: `get_indexing_maps()`, `get_iterator_types()`,
`inputs`, `outputs`, `res`, `body`. The named ones come from the table in named_ops.py
(`NAMED_CLASSES["matmul"]`), the others are the classes exported here.
"""

from __future__ import annotations

from xdsl.dialects.linalg import Linalg
from xdsl.ir import Dialect

from volcli.language.questions import requires
from volcli.language.reads import Disjunction
from volcli_dialects.cases.memory.memory import with_stated_effects
from volcli_dialects.cases.requirements import divides_by_constants, register_divisions
from volcli_dialects.linalg import bounds as linalg_bounds
from volcli_dialects.linalg import effects as linalg_effects
from volcli_dialects.linalg import nests as linalg_nests
from volcli_dialects.linalg import problems as linalg_problems
from volcli_dialects.linalg import reads as linalg_reads
from volcli_dialects.linalg import relayout_problems as linalg_relayout_problems
from volcli_dialects.linalg import relayout_reads as linalg_relayout_reads
from volcli_dialects.linalg import windows as linalg_windows
from volcli_dialects.linalg.attributes import ATTRIBUTES, ElementwiseKindAttr, TypeFnAttr
from volcli_dialects.linalg.generic import ContractOp, ElementwiseOp, GenericOp
from volcli_dialects.linalg.regular import BroadcastOp, MapOp, ReduceOp, TransposeOp
from volcli_dialects.linalg.relayout import RELAYOUT_OPS, PackOp, SoftmaxOp, UnPackOp
from volcli_dialects.linalg.scalars import IndexOp, YieldOp
from volcli_dialects.linalg.structured import NAMED_CLASSES, NamedOp, StructuredOp
from volcli_dialects.linalg.winograd import (
    WINOGRAD_OPS,
    WinogradFilterTransformOp,
    WinogradInputTransformOp,
    WinogradOp,
    WinogradOutputTransformOp,
)

__all__ = [
    "NAMED_CLASSES",
    "BroadcastOp",
    "ContractOp",
    "ElementwiseKindAttr",
    "ElementwiseOp",
    "GenericOp",
    "IndexOp",
    "MapOp",
    "NamedOp",
    "PackOp",
    "ReduceOp",
    "SoftmaxOp",
    "StructuredOp",
    "TransposeOp",
    "TypeFnAttr",
    "UnPackOp",
    "WinogradFilterTransformOp",
    "WinogradInputTransformOp",
    "WinogradOp",
    "WinogradOutputTransformOp",
    "YieldOp",
    "dialect",
    "linalg_bounds",
    "linalg_effects",
    "linalg_nests",
    "linalg_problems",
    "linalg_reads",
    "linalg_relayout_problems",
    "linalg_relayout_reads",
    "linalg_windows",
]


def dialect() -> Dialect:
    """The dialect: our operations, and xDSL's where it has one that we have not; the attributes of both."""
    ours = [
        *NAMED_CLASSES.values(),
        GenericOp,
        ContractOp,
        ElementwiseOp,
        MapOp,
        ReduceOp,
        TransposeOp,
        BroadcastOp,
        IndexOp,
        YieldOp,
        *RELAYOUT_OPS,
        *WINOGRAD_OPS,
    ]
    operations = {op.name: op for op in (*Linalg.operations, *ours)}
    return with_stated_effects(
        Dialect("linalg", list(operations.values()), [*Linalg.attributes, *ATTRIBUTES])
    )


register_divisions(NAMED_CLASSES[_name] for _name in ("div", "div_unsigned"))


@requires.case(ElementwiseOp)
def divides(op: ElementwiseOp) -> list[Disjunction] | None:
    """What divides the integers needs divisors that are not 0."""
    return divides_by_constants(op) if op.kind.data.startswith("div") else []
