"""Elements of memory walked back to their last writers: equal to those of the whole execution, term by term."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from xdsl.ir import Operation

import volcli
from tests.equivalence.kernels import KERNELS, Kernel
from tests.execution.demand.test_demand import parsed, same
from tests.oracles.memory.draw import drawn as draw_accesses
from tests.oracles.nests.draw import drawn as draw_nest
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.memory.memory import MemoryView
from volcli.execution.numbers.terms import Terms
from volcli.execution.outcomes import LimitReached, Undefined, Unsupported
from volcli.execution.runs.engine import DemandedElements, elements_of, execute, sizes_of
from volcli.execution.runs.inputs import Inputs
from volcli.execution.table import prepare
from volcli.execution.walking.last_writers import MemoryWalk
from volcli.execution.walking.results import walked_elements, walked_results
from volcli.execution.walking.sites import works_on_memory
from volcli.language.memory import is_memref

PROGRAMS = {
    "linalg on parts": """
func.func @f(%a: memref<8x6xf32>, %b: memref<6x8xf32>, %r: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  linalg.fill ins(%zero : f32) outs(%r : memref<8x8xf32>)
  scf.for %i = %c0 to %c8 step %c4 {
    scf.for %k = %c0 to %c6 step %c3 {
      %x = memref.subview %a[%i, %k] [4, 3] [1, 1] : memref<8x6xf32> to memref<4x3xf32, strided<[6, 1], offset: ?>>
      %y = memref.subview %b[%k, 0] [3, 8] [1, 1] : memref<6x8xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
      %z = memref.subview %r[%i, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
      linalg.matmul ins(%x, %y : memref<4x3xf32, strided<[6, 1], offset: ?>>, memref<3x8xf32, strided<[8, 1], offset: ?>>)
        outs(%z : memref<4x8xf32, strided<[8, 1], offset: ?>>)
    }
  }
  return
}""",
    "strided copies": """
func.func @f(%a: memref<9x4xf32>, %r: memref<4xf32>) {
  %t = memref.alloc() : memref<9x4xf32>
  memref.copy %a, %t : memref<9x4xf32> to memref<9x4xf32>
  affine.for %i = 1 to 3 {
    %row = memref.subview %t[%i, 0] [1, 4] [1, 1] : memref<9x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %odd = memref.subview %t[3, 1] [2, 2] [4, 2] : memref<9x4xf32> to memref<2x2xf32, strided<[16, 2], offset: 13>>
    %one = memref.subview %odd[1, 0] [1, 2] [1, 1]
      : memref<2x2xf32, strided<[16, 2], offset: 13>> to memref<2xf32, strided<[2], offset: 29>>
    %v = affine.load %row[%i] : memref<4xf32, strided<[1], offset: ?>>
    %w = arith.mulf %v, %v : f32
    affine.store %w, %one[%i - 1] : memref<2xf32, strided<[2], offset: 29>>
    memref.copy %row, %r : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  }
  affine.for %i = 0 to 4 step 2 {
    %v = affine.load %t[7, %i + 1] : memref<9x4xf32>
    affine.store %v, %r[%i] : memref<4xf32>
  }
  memref.dealloc %t : memref<9x4xf32>
  return
}""",
    "carried and chosen": """
func.func @f(%a: memref<7xf32>, %r: memref<7xf32>, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %s, %last = scf.for %i = %c0 to %c7 step %c2 iter_args(%u = %zero, %v = %zero) -> (f32, f32) {
    %x = memref.load %a[%i] : memref<7xf32>
    %w = arith.addf %u, %x : f32
    memref.store %w, %r[%i] : memref<7xf32>
    scf.yield %w, %u : f32, f32
  }
  affine.for %i = 0 to 7 {
    affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 mod 2 == 0)>(%i)[%k] {
      affine.store %last, %r[6 - %i] : memref<7xf32>
    } else {
      %less = arith.cmpi slt, %i, %k : index
      %y = scf.if %less -> (f32) {
        %p = memref.load %a[%i] : memref<7xf32>
        scf.yield %p : f32
      } else {
        %q = memref.load %r[%i] : memref<7xf32>
        scf.yield %q : f32
      }
      %m = arith.minsi %i, %k : index
      %n = arith.maxsi %m, %c1 : index
      memref.store %y, %r[%n] : memref<7xf32>
    }
  }
  %none = scf.for %i = %c7 to %c0 step %c1 iter_args(%u = %s) -> (f32) {
    scf.yield %zero : f32
  }
  return %none : f32
}""",
    "a window, in place, and numbers": """
