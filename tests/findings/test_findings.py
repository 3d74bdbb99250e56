"""Every code of the catalogue has a page, a case that raises it and a case beside it that does not."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from toolchain.catalogue import CATALOGUE

# Each module cases_*.py has CASES: code -> (a call that raises it, a call that does not), from a folder to findings.
CASES = {}
for file in sorted(Path(__file__).parent.glob("cases_*.py")):
    for code, pair in importlib.import_module(file.stem).CASES.items():
        assert code not in CASES, f"{code} has cases twice"
        CASES[code] = pair


def test_every_code_has_cases_and_every_case_a_code():
    assert sorted(CASES) == [rule.code for rule in CATALOGUE]


def test_codes_and_names_are_unique_and_well_formed():
    assert len({rule.code for rule in CATALOGUE}) == len(CATALOGUE) == len({rule.name for rule in CATALOGUE})
    for rule in CATALOGUE:
        assert re.fullmatch(r"[SMGCRPV]\d{3}", rule.code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)


@pytest.mark.parametrize("rule", CATALOGUE, ids=lambda rule: rule.code)
def test_page_is_complete(rule):
    for part in (rule.summary, rule.why, rule.mend):
        assert part.endswith("."), part
    assert rule.example.startswith(f"{rule.severity} {rule.code}"), rule.example


@pytest.mark.parametrize("code", sorted(CASES))
def test_raised_and_not_raised(code, tmp_path):
    raises, does_not = CASES[code]
    for name in ("bad", "good"):
        (tmp_path / name).mkdir()
    bad = [f for f in raises(tmp_path / "bad") if f.rule.code == code]
    assert bad, f"{code} was not raised"
    for finding in bad:
        assert finding.message and str(finding.where), "a finding says what and where"
    assert code not in {f.rule.code for f in does_not(tmp_path / "good")}
