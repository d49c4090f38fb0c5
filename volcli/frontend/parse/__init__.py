"""From text to operations: xDSL's parser, what it lacks, and recovery from what cannot be read."""
