"""scf's operations take and give buffers, and access none of their elements: their regions do."""

from __future__ import annotations

from volcli_dialects.cases.memory.memory import touch_nothing
from volcli_dialects.scf.branches import ExecuteRegionOp, IfOp, IndexSwitchOp, YieldOp
from volcli_dialects.scf.forall import ForallOp, InParallelOp
from volcli_dialects.scf.loops import ConditionOp, ForOp, ParallelOp, ReduceOp, ReduceReturnOp, WhileOp

touch_nothing(
    ForOp, WhileOp, ConditionOp, ParallelOp, ReduceOp, ReduceReturnOp, ForallOp, InParallelOp, IfOp,
    IndexSwitchOp, ExecuteRegionOp, YieldOp,
)  # fmt: skip
