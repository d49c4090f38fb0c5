"""MARS: what data flows between tiles, partitioned by the tiles that consume it.

From below: `tilings`, `footprints` of tiles, `partition` of footprints by their consumers, `allocation`.

Guarantees: the sets partition what whole tiles exchange; where the premises are not proved, the answer says
so.

Imports: no other room.
"""
