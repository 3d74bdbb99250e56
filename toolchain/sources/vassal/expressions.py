"""VASSAL's expressions, read far enough to say whether they parse and which properties and functions they name.

Source: BeanShell's grammar of expressions, which is Java's, and the matches =~ and !~ that VASSAL adds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

DEPTH = 200
LENGTH = 100_000
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?[lLfFdD]?|\.\d+)|(?P<name>[^\W\d][\w$]*)|(?P<text>"(?:[^"\\]|\\.)*")
    |(?P<sign>'(?:[^'\\]|\\.)*')|(?P<open>[\"'])
    |(?P<op>>>>=?|<<=|>>=|<<|>>|=~|!~|==|!=|<=|>=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%<>=!~&|^?:.,;()\[\]{}]|\$[^$]*\$))""",
    re.VERBOSE | re.DOTALL,
)
_BINARY = frozenset(
    "* / % + - << >> >>> < > <= >= == != =~ !~ & ^ | && || = += -= *= /= %= &= |= ^= >>= <<= instanceof".split()  # noqa: SIM905
)
_UNARY = frozenset(["+", "-", "!", "~", "++", "--"])
_WORDS = {"true", "false", "null", "new", "instanceof", "this"}
# Words of Java that may stand before a dot or a bracket and are no properties.
_CLASSES = {"Math", "Integer", "String", "Double", "Float", "Long", "Boolean", "Character", "java", "javax", "VASSAL"}


@dataclass
class Read:
    """What an expression names. names: properties; called: functions with the number of what they are given.

    texts: its texts, unquoted, for functions that take expressions or names of properties.
    """

    names: list[str] = field(default_factory=list)
    called: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


class FaultError(ValueError):
    """An expression that does not parse; its text says what is wrong and where."""


def read_expression(text: str) -> Read:
    """Read an expression, without its braces. Raises FaultError when it does not parse."""
    if len(text) > LENGTH:
        raise FaultError(f"it is {len(text)} characters long")
    parser = _Parser(list(_tokens(text)))
    while True:
        while parser.take(";"):
            pass
        if parser.at >= len(parser.tokens):
            return parser.read
        parser.expression(0)
        if parser.at < len(parser.tokens) and parser.peek() != ";":
            raise FaultError(f"{parser.peek()!r} does not follow what stands before it")


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at, end = 0, len(text.rstrip())
    while at < end:
        hit = _TOKEN.match(text, at)
        if hit is None:
            raise FaultError(f"{text[at : at + 10].strip()!r} means nothing here")
        kind = str(hit.lastgroup)
        if kind == "open":
            raise FaultError(f"a text that does not end: {text[hit.start(kind) : hit.start(kind) + 20]}")
        yield kind, hit.group(kind)
        at = hit.end()


class _Parser:
    """A recursive descent over the tokens; how tightly signs bind does not matter to what is asked."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens, self.at, self.read = tokens, 0, Read()

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self, sign: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at] == ("op", sign):
            self.at += 1
            return True
        return False

    def want(self, sign: str) -> None:
        if not self.take(sign):
            found = f"at {self.peek()!r}" if self.peek() else "at its end"
            raise FaultError(f"{sign!r} is missing {found}")

    def expression(self, depth: int) -> None:
        if depth > DEPTH:
            raise FaultError("it nests too deep")
        self.unary(depth + 1)
        while self.peek() in _BINARY:
            self.at += 1
            self.unary(depth + 1)
        if self.take("?"):
            self.expression(depth + 1)
            self.want(":")
            self.expression(depth + 1)

    def unary(self, depth: int) -> None:
        while self.at < len(self.tokens) and self.tokens[self.at][0] == "op" and self.peek() in _UNARY:
            self.at += 1
        self.primary(depth)
        while True:
            if self.take("."):
                if self.at >= len(self.tokens) or self.tokens[self.at][0] != "name":
                    raise FaultError("a name is missing after '.'")
                self.at += 1
                if self.take("("):
                    self.given(depth)
            elif self.take("["):
                self.expression(depth + 1)
                self.want("]")
            elif self.peek() in ("++", "--"):
                self.at += 1
            else:
                return

    def primary(self, depth: int) -> None:
        if self.at >= len(self.tokens):
            raise FaultError("a value is missing at its end")
        kind, text = self.tokens[self.at]
        if kind in ("number", "text", "sign"):
            self.at += 1
            if kind == "text":
                self.read.texts.append(unquoted(text))
        elif kind == "name":
            self.named(text, depth)
        elif self.take("("):
            self.expression(depth + 1)
            self.want(")")
            # A cast, such as (int) x.
            if self.at < len(self.tokens) and self.tokens[self.at][0] in ("name", "number") and self._cast():
                self.unary(depth + 1)
        elif text.startswith("$"):
            self.at += 1
        else:
            raise FaultError(f"a value is missing at {text!r}")

    def _cast(self) -> bool:
        before = [t for _, t in self.tokens[max(0, self.at - 3) : self.at]]
        return before[0] == "(" and before[-1] == ")" and before[1] in ("int", "float", "double", "long", "String")

    def named(self, text: str, depth: int) -> None:
        self.at += 1
        if text == "new":
            if self.at >= len(self.tokens) or self.tokens[self.at][0] != "name":
                raise FaultError("a class is missing after 'new'")
            self.at += 1
        elif self.peek() == "(":
            start = self.at + 1
            self.at += 1
            self.given(depth)
            given = [unquoted(t) for kind, t in self.tokens[start : self.at - 1] if kind == "text"]
            self.read.called.append((text, tuple(given)))
            return
        elif text not in _WORDS and text not in _CLASSES:
            self.read.names.append(text)

    def given(self, depth: int) -> None:
        if self.take(")"):
            return
        while True:
            self.expression(depth + 1)
            if self.take(")"):
                return
            self.want(",")


def unquoted(text: str) -> str:
    """Return what a quoted text stands for."""
    return re.sub(r"\\(.)", r"\1", text[1:-1])
