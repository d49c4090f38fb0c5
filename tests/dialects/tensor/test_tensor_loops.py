"""Loops that fill tensors slice by slice, against executions on terms."""

from __future__ import annotations

import random

import pytest

from tests.shared.enumeration import Function, function
from tests.shared.sources import computed_from


def agree(f: Function, **parameters: int) -> None:
    """Whether what volcli says of %r, but for constants, is what it is computed from."""
    assert f.exact("%r")
    said = {triple for triple in f.inputs("%r", **parameters) if triple[1] in ("a", "b", "c", "m")}
    assert said == computed_from(f, "%r", **parameters)


CONSTANTS = "\n".join(f"%c{k} = arith.constant {k} : index" for k in range(13))


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(30))
def test_one_loop(seed: int) -> None:
    """Windows that are apart, that touch, and that overlap; copies, functions, and sums with what is there."""
    chance = random.Random(seed)
    low, step, width = chance.randint(0, 2), chance.randint(1, 3), chance.randint(1, 3)
    high = chance.randint(low, 7)
    stride = chance.choice((1, 1, 2))
    body = chance.choice(("copy", "negate", "sum"))
    made = {
        "copy": "%s = tensor.extract_slice %a[%i] [W] [1] : tensor<12xf32> to tensor<Wxf32>",
        "negate": """%t = tensor.extract_slice %a[%i] [W] [1] : tensor<12xf32> to tensor<Wxf32>
          %s = arith.negf %t : tensor<Wxf32>""",
        "sum": """%t = tensor.extract_slice %a[%i] [W] [1] : tensor<12xf32> to tensor<Wxf32>
          %u = tensor.extract_slice %x[%i] [W] [V] : tensor<12xf32> to tensor<Wxf32>
          %s = linalg.add ins(%t, %u : tensor<Wxf32>, tensor<Wxf32>) outs(%u : tensor<Wxf32>) -> tensor<Wxf32>""",
    }[body]
    text = f"""{CONSTANTS}
      %r = scf.for %i = %c{low} to %c{high} step %c{step} iter_args(%x = %c) -> tensor<12xf32> {{
        {made}
        %n = tensor.insert_slice %s into %x[%i] [W] [V] : tensor<Wxf32> into tensor<12xf32>
        scf.yield %n : tensor<12xf32>
      }}"""
    text = text.replace("[W]", f"[{width}]").replace("<Wx", f"<{width}x").replace("[V]", f"[{stride}]")
    f = Function(function("%a: tensor<12xf32>, %c: tensor<12xf32>", text, "%r : tensor<12xf32>"))
    agree(f)


@pytest.mark.parametrize(("rows", "columns", "inner", "carries"), [
    (4, 4, 2, "tensor"), (2, 4, 3, "tensor"), (4, 2, 6, "tile"), (8, 8, 2, "tile"), (2, 2, 1, "forall"),
])  # fmt: skip
def test_tiled_matmul(rows: int, columns: int, inner: int, carries: str) -> None:
    """Sums over k stay sums, whichever tensor the innermost loop carries; tiles that are parallel, too."""
    a, b, c = (f"tensor<{m}x{n}xf32>" for m, n in ((8, 6), (6, 8), (8, 8)))
    ta, tb, tc = (f"tensor<{m}x{n}xf32>" for m, n in ((rows, inner), (inner, columns), (rows, columns)))
    slices = f"""
      %ta = tensor.extract_slice %a[%i, %k] [{rows}, {inner}] [1, 1] : {a} to {ta}
      %tb = tensor.extract_slice %b[%k, %j] [{inner}, {columns}] [1, 1] : {b} to {tb}"""
    matmul = f"linalg.matmul ins(%ta, %tb : {ta}, {tb}) outs(OUT : {tc}) -> {tc}"
    window = f"[%i, %j] [{rows}, {columns}] [1, 1]"
    if carries == "tensor":
        tile = f"""
          %t = scf.for %k = %c0 to %c6 step %c{inner} iter_args(%z = %y) -> {c} {{
            {slices}
            %tc = tensor.extract_slice %z{window} : {c} to {tc}
            %m = {matmul.replace("OUT", "%tc")}
            %n = tensor.insert_slice %m into %z{window} : {tc} into {c}
            scf.yield %n : {c}
          }}"""
    else:
        tile = f"""
          %zero = arith.constant 0.0 : f32
          %e = tensor.empty() : {tc}
          %f = linalg.fill ins(%zero : f32) outs(%e : {tc}) -> {tc}
          %u = scf.for %k = %c0 to %c6 step %c{inner} iter_args(%z = %f) -> {tc} {{
            {slices}
            %m = {matmul.replace("OUT", "%z")}
            scf.yield %m : {tc}
          }}"""
        if carries == "tile":
            tile += f"\n%t = tensor.insert_slice %u into %y{window} : {tc} into {c}"
    if carries == "forall":
        text = f"""{CONSTANTS}
          %r = scf.forall (%i, %j) = (0, 0) to (8, 8) step ({rows}, {columns}) shared_outs(%y = %c) -> {c} {{
            {tile}
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %u into %y{window} : {tc} into {c}
            }}
          }}"""
    else:
        text = f"""{CONSTANTS}
          %r = scf.for %i = %c0 to %c8 step %c{rows} iter_args(%x = %c) -> {c} {{
            %s = scf.for %j = %c0 to %c8 step %c{columns} iter_args(%y = %x) -> {c} {{
              {tile}
              scf.yield %t : {c}
            }}
            scf.yield %s : {c}
          }}"""
    f = Function(function(f"%a: {a}, %b: {b}, %c: {c}", text, f"%r : {c}"))
    agree(f)


