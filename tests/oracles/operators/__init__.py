"""Programs of tosa and stablehlo, written twice: as MLIR text, and as numpy's arrays by loops over elements.

Execution is compared with the arrays, and what is said of maps, regions and zeros with arrays of which one
element is changed.
"""
