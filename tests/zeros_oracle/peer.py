"""The programs run by mlir-runner-22: many in one module, since lowering is what takes time."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from tests.execution import LOWERING, executed
from tests.zeros_oracle.draw import inputs
from tests.zeros_oracle.numbers import UNDETERMINED
from tests.zeros_oracle.programs import Generic, Numbers, Program

PIPELINE = LOWERING.replace("(one-shot", "(func.func(convert-elementwise-to-linalg),one-shot").replace(
    "convert-arith-to-llvm", "convert-math-to-llvm,convert-arith-to-llvm"
)


def is_determined(program: Program) -> bool:
    """Whether each result has one value, to the last bit."""
    bodies = (node.body for node in program.nodes if isinstance(node, Generic))
    return not any(scalar.name in UNDETERMINED for body in bodies for scalar in body)


def differences(mlir_opt: str, programs: Sequence[Program], seed: int) -> list[str]:
    """The results that mlir-runner-22 prints otherwise than they are computed here, by program."""
    cases = [(program, inputs(program, seed + k)) for k, program in enumerate(programs)]
    text = "\n".join(program.mlir(f"p{k}", with_flags=False) for k, (program, _) in enumerate(cases))
    lines = [line for k, (program, given) in enumerate(cases) for line in _call(k, program, given)]
    main = "\n".join(lines)
    printed = executed(mlir_opt, f"{text}\nfunc.func @main() {{\n{main}\nreturn\n}}\n", PIPELINE).split()
    found: list[str] = []
    for k, (program, given) in enumerate(cases):
        row = program.run(given)[program.nodes[-1].result]
        here, printed = printed[: len(row)], printed[len(row) :]
        there = [struct.unpack("<d", struct.pack("<q", int(bits)))[0] for bits in here]
        if any(
            _bits(a) != _bits(cell.number) and "sign of NaN" not in cell.broken
            for a, cell in zip(there, row, strict=True)
        ):
            found.append(f"p{k}: {there} is not {[cell.number for cell in row]}\n{program.mlir()}")
    return found


def _bits(number: float) -> bytes:
    return b"NaN" if math.isnan(number) else struct.pack("<d", number)


def _call(k: int, program: Program, given: dict[str, list[float]]) -> Iterator[str]:
    """Call program K on the numbers GIVEN and print the bits of its result."""
    for name, row in given.items():
        yield from Numbers(f"a{k}_{name}", tuple(row)).text({}, with_flags=False)
    names = ", ".join(f"%a{k}_{name}" for name in given)
    types = ", ".join(f"tensor<{len(row)}xf64>" for row in given.values())
    last = program.nodes[-1]
    yield f"%r{k} = call @p{k}({names}) : ({types}) -> tensor<{last.size}xf64>"
    for position in range(last.size):
        yield f"%i{k}_{position} = arith.constant {position} : index"
        yield f"%e{k}_{position} = tensor.extract %r{k}[%i{k}_{position}] : tensor<{last.size}xf64>"
        yield f"%b{k}_{position} = arith.bitcast %e{k}_{position} : f64 to i64"
        yield f"vector.print %b{k}_{position} : i64"
