"""A headless Chromium that tests use as a person does: look, move, click, type. WebDriver is plain HTTP and JSON."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update",
    "--disable-background-networking", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip
KEYS = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}


class UnavailableError(Exception):
    """There is no Chromium to be had."""


class Browser:
    """One window."""

    def __init__(self) -> None:
        driver, program = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("chromium-browser")
        if not driver or not program:
            raise UnavailableError("needs Chromium and its driver (Debian packages chromium and chromium-driver)")
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._driver = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, text=True, env=_quiet_environment()
        )
        assert self._driver.stdout is not None
        for line in self._driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                break
        else:
            raise UnavailableError("chromedriver does not start")
        self._base = f"http://127.0.0.1:{found[1]}/session"
        options = {"binary": program, "args": [*QUIET, f"--user-data-dir={self._profile.name}"]}
        wanted = {
            "capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        }
        try:
            self._base += "/" + self._ask("", wanted)["sessionId"]
        except OSError as error:
            self.close()
            raise UnavailableError(f"Chromium does not start: {error}") from error

    def _ask(self, path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            self._base + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(json.load(error)["value"]["message"]) from None

    def close(self) -> None:
        """Close the window and end the programs."""
        try:
            if self._base.count("/") > 3:
                urllib.request.urlopen(urllib.request.Request(self._base, method="DELETE"), timeout=20).close()
        except OSError:
            pass
        self._driver.terminate()
        self._driver.wait(20)
        if self._driver.stdout is not None:
            self._driver.stdout.close()
        self._profile.cleanup()

    def cdp(self, command: str, **more: Any) -> Any:
        """Send a command of the DevTools protocol."""
        return self._ask("/goog/cdp/execute", {"cmd": command, "params": more})

    def size(self, width: int, height: int, *, phone: bool = False) -> None:
        """Set the size of the window in CSS pixels; a phone has fine pixels and fingers."""
        ratio = 2 if phone else 1
        self.cdp(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=phone
        )
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=phone)

    def open(self, address: str) -> None:
        """Go to a page that has not been opened before in this window, and wait until it is there."""
        self._ask("/url", {"url": "about:blank"})
        self._ask("/url", {"url": address})

    def js(self, code: str, *values: Any) -> Any:
        """Return what an expression is worth in the page; a promise is waited for. values: its arguments."""
        return self._ask("/execute/sync", {"script": f"return ({code})", "args": list(values)})

    def wait(self, code: str, seconds: float = 20) -> Any:
        """Wait until an expression is true, and return it."""
        end = time.monotonic() + seconds
        while not (got := self.js(code)):
            assert time.monotonic() < end, f"never true: {code}"
            time.sleep(0.03)
        return got

    def errors(self) -> list[str]:
        """Return what the page complained of since the last call."""
        return [e["message"] for e in self._ask("/se/log", {"type": "browser"}) if e["level"] == "SEVERE"]

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Send one event of the mouse: Moved, Pressed, Released or Wheel."""
        self.cdp("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)

    def hover(self, x: float, y: float) -> None:
        """Move the mouse to a place."""
        self.mouse("Moved", x, y)

    def click(self, x: float, y: float) -> None:
        """Click a place."""
        self.hover(x, y)
        self.mouse("Pressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("Released", x, y, button="left", clickCount=1)

    def drag(self, x: float, y: float, dx: float, dy: float) -> None:
        """Drag from a place."""
        self.hover(x, y)
        self.mouse("Pressed", x, y, button="left", buttons=1, clickCount=1)
        for part in (0.5, 1):
            self.mouse("Moved", x + part * dx, y + part * dy, button="left", buttons=1)
        self.mouse("Released", x + dx, y + dy, button="left", clickCount=1)

    def touch(self, *moments: list[tuple[float, float]]) -> None:
        """Put fingers down, move them, and lift them: the place of each at each moment."""
        for kind, points in zip(["Start"] + ["Move"] * (len(moments) - 1) + ["End"], [*moments, []], strict=True):
            at = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
            self.cdp("Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=at)

    def press(self, *keys: str) -> None:
        """Press keys one after the other: by name, or as a letter."""
        for key in keys:
            letter = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            code = KEYS.get(key, ord(key[0].upper()))
            self.cdp("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **letter)
            self.cdp("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def picture(self) -> bytes:
        """Take a picture of the window, as PNG."""
        return base64.b64decode(self.cdp("Page.captureScreenshot", format="png")["data"])

    def pdf(self) -> bytes:
        """Print the page."""
        printed = self.cdp("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        return base64.b64decode(printed["data"])


def _quiet_environment() -> dict[str, str]:
    """Return the environment without what leads Chromium to a proxy or a session bus."""
    return {k: v for k, v in os.environ.items() if "proxy" not in k.lower() and not k.startswith("DBUS")}


def address(page: Path) -> str:
    """Return the address of a file."""
    return page.resolve().as_uri()
