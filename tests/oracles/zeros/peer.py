"""The programs run by mlir-runner-22: many in one module, since lowering is what takes time."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from itertools import islice

from tests.oracles.zeros import draw, draw_matrices
from tests.oracles.zeros.matrices import Known, Matrices, elements, kind_of
from tests.oracles.zeros.numbers import UNDETERMINED, Cell
from tests.oracles.zeros.programs import Generic, Numbers, Program, literal
from tests.shared.execution import LOWERING, executed

PIPELINE = LOWERING.replace("(one-shot", "(func.func(convert-elementwise-to-linalg),one-shot").replace(
    "convert-arith-to-llvm", "convert-math-to-llvm,convert-arith-to-llvm"
)


def is_determined(program: Program) -> bool:
    """Whether each result has one value, to the last bit."""
    bodies = (node.body for node in program.nodes if isinstance(node, Generic))
    return not any(scalar.name in UNDETERMINED for body in bodies for scalar in body)


def differences(mlir_opt: str, programs: Sequence[Program], seed: int) -> list[str]:
    """The results that mlir-runner-22 prints otherwise than they are computed here, by program."""
    cases = [(program, draw.inputs(program, seed + k)) for k, program in enumerate(programs)]
    text = "\n".join(program.mlir(f"p{k}", with_flags=False) for k, (program, _) in enumerate(cases))
    lines = [line for k, (program, given) in enumerate(cases) for line in _call(k, program, given)]
    printed = _numbers(mlir_opt, text, lines)
    found: list[str] = []
    for k, (program, given) in enumerate(cases):
        row = program.run(given)[program.nodes[-1].result]
        found += _unlike(f"p{k}", program.mlir(), list(islice(printed, len(row))), row)
    return found


def differences_of_matrices(mlir_opt: str, programs: Sequence[Matrices], seed: int) -> list[str]:
    """The same for programs over matrices."""
    cases = [(program, draw_matrices.inputs(program, seed + k)) for k, program in enumerate(programs)]
    text = "\n".join(program.mlir(f"p{k}", with_flags=False) for k, (program, _) in enumerate(cases))
    lines = [line for k, (program, given) in enumerate(cases) for line in _call_matrices(k, program, given)]
    printed = _numbers(mlir_opt, text, lines)
    found: list[str] = []
    for k, (program, given) in enumerate(cases):
        row = list(program.run(given)[program.nodes[-1].result].values())
        found += _unlike(f"p{k}", program.mlir(), list(islice(printed, len(row))), row)
    return found


def _numbers(mlir_opt: str, text: str, main: Sequence[str]) -> Iterator[float]:
    """The numbers whose bits MAIN prints."""
    lines = "\n".join(main)
    printed = executed(mlir_opt, f"{text}\nfunc.func @main() {{\n{lines}\nreturn\n}}\n", PIPELINE)
    return (struct.unpack("<d", struct.pack("<q", int(bits)))[0] for bits in printed.split())


def _unlike(name: str, text: str, there: Sequence[float], row: Sequence[Cell]) -> Iterator[str]:
    pairs = list(zip(there, row, strict=True))
    if any(_bits(a) != _bits(cell.number) and "sign of NaN" not in cell.broken for a, cell in pairs):
        yield f"{name}: {there} is not {[cell.number for cell in row]}\n{text}"


def _bits(number: float) -> bytes:
    return b"NaN" if math.isnan(number) else struct.pack("<d", number)


def _call(k: int, program: Program, given: dict[str, list[float]]) -> Iterator[str]:
    """Call program K on the numbers GIVEN and print the bits of its result."""
    for name, row in given.items():
        yield from Numbers(f"a{k}_{name}", tuple(row)).text({}, with_flags=False)
    types = [f"tensor<{len(row)}xf64>" for row in given.values()]
    size = program.nodes[-1].size
    yield from _printed(k, [*given], types, f"tensor<{size}xf64>", [(position,) for position in range(size)])


def _call_matrices(k: int, program: Matrices, given: Known) -> Iterator[str]:
    for argument in program.arguments:
        numbers = ", ".join(literal(cell.number) for cell in given[argument.result].values())
        text = f"dense<[{numbers}]> : tensor<{len(given[argument.result])}xf64>"
        rows, columns = argument.shape
        yield f"%f{k}_{argument.result} = arith.constant {text}"
        yield (
            f"%a{k}_{argument.result} = tensor.expand_shape %f{k}_{argument.result} [[0, 1]] "
            f"output_shape [{rows}, {columns}] : tensor<{rows * columns}xf64> into {kind_of(argument.shape)}"
        )
    types = [kind_of(argument.shape) for argument in program.arguments]
    last = program.nodes[-1]
    names = [argument.result for argument in program.arguments]
    yield from _printed(k, names, types, kind_of(last.shape), list(elements(last.shape)))


def _printed(
    k: int, names: Sequence[str], types: Sequence[str], kind: str, positions: Sequence[tuple[int, ...]]
) -> Iterator[str]:
    """Call program K and print the bits of its result of a KIND."""
    arguments = ", ".join(f"%a{k}_{name}" for name in names)
    yield f"%r{k} = call @p{k}({arguments}) : ({', '.join(types)}) -> {kind}"
    for number, position in enumerate(positions):
        here = f"{k}_{number}"
        for d, index in enumerate(position):
            yield f"%i{here}_{d} = arith.constant {index} : index"
        indices = ", ".join(f"%i{here}_{d}" for d in range(len(position)))
        yield f"%e{here} = tensor.extract %r{k}[{indices}] : {kind}"
        yield f"%b{here} = arith.bitcast %e{here} : f64 to i64"
        yield f"vector.print %b{here} : i64"
