"""A brute-force oracle for memory dependences, in plain Python: it shares no code with what it judges.

expressions, memrefs, nodes: what programs are made of. printing: their text. execute: the trace of one run.
truth: what follows from the traces. programs: whole programs. subscripts, buffers, scope, draw: random programs.
fixed: programs of the literature. judge: what answers are worth. ask: volcli's answers. reduce: smaller programs
that show the same. peer: mlir-opt's answers. data, ask_data: programs whose subscripts depend on data, with calls
that do what only the oracle knows; and volcli's answers about them.
"""

from __future__ import annotations

from tests.oracles.memory.draw import drawn
from tests.oracles.memory.programs import Program

__all__ = ["Program", "drawn"]
