"""gather and scatter of stablehlo: by enumeration in numpy, for known indices, and for such that data gives."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import islpy as isl
import numpy as np
import pytest

import volcli
from volcli.execution.runs.inputs import Inputs

SEEDS = range(12)


def listed(numbers: Any) -> str:
    return str(np.asarray(numbers).tolist())


def kind(shape: Any, element: str = "f32") -> str:
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


class Slices:
    """Random dimensions of slices, with and without batching, and indices inside and outside of the operand."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        rank = draw.randint(1, 3)
        self.shape = [draw.randint(1, 4) for _ in range(rank)]
        self.batching = draw.sample(range(rank), draw.randint(0, rank - 1)) if draw.random() < 0.4 else []
        others = [d for d in range(rank) if d not in self.batching]
        self.sizes = [
            1 if d in self.batching else draw.randint(0 if seed == 7 else 1, n)
            for d, n in enumerate(self.shape)
        ]
        self.starts = draw.sample(others, draw.randint(0 if self.batching else 1, len(others)))
        self.flat = sorted(d for d in others if self.sizes[d] == 1 and draw.random() < 0.6)
        self.batching = sorted(self.batching)
        self.slices = [draw.randint(1, 3) for _ in range(draw.randint(0, 2))]
        self.along: list[int] = []
        for d in self.batching:
            self.along.append(len(self.slices))
            self.slices.append(self.shape[d])
        self.vector = draw.randint(0, len(self.slices))
        indexed = [*self.slices[: self.vector], len(self.starts), *self.slices[self.vector :]]
        self.along = [a + (a >= self.vector) for a in self.along]
        self.indices = np.array([draw.randint(-2, 5) for _ in range(int(np.prod(indexed)))], int).reshape(
            indexed
        )
        self.inner = [d for d in range(rank) if d not in self.flat and d not in self.batching]
        total = len(self.slices) + len(self.inner)
        self.windows = sorted(draw.sample(range(total), len(self.inner)))
        self.batches = [d for d in range(total) if d not in self.windows]
        given = dict(
            zip(
                (*self.batches, *self.windows),
                (*self.slices, *(self.sizes[d] for d in self.inner)),
                strict=True,
            )
        )
        self.of = [given[d] for d in range(total)]

    def start(self, at: Any) -> list[int]:
        batch = [at[d] for d in self.batches]
        found = [0] * len(self.shape)
        for k, d in enumerate(self.starts):
            found[d] = int(self.indices[(*batch[: self.vector], k, *batch[self.vector :])])
        for d, along in zip(self.batching, self.along, strict=True):
            found[d] = batch[along - (along > self.vector)]
        return found

    def element(self, at: Any, *, clamped: bool) -> tuple[int, ...]:
        start = self.start(at)
        if clamped:
            start = [min(max(s, 0), n - k) for s, n, k in zip(start, self.shape, self.sizes, strict=True)]
        for d, w in zip(self.inner, self.windows, strict=True):
            start[d] += at[w]
        return tuple(start)

    def text(self, op: str, *, known: bool, body: str = "") -> str:
        names = (
            (
                "offset_dims",
                "collapsed_slice_dims",
                "operand_batching_dims",
                "start_indices_batching_dims",
                "start_index_map",
            )
            if op == "gather"
            else (
                "update_window_dims",
                "inserted_window_dims",
                "input_batching_dims",
                "scatter_indices_batching_dims",
                "scatter_dims_to_operand_dims",
            )
        )
        parts = zip(names, (self.windows, self.flat, self.batching, self.along, self.starts), strict=True)
        dims = ", ".join([*(f"{name} = {part}" for name, part in parts), f"index_vector_dim = {self.vector}"])
        x, i, of = kind(self.shape), kind(self.indices.shape, "i32"), kind(self.of)
        constant = f"%i = stablehlo.constant dense<{listed(self.indices)}> : {i}" if known else ""
        arguments = f"%x: {x}" + ("" if known else f", %i: {i}") + ("" if op == "gather" else f", %u: {of}")
        if op == "gather":
            sizes = ", ".join(map(str, self.sizes))
            made = f'"stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{dims}>, slice_sizes = array<i64: {sizes}>}}> : ({x}, {i}) -> {of}'
        else:
            made = f'"stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{dims}>}}> ({{\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n{body}  }}) : ({x}, {i}, {of}) -> {x}'
        result = of if op == "gather" else x
        return f"func.func @f({arguments}) -> {result} {{\n  {constant}\n  %r = {made}\n  return %r : {result}\n}}"


ADD = "    %s = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n"
SET = "    stablehlo.return %b : tensor<f32>\n"


