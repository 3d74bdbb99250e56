"""Tables as CSV text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table; line ends as on Unix, so that versions can be compared."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()
