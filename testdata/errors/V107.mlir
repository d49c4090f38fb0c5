// No operation: comments and an alias only.
#identity = affine_map<(d0) -> (d0)>
