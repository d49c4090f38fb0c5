"""Constants whose elements stand at the end of the file: executed, compared, and refused where they are not there."""

from __future__ import annotations

import pickle
import subprocess

import pytest

import volcli
from volcli.language.resources import ResourceKey, ResourceTable

FLOATS = "0x040000000000803F0000004000004040"  # 1, 2, 3
PROGRAM = """
memref.global "private" constant @g : memref<2xi16> = dense_resource<"w w">
func.func @f(%a: tensor<3xf32>) -> (tensor<3xf32>, i16, vector<4xi1>) {{
  %c = arith.constant dense_resource<blob> : tensor<3xf32>
  %d = "tosa.const"() <{{values = dense_resource<blob> : tensor<3xf32>}}> : () -> tensor<3xf32>
  %b = arith.constant dense_resource<bits> : vector<4xi1>
  %e = arith.addf %c, %d : tensor<3xf32>
  %m = memref.get_global @g : memref<2xi16>
  %c1 = arith.constant 1 : index
  %x = memref.load %m[%c1] : memref<2xi16>
  return %e, %x, %b : tensor<3xf32>, i16, vector<4xi1>
}}
{{-#
  dialect_resources: {{
    other: {{ blob: "0x0400000000000000" }},
    builtin: {{
      {name}: "{blob}",
      "w w": "0x0200000001000a00", bits: "0x0100000001000001"
    }}
  }},
  external_resources: {{ mlir_reproducer: {{ verify_each: true, pipeline: "builtin.module()" }} }}
#-}}
"""


def _program(blob: str = FLOATS, name: str = "blob") -> volcli.Program:
    return volcli.loads(PROGRAM.format(blob=blob, name=name))


def test_elements_are_those_of_the_file() -> None:
    floats, number, bits = _program().function("f").run().results[:3]
    assert floats.tolist() == [2, 4, 6]
    assert number == 10
    assert bits.tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    ("blob", "name", "message"),
    [
        (FLOATS, "blob2", "the file does not have the elements of the resource 'blob'"),
        ("0x03" + FLOATS[4:], "blob", "its first four bytes are not an alignment, which is a power of two"),
        (FLOATS[:-2], "blob", "the resource 'blob' has 11 bytes, and tensor<3xf32> has 12"),
        (FLOATS[:-1], "blob", "the resource 'blob' cannot be read: non-hexadecimal number"),
        ("0x", "blob", "its first four bytes are not an alignment"),
    ],
)
def test_what_is_wrong_is_said_at_the_constant(blob: str, name: str, message: str) -> None:
    stopped = _program(blob, name).function("f").run().stopped
    assert stopped is not None
    assert stopped.place is not None
    assert (stopped.code, stopped.place.line, stopped.place.column) == ("V019", 4, 8)
    assert message in stopped.message
    assert ("program with its resources" in stopped.next_step) == (name == "blob2")


@pytest.mark.parametrize(
    ("other", "verdict"), [(FLOATS, "equal"), (FLOATS.replace("803F", "803E"), "different")]
)
def test_constants_of_one_name_may_be_others(other: str, verdict: str) -> None:
    """Programs are compared by what their resources hold: in two files, one name may be two constants."""
    text = (
        "func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {{\n"
        "  %c = arith.constant dense_resource<w> : tensor<3xf32>\n"
        "  %r = arith.addf %a, %c : tensor<3xf32>\n  return %r : tensor<3xf32>\n}}\n"
        '{{-# dialect_resources: {{ builtin: {{ w: "{}" }} }} #-}}'
    )
    before, after = volcli.loads(text.format(FLOATS)), volcli.loads(text.format(other))
    (found,) = before.diff(after)
    assert found.verdict == verdict


def test_keys_are_copied_with_their_resources() -> None:
    key = ResourceKey("w", ResourceTable(['{-# dialect_resources: {builtin: {w: "0x0100000007"}} #-}']))
    copy = pickle.loads(pickle.dumps(key))
    assert copy == key
    assert copy.table.elements("w") == b"\x07"


@pytest.mark.mlir
def test_resources_are_kept_in_what_is_printed(mlir_opt: str) -> None:
    """Names in quotes where they need them, and through mlir-opt, which leaves resources out."""
    text = PROGRAM.format(blob=FLOATS, name="blob").replace(
        '    other: { blob: "0x0400000000000000" },\n', ""
    )
    program = volcli.loads(text)
    again = subprocess.run(
        [mlir_opt], input=program.text(reprint=True), capture_output=True, text=True, check=True
    )
    for each in (volcli.loads(again.stdout), volcli.loads(text, via="mlir-opt")):
        assert each.function("f").run().results[0].tolist() == [2, 4, 6]
