"""MLIR text with the size and make of ResNet-18 in linalg: pads, convolutions, batch norm, ReLU, pooling.

Written out as a front end lowers it: each convolution has its weight, an empty tensor, a fill and a pad of
its own, and batch norm is a chain of elementwise generics: 825 operations. Run it to see it:

    python benchmarks/resnet18.py > resnet18.mlir
"""

from __future__ import annotations

from dataclasses import dataclass, field

STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))
"""Channels, and the stride of the first block, of each of the four stages."""


def shape(*dims: int) -> str:
    """The type of a tensor of floats: shape(1, 3) is `tensor<1x3xf32>`."""
    return f"tensor<{'x'.join(map(str, dims))}xf32>"


@dataclass
class Volume:
    """A value of the program, with its sizes in the order N C H W."""

    name: str
    dims: tuple[int, ...]

    @property
    def type(self) -> str:
        """Its type in MLIR."""
        return shape(*self.dims)


@dataclass
class Writer:
    """Writes one function; each method appends the operations of a layer, and returns its result."""

    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def put(self, text: str) -> str:
        """Append one operation whose result's name stands for `@` in TEXT; the name."""
        name = f"%{self.count}"
        self.count += 1
        self.lines += [f"    {line}" for line in text.replace("@", name).splitlines()]
        return name

    def weight(self, *dims: int) -> str:
        """A constant tensor; a splat, since nobody looks at its elements."""
        return self.put(f"@ = arith.constant dense<1.000000e-02> : {shape(*dims)}")

    def filled(self, value: str, *dims: int) -> str:
        """A tensor that is VALUE everywhere."""
        empty = self.put(f"@ = tensor.empty() : {shape(*dims)}")
        return self.put(
            f"@ = linalg.fill ins({value} : f32) outs({empty} : {shape(*dims)}) -> {shape(*dims)}"
        )

    def pad(self, x: Volume, by: int, value: str) -> Volume:
        """X with BY rows and columns of VALUE on each side of its planes."""
        n, c, h, w = x.dims
        dims = (n, c, h + 2 * by, w + 2 * by)
        name = self.put(
            f"@ = tensor.pad {x.name} low[0, 0, {by}, {by}] high[0, 0, {by}, {by}] {{\n"
            "^bb0(%n: index, %c: index, %h: index, %w: index):\n"
            f"  tensor.yield {value} : f32\n"
            f"}} : {x.type} to {shape(*dims)}"
        )
        return Volume(name, dims)

    def convolution(self, x: Volume, filters: int, kernel: int, stride: int) -> Volume:
        """The convolution of X with FILTERS square kernels, padded so that stride 1 keeps the size."""
        by = kernel // 2
        padded = self.pad(x, by, "%zero") if by else x
        n, c, h, w = padded.dims
        weight = self.weight(filters, c, kernel, kernel)
        dims = (n, filters, (h - kernel) // stride + 1, (w - kernel) // stride + 1)
        out = self.filled("%zero", *dims)
        name = self.put(
            "@ = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, "
            f"strides = dense<{stride}> : vector<2xi64>}} "
            f"ins({padded.name}, {weight} : {padded.type}, {shape(filters, c, kernel, kernel)}) "
            f"outs({out} : {shape(*dims)}) -> {shape(*dims)}"
        )
        return Volume(name, dims)

    def batch_norm(self, x: Volume) -> Volume:
        """((x - mean) * 1 / sqrt(variance + epsilon)) * scale + shift, a generic for each step."""
        mean, variance, scale, shift = (self.weight(x.dims[1]) for _ in range(4))
        channel = shape(x.dims[1])
        out = self.put(f"@ = tensor.empty() : {channel}")
        deviation = self.put(
            '@ = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} '
            f"ins({variance} : {channel}) outs({out} : {channel}) {{\n"
            "^bb0(%in: f32, %out: f32):\n"
            "  %safe = arith.addf %in, %epsilon : f32\n"
            "  %r = math.rsqrt %safe : f32\n"
            "  linalg.yield %r : f32\n"
            f"}} -> {channel}"
        )
        for step, operand in (("subf", mean), ("mulf", deviation), ("mulf", scale), ("addf", shift)):
            x = self.pointwise(f"%r = arith.{step} %a, %b : f32", x, Volume(operand, x.dims[1:2]))
        return x

    def pointwise(self, body: str, *operands: Volume) -> Volume:
        """A generic that applies BODY (from %a and %b to %r) to each element; a vector is one per channel."""
        x = operands[0]
        maps = ["#all" if len(o.dims) == 4 else "#channel" for o in operands]
        out = self.put(f"@ = tensor.empty() : {x.type}")
        arguments = ", ".join(f"%{letter}: f32" for letter in "ab"[: len(operands)])
        name = self.put(
            f"@ = linalg.generic {{indexing_maps = [{', '.join(maps)}, #all], "
            'iterator_types = ["parallel", "parallel", "parallel", "parallel"]} '
            f"ins({', '.join(o.name for o in operands)} : {', '.join(o.type for o in operands)}) "
            f"outs({out} : {x.type}) {{\n"
            f"^bb0({arguments}, %out: f32):\n"
            f"  {body}\n"
            "  linalg.yield %r : f32\n"
            f"}} -> {x.type}"
        )
        return Volume(name, x.dims)

    def relu(self, x: Volume) -> Volume:
        """max(x, 0)."""
        return self.pointwise("%r = arith.maximumf %a, %zero : f32", x)

    def block(self, x: Volume, filters: int, stride: int) -> Volume:
        """Two convolutions, and the shortcut around them."""
        inner = self.relu(self.batch_norm(self.convolution(x, filters, 3, stride)))
        inner = self.batch_norm(self.convolution(inner, filters, 3, 1))
        if stride != 1:
            x = self.batch_norm(self.convolution(x, filters, 1, stride))
        return self.relu(self.pointwise("%r = arith.addf %a, %b : f32", inner, x))

    def max_pool(self, x: Volume) -> Volume:
        """The maximum over windows of 3 by 3, at stride 2."""
        padded = self.pad(x, 1, "%lowest")
        n, c, h, w = padded.dims
        dims = (n, c, (h - 3) // 2 + 1, (w - 3) // 2 + 1)
        window = self.put(f"@ = tensor.empty() : {shape(3, 3)}")
        out = self.filled("%lowest", *dims)
        name = self.put(
            "@ = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, "
            "strides = dense<2> : vector<2xi64>} "
            f"ins({padded.name}, {window} : {padded.type}, {shape(3, 3)}) "
            f"outs({out} : {shape(*dims)}) -> {shape(*dims)}"
        )
        return Volume(name, dims)

    def head(self, x: Volume, classes: int) -> Volume:
        """The mean over height and width, then the fully connected layer."""
        n, c, _, _ = x.dims
        sums = self.filled("%zero", n, c)
        mean = self.put(
            "@ = linalg.generic {indexing_maps = [#all, #plane], "
            'iterator_types = ["parallel", "parallel", "reduction", "reduction"]} '
            f"ins({x.name} : {x.type}) outs({sums} : {shape(n, c)}) {{\n"
            "^bb0(%in: f32, %sum: f32):\n"
            "  %part = arith.divf %in, %area : f32\n"
            "  %r = arith.addf %sum, %part : f32\n"
            "  linalg.yield %r : f32\n"
            f"}} -> {shape(n, c)}"
        )
        weight = self.weight(c, classes)
        out = self.filled("%zero", n, classes)
        name = self.put(
            f"@ = linalg.matmul ins({mean}, {weight} : {shape(n, c)}, {shape(c, classes)}) "
            f"outs({out} : {shape(n, classes)}) -> {shape(n, classes)}"
        )
        return Volume(name, (n, classes))


def resnet18(size: int = 224) -> str:
    """The program, for images of SIZE by SIZE."""
    writer = Writer()
    image = Volume("%image", (1, 3, size, size))
    x = writer.relu(writer.batch_norm(writer.convolution(image, 64, 7, 2)))
    x = writer.max_pool(x)
    for filters, stride in STAGES:
        x = writer.block(x, filters, stride)
        x = writer.block(x, filters, 1)
    return program("resnet18", image, writer, writer.head(x, 1000))


def program(name: str, argument: Volume, writer: Writer, result: Volume) -> str:
    """The module of one function NAME, with the constants and maps that the layers use."""
    constants = (
        ("zero", "0.000000e+00"),
        ("one", "1.000000e+00"),
        ("four", "4.000000e+00"),
        ("epsilon", "1.000000e-05"),
        ("lowest", "0xFF800000"),
        ("area", "49.0"),
    )
    return "\n".join(
        [
            "#all = affine_map<(n, c, h, w) -> (n, c, h, w)>",
            "#channel = affine_map<(n, c, h, w) -> (c)>",
            "#vector = affine_map<(c) -> (c)>",
            "#plane = affine_map<(n, c, h, w) -> (n, c)>",
            "#mean = affine_map<(n, c, h, w) -> (n, c, 0, 0)>",
            "#d3 = affine_map<(n, m, k) -> (n, m, k)>",
            "#k3 = affine_map<(n, m, k) -> (n, m, 0)>",
            "#last = affine_map<(n, m, k) -> (k)>",
            "module {",
            f"  func.func @{name}({argument.name}: {argument.type}) -> {result.type} {{",
            *(f"    %{each} = arith.constant {value} : f32" for each, value in constants),
            *writer.lines,
            f"    return {result.name} : {result.type}",
            "  }",
            "}",
            "",
        ]
    )


if __name__ == "__main__":
    print(resnet18(), end="")
