"""Small versions of the layers that matter: what each one is about is in its function's docstring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.oracles.elements import named
from tests.oracles.elements.bodies import Binary, Expr, Fetch, Literal, Operand, Outside
from tests.oracles.elements.layers import Slot
from tests.oracles.elements.nodes import Constant, Empty, Node
from tests.oracles.elements.programs import Program
from tests.oracles.elements.structured import LinalgGeneric
from tests.oracles.elements.tensors import Concat, ExtractSlice, InsertSlice, Pad, Slice
from tests.oracles.elements.values import Value
from tests.oracles.interpreter.affine import Affine, identity


@dataclass
class Script:
    """Collects arguments and nodes; each method gives the new value."""

    arguments: list[Value] = field(default_factory=list[Value])
    nodes: list[Node] = field(default_factory=list[Node])

    def add(self, node: Node) -> Value:
        """Append NODE."""
        self.nodes.append(node)
        return node.result

    def argument(self, name: str, *shape: int) -> Value:
        """A tensor argument."""
        self.arguments.append(Value(name, shape))
        return self.arguments[-1]

    def scalar(self, name: str, number: int) -> Value:
        """A scalar constant."""
        return self.add(Constant(Value(name, (), tensor=False), (number,)))

    def splat(self, name: str, number: int, *shape: int) -> Value:
        """A tensor constant, all of whose elements are NUMBER."""
        return self.add(Constant(Value(name, shape), (number,)))

    def filled(self, name: str, scalar: Value, shape: Sequence[int]) -> Value:
        """A tensor.empty, filled."""
        empty = self.add(Empty(Value(f"{name}_empty", tuple(shape))))
        return self.add(named.fill(name, scalar, empty))

    def pad(self, name: str, source: Value, low: Sequence[int], high: Sequence[int], scalar: Value) -> Value:
        """tensor.pad."""
        shape = tuple(lo + n + hi for lo, n, hi in zip(low, source.shape, high, strict=True))
        return self.add(Pad(Value(name, shape), source, tuple(low), tuple(high), scalar))

    def window(
        self,
        op: str,
        name: str,
        ins: Sequence[Value],
        out: Value,
        strides: Sequence[int] = (),
        dilations: Sequence[int] = (),
    ) -> Value:
        """A convolution or pooling."""
        return self.add(named.windowed(op, name, ins, out, strides, dilations))

    def pointwise(self, name: str, source: Value, init: Value, body: Expr) -> Value:
        """An elementwise linalg.generic."""
        index = identity(len(source.shape))
        slots = (Slot(source, index),)
        return self.add(
            LinalgGeneric(Value(name, source.shape), source.shape, slots, Slot(init, index), body)
        )

    def program(self, *returned: Value) -> Program:
        """The program that returns these values."""
        return Program(tuple(self.arguments), tuple(self.nodes), returned)


def conv_layer() -> Program:
    """Figure 1: an asymmetric padding, a convolution of stride 2, a leaky ReLU that captures its zero."""
    s = Script()
    ifm, wgt, init = (
        s.argument("ifm", 1, 2, 12, 12),
        s.argument("wgt", 2, 2, 5, 5),
        s.argument("init", 1, 2, 6, 6),
    )
    cst0, slope = s.scalar("cst0", 0), s.scalar("slope", 3)
    pad0 = s.pad("pad0", ifm, (0, 0, 1, 1), (0, 0, 2, 2), cst0)
    conv0 = s.window("conv_2d_nchw_fchw", "conv0", (pad0, wgt), init, (2, 2))
    positive = Binary("max", Operand(0), Outside(cst0))
    leaky = Binary("add", Operand(0), Binary("mul", positive, Outside(slope)))
    return s.program(s.pointwise("act0", conv0, init, leaky))


def wide_pad(constant_weights: bool = True, bias: bool = False) -> Program:
    """A pad as wide as the kernel: the outermost outputs see nothing but padding, and so are static."""
    s = Script()
    ifm = s.argument("ifm", 1, 1, 4, 4)
    cst0 = s.scalar("cst0", 0)
    wgt = s.splat("wgt", 2, 1, 1, 3, 3) if constant_weights else s.argument("wgt", 1, 1, 3, 3)
    pad0 = s.pad("pad0", ifm, (0, 0, 3, 3), (0, 0, 3, 3), cst0)
    init = s.argument("bias", 1, 1, 8, 8) if bias else s.filled("init", cst0, (1, 1, 8, 8))
    return s.program(s.window("conv_2d_nchw_fchw", "conv0", (pad0, wgt), init))


def padded_pooling(kind: str = "max", fill: int = -9) -> Program:
    """A padded 3x3 pooling of stride 2; the window operand says its shape only."""
    s = Script()
    ifm = s.argument("ifm", 1, 7, 7, 2)
    border = s.scalar("border", fill)
    pad0 = s.pad("pad0", ifm, (0, 1, 1, 0), (0, 1, 1, 0), border)
    shape = s.add(Empty(Value("window", (3, 3))))
    init = s.filled("init", border, (1, 4, 4, 2))
    return s.program(s.window(f"pooling_nhwc_{kind}", "pool0", (pad0, shape), init, (2, 2)))


def dilated_depthwise() -> Program:
    """A depthwise convolution with stride (2, 1) and dilation (2, 3)."""
    s = Script()
    ifm, wgt = s.argument("ifm", 1, 3, 9, 10), s.argument("wgt", 3, 3, 2)
    cst0 = s.scalar("cst0", 0)
    pad0 = s.pad("pad0", ifm, (0, 0, 2, 1), (0, 0, 2, 2), cst0)
    init = s.filled("init", cst0, (1, 3, 5, 10))
    return s.program(s.window("depthwise_conv_2d_nchw_chw", "conv0", (pad0, wgt), init, (2, 1), (2, 3)))


def two_layers() -> Program:
    """pad -> conv -> pad -> conv: the second layer sees both boundaries."""
    s = Script()
    ifm, one, two = (
        s.argument("ifm", 1, 1, 8, 8),
        s.argument("one", 2, 1, 3, 3),
        s.argument("two", 1, 2, 3, 3),
    )
    cst0 = s.scalar("cst0", 0)
    pad0 = s.pad("pad0", ifm, (0, 0, 1, 1), (0, 0, 1, 1), cst0)
    conv0 = s.window("conv_2d_nchw_fchw", "conv0", (pad0, one), s.filled("init0", cst0, (1, 2, 8, 8)))
    pad1 = s.pad("pad1", conv0, (0, 0, 1, 1), (0, 0, 1, 1), cst0)
    return s.program(
        s.window("conv_2d_nchw_fchw", "conv1", (pad1, two), s.filled("init1", cst0, (1, 1, 8, 8)))
    )


def transposed_conv(stride: int = 2, kernel: int = 3, extent: int = 4) -> Program:
    """Every other element of a zero tensor is set, then convolved: four phases by parity."""
    s = Script()
    ifm, wgt = s.argument("ifm", 1, extent, extent, 1), s.argument("wgt", kernel, kernel, 1, 1)
    cst0 = s.scalar("cst0", 0)
    margin = kernel - 1
    size = (extent - 1) * stride + 1 + 2 * margin
    zeros = s.filled("zeros", cst0, (1, size, size, 1))
    cut = Slice((0, margin, margin, 0), ifm.shape, (1, stride, stride, 1))
    spread = s.add(InsertSlice(Value("spread", zeros.shape), ifm, zeros, cut))
    init = s.filled("init", cst0, (1, size - margin, size - margin, 1))
    return s.program(s.window("conv_2d_nhwc_hwcf", "conv0", (spread, wgt), init))


def joined() -> Program:
    """concat of two padded tensors, and a slice across the seam."""
    s = Script()
    left, right = s.argument("left", 2, 4), s.argument("right", 2, 3)
    cst0 = s.scalar("cst0", 0)
    pad0 = s.pad("pad0", left, (1, 1), (1, 0), cst0)
    pad1 = s.pad("pad1", right, (1, 0), (1, 2), cst0)
    both = s.add(Concat(Value("both", (4, 10)), 1, (pad0, pad1)))
    cut = Slice((0, 1), (2, 4), (2, 2))
    return s.program(both, s.add(ExtractSlice(Value("cut", cut.shape), both, cut)))


def conv_3d() -> Program:
    """A padded 3-D convolution: edges of degree 1 to 3."""
    s = Script()
    ifm, wgt = s.argument("ifm", 1, 4, 4, 4, 1), s.argument("wgt", 3, 3, 3, 1, 1)
    cst0 = s.scalar("cst0", 0)
    pad0 = s.pad("pad0", ifm, (0, 1, 1, 1, 0), (0, 1, 1, 1, 0), cst0)
    init = s.filled("init", cst0, (1, 4, 4, 4, 1))
    return s.program(s.window("conv_3d_ndhwc_dhwcf", "conv0", (pad0, wgt), init))


def concat_of_inserts() -> Program:
    """A concatenation written as a chain of insert_slice: the second covers the first one's boundary."""
    s = Script()
    first, second = s.argument("first", 2, 3), s.argument("second", 2, 2)
    empty = s.add(Empty(Value("empty", (2, 5))))
    one = s.add(InsertSlice(Value("one", (2, 5)), first, empty, Slice((0, 0), (2, 3), (1, 1))))
    two = s.add(InsertSlice(Value("two", (2, 5)), second, one, Slice((0, 3), (2, 2), (1, 1))))
    return s.program(one, two)


