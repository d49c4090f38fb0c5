"""MARS: what data flows between tiles, partitioned by the tiles that consume it."""
