"""Programs of blocks that branch to each other, in the tests of what they are structured to.

A line that accesses memory ends with the loops around it: `// in %i, %j` are the arguments of
their headers, whose values are the iteration.
"""

from __future__ import annotations

CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
"""
TESTED_BEFORE = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %x = memref.load %m[%i] : memref<40xi32> // in %i
  %k = arith.addi %i, %c3 : index
  memref.store %x, %m[%k] : memref<40xi32> // in %i
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  memref.store %v, %m[%i] : memref<40xi32> // in
  return
}"""
TESTED_BEHIND = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^body(%c0 : index)
^body(%i: index):
  %k = arith.addi %i, %c1 : index
  %x = memref.load %m[%k] : memref<40xi32> // in %i
  memref.store %x, %m[%i] : memref<40xi32> // in %i
  %next = arith.addi %i, %c3 : index
  %more = arith.cmpi slt, %next, %n : index
  cf.cond_br %more, ^body(%next : index), ^exit(%next : index)
^exit(%last: index):
  memref.store %v, %m[%last] : memref<40xi32> // in
  return
}"""
TESTED_BEHIND_BY_THE_LAST = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^body(%c0 : index)
^body(%i: index):
  memref.store %v, %m[%i] : memref<40xi32> // in %i
  %more = arith.cmpi slt, %i, %n : index
  %next = arith.addi %i, %c1 : index
  cf.cond_br %more, ^body(%next : index), ^exit
^exit:
  %x = memref.load %m[%c8] : memref<40xi32> // in
  return
}"""
NESTED = """
func.func @f(%n: index, %m: memref<40x40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^rows(%c0 : index)
^rows(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^columns(%i : index), ^exit
^columns(%j: index):
  %more_columns = arith.cmpi sle, %j, %c8 : index
  cf.cond_br %more_columns, ^body, ^next
^body:
  %x = memref.load %m[%j, %i] : memref<40x40xi32> // in %i, %j
  %k = arith.addi %j, %c1 : index
  memref.store %x, %m[%i, %k] : memref<40x40xi32> // in %i, %j
  cf.br ^columns(%k : index)
^next:
  %next = arith.addi %i, %c1 : index
  cf.br ^rows(%next : index)
^exit:
  return
}"""
BRANCHES = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %c1 : index
  %early = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %early, ^head(%next : index), ^late
^late:
  %even = arith.remsi %i, %c3 : index
  %is_even = arith.cmpi eq, %even, %c0 : index
  cf.cond_br %is_even, ^a, ^b
^a:
  memref.store %v, %m[%i] : memref<40xi32> // in %i
  cf.br ^meet(%i : index)
^b:
  memref.store %v, %m[%next] : memref<40xi32> // in %i
  cf.br ^meet(%c8 : index)
^meet(%k: index):
  %x = memref.load %m[%k] : memref<40xi32> // in %i
  cf.br ^head(%next : index)
^exit:
  return
}"""
NARROW = """
func.func @f(%n: i32, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi sgt, %n, %i : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %k = arith.index_cast %i : i32 to index
  memref.store %v, %m[%k] : memref<40xi32> // in %i
  %x = memref.load %m[%c3] : memref<40xi32> // in %i
  %next = arith.addi %i, %one : i32
  cf.br ^head(%next : i32)
^exit:
  return
}"""
LEFT_EARLY = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit(%c0 : index)
^body:
  %x = memref.load %m[%i] : memref<40xi32> // in %i
  %found = arith.cmpi eq, %x, %v : i32
  cf.cond_br %found, ^exit(%i : index), ^next
^next:
  %k = arith.addi %i, %c1 : index
  memref.store %x, %m[%k] : memref<40xi32> // in %i
  cf.br ^head(%k : index)
^exit(%where: index):
  memref.store %v, %m[%where] : memref<40xi32> // in
  return
}"""
ENDLESS_UNTIL = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^head(%c0, %n : index, index)
^head(%i: index, %rest: index):
  memref.store %v, %m[%i] : memref<40xi32> // in %i
  %half = arith.divsi %rest, %c3 : index
  %more = arith.cmpi sgt, %half, %c0 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %c1 : index
  %x = memref.load %m[%next] : memref<40xi32> // in %i
  cf.br ^head(%next, %half : index, index)
