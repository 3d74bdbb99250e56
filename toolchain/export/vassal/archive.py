"""The zip around a module and a saved game: the same content gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from lxml import etree

from toolchain.export.vassal.buildfile import build_xml, legal

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip can hold
_SAVED = "315532800000"  # the same in milliseconds since 1970


def build_zip(entries: Mapping[str, bytes]) -> bytes:
    """Write a zip of sorted entries, none of which tells the time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as z:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, _FIRST_DAY)
            # Pictures are packed already; packing them again costs time and gains nothing.
            packed = name.endswith((".png", ".jpg", ".vsav"))
            info.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            z.writestr(info, entries[name])
    return out.getvalue()


def build_data(version: str, vassal: str, description: str, name: str | None) -> bytes:
    """Write moduledata, or savedata when there is no name.

    version: of the module. vassal: the lowest version of VASSAL that may open it.
    """
    texts = [("version", version), ("extra1", ""), ("extra2", ""), ("VassalVersion", vassal), ("dateSaved", _SAVED)]
    texts += [("description", description)] + ([] if name is None else [("name", name)])
    root = etree.Element("data", {"version": "1"})
    for tag, text in texts:
        etree.SubElement(root, tag).text = legal(text)
    return build_xml(root)
