"""buildFile.xml: an element is a Java class, its attributes are the component's settings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from lxml import etree

Element: TypeAlias = etree._Element

# What XML cannot hold at all.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_BUILD = "VASSAL.build."
# Short names of packages, so that the tree reads like what it makes.
_PACKAGES = {
    "module": _BUILD + "module.",
    "map": _BUILD + "module.map.",
    "board": _BUILD + "module.map.boardPicker.",
    "grid": _BUILD + "module.map.boardPicker.board.",
    "mapgrid": _BUILD + "module.map.boardPicker.board.mapgrid.",
    "turn": _BUILD + "module.turn.",
    "properties": _BUILD + "module.properties.",
    "documentation": _BUILD + "module.documentation.",
    "widget": _BUILD + "widget.",
    "i18n": "VASSAL.i18n.",
}


def part(kind: str, children: Iterable[Element] = (), content: str = "", /, **settings: object) -> Element:
    """Make an element.

    kind: "package.Class" with a short package name, a class of VASSAL.build, or a plain tag in lower case. content:
    its text. settings: attributes in the order of the file; a trailing underscore, for names that Python keeps for
    itself, is dropped.
    """
    package, dot, name = kind.partition(".")
    tag = _PACKAGES[package] + name if dot else (_BUILD + kind if kind[0].isupper() else kind)
    element = etree.Element(tag, {k.rstrip("_"): written(v) for k, v in settings.items()})
    element.extend(list(children))
    if content:
        element.text = legal(content)
    return element


def written(value: object) -> str:
    """Write a setting: truth values as Java does, everything else as it prints."""
    return ("true" if value else "false") if isinstance(value, bool) else legal(str(value))


def legal(text: str) -> str:
    """Leave out the characters that XML cannot hold."""
    return _ILLEGAL.sub("", text)


def build_xml(root: Element) -> bytes:
    """Write the tree, one element a line."""
    etree.indent(root, "  ")
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8")) + b"\n"


def read_xml(data: bytes) -> Element:
    """Read a build file without entities, network or unbounded depth. Raises ValueError when it is not XML."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"not XML: {error}") from error
