"""What ends work that takes too long: budgets in isl operations, alarms, and processes that can be ended.

Guarantees: a query whose budget is spent is unknown, with the same outcome in every process.

Imports: `diagnostics`.
"""
