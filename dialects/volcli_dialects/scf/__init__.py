"""The scf dialect of LLVM 22: loops and branches over SSA values.

What a loop that fills tensors slice by slice computes is stated in
`volcli_dialects.cases.elements.tensor_loops`; all other results may depend on all that their operation reads.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from volcli.language.questions import element_reads
from volcli_dialects.cases.elements.tensor_loops import loop_reads
from volcli_dialects.cases.memory.memory import with_stated_effects
from volcli_dialects.scf import bounds as scf_bounds
from volcli_dialects.scf import effects as scf_effects
from volcli_dialects.scf import problems as scf_problems
from volcli_dialects.scf.branches import ExecuteRegionOp, IfOp, IndexSwitchOp, YieldOp
from volcli_dialects.scf.forall import ForallOp, InParallelOp
from volcli_dialects.scf.loops import ConditionOp, ForOp, ParallelOp, ReduceOp, ReduceReturnOp, WhileOp

__all__ = [
    "ConditionOp",
    "ExecuteRegionOp",
    "ForOp",
    "ForallOp",
    "IfOp",
    "InParallelOp",
    "IndexSwitchOp",
    "ParallelOp",
    "ReduceOp",
    "ReduceReturnOp",
    "WhileOp",
    "YieldOp",
    "dialect",
    "scf_bounds",
    "scf_effects",
    "scf_problems",
]

element_reads.case(ForOp, ForallOp)(loop_reads)


def dialect() -> Dialect:
    """All operations of the dialect are ours: xDSL's lose attributes and lack half of the syntax."""
    return with_stated_effects(
        Dialect(
            "scf",
            [
                ForOp,
                WhileOp,
                ConditionOp,
                ParallelOp,
                ReduceOp,
                ReduceReturnOp,
                ForallOp,
                InParallelOp,
                IfOp,
                IndexSwitchOp,
                ExecuteRegionOp,
                YieldOp,
            ],
        )
    )
