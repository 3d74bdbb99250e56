"""The encodings of VASSAL: what is written is read back, whatever stands in the fields."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolchain.export.vassal.saves import build_save
from toolchain.report import Report
from toolchain.sources.vassal.codec import (
    Command,
    decode,
    decode_commands,
    decode_list,
    encode,
    encode_command,
    encode_list,
    nest,
    nest_states,
    unnest,
    unnest_states,
    unveil,
    veil,
)
from toolchain.sources.vassal.pieces import add_piece, add_stack, expand, read_piece
from toolchain.sources.vassal.saves import read_save
from toolchain.sources.vassal.traits import (
    TRAITS,
    BasicPiece,
    Layer,
    Marker,
    Trait,
    UsePrototype,
    Verbatim,
    read_trait,
)

# Everything that the format treats in a special way, and what players write.
FIELD = st.text(st.sampled_from(";,/\\\t'\x1b|:äéß ŁaZ09$+"), max_size=12)
DELIMITERS = st.sampled_from([";", ",", "/", "\t", "\x1b", "|"])


@given(DELIMITERS, st.lists(FIELD, min_size=1, max_size=6))
def test_sequence(delimiter: str, items: list[str]) -> None:
    assert decode(delimiter, encode(delimiter, items)) == items


@given(st.lists(FIELD, max_size=6).filter(lambda items: items != [""]))
def test_list(items: list[str]) -> None:
    assert decode_list(encode_list(items)) == tuple(items)


def test_sequence_by_hand() -> None:
    # Values of the engine's SequenceEncoder.
    assert encode(";", ["a;b", "", "\\x", "'q'"]) == "a\\;b;;'\\x';''q''"
    assert decode(";", "a;") == ["a", ""]
    assert decode(";", "") == [""]
    assert decode(";", "a\\\\;b") == ["a\\;b"]


def test_backslash_at_the_end_is_quoted() -> None:
    # The engine reads this well and never writes it; left bare, the backslash would swallow the delimiter.
    assert encode(";", ["a\\", "b"]) == "'a\\';b"
    assert encode(";", ["a", "b\\"]) == "a;b\\"


@given(st.lists(FIELD, min_size=1, max_size=8))
def test_nest(items: list[str]) -> None:
    assert unnest(nest(items)) == items
    assert unnest_states(nest_states(items), len(items)) == items


def test_nest_by_hand() -> None:
    assert nest(["a", "b", "c", "d"]) == "a\tb\\\tc\\\\\td"


@given(st.text(st.sampled_from("\t\\'a;"), max_size=20), st.integers(1, 5))
def test_nests_are_taken_apart_as_the_engine_takes_them_one_by_one(text: str, depth: int) -> None:
    def one_by_one(most: int) -> tuple[list[str], list[str]]:
        items, rest = list[str](), [text]
        while len(items) < most and len(inner := decode("\t", rest[0])) == 2:
            items.append(inner[0])
            rest = inner[1:]
        return items, rest

    items, rest = one_by_one(99)
    if len(last := decode("\t", rest[0])) == 1:
        assert unnest(text) == [*items, *last]
    else:
        with pytest.raises(ValueError, match="nest"):
            unnest(text)
    items, rest = one_by_one(depth - 1)
    if len(items) == depth - 1:
        assert unnest_states(text, depth) == [*items, *rest]
    else:
        with pytest.raises(ValueError, match=r"nest|states"):
            unnest_states(text, depth)


def test_deep_nests_are_refused() -> None:
    assert len(unnest(nest(["a"] * 300))) == 300  # where all prototypes are expanded
    with pytest.raises(ValueError, match="nest"):
        unnest(nest(["a"] * 2000))
    command = Command("a")
    for _ in range(200):
        command = Command("b", (command,))
    with pytest.raises(ValueError, match="deep"):
        list(decode_commands(encode_command(command)))


COMMANDS = st.recursive(
    FIELD.filter(lambda t: "\x1b" not in t).map(Command),
    lambda inner: st.builds(
        Command, FIELD.filter(lambda t: "\x1b" not in t), st.lists(inner, min_size=1, max_size=4).map(tuple)
    ),
    max_leaves=12,
)


@given(COMMANDS)
def test_command_tree(command: Command) -> None:
    def in_order(c: Command) -> list[str]:
        return [c.text, *(text for under in c.under for text in in_order(under))]

    assert list(decode_commands(encode_command(command))) == in_order(command)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_veil(text: str) -> None:
    assert unveil(veil(text)) == text
    assert unveil(b"!VCSK00" + text.encode().hex().encode()) == text


def test_veil_by_hand() -> None:
    assert veil("begin_save\x1bend_save") == b"!VCSK5a383f3d333405293b2c3f413f343e05293b2c3f"
    assert unveil(b"begin_save") == "begin_save"


VALUES = {
    "str": FIELD,
    "int": st.integers(-(10**6), 10**6),
    "float": st.floats(-1e6, 1e6, allow_nan=False),
    "bool": st.booleans(),
    "tuple[str, ...]": st.lists(FIELD, max_size=4).filter(lambda v: v != [""]).map(tuple),
}


def traits() -> st.SearchStrategy[Trait]:
    """Draw any trait with awkward fields."""

    def of(kind: type[Trait]) -> st.SearchStrategy[Trait]:
        if kind is Marker:
            names = st.lists(FIELD, min_size=1, max_size=4)
            return names.flatmap(lambda n: st.builds(Marker, st.just(tuple(n)), st.tuples(*([FIELD] * len(n)))))
        return st.builds(kind, **{f.name: VALUES[str(f.type)] for f in dataclasses.fields(kind)})

    return st.sampled_from(TRAITS).flatmap(of)


@given(traits())
def test_trait(trait: Trait) -> None:
    assert read_trait(trait.definition, trait.state) == trait


@given(st.lists(traits(), min_size=1, max_size=6))
def test_piece(nested: list[Trait]) -> None:
    assert read_piece(add_piece("17", nested)) == ("17", tuple(nested))


@given(FIELD, FIELD)
def test_unknown_trait_is_kept(body: str, state: str) -> None:
    trait = read_trait("nobody;" + body, state)
    assert isinstance(trait, Verbatim)
    assert (trait.definition, trait.state) == ("nobody;" + body, state)


@pytest.mark.parametrize(
    ("definition", "state"),
    [("emb2;old;form", "1"), ("emb2;" + ";" * 40, "x"), ("piece;;;a.png;A", "Map;one;2;17;0"), ("mark", "")],
)
def test_known_trait_in_another_form_is_kept(definition: str, state: str) -> None:
    trait = read_trait(definition, state)
    assert (trait.definition, trait.state) == (definition, state)
    assert isinstance(trait, Verbatim)


def test_piece_by_hand() -> None:
    # Decoded from a saved game of the engine.
    text = "+/101/mark;Side,Steps\tpiece;;;inf.png;1\\/5 Inf/Axis,2\tMain Map;40;105;17;0"
    ident, nested = read_piece(text)
    assert nested == (
        Marker(("Side", "Steps"), ("Axis", "2")),
        BasicPiece("", "", "inf.png", "1/5 Inf", "Main Map", 40, 105, "17"),
    )
    assert add_piece(ident, nested) == text
    assert add_stack("103", ("Main Map", 40, 105), ["101", "102"], 0) == "+/103/stack/Main Map;40;105;101;102;@@0"


def test_piece_with_states_missing_is_refused() -> None:
    with pytest.raises(ValueError, match="2 traits and 1 states"):
        read_piece("+/1/mark;A\tpiece;;;;/x")
    with pytest.raises(ValueError, match="adds a piece"):
        read_piece("M/1/2/3")


def test_prototypes_expand_in_place() -> None:
    inner = (Marker(("A",), ("1",)), UsePrototype("deeper"), BasicPiece())
    prototypes = {"outer": inner, "deeper": (Marker(("B",), ("2",)), BasicPiece())}
    piece = (UsePrototype("outer"), Layer(name="Step"), BasicPiece(name="x"))
    assert expand(piece, prototypes) == (
        Marker(("A",), ("1",)),
        Marker(("B",), ("2",)),
        Layer(name="Step"),
        BasicPiece(name="x"),
    )


def test_save_is_read_back() -> None:
    save = build_save(["+/1/piece;;;;A/Map;1;2;3;0"], ["MapBoardPicker\tmain\t0\t0"], b"<data/>", b"<data/>")
    report = Report()
    read = read_save(save, "x.vsav", report)
    assert read is not None and list(report) == []
    assert read.commands == (
        "begin_save",
        "+/1/piece;;;;A/Map;1;2;3;0",
        "MapBoardPicker\tmain\t0\t0",
        "end_save",
    )


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x05\x06" + b"\0" * 18])
def test_broken_save_is_refused(data: bytes) -> None:
    report = Report()
    assert read_save(data, "x.vsav", report) is None
    assert [f.rule.code for f in report] == ["V301"]
