"""The linalg dialect of LLVM 22.

Every structured operation is a `LinalgStructuredOperation`: `get_indexing_maps()`, `get_iterator_types()`,
`inputs`, `outputs`, `res`, `body`. The named ones come from the table in named_ops.py
(`NAMED_CLASSES["matmul"]`), the others are classes of the files.
"""

from __future__ import annotations

from xdsl.dialects.linalg import Linalg
from xdsl.ir import Dialect

from volcli.language.questions import requires
from volcli.language.reads import Disjunction
from volcli_dialects.cases.dialects import dialect_of, operations_of
from volcli_dialects.cases.requirements import divides_by_constants, register_divisions
from volcli_dialects.linalg import bounds, effects, generic, nests, problems, reads, regular, scalars, windows
from volcli_dialects.linalg.attributes import ATTRIBUTES
from volcli_dialects.linalg.generic import ElementwiseOp
from volcli_dialects.linalg.relayout import ops as relayout
from volcli_dialects.linalg.relayout import problems as relayout_problems
from volcli_dialects.linalg.relayout import reads as relayout_reads
from volcli_dialects.linalg.structured import NAMED_CLASSES


def dialect() -> Dialect:
    """The dialect: our operations, and xDSL's where it has one that we have not; the attributes of both."""
    ours = operations_of(generic, regular, scalars, relayout)
    return dialect_of(Linalg, (*NAMED_CLASSES.values(), *ours), ATTRIBUTES)


register_divisions(NAMED_CLASSES[_name] for _name in ("div", "div_unsigned"))


@requires.case(ElementwiseOp)
def divides(op: ElementwiseOp) -> list[Disjunction] | None:
    """What divides the integers needs divisors that are not 0."""
    return divides_by_constants(op) if op.kind.data.startswith("div") else []
