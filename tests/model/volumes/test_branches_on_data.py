"""Memory that is written in branches on data: an element depends on all that data selects from."""

from __future__ import annotations

import random
from collections.abc import Callable

import islpy as isl
import pytest

from tests.model.volumes.test_contents import A_AND_B, function, is_map, maps
from tests.shared.seeds import seeds

ON_DATA = {
    "stored": (
        "affine.store %v, %b[7 - %i] : memref<8xf32>",
        "b[i] -> a[7 - i] : 0 <= i < 8; b[i] -> b[i] : 0 <= i < 8; b[i] -> p[] : 0 <= i < 8",
    ),
    "beside what is affine": (
        """affine.if affine_set<(d0) : (2 - d0 >= 0)>(%i) {
             %w = affine.load %b[%i] : memref<8xf32>
             %s = arith.addf %w, %p : f32
             affine.store %s, %b[%i] : memref<8xf32>
           }""",
        "b[i] -> a[i] : 0 <= i < 3; b[i] -> b[i] : 0 <= i < 8; b[i] -> p[] : 0 <= i < 3",
    ),
    "in a loop": (
        "affine.for %j = 0 to 2 { affine.store %p, %b[%j] : memref<8xf32> }",
        "b[i] -> a[j] : 0 <= i < 2 and 0 <= j < 8; b[i] -> b[i] : 0 <= i < 8; b[i] -> p[] : 0 <= i < 2",
    ),
    "behind the end": (
        """%w = affine.load %a[%i + 1] : memref<8xf32>
           affine.store %w, %b[%i] : memref<8xf32>""",
        "b[i] -> a[j] : i <= j <= i + 1 and 0 <= i < 8 and 0 <= j < 8; b[i] -> b[i] : 0 <= i < 8; "
        "b[i] -> p[] : 0 <= i < 8",
    ),
}


@pytest.mark.parametrize("name", ON_DATA)
def test_a_branch_on_data_selects(name: str) -> None:
    """An element depends on what decides, on what is stored, and on what was there."""
    body, expected = ON_DATA[name]
    text = f"""affine.for %i = 0 to 8 {{
      %v = affine.load %a[%i] : memref<8xf32>
      %c = arith.cmpf ogt, %v, %p : f32
      scf.if %c {{ {body} }}
    }}"""
    fact = maps(function(f"{A_AND_B}, %p: f32", text))["%b"]
    assert is_map(fact, f"{{ {expected} }}"), fact.map


@pytest.mark.parametrize(
    "body",
    [
        """affine.store %v, %b[0] : memref<8xf32>
           %w = affine.load %b[%i] : memref<8xf32>
           affine.store %w, %a[%i] : memref<8xf32>""",
        "affine.store %v, %b[%i] : memref<8xf32> } else { affine.store %p, %b[%i] : memref<8xf32>",
        """affine.for %j = 1 to 8 {
             %w = affine.load %b[%j - 1] : memref<8xf32>
             affine.store %w, %b[%j] : memref<8xf32>
           }""",
        "func.call @g(%b) : (memref<8xf32>) -> ()",
    ],
    ids=["read after it is stored", "stored in both ways", "from iteration to iteration", "unknown"],
)
def test_a_branch_on_data_that_would_select_what_was_not_there_has_no_answer(body: str) -> None:
    text = f"""func.func private @g(memref<8xf32>)
      {
        function(
            f"{A_AND_B}, %p: f32",
            f'''affine.for %i = 0 to 8 {{
        %v = affine.load %a[%i] : memref<8xf32>
        %c = arith.cmpf ogt, %v, %p : f32
        scf.if %c {{ {body} }}
      }}''',
        )
    }"""
    assert not maps(text)["%b"].exact


def test_what_a_branch_on_data_gives_is_selected() -> None:
    body = """
      %m = affine.for %i = 0 to 8 iter_args(%r = %p) -> (f32) {
        %v = affine.load %a[%i] : memref<8xf32>
        %c = arith.cmpf ogt, %v, %r : f32
        %q = scf.if %c -> (f32) {
          affine.store %v, %b[0] : memref<8xf32>
          scf.yield %v : f32
        } else {
          scf.yield %r : f32
        }
        affine.yield %q : f32
      }"""
    found = maps(function(f"{A_AND_B}, %p: f32", body, "%m : f32"))
    assert is_map(found["%m"], "{ m[] -> a[i] : 0 <= i < 8; m[] -> p[] }")
    all_of_it = "b[0] -> a[i] : 0 <= i < 8; b[i] -> b[i] : 0 <= i < 8; b[0] -> p[]"
    assert is_map(found["%b"], f"{{ {all_of_it} }}")


