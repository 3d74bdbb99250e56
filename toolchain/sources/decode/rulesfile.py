"""The form of rules.toml: every table and key as it is written, for pydantic. What each means: modules/README.md."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Strict

from toolchain.sources.decode import Raw

Words = str | tuple[str, ...]
Number = Annotated[float, Strict(), Field(ge=0)]
Whole = Annotated[int, Strict(), Field(ge=0)]
"""No number of the rules is below 0, and neither a text nor true or false will do for one."""
Table = dict[str, Any]


class RawDatum(Raw):
    """What every rule may have: where the printed rules say so, or why it was chosen."""

    cite: str = ""
    assumed: str = ""


class RawTimed(RawDatum):
    """A rule that holds only at times."""

    when: Table | None = None
    unless: Table | None = None


class RawTimes(Raw):
    """Pieces that count so many times over."""

    of: Table
    by: Number


class RawWeighed(RawTimed):
    """A rule that counts pieces, or adds up what they weigh."""

    weigh: str = ""
    times: tuple[RawTimes, ...] = ()


class RawBar(RawTimed):
    """What closes a way."""

    hexside: Words = ()
    link: Words = ()
    downstream_of: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    at: Table | None = None
    into: Table | None = None
    from_: Table | None = Field(None, alias="from")
    of: Table | None = None


class RawEdges(RawDatum):
    """One kind of way."""

    join: Words = ()
    spaces: Table | None = None
    hub: Table | None = None
    rim: Table | None = None
    same: str = ""
    reserved: str = ""
    barred_by: tuple[RawBar, ...] = ()


class RawEntry(RawTimed):
    """A bound of entry."""

    of: Table | None = None
    only: Table | None = None
    never: Table | None = None
    only_at: str = ""
    stays: bool = False


class RawLimit(RawTimed):
    """An exception to a stacking limit."""

    of: Table | None = None
    where: Table | None = None
    at_most: Number | None = None
    unlimited: Literal[True] | None = None


class RawStacking(RawWeighed):
    """A stacking limit."""

    of: Table | None = None
    where: Table | None = None
    at_most: Number | None = None
    per: Words = "side"
    at: Words = ()
    excess: str = ""
    except_: tuple[RawLimit, ...] = Field((), alias="except")


class RawSetupLimit(RawWeighed):
    """A limit on what a set-up places."""

    of: Table | None = None
    where: Table | None = None
    at_most: Number | None = None
    at_least: Number | None = None
    each: Literal["space"] | None = None
    per: Words = ""
    weigh_place: str = ""


class RawApart(RawDatum):
    """Pieces that may not share a space."""

    of: Table | None = None
    by: str = "side"
    where: Table | None = None


class RawCompany(RawTimed):
    """Pieces that need another beside them."""

    of: Table | None = None
    where: Table | None = None
    holds: Table
    at: Words = ()
    otherwise: str = ""


class RawCarry(RawWeighed):
    """Pieces that carry others."""

    carrier: Table
    cargo: Table
    at_most: Number | None = None
    no_more_than: str = ""


class RawCrossing(RawTimed):
    """A limit for one kind of way."""

    hexside: Words = ()
    link: Words = ()
    into: Table | None = None
    from_: Table | None = Field(None, alias="from")
    at_most: Number | None = None
    unlimited: Literal[True] | None = None


class RawHexsideLimit(RawWeighed):
    """How many may cross one way."""

    of: Table | None = None
    moves: Words
    over: Words = ()
    per: Words = "side"
    crossings: tuple[RawCrossing, ...] = ()
    as_stacking: bool = False


class RawProportion(RawWeighed):
    """Which share of pieces has an ability."""

    name: str = Field(min_length=1)
    of: Table | None = None
    where: Table | None = None
    moves: Words = ()
    per: Words = "side"
    counts: tuple[RawTimes, ...] = Field(min_length=1)
    neutral: Table | None = None
    neutral_at_most: Number | None = None
    at_least: Number | str | None = None


class RawCapacity(RawTimed):
    """What a side has on each network."""

    name: str = Field(min_length=1)
    over: Words
    where: Table
    each: Number = 1.0


class RawNegation(RawDatum):
    """What lifts a zone."""

    of: Table | None = None
    for_: Words = Field(alias="for")


class RawCancel(RawDatum):
    """What lifts zones within a range."""

    by: Table
    of: Table | None = None
    within: Whole
    over: Words


class RawEffect(RawDatum):
    """What a zone does."""

    of: Table | None = None
    moves: Words = "move"
    enter: Number | str | None = None
    leave: Number | str | None = None
    from_zone_to_zone: Number | str | None = None
    retreat: Number | str | None = None


class RawZoc(RawTimed):
    """Zones of control."""

    of: Table | None = None
    over: Words
    needs: Words = ()
    legal_entry: bool = False
    negated_by: tuple[RawNegation, ...] = ()
    cancelled_by: tuple[RawCancel, ...] = ()
    effect: RawEffect | None = None
    effects: tuple[RawEffect, ...] = ()


class RawJoined(Raw):
    """What a source must be joined to."""

    to: Table
    over: Words
    within: Table | None = None


class RawSource(RawWeighed):
    """Sources of supply."""

    where: Table
    of: Table | None = None
    joined: RawJoined | None = None
    serves: Number | None = None


class RawStage(Raw):
    """A stretch of a line."""

    over: Words
    at_most: Whole | None = None
    at_most_by: dict[str, dict[str, Whole]] = Field(default_factory=dict)
    beyond: bool = False
    from_: Table | None = Field(None, alias="from")
    each: dict[str, Whole] = Field(default_factory=dict)


class RawWay(RawTimed):
    """A line by its stages."""

    stages: tuple[RawStage, ...]
    of: Table | None = None
    sources: tuple[RawSource, ...] = ()


class RawLine(RawWay):
    """A line of supply."""

    grade: str


class RawExempt(RawTimed):
    """Pieces and spaces that need no line."""

    of: Table | None = None
    where: Table | None = None


class RawAlways(RawExempt):
    """Supply without a line."""

    grade: str


class RawCut(RawTimed):
    """What cuts lines."""

    of: Table | None = None
    needs: Words = ()


class RawTracing(RawDatum):
    """How some pieces trace."""

    of: Table | None = None
    sources: tuple[RawSource, ...] = ()
    through: Table | None = None
    legal_entry: bool = False
    zoc_blocks: bool = False
    cut_by: tuple[RawCut, ...] = ()


class RawSupply(RawTracing):
    """How some pieces trace supply."""

    judged_at: Words = ()
    lines: tuple[RawLine, ...] = ()
    always: tuple[RawAlways, ...] = ()


class RawStatus(RawTracing):
    """What pieces are without such a line."""

    name: str = Field(min_length=1)
    lines: tuple[RawWay, ...] = ()
    always: tuple[RawExempt, ...] = ()


class RawAttrition(RawDatum):
    """What becomes of units out of supply."""

    of: Table | None = None
    supply: Words = "out"
    steps: Whole | None = Field(None, ge=1)
    spared: Table | None = None
    vacant_as: tuple[dict[str, str | int | float | bool], ...] = ()
    vacant_where: Table | None = None


class RawCost(RawDatum):
    """What an action costs."""

    act: Words
    supply: Words
    per: Literal["space", "unit"]
    points: Number
    of: Table | None = None


class RawStepCost(RawTimed):
    """What one step of a move costs."""

    hexside: Words = ()
    link: Words = ()
    into: Table | None = None
    from_: Table | None = Field(None, alias="from")
    in_zone: bool | None = None
    out_of_zone: bool | None = None
    of: Table | None = None
    points: Number | None = None
    more: Number | None = None
    ends: bool | None = None


class RawMovement(RawDatum):
    """How some pieces move."""

    of: Table | None = None
    over: Words
    moves: Words = "move"
    points: str | Number | None = None
    cost: Number = 1.0
    costs: tuple[RawStepCost, ...] = ()
    stops: Table | None = None


class RawHome(RawTimed):
    """Spaces that belong to one side."""

    where: Table
    side: str
    reverts: bool = False


class RawOwning(RawDatum):
    """How pieces decide control."""

    where: Table | None = None
    by: Literal["majority", "occupation", "zone"]
    of: Any = None
    weigh: str = ""
    times: tuple[RawTimes, ...] = ()
    vacant: Literal["nobody", "kept"] = "nobody"
    contested: Literal["nobody", "kept"] = "nobody"


class RawTaking(RawTimed):
    """How control changes hands."""

    of: Table | None = None
    where: Table | None = None
    moves: Words = ()
    ends: Words = ()


class RawControl(RawDatum):
    """Who controls what."""

    holders: Table | None = None
    home: tuple[RawHome, ...] = ()
    rule: tuple[RawOwning, ...] = ()
    taken: tuple[RawTaking, ...] = ()


class RawWithout(RawDatum):
    """A kind of rule that the game does not have."""

    kind: Literal["stacking", "carrying", "places", "control", "zoc", "supply", "moves", "setup"]


class RulesFile(Raw):
    """The whole of rules.toml."""

    format: Literal[1]
    grades: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    counts_as: dict[str, dict[str, str]] = Field(default_factory=dict)
    without: tuple[RawWithout, ...] = ()
    edges: dict[str, RawEdges] = Field(default_factory=dict)
    control: RawControl = Field(default_factory=RawControl)
    entry: tuple[RawEntry, ...] = ()
    stacking: tuple[RawStacking, ...] = ()
    apart: tuple[RawApart, ...] = ()
    company: tuple[RawCompany, ...] = ()
    carry: tuple[RawCarry, ...] = ()
    hexside_limit: tuple[RawHexsideLimit, ...] = ()
    proportion: tuple[RawProportion, ...] = ()
    capacity: tuple[RawCapacity, ...] = ()
    setup_limit: tuple[RawSetupLimit, ...] = ()
    zoc: tuple[RawZoc, ...] = ()
    supply: tuple[RawSupply, ...] = ()
    status: tuple[RawStatus, ...] = ()
    attrition: tuple[RawAttrition, ...] = ()
    cost: tuple[RawCost, ...] = ()
    movement: tuple[RawMovement, ...] = ()
