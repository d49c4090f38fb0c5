"""What a project declares of operations and memory spaces of other dialects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import Run
from volcli import loads
from volcli.diagnostics import UsageError
from volcli.language.declared import Declaration, DeclarationError, declarations
from volcli.language.questions import effects as effects_of

LOOP = """
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xf32>
    OPERATION
  }
  return
}
"""


def is_parallel(operation: str, declared: Sequence[str]) -> bool:
    """Whether the loop is parallel."""
    program = loads(LOOP.replace("OPERATION", operation), effects=declared)
    (found,) = program.run("dependences{loops-only=true}").facts
    return found.to_json()["kind"] == "parallel"


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("foo.x = none", Declaration()),
        ("foo.x.y=reads 0,  reads 2 , writes 1", Declaration(reads=(0, 2), writes=(1,))),
        ("foo.x = frees 0, prints", Declaration(frees=(0,), prints=True)),
        ("foo.x = runs its regions once, reads 3", Declaration(reads=(3,), once=True)),
        ("foo.x = as linalg.copy", Declaration(like="linalg.copy")),
        ('"foo.x" = "reads 1, writes 0"', Declaration(reads=(1,), writes=(0,))),
    ],
)
def test_operations(text: str, declared: Declaration) -> None:
    assert list(declarations([text]).operations.values()) == [declared]


def test_the_later_declaration_counts() -> None:
    found = declarations(
        ["a.b = none", "memory space L1 = plain", "a.b = prints", 'memory space "L1" = not plain']
    )
    assert found.operations == {"a.b": Declaration(prints=True)}
    assert found.spaces == {"L1": False}


@pytest.mark.parametrize(
    "text",
    [
        "", "foo.x", "foo = none", "foo.x = ", "foo.x = reads", "foo.x = reads -1", "foo.x = reads 0 writes 1",
        "foo.x = none, reads 0", "foo.x = as memref.copy, prints", "foo.x = as", "foo.x = as copy",
        "memory space L1 = fast", "%x.y = none", '"foo.x = none', '"foo.x" = "none"x"',
    ],
)  # fmt: skip
def test_what_declares_nothing(text: str) -> None:
    with pytest.raises(DeclarationError):
        declarations([text])
    with pytest.raises(UsageError) as error:
        loads("func.func @f() { return }", effects=["a.b = none", text])
    place = error.value.diagnostic.place
    assert place is not None
    assert (error.value.diagnostic.code, place.file, place.line) == ("V009", "<effects>", 2)


def test_a_barrier() -> None:
    barrier = '"foo.barrier"() : () -> ()'
    assert not is_parallel(barrier, [])
    assert is_parallel(barrier, ["foo.barrier = none"])
    assert not is_parallel(barrier, ["foo.barrier = prints"])
    assert not is_parallel(barrier, ["other.barrier = none"])


def test_operands() -> None:
    dma = '"foo.dma"(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()'
    assert not is_parallel(dma, ["foo.dma = writes 0"])
    assert not is_parallel(dma, ["foo.dma = reads 0"])  # element 0 in iteration 1, and iteration 0 writes it
    assert is_parallel(dma, ["foo.dma = reads 1"])
    assert not is_parallel(dma, ["foo.dma = writes 1"])
    assert not is_parallel(dma, ["foo.dma = frees 1"])


def test_an_operation_that_xdsl_defines_otherwise_is_declared_like_any() -> None:
    """xDSL's definition of air.dma_memcpy_nd asks for more segments of operands."""
    dma = '"air.dma_memcpy_nd"(%a, %b, %i) : (memref<8xf32>, memref<8xf32>, index) -> ()'
    assert not is_parallel(dma, [])
    assert is_parallel(dma, ["air.dma_memcpy_nd = reads 1"])


def test_a_name_without_a_dialect_may_be_meant_as_a_memory_space() -> None:
    with pytest.raises(DeclarationError) as error:
        declarations(["L1 = plain"])
    assert "memory space L1 = plain" in error.value.how