^exit:
  return
}"""
CARRIED = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^head(%v, %c0 : i32, index)
^head(%sum: i32, %i: index):
  %more = arith.cmpi slt, %i, %n : index
  %k = arith.addi %i, %c1 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %x = memref.load %m[%k] : memref<40xi32> // in %i
  %next = arith.addi %sum, %x : i32
  cf.br ^head(%next, %k : i32, index)
^exit:
  memref.store %sum, %m[%k] : memref<40xi32> // in
  return
}"""
TWO_IN_TURN = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^first(%c0 : index)
^first(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^between
^body:
  memref.store %v, %m[%i] : memref<40xi32> // in %i
  %next = arith.addi %i, %c1 : index
  cf.br ^first(%next : index)
^between:
  cf.br ^second(%c0 : index)
^second(%j: index):
  %less = arith.cmpi slt, %j, %c8 : index
  cf.cond_br %less, ^reads, ^exit
^reads:
  %x = memref.load %m[%j] : memref<40xi32> // in %j
  %next_j = arith.addi %j, %c3 : index
  cf.br ^second(%next_j : index)
^exit:
  return
}"""
SWITCHED = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %flag = arith.index_cast %i : index to i8
  cf.switch %flag : i8, [
    default: ^other(%c3 : index),
    2: ^this,
    -5: ^join(%v : i32),
    1: ^this,
    4: ^other(%i : index),
    5: ^join(%v : i32)
  ]
^this:
  memref.store %v, %m[%i] : memref<40xi32> // in %i
  cf.br ^join(%v : i32)
^other(%k: index):
  %x = memref.load %m[%k] : memref<40xi32> // in %i
  cf.br ^join(%x : i32)
^join(%y: i32):
  %j = arith.addi %i, %c1 : index
  memref.store %y, %m[%j] : memref<40xi32> // in %i
  cf.br ^head(%j : index)
^exit:
  return
}"""
ROTATED = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  %some = arith.cmpi slt, %c0, %n : index
  cf.cond_br %some, ^outer(%c0 : index), ^exit
^outer(%i: index):
  %any = arith.cmpi slt, %c0, %i : index
  cf.cond_br %any, ^inner(%c0 : index), ^latch
^inner(%j: index):
  %k = arith.addi %i, %j : index
  %x = memref.load %m[%j] : memref<40xi32> // in %i, %j
  memref.store %x, %m[%k] : memref<40xi32> // in %i, %j
  %next_j = arith.addi %j, %c1 : index
  %more_j = arith.cmpi slt, %next_j, %i : index
  cf.cond_br %more_j, ^inner(%next_j : index), ^latch
^latch:
  %next_i = arith.addi %i, %c1 : index
  %more_i = arith.cmpi slt, %next_i, %n : index
  cf.cond_br %more_i, ^outer(%next_i : index), ^exit
^exit:
  return
}"""
BACK_TO_THE_OUTER_HEADER = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^outer(%c0 : index)
^outer(%i: index):
  %more_i = arith.cmpi slt, %i, %n : index
  cf.cond_br %more_i, ^inner(%c0 : index), ^exit
^inner(%j: index):
  %k = arith.addi %i, %j : index
  %w = arith.index_cast %j : index to i32
  memref.store %w, %m[%k] : memref<40xi32> // in %i, %j
  %next_j = arith.addi %j, %c1 : index
  %next_i = arith.addi %i, %c1 : index
  %more_j = arith.cmpi slt, %next_j, %c3 : index
  cf.cond_br %more_j, ^inner(%next_j : index), ^outer(%next_i : index)
^exit:
  return
}"""
LAST_VALUES = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^outer(%c0 : index)
^outer(%i: index):
  %more_i = arith.cmpi slt, %i, %n : index
  cf.cond_br %more_i, ^inner(%c0 : index), ^exit