def structural_zeros() -> Program:
    """A padded vector times a matrix: rows that meet only zeros do not reach the result."""
    s = Script()
    vector, matrix = s.argument("vector", 3), s.argument("matrix", 7, 7)
    cst0 = s.scalar("cst0", 0)
    pad0 = s.pad("pad0", vector, (2,), (2,), cst0)
    init = s.filled("init", cst0, (7, 7))
    index = identity(2)
    slots = (Slot(pad0, (Affine((1, 0)),)), Slot(matrix, index))
    body = Binary("mul", Operand(0), Operand(1))
    return s.program(s.add(LinalgGeneric(Value("scaled", (7, 7)), (7, 7), slots, Slot(init, index), body)))


def gather() -> Program:
    """A body that fetches from a padded tensor at affine indices: every other element, backwards."""
    s = Script()
    source = s.argument("source", 5)
    pad0 = s.pad("pad0", source, (2,), (1,), s.scalar("cst0", 0))
    init = s.argument("init", 4)
    body = Binary("add", Fetch(pad0, (Affine((-2,), 7),)), Literal(1))
    return s.program(s.pointwise("gathered", init, init, body))


def partly_written() -> Program:
    """A generic whose out map writes column 0 only: the other columns keep what outs holds."""
    s = Script()
    source, init = s.argument("source", 3), s.splat("init", 0, 3, 2)
    slots = (Slot(source, identity(1)),)
    out = Slot(init, (Affine((1,)), Affine((0,))))
    return s.program(s.add(LinalgGeneric(Value("column", (3, 2)), (3,), slots, out, Operand(0))))


EXAMPLES: dict[str, Callable[[], Program]] = {
    "conv_layer": conv_layer,
    "wide_pad": wide_pad,
    "wide_pad_weights": lambda: wide_pad(constant_weights=False),
    "wide_pad_bias": lambda: wide_pad(constant_weights=False, bias=True),
    "max_pooling": padded_pooling,
    "sum_pooling": lambda: padded_pooling("sum", 0),
    "dilated_depthwise": dilated_depthwise,
    "two_layers": two_layers,
    "transposed_conv": transposed_conv,
    "transposed_conv_wide": lambda: transposed_conv(3, 2, 3),
    "joined": joined,
    "conv_3d": conv_3d,
    "concat_of_inserts": concat_of_inserts,
    "structural_zeros": structural_zeros,
    "gather": gather,
    "partly_written": partly_written,
}