def test_what_is_returned_may_be_what_was_given() -> None:
    text = """
    func.func @f(%x: f32) -> f32 {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() : memref<8xf32>
      %v = "foo.view"(%m) : (memref<8xf32>) -> memref<8xf32>
      memref.store %x, %m[%c0] : memref<8xf32>
      %y = memref.load %v[%c0] : memref<8xf32>
      return %y : f32
    }
    """
    flow = loads(text, effects=["foo.view = none"]).run("memory-flow")
    (read,) = (each.to_json() for each in flow.facts if each.to_json()["kind"] == "read")
    assert [each["source"]["line"] for each in read["sources"]] == [6]
    assert read["exact"] is False


@pytest.mark.parametrize(
    ("operation", "effects", "message"),
    [
        ('"foo.x"(%a) : (memref<8xf32>) -> ()', "foo.x = reads 1", "has 1 operand, but its operand 1"),
        ('"foo.x"() : () -> ()', "foo.x = runs its region once", "has no region"),
        ('"foo.x"() : () -> ()', "foo.x = as bar.y", "as bar.y, which no dialect defines"),
        ('"foo.x"(%x) : (f32) -> ()', "foo.x = as memref.copy", "cannot be as memref.copy: "),
        ('"foo.x"(%x) : (f32) -> ()', "foo.x = as linalg.matmul", "cannot be as linalg.matmul: "),
        ("memref.copy %a, %b : memref<8xf32> to memref<8xf32>", "memref.copy = none", "volcli knows"),
    ],
)
def test_a_declaration_that_does_not_fit_is_not_used(operation: str, effects: str, message: str) -> None:
    program = loads(LOOP.replace("OPERATION", operation), effects=[effects])
    (said,) = program.diagnostics
    assert (said.code, message in said.message) == ("V114", True)
    assert not is_parallel(operation, [effects])


def test_a_declaration_of_what_is_known_is_said_once() -> None:
    copy = "memref.copy %a, %b : memref<8xf32> to memref<8xf32>\n"
    program = loads(LOOP.replace("OPERATION", 2 * copy), effects=["memref.copy = none"])
    assert [each.code for each in program.diagnostics] == ["V114"]


REGION = """
func.func @f(%m: memref<8xf32>, %x: f32) {
  "foo.launch"() ({
    affine.for %i = 0 to 8 {
      affine.store %x, %m[%i] : memref<8xf32>
    }
    "foo.end"() : () -> ()
  }) : () -> ()
  return
}
"""


def test_a_region_that_runs_once() -> None:
    effects = ["foo.launch = runs its region once", "foo.end = none"]
    plain = loads(REGION, effects=effects).run("memory-flow")
    (out,) = (each.to_json() for each in plain.facts if each.to_json()["kind"] == "buffer")
    assert (out["live_in"], out["live_out"], out["exact"]) == (None, "{ [d0] : 0 <= d0 <= 7 }", True)


COPIES = """
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  scf.for %i = %n to %n step %n {
    COPY
  }
  COPY
  %y = memref.load %b[%n] : memref<?xf32>
  memref.store %y, %a[%n] : memref<?xf32>
  return
}
"""


@pytest.mark.parametrize(
    ("known", "like"),
    [
        ("memref.copy %a, %b : memref<?xf32> to memref<?xf32>", "memref.copy"),
        ("linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)", "linalg.copy"),
        ("linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)", "linalg.exp"),
    ],
)
def test_like_another(known: str, like: str) -> None:
    """All questions say of an operation that is as another one what they say of that one."""
    unknown = '"foo.op"(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()'
    questions = "infer-shapes,memory-flow,dependences{loops-only=true},dependences,check-accesses,check-races,nests,value-bounds{of=all}"
    found: list[list[str]] = []
    for copy, effects in ((known, ()), (unknown, (f"foo.op = as {like}",))):
        program = loads(COPIES.replace("COPY", copy), effects=effects).run(questions)
        lines = [re.sub(r"\bfoo\.op\b", like, str(fact.to_json())) for fact in program.facts]
        found.append([re.sub(r"'column': \d+", "", line) for line in lines])
    assert found[0] == found[1]
    assert found[0]


SPACE = """
func.func @f(%m: memref<8xf32, SPACE>, %x: f32) -> f32 {
  %c = arith.constant 3 : index
  memref.store %x, %m[%c] : memref<8xf32, SPACE>
  %y = memref.load %m[%c] : memref<8xf32, SPACE>
  return %y : f32
}
"""


