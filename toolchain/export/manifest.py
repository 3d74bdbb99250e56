"""What is printed: a manifest of all counters, for the print shop and for counting what comes back."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter as Tally
from collections.abc import Sequence
from typing import Any

from toolchain.model.forces import Counter
from toolchain.model.position import Position

COLUMNS = ("id", "name", "side", "nation", "kind", "role", "size", "layout", "steps", "copies", "most_used")


def manifest_rows(counters: Sequence[Counter], setups: Sequence[Position], size: str) -> list[dict[str, Any]]:
    """Return one row for each counter. most_used: the most that any set-up places; size: of counters that name none."""
    used: Tally[str] = Tally()
    for setup in setups:
        used |= Tally(p.counter for p in setup.pieces)
    return [
        {
            "id": c.id,
            "name": c.name,
            "side": c.side,
            "nation": c.nation,
            "kind": c.kind,
            "role": c.role,
            "size": c.size or size,
            "layout": c.layout,
            "steps": len(c.faces),
            "copies": c.copies,
            "most_used": used[c.id],
        }
        for c in counters
    ]


def manifest_csv(rows: Sequence[dict[str, Any]]) -> bytes:
    """Write the manifest as CSV (UTF-8), which any spreadsheet opens."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def manifest_json(rows: Sequence[dict[str, Any]]) -> bytes:
    """Write the manifest as JSON: totals by side, kind, role and size, by kind within each side, and every counter."""

    def total(some: Sequence[dict[str, Any]], part: str) -> dict[str, int]:
        out: Tally[str] = Tally()
        for row in some:
            out[str(row[part])] += int(row["copies"])
        return dict(sorted(out.items()))

    totals: dict[str, Any] = {part: total(rows, part) for part in ("side", "kind", "role", "size")}
    totals["side and kind"] = {s: total([r for r in rows if r["side"] == s], "kind") for s in totals["side"]}
    document = {"counters": sum(int(r["copies"]) for r in rows), "kinds": len(rows), "by": totals, "rows": list(rows)}
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()
