"""The lock that keeps VASSAL's piece ids (gpids) stable over rebuilds: saved games name pieces by them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from toolchain.catalogue import GPID_LOCK
from toolchain.report import Location, Report


@dataclass(frozen=True)
class Lock:
    """Piece ids by counter id. next: the first id never used; ids of counters that are gone stay taken."""

    next: int = 1
    gpids: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The lock as a TOML file, in the order of the ids."""
        lines = [
            f"{json.dumps(k, ensure_ascii=False)} = {n}" for k, n in sorted(self.gpids.items(), key=lambda i: i[1])
        ]
        head = "# Written by the tool: the piece ids of the VASSAL module. Keep this file with the game's data.\n"
        return head + f"format = 1\nnext = {self.next}\n\n[gpids]\n" + "".join(line + "\n" for line in lines)


def read_lock(text: str, file: str, report: Report) -> Lock:
    """Read a lock; whatever is wrong with it is a finding, and what is right is kept.

    text: of the file, empty for a game that has none yet. file: shown in messages.
    """
    where = Location(file=file)
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        report.add(GPID_LOCK, where, f"not TOML: {error}")
        return Lock()
    table = raw.get("gpids", {})
    if not isinstance(table, dict):
        report.add(GPID_LOCK, Location(file=file, key="gpids"), "this must be a table of counter ids and numbers")
        return Lock()
    gpids: dict[str, int] = {}
    owner: dict[int, str] = {}
    for key, number in table.items():
        at = Location(file=file, key=f"gpids.{key}")
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            report.add(GPID_LOCK, at, f"{number!r} is not a whole number from 1")
        elif number in owner:
            report.add(GPID_LOCK, at, f"{number} belongs to {owner[number]!r} already")
        else:
            gpids[key] = number
            owner[number] = key
    least = max(gpids.values(), default=0) + 1
    following = raw.get("next", least)
    if not isinstance(following, int) or isinstance(following, bool) or following < least:
        report.add(GPID_LOCK, Location(file=file, key="next"), f"{following!r} is not a whole number from {least}")
        following = least
    return Lock(following, gpids)


def update_lock(lock: Lock, ids: Iterable[str]) -> Lock:
    """Give the next free ids to counters that have none; ids that were given once stay as they are."""
    gpids, following = dict(lock.gpids), lock.next
    for ident in ids:
        if ident not in gpids:
            gpids[ident] = following
            following += 1
    return Lock(following, gpids)