@pytest.mark.parametrize(
    ("space", "effects", "is_plain"),
    [
        ('"L1"', [], False),
        ('"L1"', ["memory space L1 = plain"], True),
        ('"L1"', ["memory space L2 = plain"], False),
        ("#foo.fifo", ["memory space #foo.fifo = plain"], True),
        ("3", [], True),
        ("3", ["memory space 3 = not plain"], False),
    ],
)
def test_memory_spaces(space: str, effects: Sequence[str], is_plain: bool) -> None:
    program = loads(SPACE.replace("SPACE", space), effects=effects).run("memory-flow")
    exact = [fact.to_json()["exact"] for fact in program.facts if fact.to_json()["kind"] == "read"]
    assert exact == ([True] if is_plain else [False, False])


def test_execution(volcli: Run, tmp_path: Path) -> None:
    """What is as a known operation is executed as that, and what does nothing as nothing."""
    text = LOOP.replace("OPERATION", '"foo.barrier"() : () -> ()').replace(
        "  return", '  "foo.copy"(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()\n  return'
    )
    (tmp_path / "a.mlir").write_text(text)
    (tmp_path / "b.mlir").write_text(
        text.replace('"foo.barrier"() : () -> ()', "").replace(
            '"foo.copy"(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()',
            "memref.copy %a, %b : memref<8xf32> to memref<8xf32>",
        )
    )
    effects = ("--effects", "foo.barrier = none", "--effects", "foo.copy = as linalg.copy")
    ran = volcli("run", str(tmp_path / "a.mlir"), *effects)
    assert ran.stdout == volcli("run", str(tmp_path / "b.mlir")).stdout
    assert ran.returncode == 0
    assert volcli("run", str(tmp_path / "a.mlir")).returncode == 2


def test_the_text_of_a_program_stays_its_own() -> None:
    text = LOOP.replace("OPERATION", '"foo.copy"(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()')
    program = loads(text, effects=["foo.copy = as linalg.copy"]).run("mark-parallel")
    assert '"foo.copy"(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()' in program.text(reprint=True)


PRODUCT = """
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = OPERATION -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
"""
FOREIGN = '"foo.mm"(%a, %b, %c) : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>)'
KNOWN = "linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x5xf32>) outs(%c : tensor<4x5xf32>)"


@pytest.mark.slow
def test_a_product_like_linalg_matmul_is_equal_to_one_and_is_tiled() -> None:
    effects = ["foo.mm = as linalg.matmul"]
    foreign = loads(PRODUCT.replace("OPERATION", FOREIGN), effects=effects)
    known = loads(PRODUCT.replace("OPERATION", KNOWN))
    for before, after in ((foreign, known), (known, foreign)):
        assert [each.verdict for each in before.diff(after)] == ["equal"]
    questions = "element-maps,sparsity-regions,structural-zeros"
    facts = [[str(fact.rows()) for fact in each.run(questions).facts] for each in (foreign, known)]
    assert facts[0] == facts[1]
    tiled = loads(foreign.source.text, effects=effects).run("tile{sizes=2,2}")
    assert [each.code for each in tiled.diagnostics] == []
    assert "foo.mm" not in tiled.text()


@pytest.mark.parametrize(
    ("kind", "leads"),
    [
        ("!func.handle", True), ("!foo.handle", True), ("memref<8xf32>", True), ("f32", False), ("index", False),
        ("i1", False), ("complex<f32>", False), ("tensor<2xf32>", False), ("vector<2xi8>", False),
    ],
)  # fmt: skip
def test_results_that_are_no_numbers_may_lead_to_memory(kind: str, leads: bool) -> None:
    """`!func.handle` is no number, although its name begins as that of a float."""
    text = f"""
    func.func @f(%m: memref<8xf32>) {{
      %h = "foo.handle"(%m) : (memref<8xf32>) -> {kind}
      return
    }}
    """
    (model,) = loads(text, effects=["foo.handle = none"]).units[0].models()
    (stated,) = (
        found for op in model.function.walk() if (found := effects_of(op)) is not None and op.operands
    )
    assert bool(stated.exposes) is leads
