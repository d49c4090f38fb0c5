"""A brute-force oracle for bounds of index values, in plain Python: it shares no code with what it judges.

values, nodes: what programs are made of. execute: all executions at once, as a set of states. programs: whole
programs, their text and what is true of them. affine, scope, arithmetic, tensors, draw: random programs.
reduce: smaller programs that show the same. ask: volcli's answers, and the judge. peer: mlir-opt's answers.
"""

from __future__ import annotations

from tests.oracles.bounds.draw import drawn, programs
from tests.oracles.bounds.programs import Comparison, Program, Query

__all__ = ["Comparison", "Program", "Query", "drawn", "programs"]
