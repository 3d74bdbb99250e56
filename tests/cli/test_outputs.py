"""Outputs are whole or absent, and nothing of the user's is lost."""

from __future__ import annotations

import click
import pytest

from toolchain.cli.outputs import LIST_NAME, write_one, write_outputs


def names(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_second_build_replaces_the_first_and_drops_what_is_no_longer_made(tmp_path):
    write_outputs(tmp_path, {"a.txt": b"1", "sub/b.txt": b"2"}, force=False, whole=True)
    write_outputs(tmp_path, {"a.txt": b"3"}, force=False, whole=True)
    assert names(tmp_path) == [LIST_NAME, "a.txt"]
    assert (tmp_path / "a.txt").read_bytes() == b"3"
    assert not (tmp_path / "sub").exists()


def test_partial_output_keeps_the_rest(tmp_path):
    write_outputs(tmp_path, {"a.txt": b"1", "b.txt": b"2"}, force=False, whole=True)
    write_outputs(tmp_path, {"a.txt": b"3"}, force=False, whole=False)
    assert names(tmp_path) == [LIST_NAME, "a.txt", "b.txt"]


def test_a_file_of_the_user_is_not_overwritten(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"mine")
    with pytest.raises(click.ClickException, match="--force"):
        write_outputs(tmp_path, {"b.txt": b"x", "a.txt": b"1"}, force=False, whole=False)
    assert names(tmp_path) == ["a.txt"] and (tmp_path / "a.txt").read_bytes() == b"mine"
    write_outputs(tmp_path, {"a.txt": b"1"}, force=True, whole=False)
    assert (tmp_path / "a.txt").read_bytes() == b"1"


def test_a_file_that_the_user_changed_is_the_users(tmp_path):
    write_one(tmp_path / "a.txt", b"1", force=False)
    (tmp_path / "a.txt").write_bytes(b"edited")
    with pytest.raises(click.ClickException):
        write_one(tmp_path / "a.txt", b"2", force=False)
    write_outputs(tmp_path, {}, force=False, whole=True)
    assert (tmp_path / "a.txt").read_bytes() == b"edited"


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    write_outputs(tmp_path, {"a.txt": b"1", "b.txt": b"2"}, force=False, whole=True)
    before = {n: (tmp_path / n).read_bytes() for n in names(tmp_path)}
    from pathlib import Path

    write_bytes = Path.write_bytes

    def full(self, data):
        if data == b"4":
            raise OSError(28, "No space left on device")
        return write_bytes(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(click.ClickException, match="No space left"):
        write_outputs(tmp_path, {"a.txt": b"3", "b.txt": b"4"}, force=False, whole=True)
    assert {n: (tmp_path / n).read_bytes() for n in names(tmp_path)} == before


def test_a_folder_in_the_way_is_said(tmp_path):
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(click.ClickException, match="is a folder"):
        write_one(tmp_path / "a.txt", b"1", force=True)


def test_what_one_command_made_another_may_replace(tmp_path):
    write_outputs(tmp_path, {"part/a.txt": b"1", "b.txt": b"1"}, force=False, whole=True)
    write_outputs(tmp_path / "part", {"a.txt": b"2"}, force=False, whole=False)
    write_outputs(tmp_path, {"part/a.txt": b"3"}, force=False, whole=False)
    write_outputs(tmp_path / "part", {"a.txt": b"4"}, force=False, whole=False)
    assert (tmp_path / "part" / "a.txt").read_bytes() == b"4"
    (tmp_path / "part" / "a.txt").write_bytes(b"mine")
    for folder, name in ((tmp_path, "part/a.txt"), (tmp_path / "part", "a.txt")):
        with pytest.raises(click.ClickException, match="--force"):
            write_outputs(folder, {name: b"5"}, force=False, whole=False)
