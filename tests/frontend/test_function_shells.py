"""Operations that look as functions do, of dialects that are not known: their bodies are analysed."""

from __future__ import annotations

import pytest

from volcli.loading.driver import load

BODY = """
  %c8 = arith.constant 8 : index
  %x = memref.load %m[%c8] : memref<8xf32>
"""


@pytest.mark.parametrize(
    "shell",
    [
        "util.func public @f(%m: memref<8xf32>, %n: index) {@BODY  util.return\n}",
        "util.func private @f(%m: memref<8xf32> {a.b = 1 : i32}) -> index attributes {c} {@BODY  util.return\n}",
        "gpu.module @g {\ngpu.func @f(%m: memref<8xf32>) kernel {@BODY  gpu.return\n}\n}",
        "some.container {\nsome.func @f(%m: memref<8xf32>) {@BODY  some.return\n}\n}",
    ],
)
def test_accesses_in_a_shell_are_checked(shell: str) -> None:
    program = load(shell.replace("@BODY", BODY)).run("check-accesses")
    assert [fact.function for fact in program.facts] == ["f"]
    assert [said.code for said in program.diagnostics if not said.code.startswith("V3")] == ["V203"]


def test_its_arguments_keep_their_names_where_it_is_printed() -> None:
    text = (
        "util.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {\n  util.return %a : tensor<?xf32>\n}\n"
    )
    assert load(text).text(reprint=True) == text


def test_a_shell_in_a_function_with_a_name_of_its_own_stays_text() -> None:
    """Whether it sees the outer %a is unknown; the text is kept, and nothing else is lost."""
    text = """func.func @outer(%a: index) {
  test.region @inner(%a: index) {
    %b = arith.addi %a, %a : index
  }
  %c = arith.addi %a, %a : index
  return
}
"""
    program = load(text).run("value-bounds")
    assert program.text(reprint=True, annotate="none") == text
    assert "%c" in {fact.to_json()["value"] for fact in program.facts}


def test_a_result_of_the_function_is_what_it_returns() -> None:
    text = """util.func @f(%a: tensor<4xf32>) -> tensor<6xf32> {
      %z = arith.constant 0.0 : f32
      %p = tensor.pad %a low[1] high[1] {
      ^bb0(%i: index):
        tensor.yield %z : f32
      } : tensor<4xf32> to tensor<6xf32>
      %unused = tensor.empty() : tensor<2xf32>
      util.return %p : tensor<6xf32>
    }"""
    facts = load(text).run("sparsity-regions").facts
    assert {fact.to_json()["value"] for fact in facts} == {"%p"}


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("mystery.kernel @k tile(%i to 4) {\n  %x = arith.addi %i, %i : index\n}\n", True),
        (
            "mystery.kernel @k tile(%i to 4) {\n  %x = arith.addi %i, %i : index\n}\nfunc.func @f() { return }\n",
            False,
        ),
        ("mystery.global @k {a = 1 : i32}\n", False),
        ("func.func private @f(index)\n", False),
        ("module {}\n", False),
    ],
)
def test_that_nothing_was_analysed_is_said(text: str, is_said: bool) -> None:
    assert ("V108" in {said.code for said in load(text).diagnostics}) == is_said
