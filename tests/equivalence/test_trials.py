"""Programs that are executed and compared: each mutant differs, and nothing differs that computes the same."""

from __future__ import annotations

from functools import cache

import pytest

import volcli
from tests.equivalence.kernels import KERNELS, SIZE, Kernel, mutants
from tests.equivalence.test_pairs import ALIKE, MISCOMPILED, REWRITES, read, rewritten, touched
from tests.shared.execution import executed, needs_runner
from tests.shared.seeds import spread
from volcli.api.program import Program
from volcli.equivalence.trials.trials import Trial, tried
from volcli.equivalence.trials.versions import Version

UNDEFINED = ("definedness", "lifetimes", "races")


@cache
def version(program: str, function: str = "f") -> Version:
    """A function of PROGRAM, which is read and compiled once for all that it is compared with."""
    return version_in(read(program), function)


def version_in(program: Program, function: str) -> Version:
    """A function of PROGRAM."""
    assert program.exit_code == 0, [str(each) for each in program.diagnostics]
    (unit,) = program.units
    (model,) = [each for each in unit.models() if each.name == function]
    blocks = model.function.regions[0].blocks
    names = [unit.parsed.names.of(each).removeprefix("%") for each in (blocks[0].args if blocks else ())]
    return Version(unit.parsed.module, model.function, names)


@cache
def trial(kernel: Kernel, position: int | None, constant: bool) -> Trial:
    """What comes of executing KERNEL and one of its mutants, or itself."""
    mutant = None if position is None else kernel.mutants[position]
    pair = kernel.program(constant=constant), kernel.program(constant=constant, mutant=mutant)
    return tried(*map(version, pair))


@pytest.mark.sample(20)
@pytest.mark.parametrize(("name", "position", "constant"), list(mutants()))
def test_mutants_differ(name: str, position: int, constant: bool) -> None:
    found = trial(KERNELS[name], position, constant)
    assert found.discrepancies, (KERNELS[name].mutants[position], str(found))


@pytest.mark.sample(5)
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_what_is_the_same_does_not_differ(name: str, constant: bool) -> None:
    found = trial(KERNELS[name], None, constant)
    assert not found.discrepancies
    assert found.instances >= 1
    assert found.obstacle is None or "steps" in found.obstacle


