"""The process that volcli runs in: progress on stderr, shipped files, installed packages.

Guarantees: nothing here knows what MLIR is.

Imports: no other room.
"""
