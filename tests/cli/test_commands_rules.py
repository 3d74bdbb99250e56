"""toolchain check on the tiny games that show rules: what a position means, and changes to it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from rulings import ROOT

from toolchain.cli import cli


def run(*words, status=0):
    result = CliRunner().invoke(cli, ["check", words[0], "--root", str(ROOT), *words[1:]])
    assert result.exit_code == status, result.output
    return result


def test_attrition_and_proportions_and_statuses_are_told():
    said = run("seams", "--setup", "lost-raid", "--attrition").stdout
    assert "attrition, lose steps: red-infantry to step 1" in said
    assert "isolated: ge-infantry\n" in run("elements", "--setup", "isolated").stdout
    document = json.loads(run("seams", "--setup", "lost-raid", "--attrition", "--json").stdout)
    assert document["positions"]["lost-raid"]["attrition"]["steps"] == {"red-infantry": 1}


def test_why_tells_of_supply_and_of_every_status():
    said = run("elements", "--setup", "isolated", "--why", "ge-infantry").stdout
    assert "in Catania: supplied (rule SF-S1, assumed)" in said and "in Catania: isolated" in said
    document = json.loads(run("elements", "--setup", "isolated", "--why", "ge-infantry", "--json").stdout)
    assert [w.get("status", "") for w in document["why"]] == ["", "isolated"]


def test_a_list_of_moves_says_which_share_has_an_ability(tmp_path):
    moves = tmp_path / "moves.csv"
    ids = {"ge-infantry": "Bari", "ge-infantry#2": "Lecce", "ge-panzer": "Bari", "ge-motor": "Bari"}
    rows = "".join(f"{i},{at},Taranto,attack\n" for i, at in ids.items())
    moves.write_text("piece,from,to,kind\n" + rows, "utf-8")
    said = run("elements", "--setup", "attack", "--moves", str(moves), "-v")
    assert "AECA of axis: 3 of 9 re, 1/3 (1 neutral) (rule SF-2)" in said.stderr
    assert json.loads(run("elements", "--setup", "attack", "--moves", str(moves), "--json").stdout)["taken"] == []


def test_pieces_come_in_and_states_and_facts_change():
    document = json.loads(run("nations", "--setup", "india", "--place", "uk-fleet#2=Mediterranean", "--json").stdout)
    assert "Mediterranean" in document["positions"]["india"]["control"]["allies"]
    assert "1 error" in run("seams", "--setup", "eight", "--state", "red-airborne=dropped", status=1).stderr
    assert "Axis: 1 out, 2 supplied" in run("elements", "--setup", "line", "--fact", "weather=mud").stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--place", "uk-fleat=India"), "did you mean 'uk-fleet'?"),
        (("--state", "uk-army=wet"), "there is no state 'wet'"),
        (("--cost", "attack"), "(acts: none)"),
        (("--step", "uk-army=2"), "its steps are 0 to 0"),
    ],
)
def test_changes_that_cannot_be_made(options, words):
    assert words in run("nations", "--setup", "india", *options, status=2).stderr


def test_a_game_without_zones_says_so_when_asked():
    said = run("nations", "--setup", "india", "--only", "zoc", "-v").stderr
    assert "P801" in said and "the game has no zones of control (rule 6)" in said


def test_the_picture_shows_control_that_pieces_decide_and_where_lines_stop(tmp_path):
    target = tmp_path / "position.svg"
    run("nations", "--setup", "pacific", "--why", "japan-fleet#3", "--map", str(target))
    bare = tmp_path / "bare.svg"
    run("nations", "--setup", "pacific", "--map", str(bare))
    drawn, before = target.read_text("utf-8"), bare.read_text("utf-8")
    # The outline of what each side holds, and its mark in the key; crosses where lines stop only with a reason.
    for ink, lines in (("#1f5fa8", 2), ("#b3261e", 0)):  # of one side no unit in supply stands away from its source
        assert drawn.count(f'stroke="{ink}"') == 2
        assert before.count(f'stroke="{ink}"') == 2 + lines, "also the lines of all units, where none was asked for"
    assert 'label="Supply"' in before and 'label="Supply"' not in drawn
    assert drawn.count('stroke="#d0021b"') - before.count('stroke="#d0021b"') == 3, "India, China, and the key"


def test_the_picture_is_drawn_of_what_breaks_rules_too(tmp_path):
    target = tmp_path / "crowded.svg"
    run("nations", "--setup", "crowded", "--map", str(target), status=1)
    assert 'fill="#d0021b"' in target.read_text("utf-8"), "the sign of a finding"


def test_quiet_leaves_out_all_but_what_was_asked_for():
    said = run("seams", "--setup", "lost-raid", "-q", "--attrition", "--why", "red-infantry").stdout
    assert "pieces" not in said
    assert "attrition, lose steps: red-infantry to step 1" in said and "out of supply" in said


def test_a_fact_that_no_rule_asks_for_is_refused():
    said = run("elements", "--setup", "line", "--fact", "wether=mud", status=2).output
    assert "no rule asks for a fact 'wether'; did you mean 'weather'? (facts: " in said


def test_units_of_which_the_rules_cannot_tell_are_counted_apart():
    document = json.loads(run("seams", "--setup", "raid", "--json").stdout)
    facts = document["positions"]["raid"]
    undecided = {f["facts"]["piece"] for f in document["findings"] if f["code"] == "P302"}
    assert undecided == {i for i, grade in facts["units"].items() if grade == "undecided"}
