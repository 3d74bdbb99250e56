"""The zip around a module or a saved game, read without trusting it.

The directory is judged before anything is unpacked, and whatever is unpacked is bounded: nothing here writes a file,
follows a link or believes a length that the archive states of itself.
"""

from __future__ import annotations

import io
import itertools
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from toolchain.catalogue import ARCHIVE_DAMAGED, ARCHIVE_REFUSED
from toolchain.report import Location, Report
from toolchain.sources.documents import read_bytes

ARCHIVE_LIMIT = 512 * 1024 * 1024
ENTRY_LIMIT = 256 * 1024 * 1024
DIRECTORY_LIMIT = 8 * 1024 * 1024  # of the zip's directory: some fifty thousand entries
TIMES_PACKED = 400  # an entry of more than PACKED_LIMIT bytes that shrinks by more than this is a bomb
PACKED_LIMIT = 64 * 1024 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, eq=False)
class Archive:
    """An archive whose directory is sound. shown: its name in messages. entries: by name, in the archive's order."""

    shown: str
    data: bytes
    entries: Mapping[str, zipfile.ZipInfo]
    _zip: zipfile.ZipFile = field(repr=False)

    def __contains__(self, name: str) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def read(self, name: str, report: Report, limit: int = ENTRY_LIMIT) -> bytes | None:
        """Unpack one entry of at most `limit` bytes; a damaged or larger one is a finding and gives None."""
        where = Location(file=f"{self.shown}/{name}")
        if self.entries[name].file_size > limit:
            size = self.entries[name].file_size / 2**20
            report.add(ARCHIVE_REFUSED, where, f"it unpacks to {size:.0f} MB; at most {limit / 2**20:.0f} MB are read")
            return None
        try:
            with self._zip.open(self.entries[name]) as f:
                return f.read(limit)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            report.add(ARCHIVE_DAMAGED, where, f"it cannot be unpacked: {error}")
            return None

    def head(self, name: str, count: int) -> bytes:
        """Unpack the first bytes of an entry; nothing when it is damaged."""
        try:
            with self._zip.open(self.entries[name]) as f:
                return f.read(count)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError):
            return b""

    def changed(self, changes: Mapping[str, bytes]) -> bytes:
        """Return the archive with some entries' content replaced, or added; without changes, its own bytes.

        Other entries keep their content, order, dates and attributes.
        """
        if not changes:
            return self.data
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as z:
            for name, info in self.entries.items():
                content = changes[name] if name in changes else self._zip.read(info)
                z.writestr(_like(info), content, info.compress_type)
            for name in sorted(set(changes) - set(self.entries)):
                z.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), changes[name], zipfile.ZIP_DEFLATED)
        return out.getvalue()


def _like(info: zipfile.ZipInfo) -> zipfile.ZipInfo:
    out = zipfile.ZipInfo(info.filename, info.date_time)
    out.external_attr, out.create_system, out.comment = info.external_attr, info.create_system, info.comment
    return out


def read_archive(source: Path | bytes, shown: str, report: Report) -> Archive | None:
    """Open an archive; one that is none, damaged or hostile is a finding and gives None.

    source: a file, or what was read of one. shown: its name in messages. Refused are names that lead out of the
    archive, links, encrypted entries, entries that share bytes, methods other than deflate, more than
    ENTRY_LIMIT bytes in one entry, and entries that grow beyond all measure.
    """
    where = Location(file=shown)
    data = read_bytes(source, ARCHIVE_LIMIT, where, report) if isinstance(source, Path) else source
    if data is None:
        return None
    reason = _directory(data)
    if reason:
        report.add(ARCHIVE_DAMAGED if "not a zip" in reason else ARCHIVE_REFUSED, where, reason)
        return None
    try:
        opened = zipfile.ZipFile(io.BytesIO(data))
        infos = opened.infolist()
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error) as error:
        report.add(ARCHIVE_DAMAGED, where, f"not a zip archive: {error}")
        return None
    faults = Report()
    entries: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        fault = _fault(info)
        if not fault and info.filename in entries:
            fault = "the name occurs twice"
        if fault:
            faults.add(ARCHIVE_REFUSED, Location(file=f"{shown}/{info.filename[:80]}"), fault)
        elif not info.is_dir():
            entries[info.filename] = info
    if _overlap(infos):
        faults.add(ARCHIVE_REFUSED, where, "entries share the same bytes, as in archives made to grow")
    report.extend(faults)
    return None if len(faults) else Archive(shown, data, entries, opened)


def _directory(data: bytes) -> str:
    """Judge the size of the directory before it is read: it may list millions of entries. Returns what is wrong.

    Source: APPNOTE.TXT 6.3.10, 4.3.16; engines write no zip64 archive below four gigabytes.
    """
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - 65557))
    if at < 0 or len(data) < at + 22:
        return "not a zip archive: it has no directory at its end"
    if data[max(0, at - 20) : at].startswith(b"PK\x06\x07"):
        return "it is a zip64 archive, made for more than four gigabytes"
    size = int.from_bytes(data[at + 12 : at + 16], "little")
    return f"its directory has {size} bytes; at most {DIRECTORY_LIMIT} are read" if size > DIRECTORY_LIMIT else ""


def _fault(info: zipfile.ZipInfo) -> str:
    name = info.orig_filename
    parts = name.replace("\\", "/").split("/")
    if ".." in parts or name.startswith(("/", "\\")) or ":" in parts[0] or "\0" in name:
        return "its name leads out of the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link"
    if info.flag_bits & 0x1:
        return "it is encrypted"
    if info.compress_type not in _METHODS:
        return f"it is packed by method {info.compress_type}; VASSAL knows deflate alone"
    if info.file_size > ENTRY_LIMIT:
        return f"it unpacks to {info.file_size / 2**20:.0f} MB; at most {ENTRY_LIMIT / 2**20:.0f} MB are read"
    if info.file_size > PACKED_LIMIT and info.file_size > TIMES_PACKED * max(1, info.compress_size):
        return f"it grows {info.file_size // max(1, info.compress_size)} times when it is unpacked"
    return ""


def _overlap(infos: list[zipfile.ZipInfo]) -> bool:
    spans = sorted((i.header_offset, i.header_offset + 30 + i.compress_size) for i in infos)
    return any(following[0] < end for (_, end), following in itertools.pairwise(spans))