FOUND = """
  %no = arith.constant false
  %found = affine.for %i = 0 to 8 iter_args(%f = %no) -> (i1) {
    LOAD
    %o = arith.ori %f, %e : i1
    affine.yield %o : i1
  }
  %c7 = arith.constant 7 : index
  SELECTED"""
OF_MEMORY = (
    "%e = affine.load %d[%i] : memref<8xi1>",
    "scf.if %found { memref.store %p, %a[%c7] : memref<8xf32> }",
)
OF_TENSORS = (
    "%e = tensor.extract %d[%i] : tensor<8xi1>",
    """%r = scf.if %found -> (tensor<8xf32>) {
         %u = tensor.insert %p into %a[%c7] : tensor<8xf32>
         scf.yield %u : tensor<8xf32>
       } else {
         scf.yield %a : tensor<8xf32>
       }""",
)


def test_what_data_selects_of_tensors_is_what_it_selects_of_memory() -> None:
    for kind, (load, selected), name, result in (
        ("memref", OF_MEMORY, "%a", ""),
        ("tensor", OF_TENSORS, "%r", "%r : tensor<8xf32>"),
    ):
        arguments = f"%a: {kind}<8xf32>, %d: {kind}<8xi1>, %p: f32"
        body = FOUND.replace("LOAD", load).replace("SELECTED", selected)
        fact, own = maps(function(arguments, body, result))[name], name[1:]
        expected = f"{own}[i] -> a[i] : 0 <= i < 8; {own}[7] -> d[i] : 0 <= i < 8; {own}[7] -> p[]; {own}[7] -> no_found[]"
        if kind == "tensor":  # one of two tensors is selected as a whole
            expected = expected.replace("r[7] -> d[i] : 0 <= i < 8", "r[j] -> d[i] : 0 <= i, j < 8")
            expected = expected.replace("r[7] -> no_found[]", "r[j] -> no_found[] : 0 <= j < 8")
        assert is_map(fact, f"{{ {expected} }}"), fact.map


@pytest.mark.parametrize(
    ("connective", "holds"),
    [
        ("arith.andi %p, %q", "p = 1 and q = 1"),
        ("arith.ori %p, %positive", "(p = 1 or positive = 1)"),
        ("arith.xori %p, %q", "p + q = 1"),
    ],
)
def test_truths_that_are_given_decide_together(connective: str, holds: str) -> None:
    body = f"""
      %c0 = arith.constant 0 : index
      %positive = arith.cmpi sgt, %n, %c0 : index
      %c = {connective} : i1
      %r = scf.if %c -> (tensor<2xf32>) {{
        scf.yield %a : tensor<2xf32>
      }} else {{
        scf.yield %o : tensor<2xf32>
      }}"""
    arguments = "%a: tensor<2xf32>, %o: tensor<2xf32>, %p: i1, %q: i1, %n: index"
    fact = maps(function(arguments, body, "%r : tensor<2xf32>"))["%r"]
    assert fact.exact
    assert fact.map is not None
    names = ("p", "q", "positive")
    truths = isl.Set(f"[{', '.join(names)}] -> {{ : {' and '.join(f'0 <= {each} <= 1' for each in names)} }}")
    every = isl.UnionMap("{ r[i] -> a[i] : 0 <= i < 2; r[i] -> o[i] : 0 <= i < 2 }").intersect_params(truths)
    taken = isl.UnionMap(f"[p, q, positive] -> {{ r[i] -> a[i] : {holds} }}")
    other = isl.UnionMap("{ r[i] -> o[i] }").subtract(
        isl.UnionMap(f"[p, q, positive] -> {{ r[i] -> o[i] : {holds} }}")
    )
    assert fact.map.intersect_params(truths).is_equal(every.intersect(taken.union(other))), fact.map


