"""What a function does to memory: accesses, their buffers, and which access depends on which.

| room          | from below                                                                  |
|---------------|-----------------------------------------------------------------------------|
| `buffers`     | which memory a value refers to, and which effects operations have           |
| `boxes`       | iterations in constant ranges, in plain integers                            |
| `domains`     | the iterations in which an operation runs                                   |
| `accesses`    | which element each iteration accesses                                       |
| `dependences` | which accesses depend on which; `model` is the memory of one function       |
| `occurrence`  | whether something happens for all arguments, or for some                    |
| `loops`       | what loops carry, and which rewrites of them are legal                      |
| `flow`        | which write gave a read its value                                           |
| `lifetimes`   | what uses memory that was freed                                             |
| `checks`      | accesses out of bounds, races, calls                                        |
| `steps`       | one dependence, explained step by step                                      |

Guarantees: what a call, an unknown operation or a loaded index may access, it is taken to access.

Imports: no other room.
"""
