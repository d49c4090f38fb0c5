"""The rules: one file for each kind of finding. `table.py` lists them."""
