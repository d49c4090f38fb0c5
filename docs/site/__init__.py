"""The site, as MkDocs builds it: pages generated from the code (`pages`), and what each page needs (`hooks`).

Nothing here is part of volcli: a wheel does not have it.
"""
