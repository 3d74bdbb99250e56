"""Write what a command made: whole or not at all, and never over a file that the tool did not make.

A hidden list in the folder remembers what the tool wrote there, with a digest of each file; a file that is on no list
of its folder or of those around it, or was changed since, is the user's.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

LIST_NAME = ".toolchain-made.json"


class CannotWriteError(click.ClickException):
    """The output cannot be written: a failure, not a finding."""

    exit_code = 2


def digest(data: bytes) -> str:
    """Return the digest that tells whether a file is still as the tool wrote it."""
    return hashlib.sha256(data).hexdigest()


def read_list(folder: Path) -> dict[str, str]:
    """Return the digests of what the tool wrote into a folder, by relative name; none without a sound list."""
    try:
        made = json.loads((folder / LIST_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in made.items()} if isinstance(made, dict) else {}


def write_outputs(folder: Path, files: Mapping[str, bytes], *, force: bool, whole: bool) -> None:
    """Write files by relative name into a folder.

    whole: the files are all that the folder should hold of ours; earlier output that is not among them goes.
    Raises CannotWriteError, before anything is touched, when a file stands in the way and force is not given, and
    when the folder cannot be written.
    """
    made = read_list(folder)
    strangers = []
    lists: dict[Path, dict[str, str]] = {}
    for name, data in files.items():
        target = folder / name
        if target.is_dir():
            raise CannotWriteError(f"{target} is a folder; move it away or write somewhere else with -o")
        if not force and target.is_file() and not _is_ours(target, data, lists):
            strangers.append(str(target))
    if strangers:
        raise CannotWriteError(
            "these files were not made by toolchain, or were changed since; move them away or give --force:\n  "
            + "\n  ".join(strangers)
        )
    try:
        _write(folder, files, made, whole=whole)
    except OSError as error:
        raise CannotWriteError(f"cannot write to {folder}: {error.strerror or error}") from error


def _is_ours(target: Path, data: bytes, lists: dict[Path, dict[str, str]]) -> bool:
    """Tell whether a file is as a command wrote it: `build` keeps its list one folder up.

    lists: those that were read already, by folder.
    """
    present = target.read_bytes()
    if present == data:
        return True
    for folder in target.parents:
        if folder not in lists:
            lists[folder] = read_list(folder)
        if lists[folder].get(target.relative_to(folder).as_posix()) == digest(present):
            return True
    return False


def _write(folder: Path, files: Mapping[str, bytes], made: dict[str, str], *, whole: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # Everything is on the disk, beside its target, before the first name changes: a full disk loses nothing.
    with tempfile.TemporaryDirectory(dir=folder, prefix=".toolchain-") as staging:
        for i, data in enumerate(files.values()):
            Path(staging, str(i)).write_bytes(data)
        for i, name in enumerate(files):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            Path(staging, str(i)).replace(target)
        kept = {} if whole else {n: d for n, d in made.items() if n not in files}
        if whole:
            for name in sorted(set(made) - set(files)):
                old = folder / name
                if old.is_file() and digest(old.read_bytes()) == made[name]:
                    old.unlink()
                    _remove_empty(old.parent, folder)
        listing = {**kept, **{n: digest(d) for n, d in files.items()}}
        part = Path(staging, "list")
        part.write_text(json.dumps(dict(sorted(listing.items())), indent=1) + "\n", "utf-8")
        part.replace(folder / LIST_NAME)


def _remove_empty(folder: Path, top: Path) -> None:
    while folder != top and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def write_one(target: Path, data: bytes, *, force: bool) -> None:
    """Write one file to the place a user named."""
    write_outputs(target.parent, {target.name: data}, force=force, whole=False)


def replace_file(target: Path, data: bytes) -> None:
    """Replace a file of the game's data that the tool keeps, whole or not at all."""
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(data)
        part.replace(target)
    except OSError as error:
        raise CannotWriteError(f"cannot write {target}: {error.strerror or error}") from error