func.func @f(%a: memref<10xf32>, %w: memref<3xf32>, %r: memref<8xf32>, %n: memref<5xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a, %w : memref<10xf32>, memref<3xf32>) outs(%r : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%r : memref<8xf32>) {
  ^bb0(%o: f32):
    %q = math.exp %o : f32
    linalg.yield %q : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%n : memref<5xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %q = arith.muli %o, %j : i32
    linalg.yield %q : i32
  }
  return
}""",
    "memory of an iteration": """
func.func @f(%a: memref<6xf32>, %r: memref<6xf32>) -> memref<6xf32> {
  %keep = memref.alloc() : memref<6xf32>
  affine.for %i = 0 to 6 {
    %t = memref.alloca() : memref<2xf32>
    %x = affine.load %a[%i] : memref<6xf32>
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
      affine.store %x, %t[1] : memref<2xf32>
    }
    %y = affine.load %t[1] : memref<2xf32>
    affine.store %y, %r[%i] : memref<6xf32>
    affine.for %j = affine_map<(d0) -> (d0, 2)>(%i) to min affine_map<(d0) -> (5, d0 + 2)>(%i) {
      %z = affine.load %a[%j - %i] : memref<6xf32>
      affine.store %z, %keep[%j + 1] : memref<6xf32>
    }
  }
  return %keep : memref<6xf32>
}""".replace("affine_map<(d0) -> (d0, 2)>", "max affine_map<(d0) -> (d0, 2)>"),
}


def walk(
    function: Operation, module: Any, names: list[str], inputs: Inputs, terms: Terms | None = None
) -> Any:
    """The walk back of FUNCTION, and its results."""
    prepare(function.walk())
    options = Options(symbolic=inputs.has_terms, demands=True, walks=True)
    return walked_results(Machine(module, options, terms), function, names, inputs)


def compare(text: str, kind: str, *, may_stop: bool = False) -> int:
    """Compare each element of the memory after @f in TEXT with the whole execution; how many there are."""
    module, functions = parsed(text)
    function, terms = functions["f"], Terms()
    assert works_on_memory(function)
    names = [each.name_hint or "" for each in function.regions[0].blocks[0].args]
    inputs = Inputs(kind=kind, numbers={"k": 3} if "k" in names else {}, seed=5)
    options = Options(frozenset(), symbolic=kind == "terms")
    whole = execute(module, function, names, inputs, options, terms)
    if may_stop and isinstance(whole.stopped, Undefined):
        return 0
    assert whole.stopped is None, whole.stopped
    compared = 0
    found = walk(function, module, names, inputs, terms)[1]
    for one, other in zip(whole.results, found, strict=True):
        assert one.name == other.name
        assert not isinstance(one.value, MemoryView) or one.value.sizes == sizes_of(other.value)
        for index in itertools.product(*map(range, sizes_of(one.value))):
            pair = [elements_of(function, each.value, [index])[0] for each in (one, other)]
            assert same(*pair), (one.name, index, *pair)
            compared += 1
    return compared


@pytest.mark.parametrize("kind", ["terms", "random", "iota"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, kind: str) -> None:
    """All that is walked: parts, copies, carried values, branches, structured operations, memory in loops."""
    assert compare(PROGRAMS[name], kind) >= 8


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == "product" else name for name in KERNELS]
)
@pytest.mark.parametrize("kind", ["terms", "iota"])
def test_kernels_and_their_mutants(name: str, kind: str) -> None:
    """Where the whole execution is defined, each element is the same."""
    kernel = KERNELS[name]
    assert compare(small(kernel), kind) >= 7
    compared = sum(bool(compare(small(kernel, k), kind, may_stop=True)) for k in range(len(kernel.mutants)))
    assert compared > len(kernel.mutants) // 2


def small(kernel: Kernel, mutant: int | None = None) -> str:
    """KERNEL, or a mutant of it, with sizes of 7."""
    text = kernel.program(constant=True, mutant=None if mutant is None else kernel.mutants[mutant])
    return text.replace("<12x12x", "<7x7x").replace("<12x", "<7x").replace("constant 12 :", "constant 7 :")


COPIED = """
func.func @f(%a: memref<4096x4096xf32>, %r: memref<4096x4096xf32>) {
  affine.for %i = 0 to 4096 { affine.for %j = 0 to 4096 {
    %x = affine.load %a[%j, %i] : memref<4096x4096xf32>
    affine.store %x, %r[%i, %j] : memref<4096x4096xf32>
  } }
  return
}
"""


def walk_of(text: str) -> MemoryWalk:
    """The walk back of @f in TEXT, whose inputs are terms."""
    module, functions = parsed(text)
    function = functions["f"]
    names = [each.name_hint or "" for each in function.regions[0].blocks[0].args]
    return walk(function, module, names, Inputs(kind="terms"))[0]


@pytest.mark.parametrize(
    ("old", "new", "doubtful"),
    [
        ("", "", None),
        ("%j = 0 to 4096 {", "%j = 0 to 4097 {", "affine.load"),
        ("%r[%i, %j]", "%r[%i, %j + 1]", "affine.store"),
        ("%r[%i, %j]", "%r[%i, (%j * 2) mod 4096]", "affine.store"),  # it is in bounds, and not linear
        ("%j = 0 to 4096 {", "%j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {", None),
        ("%j = 0 to 4096 {", "%j = affine_map<(d0) -> (d0)>(%i) to 4096 {", None),
        ("%a[%j, %i]", "%a[%j - %i, %i]", "affine.load"),
        ("%j = 0 to 4096 {", "%j = 0 to 4096 step 3 {", None),
        ("%r[%i, %j] ", "%r[%i, %j + 63] ", "affine.store"),
    ],
)
def test_what_no_walk_visits(old: str, new: str, doubtful: str | None) -> None:
    """An operation that may be undefined somewhere is named, for the program proves nothing then."""
    found = walk_of(COPIED.replace(old, new, 1) if old else COPIED).doubtful
    assert (None if found is None else found.name) == doubtful


@pytest.mark.parametrize(("divisor", "doubtful"), [("%c2", None), ("%k", "arith.remsi")])
def test_divisions(divisor: str, doubtful: str | None) -> None:
    """By a constant that is neither 0 nor -1 all numbers are divided."""
    text = f"""
