"""One folder or file for each MLIR dialect: the operations that xDSL lacks, and this dialect's cases.

A dialect is loaded when a file names it (`volcli.loading.driver`): its module has a function `dialect()`. In
a folder, `__init__` holds that function and the cases, the other files hold the operations. `shared` holds
what several dialects use.
"""