EXECUTED = [name for name in MISCOMPILED if name not in ALIKE]
NOT_ALIKE = [name for name in REWRITES if name not in ALIKE and name not in MISCOMPILED]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*EXECUTED, *spread(NOT_ALIKE, 6)])
def test_rewrites_of_mlir_opt_do_not_differ(
    name: str, mlir_opt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an execution tells apart is what LLVM gets wrong, and all of that; a fifth of the usual iterations shows it."""
    monkeypatch.setattr("volcli.limits.execution.TRIAL_STEPS", 10_000)
    program = REWRITES[name][0]
    before, after = read(program), volcli.loads(rewritten(mlir_opt, name))
    names = {each.name for each in after.functions if each.has_body} & touched(mlir_opt, name)
    found = {
        each.name
        for each in before.functions
        if each.has_body and each.name in names
        if tried(version(program, each.name), version_in(after, each.name)).discrepancies
    }
    assert found == MISCOMPILED.get(name, set()) & names


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("name", KERNELS)
def test_mlir_runner_sees_the_same_differences(name: str, mlir_opt: str) -> None:
    """On one input for all; what is undefined after is not run."""
    kernel = KERNELS[name]
    defined = [
        position
        for position in range(len(kernel.mutants))
        if trial(kernel, position, True).discrepancies[0].output not in UNDEFINED
    ]
    programs = [kernel.program(constant=True)]
    programs += [kernel.program(constant=True, mutant=kernel.mutants[position]) for position in defined]
    functions = [text.replace("@f(", f"@f{number}(") for number, text in enumerate(programs)]
    kinds = [each.partition(": ")[2] for each in kernel.arguments.replace("?", str(SIZE)).split(", %")]
    main = _main(len(programs), [kind for kind in kinds if kind != "index"])
    first, *others = executed(mlir_opt, "".join([*functions, main])).split("-1000000")[:-1]
    same = [kernel.mutants[p] for p, printed in zip(defined, others, strict=True) if printed == first]
    assert same == [] or (name, same) == ("buffered", [("constant 0.0", "constant 1.0")])


def test_loops_to_a_number_are_executed_on_arrays_of_that_size() -> None:
    """No small array has the elements that the loops use, and nothing would be executed."""
    running = """func.func @f(%a: memref<?x40xi32>) {{
      affine.for %k = 0 to 40 {{ affine.for %i = {0} to 40 {{
        %x = affine.load %a[%i, %k] : memref<?x40xi32>
        %y = affine.load %a[%k, %i] : memref<?x40xi32>
        %z = arith.addi %x, %y : i32
        affine.store %z, %a[%i, %k] : memref<?x40xi32>
      }} }}
      return }}"""
    from_0, from_1 = (version_in(volcli.loads(running.format(low)), "f") for low in (0, 1))
    same = tried(from_0, from_0)
    assert (same.discrepancies, same.instances, same.largest) == ((), 1, 40)
    (found,) = tried(from_0, from_1).discrepancies
    assert found.inputs.sizes["a", 0] == 40


@pytest.mark.slow
def test_loops_that_take_a_while_are_executed_as_a_whole() -> None:
    """90,000 iterations: of drawn elements, all that are computed from others are far from the borders."""
    text = """func.func @f(%a: memref<300x300xf32>) {{
      affine.for %i = 0 to 300 {{ affine.for %j = 0 to 300 {{
        %x = affine.load %a[%i, %j] : memref<300x300xf32>
        affine.if affine_set<(d0, d1) : (d0 - 151 == 0, d1 - 149 == 0)>(%i, %j) {{
          %y = arith.{0} %x, %x : f32
          affine.store %y, %a[%i, %j] : memref<300x300xf32>
        }}
      }} }}
      return }}"""
    sums, products = (version_in(volcli.loads(text.format(each)), "f") for each in ("addf", "mulf"))
    (found,) = tried(sums, products).discrepancies
    assert "[151, 149]" in found.text


def _main(count: int, kinds: list[str]) -> str:
    """@main, which calls the functions @f0, @f1, ... with buffers of KINDS, and prints these and -1000000."""
    lines = ["func.func @main() {", "  %end = arith.constant -1000000 : i32"]
    for number in range(count):
        names = [f"%a{number}_{k}" for k in range(len(kinds))]
        for name, kind in zip(names, kinds, strict=True):
            lines.append(f"  {name} = memref.alloc() : {kind}")
            lines += _at_each(kind, _filled(name, kind))
        lines.append(f"  call @f{number}({', '.join(names)}) : ({', '.join(kinds)}) -> ()")
        for name, kind in zip(names, kinds, strict=True):
            element = kind.removesuffix(">").rpartition("x")[2]
            at = f"{name}[{', '.join(_indices(kind))}]"
            lines += _at_each(kind, [f"%v = affine.load {at} : {kind}", f"vector.print %v : {element}"])
        lines.append("  vector.print %end : i32")
    return "\n".join([*lines, "  return", "}\n"])


def _indices(kind: str) -> list[str]:
    return [f"%i{d}" for d in range(kind.count("x"))]


def _at_each(kind: str, body: list[str]) -> list[str]:
    sizes = kind.removeprefix("memref<").split("x")[:-1]
    loops = [f"affine.for %i{d} = 0 to {size} {{" for d, size in enumerate(sizes)]
    return [*loops, *body, "}" * len(loops)]


def _filled(name: str, kind: str) -> list[str]:
    """Small numbers of either sign: of twelve in a row or a column, no two are equal."""
    indices = _indices(kind)
    dims = ", ".join(each.removeprefix("%") for each in indices)
    weights = [f"{10 - 5 * k} * {each.removeprefix('%')}" for k, each in enumerate(indices)]
    expression = f"({' + '.join(weights)}) mod 13 - 6"
    number = [f"%n = affine.apply affine_map<({dims}) -> ({expression})>({', '.join(indices)})"]
    number.append("%k = arith.index_cast %n : index to i32")
    value = "%k"
    if kind.endswith("f32>"):
        number.append("%v = arith.sitofp %k : i32 to f32")
        value = "%v"
    return [*number, f"affine.store {value}, {name}[{', '.join(indices)}] : {kind}"]
