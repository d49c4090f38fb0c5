"""Zeros, signs of zeros, infinities and NaN: random programs over f64, run in plain Python by IEEE 754.

What volcli calls static or zero is compared with the numbers that the programs compute from inputs with
infinities, NaN and zeros of both signs among them; the Python is itself compared with mlir-runner-22.
"""
