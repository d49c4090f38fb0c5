"""The process that volcli runs in: progress on stderr, shipped files, installed packages.

Guarantees: nothing here knows what MLIR is.

Imports: no other room.
"""

CACHE_FOLDER = ".volcli_cache"
"""Where results are kept between runs: in the folder of the policy, or the current one."""
