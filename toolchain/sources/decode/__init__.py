"""Raw values to model: pydantic finds everything that is wrong in a file at once; here it becomes findings."""

from __future__ import annotations

import copy
import reprlib
import types
import typing
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from toolchain.catalogue import MISSING_KEY, UNKNOWN_KEY, WRONG_VALUE
from toolchain.report import Location, Report, did_you_mean


class Raw(BaseModel):
    """The base of everything that a file holds: frozen, and no key that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=False, allow_inf_nan=False)


R = TypeVar("R", bound=BaseModel)

SHORT = reprlib.Repr()
SHORT.maxstring = SHORT.maxlong = SHORT.maxother = 60
ASKED = {
    "string_type": "a word must stand here",
    "bool_type": "true or false must stand here",
    "tuple_type": "a list must stand here",
    "dict_type": "a table { ... } must stand here",
    "model_type": "a table { ... } must stand here",
}
"""What pydantic asks for, by the kind of error, in the words of the file."""


def shown(value: object) -> str:
    """Write a value for a message, and no more of it than can be read."""
    return SHORT.repr(value).lower() if isinstance(value, bool) else SHORT.repr(value)


def decode(kind: type[R], raw: Any, file: str, report: Report, key: str = "") -> R | None:
    """Check raw values against a pydantic model; every error is a finding with its key path.

    kind: the model. raw: what tomllib returned, or a part of it. file: shown in messages. key: path of the part.
    Returns None when anything was wrong.
    """
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        told: set[str] = set()
        for e in error.errors(include_url=False):
            # Where a key may hold one thing or another, pydantic tells of each why it is not that; the first will do.
            if e["type"] not in ("extra_forbidden", "missing"):
                e["loc"] = e["loc"][: len(_way(raw, e["loc"])) - 1]
            path = ".".join([key] * bool(key) + [str(p) for p in e["loc"]])
            if path not in told:
                _report(kind, e, Location(file=file, key=path), report)
            told.add(path)
        return None


def _way(raw: Any, loc: Sequence[int | str]) -> list[Any]:
    """Return what lies on the way of an error into the raw values, as far as it goes; the first is the whole."""
    way = [raw]
    for step in loc:
        try:
            way.append(way[-1][step])
        except (LookupError, TypeError):
            break
    return way


def without_faults(kind: type[R], raw: Any) -> tuple[R | None, list[str]]:
    """Leave out what has not the right form and check the rest: what it says may be wrong too, and can be told at once.

    Returns the rest, None if nothing can be made of it, and the key paths of what was left out.
    """
    raw = copy.deepcopy(raw)
    faults: list[tuple[dict[str, Any], str, str]] = []
    try:
        return kind.model_validate(raw), []
    except ValidationError as error:
        for e in error.errors(include_url=False):
            way = _way(raw, e["loc"])
            # Only keys are left out: the places of a list keep their numbers.
            depth = next((n for n in range(len(way) - 1, 0, -1) if isinstance(way[n - 1], dict)), 0)
            if depth:
                path = ".".join(str(p) for p in e["loc"][:depth])
                faults.append((way[depth - 1], str(e["loc"][depth - 1]), path))
    for table, key, _ in faults:
        table.pop(key, None)
    left_out = [path for _, _, path in faults]
    try:
        return kind.model_validate(raw), left_out
    except ValidationError:
        return None, left_out


def _report(kind: type[BaseModel], e: Any, where: Location, report: Report) -> None:
    if e["type"] == "extra_forbidden":
        known = known_keys(kind, e["loc"][:-1])
        hint = did_you_mean(str(e["loc"][-1]), known)
        if not hint and known:
            hint = "; known here: " + ", ".join(sorted(known))
        report.add(UNKNOWN_KEY, where, f"unknown key{hint}")
    elif e["type"] == "missing":
        report.add(MISSING_KEY, where, "this key must be given")
    else:
        report.add(WRONG_VALUE, where, _what_is_wrong(e, where.key))


def _what_is_wrong(e: Any, key: str) -> str:
    """Say in the words of the file what pydantic found wrong with a value."""
    got = e["input"]
    if e["type"] == "literal_error":
        words = (w.strip().strip("'") for w in e["ctx"]["expected"].replace(" or ", ", ").split(","))
        allowed = [w for w in words if w]
        hint = did_you_mean(got, allowed) if isinstance(got, str) else ""
        if got in allowed:
            hint = f"; write {got} without quotes"
        return f"{shown(got)} is not {'one of ' * (len(allowed) > 1)}{', '.join(allowed)}{hint}"
    text = ASKED.get(e["type"], "") or e["msg"].removeprefix("Value error, ").removeprefix("Input ")
    text = text[0].lower() + text[1:]
    if e["type"] == "tuple_type" and isinstance(got, dict):
        return f"{text}; each table of a list is headed [[{key}]] in a line of its own, or stands in [ ]"
    if not isinstance(got, dict | list):
        text += f", not {shown(got)}"
    return text + f'; write it in quotes: "{got}"' if e["type"] == "string_type" and type(got) in (int, float) else text


def known_keys(kind: Any, path: tuple[int | str, ...]) -> list[str]:
    """Return the keys that the model knows at a path, in any of the alternatives found there."""
    kinds = [kind]
    for step in path:
        following: list[Any] = []
        for k in kinds:
            for leaf in _leaves(k):
                if isinstance(leaf, type) and issubclass(leaf, BaseModel):
                    if isinstance(step, str):
                        following += [f.annotation for n, f in leaf.model_fields.items() if step in (n, f.alias)]
                        if step == leaf.__name__:
                            following.append(leaf)
                else:
                    following += [a for a in typing.get_args(leaf) if a is not Ellipsis]
        kinds = following or kinds
    keys = []
    for k in kinds:
        for leaf in _leaves(k):
            if isinstance(leaf, type) and issubclass(leaf, BaseModel):
                keys += [f.alias or n for n, f in leaf.model_fields.items()]
    return sorted(set(keys))


def _leaves(kind: Any) -> list[Any]:
    """Take unions and annotations apart; containers stay as they are."""
    origin = typing.get_origin(kind)
    if origin is typing.Annotated:
        return _leaves(typing.get_args(kind)[0])
    if origin in (typing.Union, types.UnionType):
        return [leaf for a in typing.get_args(kind) for leaf in _leaves(a)]
    return [kind]
