"""The scf dialect of LLVM 22: loops and branches over SSA values.

What its operations compute is not stated yet: a loop's results may depend on all that it reads.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from volcli_dialects.cases.memory import with_stated_effects
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
