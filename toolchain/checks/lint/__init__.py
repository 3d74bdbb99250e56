"""What is wrong in any VASSAL module, ours or not: one file for each thing that is looked at.

Every check is a generator of findings over an opened module; nothing is run, nothing is written, and a module that is
broken in one place is still checked in all others.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolchain.checks.lint.expressions import check_expressions, check_properties
from toolchain.checks.lint.grids import check_grids, check_labels
from toolchain.checks.lint.keys import check_buttons, check_commands, check_menus
from toolchain.checks.lint.pictures import check_boards, check_images, check_unused
from toolchain.checks.lint.pieces import check_gpids, check_layers, check_prototypes, check_sides, check_traits
from toolchain.checks.lint.places import check_decks, check_files, check_places
from toolchain.checks.lint.setups import check_setups
from toolchain.checks.lint.whole import (
    check_classes,
    check_data,
    check_maps,
    check_names,
    check_version,
    check_wiring,
)
from toolchain.report import Finding
from toolchain.sources.vassal.modules import Module

LINTS = (
    check_data,
    check_version,
    check_classes,
    check_names,
    check_maps,
    check_wiring,
    check_images,
    check_unused,
    check_boards,
    check_traits,
    check_prototypes,
    check_layers,
    check_gpids,
    check_sides,
    check_expressions,
    check_properties,
    check_menus,
    check_buttons,
    check_commands,
    check_grids,
    check_labels,
    check_places,
    check_decks,
    check_files,
    check_setups,
)


def lint(module: Module) -> Iterator[Finding]:
    """Yield everything that is wrong in a module."""
    for check in LINTS:
        yield from check(module)
