"""Integer sets and relations: the only room that knows isl's positions, and the budget of its calls.

| module      | what                                                                        |
|-------------|-----------------------------------------------------------------------------|
| `budget`    | a bound on isl's operations, deterministic, per query                       |
| `build`     | index expressions to isl: boxes, maps, conditions                           |
| `box`       | box hulls, hyperrectangles, strides, counts                                 |
| `names`     | tuple and dimension names for what is printed                               |
"""