def test_a_slice_in_a_branch_on_data_is_not_taken_where_the_branch_is_not() -> None:
    body = """
      %c0 = arith.constant 0 : index
      %e = tensor.extract %d[%c0] : tensor<8xi1>
      %r = scf.if %e -> (tensor<2xf32>) {
        %s = tensor.extract_slice %a[%n] [2] [1] : tensor<8xf32> to tensor<2xf32>
        scf.yield %s : tensor<2xf32>
      } else {
        scf.yield %o : tensor<2xf32>
      }"""
    arguments = "%a: tensor<8xf32>, %d: tensor<8xi1>, %o: tensor<2xf32>, %n: index"
    found = maps(function(arguments, body, "%r : tensor<2xf32>"))["%r"].map
    assert found is not None
    assert isl.UnionMap("[e, n] -> { r[i] -> o[i] : 0 <= i < 2 and e = 0 and n = 100 }").is_subset(found)


NAMES, SIZE = ("a", "b"), 6
State = dict[str, list[float]]


class _Drawn:
    """A random program of loops with branches on data: its text, and what it does to lists of numbers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.steps: list[Callable[[State], None]] = []
        for k in range(self.random.randint(1, 3)):
            self._loop(k)

    def _place(self) -> tuple[str, int, int]:
        """`%m[s * i + t]`, inside for 0 <= i < 3."""
        name, s = self.random.choice(NAMES), self.random.choice((-1, 1, 1, 2))
        t = self.random.randint(*((2, 5) if s < 0 else (0, SIZE - 1 - 2 * s)))
        return name, s, t

    def _loop(self, k: int) -> None:
        at, source, target = (self._place() for _ in range(3))
        gives, more = self.random.random() < 0.4, self.random.random() < 0.5
        load = "%{} = affine.load %{}[{} * %i + {}] : memref<6xf32>"
        self.lines += ["affine.for %i = 0 to 3 {", load.format("v", *at)]
        self.lines += ["%c = arith.cmpf ogt, %v, %p : f32"]
        inside = [load.format("w", *source)]
        inside += ["%s = arith.addf %w, %v : f32"] if more else ["%s = arith.negf %w : f32"]
        store = "affine.store %{}, %{}[{} * %i + {}] : memref<6xf32>"
        if gives:
            branch = ["%r = scf.if %c -> (f32) {", *inside, "scf.yield %s : f32", "} else {"]
            self.lines += [*branch, "scf.yield %v : f32", "}", store.format("r", *target), "}"]
        else:
            self.lines += ["scf.if %c {", *inside, store.format("s", *target), "}", "}"]

        def step(state: State) -> None:
            for i in range(3):
                v, w = (state[name][s * i + t] for name, s, t in (at, source))
                taken = v > state["p"][0]
                if taken or gives:
                    name, s, t = target
                    state[name][s * i + t] = (w + v if more else -w) if taken else v

        self.steps.append(step)

    def after(self, state: State) -> State:
        found = {name: list(numbers) for name, numbers in state.items()}
        for step in self.steps:
            step(found)
        return found

    def influences(self) -> set[tuple[str, int, str, int]]:
        """Which element of which buffer is another one, after the program, if one before it is."""
        found: set[tuple[str, int, str, int]] = set()
        for _ in range(60):
            before = {n: [self.random.uniform(-1, 1) for _ in range(SIZE)] for n in NAMES} | {"p": [0.1]}
            plain = self.after(before)
            for name, numbers in before.items():
                for k in range(len(numbers)):
                    changed = {n: list(each) for n, each in before.items()}
                    changed[name][k] += self.random.uniform(-2, 2)
                    other = self.after(changed)
                    pairs = ((n, e) for n in NAMES for e in range(SIZE) if plain[n][e] != other[n][e])
                    found |= {(n, e, name, k) for n, e in pairs}
        return found


@pytest.mark.parametrize("seed", seeds(8, 400))
def test_no_element_depends_on_what_its_map_leaves_out(seed: int) -> None:
    drawn = _Drawn(seed)
    arguments = "%a: memref<6xf32>, %b: memref<6xf32>, %p: f32"
    found = maps(function(arguments, "\n".join(drawn.lines)))
    for name, element, source, k in drawn.influences():
        fact = found.get(f"%{name}")
        if fact is None or fact.map is None:
            continue
        pair = f"{{ {name}[{element}] -> {source}[{k if source != 'p' else ''}] }}"
        assert isl.UnionMap(pair).is_subset(fact.map), (pair, fact.map)