@pytest.mark.parametrize("n", [0, 1, 4, 7])
def test_the_last_tile_is_smaller(n: int) -> None:
    text = """
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %r = scf.for %i = %c0 to %n step %c3 iter_args(%x = %c) -> tensor<?xf32> {
        %w = affine.min affine_map<(d0)[s0] -> (3, s0 - d0)>(%i)[%n]
        %ta = tensor.extract_slice %a[%i] [%w] [1] : tensor<?xf32> to tensor<?xf32>
        %tc = tensor.extract_slice %x[%i] [%w] [1] : tensor<?xf32> to tensor<?xf32>
        %m = linalg.exp ins(%ta : tensor<?xf32>) outs(%tc : tensor<?xf32>) -> tensor<?xf32>
        %k = tensor.insert_slice %m into %x[%i] [%w] [1] : tensor<?xf32> into tensor<?xf32>
        scf.yield %k : tensor<?xf32>
      }"""
    f = Function(function("%a: tensor<?xf32>, %c: tensor<?xf32>", text, "%r : tensor<?xf32>"))
    agree(f, a_d0=n, c_d0=8)


def test_elements_one_by_one() -> None:
    """A triangle: the inner loop ends at the outer one's variable."""
    text = f"""{CONSTANTS}
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c) -> tensor<4x4xf32> {{
        %s = scf.for %j = %c0 to %i step %c1 iter_args(%y = %x) -> tensor<4x4xf32> {{
          %v = tensor.extract %a[%j, %i] : tensor<4x4xf32>
          %w = arith.negf %v : f32
          %n = tensor.insert %w into %y[%i, %j] : tensor<4x4xf32>
          scf.yield %n : tensor<4x4xf32>
        }}
        scf.yield %s : tensor<4x4xf32>
      }}"""
    f = Function(function("%a: tensor<4x4xf32>, %c: tensor<4x4xf32>", text, "%r : tensor<4x4xf32>"))
    agree(f)


def test_forall_reads_the_shared_tensor_as_it_was() -> None:
    """Each iteration moves its neighbour's element: what another one writes is not seen."""
    text = f"""{CONSTANTS}
      %r = scf.forall (%i) in (5) shared_outs(%x = %c) -> tensor<6xf32> {{
        %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %s = tensor.extract_slice %x[%k] [1] [1] : tensor<6xf32> to tensor<1xf32>
        scf.forall.in_parallel {{
          tensor.parallel_insert_slice %s into %x[%i] [1] [1] : tensor<1xf32> into tensor<6xf32>
        }}
      }}"""
    f = Function(function("%c: tensor<6xf32>", text, "%r : tensor<6xf32>"))
    agree(f)


def carrying(body: str) -> Function:
    """A loop of the variable %i that carries %x, and yields %n of BODY."""
    text = f"""{CONSTANTS}
      %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %c) -> tensor<6xf32> {{
        {body}
        scf.yield %n : tensor<6xf32>
      }}"""
    return Function(
        function("%a: tensor<6xf32>, %m: memref<6xf32>, %c: tensor<6xf32>", text, "%r : tensor<6xf32>")
    )


FOLLOWED = {
    "a neighbour of the carried tensor": """
        %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %v = tensor.extract %x[%k] : tensor<6xf32>
        %n = tensor.insert %v into %x[%i] : tensor<6xf32>""",
    "two slices": """
        %v = tensor.extract %a[%i] : tensor<6xf32>
        %o = tensor.insert %v into %x[%i] : tensor<6xf32>
        %n = tensor.insert %v into %o[%c0] : tensor<6xf32>""",
    "what is written is loaded from memory": """
        %v = memref.load %m[%i] : memref<6xf32>
        %n = tensor.insert %v into %x[%i] : tensor<6xf32>""",
}


@pytest.mark.parametrize("body", FOLLOWED.values(), ids=list(FOLLOWED))
def test_what_goes_around_a_loop_is_followed_from_iteration_to_iteration(body: str) -> None:
    agree(carrying(body))


def test_where_data_says_what_is_written_everything_may_be_read() -> None:
    body = """
        %v = tensor.extract %a[%i] : tensor<6xf32>
        %j = arith.fptosi %v : f32 to i64
        %k = arith.index_cast %j : i64 to index
        %n = tensor.insert %v into %x[%k] : tensor<6xf32>"""
    f = carrying(body)
    assert not f.exact("%r")
    assert {((i,), "c", (j,)) for i in range(6) for j in range(6)} <= f.inputs("%r")


def test_what_a_loop_fills_with_zeros_is_zero() -> None:
    text = f"""{CONSTANTS}
      %zero = arith.constant 0.0 : f32
      %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%x = %c) -> tensor<6xf32> {{
        %n = tensor.insert %zero into %x[%i] : tensor<6xf32>
        scf.yield %n : tensor<6xf32>
      }}"""
    f = Function(function("%c: tensor<6xf32>", text, "%r : tensor<6xf32>"))
    facts = f.model.flow.facts(f.value("%r"))
    assert not isinstance(facts.reaching, bool)
    assert not isinstance(facts.nonzero, bool)
    assert facts.reaching.is_equal(facts.nonzero)


def test_a_function_of_zeros_need_not_be_zero() -> None:
    text = f"""{CONSTANTS}
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<6xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
      %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%x = %z) -> tensor<6xf32> {{
        %v = tensor.extract %z[%i] : tensor<6xf32>
        %w = math.exp %v : f32
        %n = tensor.insert %w into %x[%i] : tensor<6xf32>
        scf.yield %n : tensor<6xf32>
      }}"""
    f = Function(function("", text, "%r : tensor<6xf32>"))
    facts = f.model.flow.facts(f.value("%r"))
    assert facts.reaching is False
    assert facts.nonzero is not False