def computed(text: str, inputs: dict[str, Any]) -> Any:
    program = volcli.loads(text)
    assert program.exit_code == 0, (text, program.diagnostics)
    ran = program.function("f").run(Inputs(elements=inputs))
    assert (ran.stopped, ran.undefined) == (None, None), (text, ran)
    return np.asarray(ran.results[0])


def map_of(text: str) -> tuple[isl.UnionMap, bool]:
    [fact] = volcli.loads(text).run("element-maps").to_json()["files"][0]["facts"]
    return isl.UnionMap(fact["map"]), fact["exact"]


def relation(pairs: Any) -> isl.UnionMap:
    texts = [f"r[{', '.join(map(str, r))}] -> {name}[{', '.join(map(str, at))}]" for r, name, at in pairs]
    return isl.UnionMap("{ " + "; ".join(texts) + " }")


def places(shape: Any) -> Any:
    return product(*map(range, shape))


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_gather(seed: int) -> None:
    of = Slices(seed)
    x = np.arange(np.prod(of.shape), dtype=float).reshape(of.shape)
    expected = np.array([x[of.element(at, clamped=True)] for at in places(of.of)]).reshape(of.of)
    text = of.text("gather", known=True)
    assert np.array_equal(computed(text, {"x": x}), expected), text
    found, exact = map_of(text)
    assert exact, text
    assert found == relation((at, "x", of.element(at, clamped=True)) for at in places(of.of)), text
    text = of.text("gather", known=False)
    assert np.array_equal(computed(text, {"x": x, "i": of.indices}), expected), text
    assert relation((at, "x", of.element(at, clamped=True)) for at in places(of.of)).is_subset(
        map_of(text)[0]
    )


@pytest.mark.sample(4)
@pytest.mark.parametrize("body", [ADD, SET])
@pytest.mark.parametrize("seed", SEEDS)
def test_scatter(seed: int, body: str) -> None:
    of = Slices(seed)
    x = np.arange(np.prod(of.shape), dtype=float).reshape(of.shape)
    u = 100.0 + np.arange(np.prod(of.of), dtype=float).reshape(of.of)
    expected, hits = x.copy(), {at: [("x", at)] for at in places(of.shape)}
    for at in places(of.of):
        element = of.element(at, clamped=False)
        if element in hits:
            expected[element] = u[at] if body == SET else expected[element] + u[at]
            hits[element].append(("u", at))
    text = of.text("scatter", known=True, body=body)
    assert np.array_equal(computed(text, {"x": x, "u": u}), expected), text
    pairs = [
        (r, *each)
        for r, read in hits.items()
        for each in (read[-1:] if body == SET and len(read) == 2 else read)
    ]
    found, exact = map_of(text)
    is_clear = body == ADD or all(len(read) <= 2 for read in hits.values())
    assert exact == is_clear, text
    assert found == relation(pairs) if exact else relation(pairs).is_subset(found), text
    text = of.text("scatter", known=False, body=body)
    assert np.array_equal(computed(text, {"x": x, "u": u, "i": of.indices}), expected), text
    assert relation(pairs).is_subset(map_of(text)[0]), text


def test_indices_that_are_computed_from_constants_are_known() -> None:
    text = """func.func @f(%x: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %c = stablehlo.constant dense<[-1, 2]> : tensor<2xi32>
  %n = stablehlo.constant dense<4> : tensor<2xi32>
  %z = stablehlo.constant dense<0> : tensor<2xi32>
  %p = stablehlo.compare LT, %c, %z, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %s = stablehlo.add %c, %n : tensor<2xi32>
  %w = stablehlo.select %p, %s, %c : tensor<2xi1>, tensor<2xi32>
  %i = stablehlo.broadcast_in_dim %w, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<4x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}"""
    found, exact = map_of(text)
    assert exact
    assert found == isl.UnionMap("{ r[0, j] -> x[3, j] : 0 <= j < 2; r[1, j] -> x[2, j] : 0 <= j < 2 }")


def test_an_index_without_sign_is_its_bits() -> None:
    of = Slices(0)
    of.shape, of.sizes, of.starts, of.flat, of.inner = [300], [1], [0], [0], []
    of.batching, of.along, of.slices, of.vector = [], [], [2], 1
    of.windows, of.batches, of.of, of.indices = [], [0], [2], np.array([[200], [0]])
    found, exact = map_of(of.text("gather", known=True).replace("xi32", "xui8"))
    assert exact
    assert found == isl.UnionMap("{ r[0] -> x[200]; r[1] -> x[0] }")