^inner(%j: index):
  %k = arith.addi %i, %j : index
  %x = memref.load %m[%k] : memref<40xi32> // in %i, %j
  %next_j = arith.addi %j, %c1 : index
  %more_j = arith.cmpi slt, %next_j, %c3 : index
  cf.cond_br %more_j, ^inner(%next_j : index), ^latch
^latch:
  %l = arith.addi %k, %j : index
  memref.store %x, %m[%l] : memref<40xi32> // in %i
  %next_i = arith.addi %i, %c1 : index
  cf.br ^outer(%next_i : index)
^exit:
  return
}"""
ONE_HEADER_OF_TWO = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %x = memref.load %m[%i] : memref<40xi32> // in %i
  %next = arith.addi %i, %c1 : index
  %small = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %small, ^head(%next : index), ^rest
^rest:
  memref.store %x, %m[%next] : memref<40xi32> // in %i
  cf.br ^head(%next : index)
^exit:
  return
}"""
LEFT_FOR_TWO = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^none
^body:
  %x = memref.load %m[%i] : memref<40xi32> // in %i
  %k = arith.addi %i, %c1 : index
  %found = arith.cmpi eq, %i, %c3 : index
  cf.cond_br %found, ^found(%k : index), ^latch
^latch:
  memref.store %v, %m[%k] : memref<40xi32> // in %i
  cf.br ^head(%k : index)
^found(%j: index):
  memref.store %x, %m[%j] : memref<40xi32> // in
  cf.br ^end(%k : index)
^none:
  memref.store %v, %m[%c8] : memref<40xi32> // in
  cf.br ^end(%i : index)
^end(%l: index):
  memref.store %v, %m[%l] : memref<40xi32> // in
  return
}"""
LEFT_FOR_THREE_IN_A_LOOP = """
func.func @f(%n: index, %m: memref<40xi32>, %v: i32) {
  CONSTANTS
  cf.br ^outer(%c0 : index)
^outer(%i: index):
  %more_i = arith.cmpi slt, %i, %n : index
  cf.cond_br %more_i, ^inner(%c0 : index), ^end
^inner(%j: index):
  %a = arith.addi %i, %j : index
  memref.store %v, %m[%a] : memref<40xi32> // in %i, %j
  %far = arith.cmpi sgt, %a, %c8 : index
  cf.cond_br %far, ^end, ^near
^near:
  %k = arith.addi %j, %c1 : index
  %same = arith.cmpi eq, %j, %i : index
  cf.cond_br %same, ^diagonal, ^latch
^latch:
  %x = memref.load %m[%j] : memref<40xi32> // in %i, %j
  %more_j = arith.cmpi slt, %k, %c3 : index
  cf.cond_br %more_j, ^inner(%k : index), ^below
^diagonal:
  memref.store %v, %m[%k] : memref<40xi32> // in %i
  cf.br ^next
^below:
  memref.store %x, %m[%c8] : memref<40xi32> // in %i
  cf.br ^next
^next:
  %next_i = arith.addi %i, %c1 : index
  cf.br ^outer(%next_i : index)
^end:
  memref.store %v, %m[%c0] : memref<40xi32> // in
  return
}"""
PROGRAMS = {
    name: text.replace("CONSTANTS", CONSTANTS.strip())
    for name, text in globals().items()
    if isinstance(text, str) and "func.func" in text and name != "__doc__"
}
LOOPS = {
    "TESTED_BEFORE": {"%i": "carried"},
    "TESTED_BEHIND": {"%i": "parallel"},
    "TESTED_BEHIND_BY_THE_LAST": {"%i": "parallel"},
    "NESTED": {"%i": "parallel", "%j": "parallel"},
    "BRANCHES": {"%i": "carried"},
    "NARROW": {"%i": "carried"},
    "CARRIED": {"%i": "reduction"},
    "TWO_IN_TURN": {"%i": "parallel", "%j": "parallel"},
    "SWITCHED": {"%i": "carried"},
    "ROTATED": {"%i": "carried", "%j": "parallel"},
    "BACK_TO_THE_OUTER_HEADER": {"%i": "carried", "%j": "parallel"},
    "ONE_HEADER_OF_TWO": {"%i": "carried"},
    "LAST_VALUES": {"%i": "carried", "%j": "carried"},  # %x
}
