"""Dependences of indices that are quotients and remainders of one number by a value, against enumeration."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

import volcli
from volcli.model.memory.loops.loops import LoopKind, Loops

WAYS = {
    "delinearize": "%i{0}, %j{0} = affine.delinearize_index {1} into (%n) : index, index",
    "bounded": "%i{0}, %j{0} = affine.delinearize_index {1} into (%large, %n) : index, index",
    "map": """%i{0} = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>({1})[%n]
    %j{0} = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>({1})[%n]""",
    "floordivsi": """%i{0} = arith.floordivsi {1}, %n : index
    %j{0} = arith.remsi {1}, %n : index""",
    "divui": """%i{0} = arith.divui {1}, %n : index
    %j{0} = arith.remui {1}, %n : index""",
}
Element = tuple[int, ...]


class Drawn:
    """One loop over %k with two accesses whose indices are digits of numbers a * k + b, or of one of them, changed."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.accesses: list[Callable[[int, int], Element]] = []
        lines: list[str] = []
        for number in range(2):
            a, b = chance.choice((1, 1, 1, 2)), chance.choice((0, 0, 1, 3))
            change = int(chance.random() < 0.1)
            is_swapped = chance.random() < 0.05
            way = WAYS[chance.choice([each for each in WAYS if each != "bounded"])]
            lines.append(f"%h{number} = affine.apply affine_map<(d0) -> (d0 * {a} + {b})>(%k)")
            lines.append(way.format(number, f"%h{number}"))
            lines.append(f"%l{number} = affine.apply affine_map<(d0) -> (d0 + {change})>(%j{number})")
            index = f"%l{number}, %i{number}" if is_swapped else f"%i{number}, %l{number}"
            kind = "store %x, " if number == 0 else "load "
            result = "" if number == 0 else "%v = "
            lines.append(f"{result}memref.{kind}%m[{index}] : memref<?x?xf32>")

            def element(
                k: int, n: int, a: int = a, b: int = b, change: int = change, s: bool = is_swapped
            ) -> Element:
                i, j = divmod(a * k + b, n)
                return (j + change, i) if s else (i, j + change)

            self.accesses.append(element)
        body = "\n    ".join(lines)
        self.text = f"""
func.func @f(%m: memref<?x?xf32>, %u: index, %n: index, %large: index, %x: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_positive = arith.cmpi sge, %n, %c1 : index
  cf.assert %is_positive, "a size"
  scf.for %k = %c0 to %u step %c1 {{
    {body}
  }}
  return
}}
"""

    def conflicts(self) -> Iterator[tuple[int, int, int]]:
        """Iterations k < l, and a size n, with one element, of which one writes."""
        write, read = self.accesses
        for n in range(1, 6):
            for k, later in product(range(14), repeat=2):
                if k < later and (
                    write(k, n) == write(later, n)
                    or write(k, n) == read(later, n)
                    or read(k, n) == write(later, n)
                ):
                    yield n, k, later


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(40))
def test_loops_are_parallel_if_no_iterations_meet(seed: int) -> None:
    drawn = Drawn(seed)
    (loop,) = Loops(volcli.load(drawn.text).units[0].models()[0].memory).all()
    conflict = next(drawn.conflicts(), None)
    if loop.kind is LoopKind.PARALLEL:
        assert conflict is None
    if loop.kind is LoopKind.CARRIED:
        assert conflict is not None


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(12))
def test_witnesses_name_iterations_that_meet(seed: int) -> None:
    drawn = Drawn(seed)
    memory = volcli.load(drawn.text).units[0].models()[0].memory
    for (one, source), (other, sink) in product(enumerate(memory.sites), repeat=2):
        if not (source.is_write or sink.is_write):
            continue
        witness = memory.witness(memory.dependence(source, sink, 1))
        if witness is not None and "%n" in witness.parameters:
            n = witness.parameters["%n"]
            (k,), (later,) = witness.source, witness.sink
            assert k < later
            assert witness.element == drawn.accesses[one](k, n) == drawn.accesses[other](later, n)


@pytest.mark.slow
def test_most_are_decided() -> None:
    kinds = [
        Loops(volcli.load(Drawn(seed).text).units[0].models()[0].memory).all()[0].kind for seed in range(20)
    ]
    assert kinds.count(LoopKind.UNKNOWN) <= 8
    assert kinds.count(LoopKind.PARALLEL) >= 1


@pytest.mark.sample(2)
@pytest.mark.parametrize("way", WAYS)
def test_each_iteration_has_an_element_of_its_own(way: str) -> None:
    """For all k < r * n, whichever operations make digits of k."""
    text = f"""
func.func @f(%m: memref<?x?xf32>, %large: index, %x: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.dim %m, %c0 : memref<?x?xf32>
  %n = memref.dim %m, %c1 : memref<?x?xf32>
  %all = arith.muli %r, %n : index
  scf.for %k = %c0 to %all step %c1 {{
    {WAYS[way].format("", "%k")}
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }}
  return
}}
"""
    (loop,) = Loops(volcli.load(text).units[0].models()[0].memory).all()
    assert loop.kind is LoopKind.PARALLEL


def test_the_witness_names_the_element_by_its_digits() -> None:
    """Iteration k reads what k + 1 writes: two rows of one column are enough to see that."""
    text = """
func.func @f(%m: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.dim %m, %c0 : memref<?x?xf32>
  %n = memref.dim %m, %c1 : memref<?x?xf32>
  %all = arith.muli %r, %n : index
  scf.for %k = %c0 to %all step %c1 {
    %i, %j = affine.delinearize_index %k into (%n) : index, index
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
    %h = arith.addi %k, %c1 : index
    %p, %q = affine.delinearize_index %h into (%n) : index, index
    %v = memref.load %m[%p, %q] : memref<?x?xf32>
  }
  return
}
"""
    memory = volcli.load(text).units[0].models()[0].memory
    (loop,) = Loops(memory).all()
    assert loop.kind is LoopKind.CARRIED
    store, load = memory.sites
    found = memory.dependence(load, store, 1)
    witness = memory.witness(found)
    assert witness is not None
    assert witness.sink[0] == witness.source[0] + 1
    assert witness.element == divmod(witness.sink[0], witness.parameters["dim(%m, 1)"])
