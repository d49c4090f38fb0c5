"""MLIR text of the structure of DenseNet-121, EfficientNet-B0 and a transformer's encoder, in linalg.

Written out as a front end lowers them, and each of any depth:

* `densenet`: each layer's result is concatenated to its input along the channels, so that the input of the
  last layer of a block has as many parts as the block has layers; averages over 2 by 2 between the blocks.
* `efficientnet`: expansion, depthwise convolution (3 or 5 wide, padded), a factor for each channel that is
  computed from the means of all channels (squeeze and excite), and a sum with the input where sizes agree.
* `encoder`: attention with a softmax, layer norms, two dense layers, and the sums around them.

    python benchmarks/deep_nets.py densenet > densenet121.mlir
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from resnet18 import Volume, Writer, program, shape

DENSENET_121 = (6, 12, 24, 16)
"""The layers of each of the four dense blocks."""

EFFICIENTNET_B0 = (
    (1, 16, 1, 1, 3),
    (6, 24, 2, 2, 3),
    (6, 40, 2, 2, 5),
    (6, 80, 3, 2, 3),
    (6, 112, 3, 1, 5),
    (6, 192, 4, 2, 5),
    (6, 320, 1, 1, 3),
)
"""The stages: expansion, channels, layers, stride of the first layer, width of the kernel."""

SIGMOID = """%minus = arith.negf %a : f32
  %e = math.exp %minus : f32
  %d = arith.addf %e, %one : f32
  %r = arith.divf %one, %d : f32"""


class DeepWriter(Writer):
    """The layers that ResNet does not have."""

    def concatenation(self, parts: Sequence[Volume], *, by_slices: bool) -> Volume:
        """PARTS behind each other along the channels."""
        n, _, h, w = parts[0].dims
        dims = (n, sum(part.dims[1] for part in parts), h, w)
        if not by_slices:
            names, types = (", ".join(getattr(p, kind) for p in parts) for kind in ("name", "type"))
            return Volume(self.put(f"@ = tensor.concat dim(1) {names} : ({types}) -> {shape(*dims)}"), dims)
        whole = self.put(f"@ = tensor.empty() : {shape(*dims)}")
        start = 0
        for part in parts:
            sizes = ", ".join(map(str, part.dims))
            whole = self.put(
                f"@ = tensor.insert_slice {part.name} into {whole}[0, {start}, 0, 0] [{sizes}] [1, 1, 1, 1] "
                f": {part.type} into {shape(*dims)}"
            )
            start += part.dims[1]
        return Volume(whole, dims)

    def average_pool(self, x: Volume) -> Volume:
        """The means over windows of 2 by 2, at stride 2."""
        n, c, h, w = x.dims
        dims = (n, c, h // 2, w // 2)
        window = self.put(f"@ = tensor.empty() : {shape(2, 2)}")
        out = self.filled("%zero", *dims)
        name = self.put(
            "@ = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, "
            "strides = dense<2> : vector<2xi64>} "
            f"ins({x.name}, {window} : {x.type}, {shape(2, 2)}) "
            f"outs({out} : {shape(*dims)}) -> {shape(*dims)}"
        )
        return self.pointwise("%r = arith.divf %a, %four : f32", Volume(name, dims))

    def depthwise(self, x: Volume, kernel: int, stride: int) -> Volume:
        """The convolution of each channel with a kernel of its own, padded as above."""
        padded = self.pad(x, kernel // 2, "%zero")
        n, c, h, w = padded.dims
        weight = self.weight(c, kernel, kernel)
        dims = (n, c, (h - kernel) // stride + 1, (w - kernel) // stride + 1)
        out = self.filled("%zero", *dims)
        name = self.put(
            "@ = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, "
            f"strides = dense<{stride}> : vector<2xi64>}} "
            f"ins({padded.name}, {weight} : {padded.type}, {shape(c, kernel, kernel)}) "
            f"outs({out} : {shape(*dims)}) -> {shape(*dims)}"
        )
        return Volume(name, dims)

    def swish(self, x: Volume) -> Volume:
        """x * sigmoid(x)."""
        return self.pointwise("%r = arith.mulf %a, %b : f32", x, self.pointwise(SIGMOID, x))

    def squeeze_and_excite(self, x: Volume, inner: int) -> Volume:
        """X times a number between 0 and 1 for each channel, computed from the means of all channels."""
        n, c, _, _ = x.dims
        sums = self.filled("%zero", n, c, 1, 1)
        mean = self.put(
            "@ = linalg.generic {indexing_maps = [#all, #mean], "
            'iterator_types = ["parallel", "parallel", "reduction", "reduction"]} '
            f"ins({x.name} : {x.type}) outs({sums} : {shape(n, c, 1, 1)}) {{\n"
            "^bb0(%in: f32, %sum: f32):\n"
            "  %part = arith.divf %in, %area : f32\n"
            "  %r = arith.addf %sum, %part : f32\n"
            "  linalg.yield %r : f32\n"
            f"}} -> {shape(n, c, 1, 1)}"
        )
        squeezed = self.swish(self.convolution(Volume(mean, (n, c, 1, 1)), inner, 1, 1))
        gate = self.pointwise(SIGMOID, self.convolution(squeezed, c, 1, 1))
        out = self.put(f"@ = tensor.empty() : {x.type}")
        name = self.put(
            "@ = linalg.generic {indexing_maps = [#all, #mean, #all], "
            'iterator_types = ["parallel", "parallel", "parallel", "parallel"]} '
            f"ins({x.name}, {gate.name} : {x.type}, {gate.type}) outs({out} : {x.type}) {{\n"
            "^bb0(%a: f32, %b: f32, %out: f32):\n"
            "  %r = arith.mulf %a, %b : f32\n"
            "  linalg.yield %r : f32\n"
            f"}} -> {x.type}"
        )
        return Volume(name, x.dims)

    # -- transformers ----------------------------------------------------------------------------------

    def along(self, body: str, dims: Sequence[int], *operands: tuple[Volume, str]) -> Volume:
        """A generic that applies BODY (from %a and %b to %r) over DIMS; beside each operand its map."""
        maps = ", ".join(name for _, name in operands)
        iterators = ", ".join(['"parallel"'] * len(dims))
        out = self.put(f"@ = tensor.empty() : {shape(*dims)}")
        arguments = ", ".join(f"%{letter}: f32" for letter in "ab"[: len(operands)])
        names = ", ".join(volume.name for volume, _ in operands)
        types = ", ".join(volume.type for volume, _ in operands)
        name = self.put(
            f"@ = linalg.generic {{indexing_maps = [{maps}, #d{len(dims)}], iterator_types = [{iterators}]}} "
            f"ins({names} : {types}) outs({out} : {shape(*dims)}) {{\n"
            f"^bb0({arguments}, %out: f32):\n"
            f"  {body}\n"
            "  linalg.yield %r : f32\n"
            f"}} -> {shape(*dims)}"
        )
        return Volume(name, tuple(dims))

    def reduced(self, body: str, start: str, x: Volume) -> Volume:
        """BODY (from %a and the accumulator %b to %r) over the last dimension of X, which gets size 1."""
        rank = len(x.dims)
        dims = (*x.dims[:-1], 1)
        out = self.filled(start, *dims)
        iterators = ", ".join([*['"parallel"'] * (rank - 1), '"reduction"'])
        name = self.put(
            f"@ = linalg.generic {{indexing_maps = [#d{rank}, #k{rank}], iterator_types = [{iterators}]}} "
            f"ins({x.name} : {x.type}) outs({out} : {shape(*dims)}) {{\n"
            "^bb0(%a: f32, %b: f32):\n"
            f"  {body}\n"
            "  linalg.yield %r : f32\n"
            f"}} -> {shape(*dims)}"
        )
        return Volume(name, dims)

    def centred(self, x: Volume) -> Volume:
        """X without its mean, divided by its deviation, scaled and shifted: a layer norm."""
        rows = (f"#d{len(x.dims)}", f"#k{len(x.dims)}")
        width = x.dims[-1]
        mean = self.reduced("%r = arith.addf %a, %b : f32", "%zero", x)
        x = self.along("%r = arith.subf %a, %b : f32", x.dims, (x, rows[0]), (mean, rows[1]))
        squares = self.along("%r = arith.mulf %a, %a : f32", x.dims, (x, rows[0]))
        variance = self.reduced("%r = arith.addf %a, %b : f32", "%zero", squares)
        deviation = self.along(
            "%s = arith.addf %a, %epsilon : f32\n  %r = math.rsqrt %s : f32",
            variance.dims,
            (variance, rows[0]),
        )
        x = self.along("%r = arith.mulf %a, %b : f32", x.dims, (x, rows[0]), (deviation, rows[1]))
        for step in ("mulf", "addf"):
            weight = Volume(self.weight(width), (width,))
            x = self.along(f"%r = arith.{step} %a, %b : f32", x.dims, (x, rows[0]), (weight, "#last"))
        return x

    def linear(self, x: Volume, width: int) -> Volume:
        """X times a matrix, and a bias."""
        n, m, k = x.dims
        weight = Volume(self.weight(n, k, width), (n, k, width))
        bias = Volume(self.weight(width), (width,))
        product = self.batched(x, weight)
        return self.along("%r = arith.addf %a, %b : f32", (n, m, width), (product, "#d3"), (bias, "#last"))

    def batched(self, x: Volume, y: Volume) -> Volume:
        """The products of the matrices of X and Y."""
        dims = (*x.dims[:2], y.dims[2])
        out = self.filled("%zero", *dims)
        name = self.put(
            f"@ = linalg.batch_matmul ins({x.name}, {y.name} : {x.type}, {y.type}) "
            f"outs({out} : {shape(*dims)}) -> {shape(*dims)}"
        )
        return Volume(name, dims)

    def heads(self, x: Volume, heads: int, *order: int) -> Volume:
        """X with its last dimension split into HEADS, the dimensions in ORDER, as matrices."""
        n, m, k = x.dims
        split = (n, m, heads, k // heads)
        name = self.put(
            f"@ = tensor.expand_shape {x.name} [[0], [1], [2, 3]] output_shape {list(split)} "
            f": {x.type} into {shape(*split)}"
        )
        dims = tuple(split[d] for d in order)
        out = self.put(f"@ = tensor.empty() : {shape(*dims)}")
        name = self.put(
            f"@ = linalg.transpose ins({name} : {shape(*split)}) outs({out} : {shape(*dims)}) "
            f"permutation = {list(order)}"
        )
        matrices = (dims[0] * dims[1], *dims[2:])
        name = self.put(
            f"@ = tensor.collapse_shape {name} [[0, 1], [2], [3]] : {shape(*dims)} into {shape(*matrices)}"
        )
        return Volume(name, matrices)

    def attention(self, x: Volume, heads: int) -> Volume:
        """softmax(q k^T) v of each head, and the heads side by side."""
        n, m, k = x.dims
        q, v = (self.heads(self.linear(x, k), heads, 0, 2, 1, 3) for _ in range(2))
        scores = self.batched(q, self.heads(self.linear(x, k), heads, 0, 2, 3, 1))
        highest = self.reduced("%r = arith.maximumf %a, %b : f32", "%lowest", scores)
        scores = self.along("%r = arith.subf %a, %b : f32", scores.dims, (scores, "#d3"), (highest, "#k3"))
        powers = self.along("%r = math.exp %a : f32", scores.dims, (scores, "#d3"))
        total = self.reduced("%r = arith.addf %a, %b : f32", "%zero", powers)
        mixed = self.batched(
            self.along("%r = arith.divf %a, %b : f32", powers.dims, (powers, "#d3"), (total, "#k3")), v
        )
        dims = (n, heads, m, k // heads)
        name = self.put(
            f"@ = tensor.expand_shape {mixed.name} [[0, 1], [2], [3]] output_shape {list(dims)} "
            f": {mixed.type} into {shape(*dims)}"
        )
        back = tuple(dims[d] for d in (0, 2, 1, 3))
        out = self.put(f"@ = tensor.empty() : {shape(*back)}")
        name = self.put(
            f"@ = linalg.transpose ins({name} : {shape(*dims)}) outs({out} : {shape(*back)}) "
            "permutation = [0, 2, 1, 3]"
        )
        name = self.put(f"@ = tensor.collapse_shape {name} [[0], [1], [2, 3]] : {shape(*back)} into {x.type}")
        return self.linear(Volume(name, x.dims), k)


def densenet(blocks: Sequence[int] = DENSENET_121, size: int = 224, *, by_slices: bool = False) -> str:
    """DenseNet: BLOCKS of layers that grow by 32 channels; concatenations by `tensor.concat` or by slices."""
    writer = DeepWriter()
    image = Volume("%image", (1, 3, size, size))
    x = writer.relu(writer.batch_norm(writer.convolution(image, 64, 7, 2)))
    x = writer.max_pool(x)
    for number, layers in enumerate(blocks):
        parts = [x]
        for _ in range(layers):
            x = writer.concatenation(parts, by_slices=by_slices) if len(parts) > 1 else x
            inner = writer.convolution(writer.relu(writer.batch_norm(x)), 128, 1, 1)
            parts.append(writer.convolution(writer.relu(writer.batch_norm(inner)), 32, 3, 1))
        x = writer.concatenation(parts, by_slices=by_slices)
        x = writer.relu(writer.batch_norm(x))
        if number + 1 < len(blocks):
            x = writer.average_pool(writer.convolution(x, x.dims[1] // 2, 1, 1))
    return program("densenet", image, writer, writer.head(x, 1000))


def efficientnet(stages: Sequence[tuple[int, int, int, int, int]] = EFFICIENTNET_B0, size: int = 224) -> str:
    """EfficientNet: STAGES of expansion, depthwise convolution, squeeze and excite, projection."""
    writer = DeepWriter()
    image = Volume("%image", (1, 3, size, size))
    x = writer.swish(writer.batch_norm(writer.convolution(image, 32, 3, 2)))
    for expansion, channels, layers, first, kernel in stages:
        for layer in range(layers):
            before, stride = x, first if layer == 0 else 1
            if expansion != 1:
                x = writer.swish(writer.batch_norm(writer.convolution(x, expansion * x.dims[1], 1, 1)))
            x = writer.swish(writer.batch_norm(writer.depthwise(x, kernel, stride)))
            x = writer.squeeze_and_excite(x, max(1, before.dims[1] // 4))
            x = writer.batch_norm(writer.convolution(x, channels, 1, 1))
            if x.dims == before.dims:
                x = writer.pointwise("%r = arith.addf %a, %b : f32", x, before)
    x = writer.swish(writer.batch_norm(writer.convolution(x, 1280, 1, 1)))
    return program("efficientnet", image, writer, writer.head(x, 1000))


def encoder(layers: int = 12, length: int = 128, width: int = 256, heads: int = 8) -> str:
    """An encoder of LAYERS for LENGTH positions of WIDTH features."""
    writer = DeepWriter()
    tokens = x = Volume("%tokens", (1, length, width))
    for _ in range(layers):
        inner = writer.attention(writer.centred(x), heads)
        x = writer.along("%r = arith.addf %a, %b : f32", x.dims, (x, "#d3"), (inner, "#d3"))
        inner = writer.linear(writer.centred(x), 4 * width)
        inner = writer.along("%r = arith.maximumf %a, %zero : f32", inner.dims, (inner, "#d3"))
        inner = writer.linear(inner, width)
        x = writer.along("%r = arith.addf %a, %b : f32", x.dims, (x, "#d3"), (inner, "#d3"))
    return program("encoder", tokens, writer, writer.centred(x))


NETS: dict[str, Callable[[], str]] = {
    "densenet": densenet,
    "densenet-slices": lambda: densenet(by_slices=True),
    "efficientnet": efficientnet,
    "encoder": encoder,
}

if __name__ == "__main__":
    print(NETS[sys.argv[1]](), end="")
