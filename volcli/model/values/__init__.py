"""Bounds of index values and of sizes: computed, compared, exact on both sides (EuroLLVM 2024, value bounds).

| room          | from below                                                                  |
|---------------|-----------------------------------------------------------------------------|
| `terms`       | variables, ranges, sets with their exactness, assumptions                   |
| `outline`     | what each operation states on its own                                       |
| `definitions` | one definition of each variable, over the variables before it               |
| `elimination` | few variables related to each other: the others are projected out           |
| `contexts`    | what holds at a place                                                       |
| `queries`     | the numbers that an expression can be at a place                            |
| `products`    | the same, where values are multiplied by values                             |
| `why`         | the constraints on a bound                                              |
| `store`       | the facade: bounds, comparisons, claims                                     |
| `trust`       | which assumptions an answer needs                                           |
| `sizes`       | sizes as affine forms: shapes, maps and regions are written in these        |
| `slices`      | whether slices overlap                                                      |

Guarantees: bounds contain every value; exact bounds are attained; a comparison is proved, refuted or unknown.

Imports: no other room.
"""
