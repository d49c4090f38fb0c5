"""Kernels on tensors of one large constant size, and mutants of each, as in `kernels`: N stands for the size."""

from __future__ import annotations

from tests.equivalence.kernels import LARGE, Kernel

_KERNELS = (
    Kernel(
        "dense layer",
        "%x: tensor<NxNxf32>, %w: tensor<NxNxf32>, %b: tensor<Nxf32>",
        """  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<NxNxf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<NxNxf32>) -> tensor<NxNxf32>
  %p = linalg.matmul ins(%x, %w : tensor<NxNxf32>, tensor<NxNxf32>) outs(%f : tensor<NxNxf32>) -> tensor<NxNxf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%p, %b : tensor<NxNxf32>, tensor<Nxf32>) outs(%e : tensor<NxNxf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<NxNxf32>
  return %r : tensor<NxNxf32>""",
        (
            ("constant 0.0", "constant 1.0"), ("(i, j) -> (j)>", "(i, j) -> (i)>"), ("ins(%x, %w", "ins(%w, %x"), ("addf", "subf"),
            ("maximumf", "minimumf"), ("ins(%p, %b", "ins(%f, %b"), ("outs(%f", "outs(%x"), ("yield %m", "yield %s"),
        ),
    ),
    Kernel(
        "tiled",
        "%x: tensor<Nxf32>",
        """  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %n = arith.constant N : index
  %e = tensor.empty() : tensor<Nxf32>
  %r = scf.for %i = %c0 to %n step %c48 iter_args(%t = %e) -> (tensor<Nxf32>) {
    %left = arith.subi %n, %i : index
    %size = arith.minsi %left, %c48 : index
    %s = tensor.extract_slice %x[%i] [%size] [1] : tensor<Nxf32> to tensor<?xf32>
    %d = tensor.extract_slice %t[%i] [%size] [1] : tensor<Nxf32> to tensor<?xf32>
    %y = linalg.exp ins(%s : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    %u = tensor.insert_slice %y into %t[%i] [%size] [1] : tensor<?xf32> into tensor<Nxf32>
    scf.yield %u : tensor<Nxf32>
  }
  return %r : tensor<Nxf32>""",
        (
            ("%n = arith.constant N :", "%n = arith.constant 4080 :"), ("= %c0 to", "= %c48 to"), ("%x[%i]", "%x[%c0]"),
            ("minsi %left, %c48", "minsi %left, %c0"), ("into %t[%i]", "into %e[%i]"), ("linalg.exp", "linalg.log"),
            ("minsi %left", "maxsi %left"), ("step %c48", "step %n"), ("yield %u", "yield %t"),
        ),
    ),
    Kernel(
        "padded window",
        "%x: tensor<Nxf32>, %w: tensor<3xf32>",
        """  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<Nxf32> to tensor<Mxf32>
  %e = tensor.empty() : tensor<Nxf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<Nxf32>) -> tensor<Nxf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%p, %w : tensor<Mxf32>, tensor<3xf32>) outs(%f : tensor<Nxf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<Nxf32>
  return %r : tensor<Nxf32>""",
        (
            ("low[1] high[1]", "low[2] high[0]"), ("low[1] high[1]", "low[0] high[2]"), ("addf %o, %m", "addf %o, %u"),
            ("(i + k)", "(i - k + 2)"), ("constant 0.0", "constant 0.5"), ("addf %o", "subf %o"), ("mulf %u, %v", "mulf %v, %v"),
            ("yield %s", "yield %m"),
        ),
    ),
    Kernel(
        "parts",
        "%x: tensor<NxNxf32>, %y: tensor<NxNxf32>",
        """  %a = tensor.extract_slice %x[0, 90] [N, 2000] [1, 2] : tensor<NxNxf32> to tensor<Nx2000xf32>
  %b = tensor.extract_slice %y[0, 7] [N, 2096] [1, 1] : tensor<NxNxf32> to tensor<Nx2096xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<Nx2000xf32>, tensor<Nx2096xf32>) -> tensor<NxNxf32>
  %e = tensor.empty() : tensor<NxNxf32>
  %t = linalg.transpose ins(%c : tensor<NxNxf32>) outs(%e : tensor<NxNxf32>) permutation = [1, 0]
  %r = tensor.insert_slice %b into %t[0, 2000] [N, 2096] [1, 1] : tensor<Nx2096xf32> into tensor<NxNxf32>
  return %r : tensor<NxNxf32>""",
        (
            ("%x[0, 90]", "%x[0, 89]"), ("[1, 2]", "[1, 1]"), ("%y[0, 7]", "%y[0, 8]"), ("into %t[0, 2000]", "into %t[0, 1999]"),
            ("into %t[", "into %c["), ("extract_slice %y", "extract_slice %x"), ("[1, 0]\n", "[0, 1]\n"),
            ("insert_slice %b into %t", "insert_slice %b into %y"),
        ),
    ),
    Kernel(
        "sums",
        "%x: tensor<NxNxi32>",
        """  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<Nxi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<Nxi32>) -> tensor<Nxi32>
  %s = linalg.reduce ins(%x : tensor<NxNxi32>) outs(%f : tensor<Nxi32>) dimensions = [1]
    (%a: i32, %o: i32) { %q = arith.addi %a, %o : i32 linalg.yield %q : i32 }
  %r = tensor.generate {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i32
    %c = arith.constant 3 : i32
    %d = arith.divsi %k, %c : i32
    tensor.yield %d : i32
  } : tensor<Nxi32>
  %t = arith.addi %s, %r : tensor<Nxi32>
  return %t : tensor<Nxi32>""",
        (
            ("dimensions = [1]", "dimensions = [0]"), ("constant 0 :", "constant 1 :"), ("addi %a, %o", "addi %a, %a"), ("constant 3", "constant 4"),
            ("divsi", "ceildivsi"), ("addi %s, %r", "subi %s, %r"), ("addi %a, %o", "minsi %a, %o"), ("addi %s, %r", "addi %r, %r"),
        ),
    ),
)  # fmt: skip
TENSOR_KERNELS = {each.name: each for each in _KERNELS}


def large(kernel: Kernel, mutant: tuple[str, str] | None = None) -> str:
    """The module of KERNEL, with MUTANT and large sizes."""
    body, arguments = kernel.text, kernel.arguments
    if mutant is not None:
        assert mutant[0] in body, (kernel.name, mutant)
        body = body.replace(mutant[0], mutant[1], 1)
    kind = body.rpartition(": ")[2]
    text = f"func.func @f({arguments}) -> {kind} {{\n{body}\n}}\n"
    return text.replace("N", str(LARGE)).replace("<Mx", f"<{LARGE + 2}x")
