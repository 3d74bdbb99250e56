"""From a plan and its drawing to the map, whether it has one sheet or several."""

from __future__ import annotations

from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.sheets import survey_arranged
from toolchain.survey.single import Surveyed, survey_single


def survey_map(plan: MapPlan, report: Report) -> Surveyed:
    """Read the drawing of a map and survey it.

    plan: what map.toml and its tables state. Returns the map with a space for every hex on the sheet; what is wrong
    is in the report, and the map is then what could be made without it. A map of several sheets is their first
    arrangement; see `toolchain.survey.sheets`.
    """
    return survey_arranged(plan, report) if plan.sheets else survey_single(plan, report)
