"""What was known before, what is known now, and the difference.

Guarantees: a finding is "known" only if nothing that it rests on has grown.

Imports: `diagnostics`, `facts`, `gate.findings`, `language`, `model`, `presburger`, `runtime`.
"""
