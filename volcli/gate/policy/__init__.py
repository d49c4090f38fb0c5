"""What a project asks of the gate: files, codes, severities, limits.

Guarantees: a mistake in a policy is told with its place; no mistake is skipped.

Imports: `diagnostics`, `gate.findings`, `loading`, `passes`, `runtime`.
"""
