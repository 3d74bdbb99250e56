"""What is found on the sheets of a map and on their arrangements, said once and with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from toolchain.checks.against import check_against, check_pairs
from toolchain.model.warmap import WarMap
from toolchain.report import Finding
from toolchain.sources.decode.maps import MapPlan


def check_arranged(found: Mapping[str, Iterable[Finding]]) -> Iterator[Finding]:
    """Join what was found on several arrangements: each once, with the names of those of which only it is true.

    found: findings by arrangement; a map of one sheet, or one arrangement, is the only one.
    """
    first: dict[tuple[object, ...], Finding] = {}
    names: dict[tuple[object, ...], list[str]] = {}
    for arrangement, findings in found.items():
        for finding in findings:
            key = (finding.rule.code, finding.where, finding.message)
            first.setdefault(key, finding)
            if arrangement not in names.setdefault(key, []):
                names[key].append(arrangement)
    for found_at, finding in first.items():
        here = names[found_at]
        if len(here) < len(found):
            facts = {**finding.facts, "arrangements": here}
            finding = replace(finding, message=f"{finding.message} (in {', '.join(here)})", facts=facts)
        yield finding


def check_sheets(plan: MapPlan, warmaps: Mapping[str, WarMap]) -> Iterator[Finding]:
    """Hold each sheet of several to its own table made by hand and its own [fit]. warmaps: the sheets by name."""
    for one in plan.sheets:
        name, fit = one.data.sheet.name, one.data.fit
        found = [*check_against(warmaps[name], one.hand)]
        found += check_pairs(warmaps[name], fit.adjacent, fit.apart) if fit is not None else ()
        for finding in found:
            where = replace(finding.where, key=one.at(finding.where.key).key) if finding.where.key else finding.where
            where = replace(where, space=f"{name}-{where.space}" if where.space else "")
            yield replace(finding, where=where, facts={**finding.facts, "sheet": name})
