"""The build file of any module as a tree that writes itself back byte for byte.

Every component keeps the bytes of its own tags and of the text between its parts, so that whatever nobody changed,
known or not, comes out as it went in. The standard library's expat is used because it tells the byte at which each
tag stands, which lxml does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

BUILD_LIMIT = 64 * 1024 * 1024
DEPTH = 100  # real modules stay below twenty
MOST = 300_000  # components; the largest modules have some fifty thousand
_OPENING = re.compile(rb"<(?:[^>\"']+|\"[^\"]*\"|'[^']*')*>")
_PACKAGES = re.compile(r"^VASSAL\.(?:[a-z]\w*\.)*")
_BREAKS = {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}


@lru_cache(maxsize=4096)
def _kind(tag: str) -> str:
    return _PACKAGES.sub("", tag)


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """One element. tag: the name of its Java class. settings: attributes. line: in the file, from 1.

    text: what stands directly in it, decoded. content: raw bytes between its parts, and the parts, in order.
    """

    tag: str
    settings: Mapping[str, str]
    line: int
    text: str
    content: tuple[bytes | Component, ...]
    opening: bytes
    closing: bytes

    @property
    def kind(self) -> str:
        """The name of the class without VASSAL's packages; a class of the module's own keeps its whole name."""
        return _kind(self.tag)

    @property
    def parts(self) -> tuple[Component, ...]:
        """The components directly under this one."""
        return tuple(c for c in self.content if isinstance(c, Component))

    @property
    def name(self) -> str:
        """The name that makers know it by, or an empty string."""
        known = (
            self.settings.get(k, "") for k in ("name", "mapName", "entryName", "chartName", "title", "description")
        )
        return next((n for n in known if n), "")

    def get(self, setting: str, default: str = "") -> str:
        """Return a setting, or the default when it is not given."""
        return self.settings.get(setting, default)

    def walk(self) -> Iterator[Component]:
        """Yield this component and all below it, in the order of the file."""
        todo = [self]
        while todo:
            here = todo.pop()
            yield here
            todo.extend(reversed(here.parts))

    def all(self, *kinds: str) -> Iterator[Component]:
        """Yield the components of these kinds, in the order of the file."""
        return (c for c in self.walk() if c.kind in kinds)

    def with_settings(self, **settings: str) -> Component:
        """Return the component with some settings changed; its parts stay as they are."""
        merged = {**self.settings, **settings}
        words = "".join(f" {k}={quoteattr(v, _BREAKS)}" for k, v in merged.items())
        closed = "/" if not self.closing else ""
        return replace(self, settings=merged, opening=f"<{self.tag}{words}{closed}>".encode())

    def with_text(self, text: str) -> Component:
        """Return a component without parts whose text is this one."""
        bare = self.opening.rstrip(b"/>").rstrip() + b">"
        return replace(
            self, text=text, content=(escape(text).encode(),), opening=bare, closing=f"</{self.tag}>".encode()
        )

    def with_parts(self, change: Mapping[Component, Component]) -> Component:
        """Return the tree with some components, at any depth, in the place of others."""
        if self in change:
            return change[self]
        content = tuple(c.with_parts(change) if isinstance(c, Component) else c for c in self.content)
        same = all(a is b for a, b in zip(content, self.content, strict=True))
        return self if same else replace(self, content=content)

    def written(self) -> bytes:
        """Return the bytes of the component and all below it."""
        inner = b"".join(c if isinstance(c, bytes) else c.written() for c in self.content)
        return self.opening + inner + self.closing


@dataclass(frozen=True, slots=True)
class BuildFile:
    """A build file: what stands before and after its root, and the root."""

    before: bytes
    root: Component
    after: bytes

    def written(self) -> bytes:
        """Return the bytes of the file."""
        return self.before + self.root.written() + self.after


class _Open:
    """A component that is being read."""

    __slots__ = ("at", "content", "end", "line", "settings", "tag", "texts")

    def __init__(self, tag: str, settings: dict[str, str], line: int, at: int, end: int) -> None:
        self.tag, self.settings, self.line, self.at, self.end = tag, settings, line, at, end
        self.texts: list[str] = []
        self.content: list[bytes | Component] = []


def read_build_file(data: bytes) -> BuildFile:
    """Read a build file of any age. Raises ValueError for what is no XML, has entities, or is too large or deep."""
    if len(data) > BUILD_LIMIT:
        raise ValueError(f"it has more than {BUILD_LIMIT // 2**20} MB")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:4].count(0):
        raise ValueError("it is not written in UTF-8")
    reader = _Reader(data)
    try:
        reader.parser.Parse(data, True)
    except (expat.ExpatError, LookupError) as error:
        raise ValueError(f"not XML: {error}") from error
    root = reader.root
    if root is None:
        raise ValueError("not XML: there is no element")
    return BuildFile(data[: reader.span[0]], root, data[reader.span[1] :])


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.open: list[_Open] = []
        self.root: Component | None = None
        self.span = (0, 0)
        self.mark = 0  # up to here the bytes of the innermost open component are accounted for
        self.count = 0
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        self.parser = parser

    def _refuse(self, *_: Any) -> None:
        raise ValueError("it declares a document type, which VASSAL never writes; entities are not read")

    def _text(self, text: str) -> None:
        if self.open:
            self.open[-1].texts.append(text)

    def _start(self, tag: str, settings: dict[str, str]) -> None:
        at = self.parser.CurrentByteIndex
        self.count += 1
        if len(self.open) >= DEPTH:
            raise ValueError(f"its components nest deeper than {DEPTH}")
        if self.count > MOST:
            raise ValueError(f"it has more than {MOST} components")
        hit = _OPENING.match(self.data, at)
        if hit is None:
            raise ValueError(f"line {self.parser.CurrentLineNumber}: a tag that does not end")
        if self.open and self.mark < at:
            self.open[-1].content.append(self.data[self.mark : at])
        self.open.append(_Open(tag, settings, self.parser.CurrentLineNumber, at, hit.end()))
        self.mark = hit.end()

    def _end(self, _: str) -> None:
        at = self.parser.CurrentByteIndex
        o = self.open.pop()
        closing = b""
        if not self.data.endswith(b"/>", o.at, o.end):
            if self.mark < at:
                o.content.append(self.data[self.mark : at])
            end = self.data.index(b">", at) + 1
            closing = self.data[at:end]
            self.mark = end
        component = Component(
            o.tag, o.settings, o.line, "".join(o.texts), tuple(o.content), self.data[o.at : o.end], closing
        )
        if self.open:
            self.open[-1].content.append(component)
        else:
            self.root, self.span = component, (o.at, self.mark)
