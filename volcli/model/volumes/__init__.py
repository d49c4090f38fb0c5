"""Volumes: element maps, structural zeros, boundaries and regions of tensors (IMPACT 2023)."""
