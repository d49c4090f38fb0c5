"""Layers: receptive fields against exact element maps and perturbed inputs, borders, multiplications, totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

import islpy as isl
import numpy as np
import pytest
from xdsl.ir import OpResult

from tests.conftest import Run
from volcli import loads
from volcli.api.program import Program
from volcli.execution.runs.inputs import Inputs
from volcli.facts.layers import LayerFact, NetworkFact
from volcli.model.volumes.maps.receptive_fields import ReceptiveFields
from volcli.model.volumes.maps.windows import ReceptiveWindow


@dataclass
class Net:
    """A function of tensors `batch x channels x width`, layer by layer: each method gives its result's name."""

    channels: int = 2
    width: int = 24
    batch: int = 1
    lines: list[str] = field(default_factory=list[str])
    shapes: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    def __post_init__(self) -> None:
        self.shapes["%x"] = self.channels, self.width

    def _put(self, shape: tuple[int, int], text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.shapes[name] = shape
        self.lines.append(f"{name} = {text}")
        return name

    def _type(self, name: str) -> str:
        return self._tensor(*self.shapes[name])

    def _tensor(self, channels: int, width: int) -> str:
        return f"tensor<{self.batch}x{channels}x{width}xf32>"

    def pad(self, x: str, by: int) -> str:
        channels, width = self.shapes[x]
        shape = channels, width + 2 * by
        body = "{ ^bb0(%a: index, %b: index, %c: index): tensor.yield %zero : f32 }"
        text = f"tensor.pad {x} low[0, 0, {by}] high[0, 0, {by}] {body} : {self._type(x)} to {self._tensor(*shape)}"
        return self._put(shape, text)

    def conv(self, x: str, filters: int, kernel: int, stride: int = 1, dilation: int = 1) -> str:
        channels, width = self.shapes[x]
        shape = filters, (width - dilation * (kernel - 1) - 1) // stride + 1
        weights = self._put((0, 0), f"arith.constant dense<0.5> : tensor<{filters}x{channels}x{kernel}xf32>")
        out = self.zeros(shape)
        attributes = (
            f"{{strides = dense<{stride}> : vector<1xi64>, dilations = dense<{dilation}> : vector<1xi64>}}"
        )
        kinds = f"{self._type(x)}, tensor<{filters}x{channels}x{kernel}xf32>"
        text = f"linalg.conv_1d_ncw_fcw {attributes} ins({x}, {weights} : {kinds}) outs({out} : {self._tensor(*shape)})"
        return self._put(shape, f"{text} -> {self._tensor(*shape)}")

    def zeros(self, shape: tuple[int, int]) -> str:
        empty = self._put(shape, f"tensor.empty() : {self._tensor(*shape)}")
        kind = self._tensor(*shape)
        return self._put(shape, f"linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}")

    def add(self, x: str, y: str) -> str:
        return self._put(self.shapes[x], f"arith.addf {x}, {y} : {self._type(x)}")

    def concat(self, *xs: str) -> str:
        shape = sum(self.shapes[x][0] for x in xs), self.shapes[xs[0]][1]
        kinds = ", ".join(map(self._type, xs))
        return self._put(shape, f"tensor.concat dim(1) {', '.join(xs)} : ({kinds}) -> {self._tensor(*shape)}")

    def spread(self, x: str, stride: int) -> str:
        channels, width = self.shapes[x]
        shape = channels, (width - 1) * stride + 1
        cut = f"[0, 0, 0] [{self.batch}, {channels}, {width}] [1, 1, {stride}]"
        text = f"tensor.insert_slice {x} into {self.zeros(shape)}{cut} : {self._type(x)} into {self._tensor(*shape)}"
        return self._put(shape, text)

    def cut(self, x: str, offset: int, width: int, stride: int) -> str:
        channels, _ = self.shapes[x]
        slice_text = f"[0, 0, {offset}] [{self.batch}, {channels}, {width}] [1, 1, {stride}]"
        text = f"tensor.extract_slice {x}{slice_text} : {self._type(x)} to {self._tensor(channels, width)}"
        return self._put((channels, width), text)

    def reversed(self, x: str) -> str:
        channels, width = self.shapes[x]
        kind, last = self._tensor(channels, width), width - 1
        maps = f"affine_map<(a, b, c) -> (a, b, {last} - c)>, affine_map<(a, b, c) -> (a, b, c)>"
        body = "{ ^bb0(%i: f32, %o: f32): linalg.yield %i : f32 }"
        loops = 'iterator_types = ["parallel", "parallel", "parallel"]'
        out = self.zeros((channels, width))
        text = f"linalg.generic {{indexing_maps = [{maps}], {loops}}} ins({x} : {kind}) outs({out} : {kind}) {body}"
        return self._put((channels, width), f"{text} -> {kind}")

    def product(self, x: str, y: str, maps: tuple[str, str, str], shape: tuple[int, int]) -> str:
        """The sum over e of X and Y, whose indices are MAPS over the loops a (the batch), b, c, e."""
        out, kind = self.zeros(shape), self._tensor(*shape)
        text = ", ".join(f"affine_map<(a, b, c, e) -> (a, {each})>" for each in maps)
        loops = 'iterator_types = ["parallel", "parallel", "parallel", "reduction"]'
        body = "^bb0(%i: f32, %j: f32, %o: f32): %m = arith.mulf %i, %j : f32 %s = arith.addf %m, %o : f32"
        kinds = f"{self._type(x)}, {self._type(y)}"
        head = f"linalg.generic {{indexing_maps = [{text}], {loops}}} ins({x}, {y} : {kinds}) outs({out} : {kind})"
        return self._put(shape, f"{head} {{ {body} linalg.yield %s : f32 }} -> {kind}")

    def program(self, result: str) -> Program:
        """The function that returns RESULT."""
        head = f"func.func @net(%x: {self._tensor(self.channels, self.width)}) -> {self._type(result)} {{"
        zero = "%zero = arith.constant 0.0 : f32"
        return loads("\n".join([head, zero, *self.lines, f"return {result} : {self._type(result)}", "}"]))


def residual(net: Net) -> str:
    """Two blocks of a residual network, the second one of stride 2, and what is around them."""
    first = net.conv(net.pad("%x", 3), 4, 7, 2)
    inner = net.conv(net.pad(net.conv(net.pad(first, 1), 4, 3), 1), 4, 3)
    one = net.add(inner, first)
    inner = net.conv(net.pad(net.conv(net.pad(one, 1), 4, 3, 2), 1), 4, 3)
    return net.add(inner, net.conv(one, 4, 1, 2))


def dense(net: Net) -> str:
    """Each layer is concatenated to its input."""
    x = "%x"
    for kernel in (3, 3, 5):
        x = net.concat(x, net.conv(net.pad(x, kernel // 2), 2, kernel))
    return net.conv(x, 2, 1)


def transposed(net: Net) -> str:
    """Half the width, and the width again."""
    narrow = net.conv(net.pad("%x", 1), 2, 3, 2)
    return net.conv(net.pad(net.spread(narrow, 2), 2), 2, 4)


def dilated(net: Net) -> str:
    """Dilations 1, 2, 4."""
    x = "%x"
    for dilation in (1, 2, 4):
        x = net.conv(net.pad(x, dilation), 2, 3, dilation=dilation)
    return x


def cut(net: Net) -> str:
    """Slices with strides, and a reversal, of which windows go backwards."""
    return net.conv(net.reversed(net.cut(net.reversed(net.conv("%x", 2, 3)), 1, 10, 2)), 2, 2)


def encoder(net: Net) -> str:
    """Each position is a sum of all, weighted by products with them, beside itself; and a layer for each."""
    (channels, width), x = net.shapes["%x"], net.conv("%x", 2, 1)
    scores = net.product(x, net.conv("%x", 2, 1), ("e, b", "e, c", "b, c"), (width, width))
    mixed = net.product(scores, net.conv("%x", 2, 1), ("c, e", "b, e", "b, c"), (channels, width))
    return net.conv(net.add(mixed, "%x"), 2, 1)


NETS = (residual, dense, transposed, dilated, cut)


def windows(program: Program) -> Iterator[tuple[OpResult, ReceptiveWindow, int, int, isl.Map]]:
    """For each tensor and each dimension of the input that has a window: that, sizes, and the exact relation."""
    (unit,) = program.units
    (model,) = unit.models()
    for value in model.values():
        if not isinstance(value, OpResult) or not model.shapes.sizes(value):
            continue
        view = model.view(value)
        exact = view.maps.to_inputs(value)
        for source, found in ReceptiveFields(view.store, view.relations).of(value).items():
            (relation,) = (each for use, each in exact.targets.items() if use.volume is source)
            for dimension, window in enumerate(found):
                if window is None:
                    continue
                size = view.store.sizes(source)[dimension].constant
                along = window.moves[0].along if window.moves else 0
                assert len(window.moves) < 2
                yield value, window, size, along, _along(relation, along, dimension)


def _along(relation: isl.Map, along: int, dimension: int) -> isl.Map:
    """RELATION between one index of a value and one of an input."""
    for kind, kept in ((isl.dim_type.in_, along), (isl.dim_type.out, dimension)):
        relation = relation.project_out(kind, kept + 1, relation.dim(kind) - kept - 1)
        relation = relation.project_out(kind, 0, kept)
    return relation


def transposed_tosa(net: Net) -> Program:
    """A convolution, and its transposition: elements of which a division by the stride leaves no remainder."""
    x, y = "tensor<1x7x6x2xf32>", "tensor<1x5x4x2xf32>"
    attributes = (
        "acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>"
    )
    other = "acc_type = f32, out_pad = array<i64: -1, 0, 0, -1>, stride = array<i64: 2, 3>"
    kinds = "tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>"
    return loads(f"""
    func.func @net(%x: {x}, %w: tensor<2x3x3x2xf32>, %b: tensor<2xf32>) -> tensor<1x10x11x2xf32> {{
      %z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
      %y = tosa.conv2d %x, %w, %b, %z, %z {{{attributes}}} : ({x}, {kinds}) -> {y}
      %r = tosa.transpose_conv2d %y, %w, %b, %z, %z {{{other}}} : ({y}, {kinds}) -> tensor<1x10x11x2xf32>
      return %r : tensor<1x10x11x2xf32>
    }}
    """)


def program_of(make: Callable[[Net], str]) -> Callable[[Net], Program]:
    return lambda net: net.program(make(net))


@pytest.mark.parametrize("make", [*map(program_of, NETS), transposed_tosa])
def test_windows_contain_what_is_reached_and_are_as_large(make: Callable[[Net], Program]) -> None:
    exact = 0
    for value, window, size, _, relation in windows(make(Net())):
        reached: dict[int, list[int]] = {}
        pairs: list[tuple[int, int]] = []
        relation.wrap().foreach_point(lambda point, into=pairs: into.append(_pair(point)))
        for element, index in pairs:
            reached.setdefault(element, []).append(index)
            ends = window.at((element,) * len(window.moves))
            assert ends is not None
            assert ends.low <= index <= ends.high, value
        widest = max(max(each) - min(each) + 1 for each in reached.values())
        assert widest <= window.size
        if window.exact:
            assert widest == min(size, window.size), (value, window)
            exact += 1
    assert exact >= 10


def _pair(point: isl.Point) -> tuple[int, int]:
    one, other = (point.get_coordinate_val(isl.dim_type.set, d).to_python() for d in (0, 1))
    return int(one), int(other)


@pytest.mark.parametrize("make", [*NETS, encoder])
def test_fields_against_perturbed_inputs(make: Callable[[Net], str]) -> None:
    """Each index of the input is changed in one example of a batch: what changes has it in its field."""
    net = Net(batch=25)
    program = net.program(make(net))
    (last,) = (
        f for f in program.run(f"layers{{of={list(net.shapes)[-1]}}}").facts if isinstance(f, LayerFact)
    )
    (reached,) = last.fields
    window = reached.dimensions[2]
    data = np.random.default_rng(0).integers(1, 9, (1, net.channels, net.width)).astype(np.float32)
    examples = np.repeat(data, net.batch, 0)
    for index in range(net.width):
        examples[index, :, index] += 1
    (after,) = program.function("net").run(Inputs(elements={"x": examples})).results
    changed = (after != after[-1]).any(1)
    seen = {
        element: np.flatnonzero(changed[:, element]).tolist() for element in np.flatnonzero(changed.any(0))
    }
    for element, indices in seen.items():
        (move,) = window.moves or (None,)
        if move is not None and reached.exact and move.period == 1 and move.step > 0:
            assert window.offset is not None
            first = move.step * int(element) + window.offset
            assert first <= min(indices) <= max(indices) < first + (window.size or 0)
    assert [move.along for move in window.moves] == [2] or window.whole
    widest = max(max(indices) - min(indices) + 1 for indices in seen.values())
    assert widest == min(window.size or 0, net.width)


def test_borders_multiplications_and_the_sum() -> None:
    net = Net(width=8)
    padded = net.pad("%x", 1)
    result = net.conv(padded, 3, 3)
    *layers, total = net.program(result).run("layers").facts
    pad, conv = (each for each in layers if isinstance(each, LayerFact) and each.shown)
    assert isinstance(total, NetworkFact)
    assert (str(pad.padding), str(pad.border), pad.multiplications) == ("4", "0", None)
    assert (str(conv.border), str(conv.padding)) == ("6", "0")
    # 3 filters, 2 channels, 8 elements, kernels of 3: of these, at both ends one is padding.
    assert (str(conv.multiplications), str(conv.zeros)) == (str(3 * 2 * 8 * 3), str(3 * 2 * 2))
    assert (total.multiplications, total.zeros) == (conv.multiplications, conv.zeros)
    assert str(conv.bytes) == str(3 * 8 * 4)


BATCH = """
func.func @net(%x: tensor<?x2x8xf32>, %w: tensor<3x2x3xf32>) -> tensor<?x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2x8xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<?x2x8xf32> to tensor<?x2x10xf32>
  %e = tensor.empty(%n) : tensor<?x3x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<?x2x10xf32>, tensor<3x2x3xf32>)
      outs(%f : tensor<?x3x8xf32>) -> tensor<?x3x8xf32>
  return %r : tensor<?x3x8xf32>
}
"""


def test_shares_are_numbers_where_the_batch_cancels() -> None:
    facts = loads(BATCH).run("layers").facts
    conv = next(each.to_json() for each in facts if each.subject == "%r")
    assert conv["multiplications"] == "144 * x_d0"
    assert conv["zero_share"] == pytest.approx(1 / 12)
    assert conv["border_share"] == pytest.approx(1 / 4)
    assert [each["size"] for each in conv["fields"][0]["dims"]] == [1, 2, 3]
    assert next(each for each in facts if each.subject == "@net").rows()[0][-1].startswith("8.3%")


def test_layers_that_say_nothing_have_no_row() -> None:
    net = Net()
    one = net.conv(net.pad("%x", 1), 2, 3)
    program = net.program(net.add(one, one)).run("layers")
    shown = [each.subject for each in program.facts if each.rows()]
    assert shown[-2:] == [one, "@net"]


def test_a_network_is_drawn(volcli: Run, tmp_path: Path) -> None:
    ran = volcli("explain", "testdata/linalg/two_layers.mlir", "--layers", "--svg", str(tmp_path / "net.svg"))
    conv = next(line for line in ran.stdout.splitlines() if line.startswith("%conv2"))
    assert conv.split()[:4] == ["%conv2", "1x2x12x12", "%x", "1x2x5x5"]
    assert "#...  10368, 10.8% zero assuming nnan, ninf" in conv
    bars = ET.parse(tmp_path / "net.svg").getroot().iter("{http://www.w3.org/2000/svg}rect")
    assert len(list(bars)) > 6


def test_what_is_no_network_is_not_drawn(volcli: Run) -> None:
    ran = volcli("explain", "testdata/memory/shifted_rows.mlir", "--layers")
    assert (ran.returncode, "V011" in ran.stderr) == (2, True)


CALLED = """
func.func private @blurred(%x: tensor<8xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %w = arith.constant dense<0.5> : tensor<3xf32>
  %r = linalg.conv_1d ins(%x, %w : tensor<8xf32>, tensor<3xf32>) outs(%f : tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
func.func @net(%x: tensor<8xf32>) -> tensor<6xf32> {
  %y = func.call @blurred(%x) : (tensor<8xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}
func.func private @unknown(tensor<8xf32>) -> tensor<6xf32>
func.func @other(%x: tensor<8xf32>) -> tensor<6xf32> {
  %z = func.call @unknown(%x) : (tensor<8xf32>) -> tensor<6xf32>
  return %z : tensor<6xf32>
}
"""


def test_calls_are_followed_and_what_is_unknown_is_at_most_all() -> None:
    facts = {fact.subject: fact for fact in loads(CALLED).run("layers").facts}
    for name, size, exact in (("%y", 3, True), ("%z", 8, False)):
        (field,) = facts[name].to_json()["fields"]
        assert (field["dims"][0]["size"], field["exact"], field["whole"]) == (size, exact, size == 8)
        assert facts[name].certainty.degree == ("exact" if exact else "approximate")
