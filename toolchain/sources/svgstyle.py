"""Styles of an SVG drawing: colours, style sheets and what an element inherits.

Known are the properties that say what a shape is and whether it is seen. Selectors are a tag, a class, an id, a tag
or id with classes, `*`, and lists of these; rules with any other selector are left out, and said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

# The names of CSS Color 4, section 6.1.
_NAMES = """
aliceblue=f0f8ff antiquewhite=faebd7 aqua=00ffff aquamarine=7fffd4 azure=f0ffff beige=f5f5dc bisque=ffe4c4
black=000000 blanchedalmond=ffebcd blue=0000ff blueviolet=8a2be2 brown=a52a2a burlywood=deb887 cadetblue=5f9ea0
chartreuse=7fff00 chocolate=d2691e coral=ff7f50 cornflowerblue=6495ed cornsilk=fff8dc crimson=dc143c cyan=00ffff
darkblue=00008b darkcyan=008b8b darkgoldenrod=b8860b darkgray=a9a9a9 darkgreen=006400 darkgrey=a9a9a9
darkkhaki=bdb76b darkmagenta=8b008b darkolivegreen=556b2f darkorange=ff8c00 darkorchid=9932cc darkred=8b0000
darksalmon=e9967a darkseagreen=8fbc8f darkslateblue=483d8b darkslategray=2f4f4f darkslategrey=2f4f4f
darkturquoise=00ced1 darkviolet=9400d3 deeppink=ff1493 deepskyblue=00bfff dimgray=696969 dimgrey=696969
dodgerblue=1e90ff firebrick=b22222 floralwhite=fffaf0 forestgreen=228b22 fuchsia=ff00ff gainsboro=dcdcdc
ghostwhite=f8f8ff gold=ffd700 goldenrod=daa520 gray=808080 green=008000 greenyellow=adff2f grey=808080
honeydew=f0fff0 hotpink=ff69b4 indianred=cd5c5c indigo=4b0082 ivory=fffff0 khaki=f0e68c lavender=e6e6fa
lavenderblush=fff0f5 lawngreen=7cfc00 lemonchiffon=fffacd lightblue=add8e6 lightcoral=f08080 lightcyan=e0ffff
lightgoldenrodyellow=fafad2 lightgray=d3d3d3 lightgreen=90ee90 lightgrey=d3d3d3 lightpink=ffb6c1
lightsalmon=ffa07a lightseagreen=20b2aa lightskyblue=87cefa lightslategray=778899 lightslategrey=778899
lightsteelblue=b0c4de lightyellow=ffffe0 lime=00ff00 limegreen=32cd32 linen=faf0e6 magenta=ff00ff maroon=800000
mediumaquamarine=66cdaa mediumblue=0000cd mediumorchid=ba55d3 mediumpurple=9370db mediumseagreen=3cb371
mediumslateblue=7b68ee mediumspringgreen=00fa9a mediumturquoise=48d1cc mediumvioletred=c71585
midnightblue=191970 mintcream=f5fffa mistyrose=ffe4e1 moccasin=ffe4b5 navajowhite=ffdead navy=000080
oldlace=fdf5e6 olive=808000 olivedrab=6b8e23 orange=ffa500 orangered=ff4500 orchid=da70d6 palegoldenrod=eee8aa
palegreen=98fb98 paleturquoise=afeeee palevioletred=db7093 papayawhip=ffefd5 peachpuff=ffdab9 peru=cd853f
pink=ffc0cb plum=dda0dd powderblue=b0e0e6 purple=800080 rebeccapurple=663399 red=ff0000 rosybrown=bc8f8f
royalblue=4169e1 saddlebrown=8b4513 salmon=fa8072 sandybrown=f4a460 seagreen=2e8b57 seashell=fff5ee
sienna=a0522d silver=c0c0c0 skyblue=87ceeb slateblue=6a5acd slategray=708090 slategrey=708090 snow=fffafa
springgreen=00ff7f steelblue=4682b4 tan=d2b48c teal=008080 thistle=d8bfd8 tomato=ff6347 turquoise=40e0d0
violet=ee82ee wheat=f5deb3 white=ffffff whitesmoke=f5f5f5 yellow=ffff00 yellowgreen=9acd32
"""
NAMES: Mapping[str, str] = {n: f"#{v}" for n, v in (pair.split("=") for pair in _NAMES.split())}

# What is painted, by property; all of it is inherited but for NOT_INHERITED.
WANTED = frozenset(
    {"fill", "stroke", "stroke-width", "fill-rule", "fill-opacity", "opacity", "color", "visibility", "display"}
    | {"font-family", "font-size", "font-style", "font-weight", "text-anchor"}
)
NOT_INHERITED = frozenset({"display", "clip-path", "mask", "filter"})
EFFECTS = ("clip-path", "mask", "filter")
RULE_LIMIT = 20_000

_SELECTOR = re.compile(r"(\*|[\w-]+)?((?:[.#][\w-]+)*)")


def read_colour(text: str) -> str:
    """Return a colour as #rrggbb; `none` for none and for one that cannot be seen, other text in lower case.

    Known are names, #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), hsl() and hsla(), in numbers or percentages. A
    reference to a gradient or a pattern stays url(#id).
    """
    text = text.strip()
    low = text.casefold()
    if low.startswith("url("):
        inner = text[4:].partition(")")[0].strip(" '\"")
        return f"url({inner})"
    if low == "transparent":
        return "none"
    if low in NAMES:
        return NAMES[low]
    if hit := re.match(r"#([0-9a-f]{3,8})(?:\s|$)", low):
        digits = hit[1] if len(hit[1]) > 4 else "".join(c * 2 for c in hit[1])
        if len(digits) == 6 or (len(digits) == 8 and digits[6:] != "00"):
            return f"#{digits[:6]}"
        return "none" if len(digits) == 8 else low
    if hit := re.match(r"(rgb|hsl)a?\(([^)]*)\)", low):
        parts = [p for p in re.split(r"[\s,/]+", hit[2].strip()) if p]
        try:
            if len(parts) in (3, 4):
                if len(parts) == 4 and float(parts[3].rstrip("%")) == 0:
                    return "none"
                return _rgb(parts[:3]) if hit[1] == "rgb" else _hsl(parts[:3])
        except (ValueError, OverflowError):
            return low
    return low


def _rgb(parts: list[str]) -> str:
    values = [float(p[:-1]) * 255 / 100 if p.endswith("%") else float(p) for p in parts]
    return "#" + "".join(f"{round(min(max(v, 0), 255)):02x}" for v in values)


def _hsl(parts: list[str]) -> str:
    import colorsys

    h, s, light = (float(p.removesuffix("deg").rstrip("%")) for p in parts)
    rgb = colorsys.hls_to_rgb(h / 360 % 1, min(max(light / 100, 0), 1), min(max(s / 100, 0), 1))
    return "#" + "".join(f"{round(v * 255):02x}" for v in rgb)


def part_of(text: str) -> float:
    """Read an opacity, a number or a percentage, as a part from 0 to 1; what cannot be read is 1."""
    text = text.strip()
    try:
        value = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return 1.0
    return min(max(value, 0.0), 1.0) if value == value else 1.0


def declarations(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield property, value and whether it is important, of CSS declarations between semicolons."""
    for part in text.split(";"):
        key, colon, value = part.partition(":")
        value, mark, _ = value.partition("!")
        if colon and value.strip():
            yield key.strip().casefold(), value.strip(), bool(mark)


@dataclass(frozen=True, slots=True)
class _Rule:
    tag: str
    ids: tuple[str, ...]
    classes: frozenset[str]
    weight: tuple[bool, int, int, int, int]  # important, ids, classes, tags, order
    values: Mapping[str, str]


@dataclass(frozen=True)
class StyleSheet:
    """The rules of all <style> elements, by the id, class or tag that they ask for, and what was left `unread`."""

    rules: Mapping[str, tuple[_Rule, ...]] = field(default_factory=dict)
    unread: tuple[str, ...] = ()

    def of(self, tag: str, own_id: str, classes: Iterable[str]) -> dict[str, str]:
        """Return what the sheet says of an element, the weightiest rule last."""
        names = frozenset(classes)
        keys = ("*", tag, f"#{own_id}", *(f".{c}" for c in sorted(names)))
        hits = [
            r
            for key in keys
            for r in self.rules.get(key, ())
            if (not r.tag or r.tag == tag) and all(i == own_id for i in r.ids) and r.classes <= names
        ]
        out: dict[str, str] = {}
        for rule in sorted(hits, key=lambda r: r.weight):
            out.update(rule.values)
        return out


def read_sheet(texts: Iterable[str]) -> StyleSheet:
    """Read style sheets; what is not a rule with a simple selector is named in `unread`."""
    rules: dict[str, list[_Rule]] = {}
    unread: list[str] = []
    order = 0
    text = re.sub(r"/\*.*?(\*/|\Z)", " ", "\n".join(texts), flags=re.DOTALL).replace("<!--", " ").replace("-->", " ")
    for selectors, body in _blocks(text, unread):
        found = list(declarations(body))
        for selector in (s.strip() for s in selectors.split(",")):
            hit = _SELECTOR.fullmatch(selector)
            if not selector or hit is None or order >= RULE_LIMIT:
                unread.append(selector or "an empty selector")
                continue
            marks = re.findall(r"([.#])([\w-]+)", hit[2])
            ids = tuple(name for mark, name in marks if mark == "#")
            classes = frozenset(name for mark, name in marks if mark == ".")
            tag = "" if hit[1] in (None, "*") else hit[1]
            key = f"#{ids[0]}" if ids else f".{min(classes)}" if classes else tag or "*"
            for important in (False, True):
                values = {k: v for k, v, mark in found if mark is important}
                if values:
                    weight = (important, len(ids), len(classes), int(bool(tag)), order)
                    rules.setdefault(key, []).append(_Rule(tag, ids, classes, weight, values))
                    order += 1
    return StyleSheet({k: tuple(v) for k, v in rules.items()}, tuple(unread))


def _blocks(text: str, unread: list[str]) -> Iterator[tuple[str, str]]:
    """Yield selectors and declarations; rules that begin with @ are skipped with all that is in them."""
    at = 0
    while (hit := re.compile(r"[^{};]*([{;}])").match(text, at)) is not None:
        head, at = hit[0][:-1].strip(), hit.end()
        if hit[1] != "{":
            if head.startswith("@") and not head.startswith("@charset"):
                unread.append(head.split()[0])
            continue
        depth, begin = 1, at
        for brace in re.compile(r"[{}]").finditer(text, at):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                break
        end = brace.start() if not depth else len(text)
        at = end + 1
        if head.startswith("@"):
            unread.append(head.split()[0])
        else:
            yield head, text[begin:end]


def computed(element: Any, tag: str, sheet: StyleSheet, above: Mapping[str, str]) -> dict[str, str]:
    """Return the style of an element: its own style before the sheet before its attributes before what it inherits.

    above: the style of the element around it. Colours are as `read_colour` writes them.
    """
    own = {k: v for k in (*WANTED, *EFFECTS) if (v := element.get(k)) is not None}
    if sheet.rules:
        own.update(sheet.of(tag, element.get("id", ""), element.get("class", "").split()))
    if inline := element.get("style"):
        for key, value, _ in declarations(inline):
            own[key] = value
    out = {k: v for k, v in above.items() if k not in NOT_INHERITED}
    for key in (*sorted(WANTED), *EFFECTS):
        value = own.get(key, "").strip()
        if not value or value == "inherit":
            if value and key in above:
                out[key] = above[key]
            continue
        if value in ("initial", "unset"):
            out.pop(key, None)
            continue
        if key == "opacity":  # that of a group is shared by all in it
            out[key] = f"{part_of(value) * part_of(above.get(key, '1')):g}"
        else:
            out[key] = read_colour(value) if key in ("fill", "stroke", "color") else value
    for key in ("fill", "stroke"):
        if out.get(key) == "currentcolor":
            out[key] = out.get("color", "#000000")
    return out
