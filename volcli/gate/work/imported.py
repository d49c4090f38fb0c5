"""What any worker imports, for the server that workers are copied from.

Modules stay, and are many objects: the collector is off while they are made, and never looks at them again.
So workers share them with the server as long as they are not written, as the collector does.
"""

from __future__ import annotations

import gc
from importlib import import_module

from volcli.runtime.methods import postpone_methods

gc.disable()
postpone_methods()
for name in (
    "islpy",
    "xdsl.parser",
    "volcli.loading.driver",
    "volcli.gate.findings.analysed",
    "volcli.gate.rules.table",
):
    import_module(name)
gc.freeze()
gc.enable()