func.func @f(%r: memref<4096xi32>, %k: i32) {{
  %c2 = arith.constant 2 : i32
  affine.for %i = 0 to 4096 {{
    %x = affine.load %r[%i] : memref<4096xi32>
    %y = arith.remsi %x, {divisor} : i32
    affine.store %y, %r[%i] : memref<4096xi32>
  }}
  return
}}"""
    module, functions = parsed(text)
    found = walk(functions["f"], module, ["r", "k"], Inputs(kind="iota"))[0].doubtful
    assert (None if found is None else found.name) == doubtful


def _elements_alone(text: str) -> int:
    """Compare the elements of arguments, each demanded alone, with the whole execution; how many there are."""
    module, functions = parsed(text)
    prepare(module.walk())
    compared = 0
    for function in functions.values():
        if not function.regions[0].blocks or not works_on_memory(function):
            continue
        arguments = function.regions[0].blocks[0].args
        names = [each.name_hint or str(k) for k, each in enumerate(arguments)]
        inputs = Inputs(kind="iota")
        whole = execute(module, function, names, inputs, Options(frozenset()))
        held = {each.name: each.value for each in whole.results}
        for name, argument in zip(names, arguments, strict=True) if whole.stopped is None else ():
            if not is_memref(argument):
                continue
            indices = list(itertools.product(*map(range, held[name].sizes)))[:100]
            demand = DemandedElements(name, argument, indices)
            found = walked_elements(module, function, names, inputs, Options(demands=True), demand)
            for index, (_, value) in zip(indices, () if found is None else found.trace, strict=False):
                assert same(elements_of(function, held[name], [index])[0], value), (text, name, index)
                compared += 1
    return compared


def test_an_element_of_a_large_program_is_shown() -> None:
    """Of 16,777,216 iterations, one is executed; what cannot be walked back is executed as a whole."""
    function = volcli.loads(COPIED).function("f")
    ((name, value),) = function.run(Inputs(kind="terms"), show="%r[5, 9]").trace
    assert (name, str(value)) == ("%r[5, 9]", "a[9, 5]")
    small = "func.func @f(%r: memref<8xi32>) { func.call @g(%r) : (memref<8xi32>) -> () return } " + (
        "func.func private @g(%r: memref<8xi32>) { %c = arith.constant 3 : i32 affine.store %c, %r[2] : "
        "memref<8xi32> return }"
    )
    assert volcli.loads(small).function("f").run(show="%r[2]").trace == (("%r[2]", 3),)


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(20, 160, 20))])
def test_elements_of_random_programs(first: int) -> None:
    """As `volcli run --print '%m[3]'` asks for them; most programs that are drawn are undefined, or not walked."""
    texts = [
        text
        for k in range(first, first + 20)
        for text in (draw_nest(str(k)).text, draw_accesses(str(k), True).text)
    ]
    assert sum(map(_elements_alone, texts)) > 100


@pytest.mark.parametrize(
    "body",
    [
        "%t = memref.transpose %r (i) -> (i) : memref<8xf32> to memref<8xf32, strided<[1]>>",
        "%c = arith.constant 2 : index scf.parallel (%i) = (%c) to (%c) step (%c) { scf.reduce }",
        "func.call @f(%r) : (memref<8xf32>) -> ()",
        "memref.dealloc %r : memref<8xf32>",
        "memref.copy %r, %r : memref<8xf32> to memref<8xf32>",
    ],
)
def test_what_is_not_walked(body: str) -> None:
    _, functions = parsed(f"func.func @f(%r: memref<8xf32>) {{ {body} return }}")
    assert not works_on_memory(functions["f"])


LIFETIMES = """
func.func @f(%r: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  memref.dealloc %t : memref<8xf32>
  memref.copy %t, %r : memref<8xf32> to memref<8xf32>
  return
}
"""


def test_use_after_free() -> None:
    """An element that is read after the end of its memory is undefined; what is freed twice is so at once."""
    module, functions = parsed(LIFETIMES)
    results = walk(functions["f"], module, ["r"], Inputs(kind="terms"))[1]
    with pytest.raises(Undefined, match="use of memory after its end"):
        elements_of(functions["f"], results[0].value, [(3,)])
    twice = LIFETIMES.replace(
        "memref.copy %t, %r : memref<8xf32> to memref<8xf32>", "memref.dealloc %t : memref<8xf32>"
    )
    module, functions = parsed(twice)
    with pytest.raises(Undefined, match="memory is freed twice"):
        walk(functions["f"], module, ["r"], Inputs(kind="terms"))


def test_steps_are_limited() -> None:
    """Each element that was computed on the way is one; a recurrence needs all of them."""
    text = """
func.func @f(%a: memref<1048576xf32>) {
  affine.for %i = 1 to 1048576 {
    %x = affine.load %a[%i - 1] : memref<1048576xf32>
    %y = affine.load %a[%i] : memref<1048576xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %a[%i] : memref<1048576xf32>
  }
  return
}"""
    module, functions = parsed(text)
    function = functions["f"]
    prepare(function.walk())
    machine = Machine(module, Options(symbolic=True, demands=True, walks=True, most_steps=1000))
    (result,) = walked_results(machine, function, ["a"], Inputs(kind="terms"))[1]
    assert str(elements_of(function, result.value, [(2,)])[0]) == "addf(addf(a[0], a[1]), a[2])"
    with pytest.raises(LimitReached):
        elements_of(function, result.value, [(1048575,)])


def test_memory_that_is_not_row_by_row() -> None:
    """Elements of it may be one."""
    kind = "memref<8xf32, strided<[0]>>"
    text = f"func.func @f(%r: {kind}, %i: index) {{ %x = memref.load %r[%i] : {kind} return }}"
    module, functions = parsed(text)
    with pytest.raises(Unsupported, match="row-major"):
        walk(functions["f"], module, ["r", "i"], Inputs(kind="iota"))
