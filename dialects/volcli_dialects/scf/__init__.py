"""The scf dialect of LLVM 22: loops and branches over SSA values.

What a loop that fills tensors slice by slice computes is stated in
`volcli_dialects.cases.elements.tensor_loops`, and what a branch gives in
`volcli_dialects.cases.elements.branches`; all other results may depend on all that their operation reads.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from volcli.language.definitions import without_definition
from volcli.language.questions import element_reads
from volcli_dialects.cases.dialects import dialect_of, operations_of
from volcli_dialects.cases.elements.branches import chooses
from volcli_dialects.cases.elements.tensor_loops import loop_reads
from volcli_dialects.scf import bounds, branches, loops, problems
from volcli_dialects.scf.branches import ExecuteRegionOp, IfOp, IndexSwitchOp
from volcli_dialects.scf.loops import ForallOp, ForOp

without_definition("scf", {"it is unknown how often its regions run": "while"})
element_reads.case(ForOp, ForallOp)(loop_reads)
chooses(IfOp, IndexSwitchOp, ExecuteRegionOp)


def dialect() -> Dialect:
    """All operations of the dialect are ours: xDSL's lose attributes and lack half of the syntax."""
    return dialect_of("scf", operations_of(loops, branches))
