"""Invalid operations of bufferization: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, NoProblemTests, ProblemTests

INVALID: dict[str, Invalid] = {
    "to_tensor": Invalid.within(
        "%m: memref<4xf32>", "%r = bufferization.to_tensor %m : memref<4xf32> to tensor<5xf32>", shape=True
    ),
    "to_tensor elem": Invalid.within(
        "%m: memref<4xf32>", "%r = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf64>"
    ),
    "to_tensor rank": Invalid.within(
        "%m: memref<4xf32>", "%r = bufferization.to_tensor %m : memref<4xf32> to tensor<4x1xf32>"
    ),
    "to_tensor dyn": Invalid.within(
        "%m: memref<4xf32>", "%r = bufferization.to_tensor %m : memref<4xf32> to tensor<?xf32>"
    ),
    "to_tensor unr": Invalid.within(
        "%m: memref<4xf32>", "%r = bufferization.to_tensor %m : memref<4xf32> to tensor<*xf32>"
    ),
    "to_buffer": Invalid.within(
        "%m: tensor<4xf32>", "%r = bufferization.to_buffer %m : tensor<4xf32> to memref<5xf32>", shape=True
    ),
    "to_buffer elem": Invalid.within(
        "%m: tensor<4xf32>", "%r = bufferization.to_buffer %m : tensor<4xf32> to memref<4xf64>"
    ),
    "materialize": Invalid.within(
        "%t: tensor<4xf32>, %m: memref<5xf32>",
        "bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<5xf32>) -> ()",
        shape=True,
    ),
    "materialize rank": Invalid.within(
        "%t: tensor<4xf32>, %m: memref<4x1xf32>",
        "bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4x1xf32>) -> ()",
    ),
    "materialize writable": Invalid.within(
        "%t: tensor<4xf32>, %m: memref<4xf32>",
        "bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()",
    ),
    "materialize result": Invalid.within(
        "%t: tensor<4xf32>",
        "bufferization.materialize_in_destination %t in %t : (tensor<4xf32>, tensor<4xf32>) -> ()",
    ),
    "materialize flags": Invalid.within(
        "%t: tensor<4xf32>",
        "%r = bufferization.materialize_in_destination %t in writable %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
    ),
    "materialize elem": Invalid.within(
        "%t: tensor<4xf32>, %m: memref<4xf64>",
        "bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf64>) -> ()",
    ),
    "materialize restrict": Invalid.within(
        "%t: tensor<4xf32>",
        "%r = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
    ),
}

VALID: dict[str, str] = {
    "clone": Invalid.within(
        "%m: memref<4xf32>", "%r = bufferization.clone %m : memref<4xf32> to memref<5xf32>"
    ).text,
    "to_tensor unr ok": Invalid.within(
        "%m: memref<*xf32>", "%r = bufferization.to_tensor %m : memref<*xf32> to tensor<*xf32>"
    ).text,
    "materialize dyn": Invalid.within(
        "%t: tensor<4xf32>, %m: memref<?xf32>",
        "bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<?xf32>) -> ()",
    ).text,
}


class TestProblems(ProblemTests, NoProblemTests):
    invalid = INVALID
    valid = VALID
