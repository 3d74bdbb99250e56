"""One page on localhost, and news of it: served to browsers of this machine, and to nobody else."""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOST = "127.0.0.1"
MOST_LISTENERS, BEAT = 64, 15.0  # open streams of news; seconds after which a stream says that it lives

WAITING = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>toolchain watch</title>
<style>body { margin: 3em auto; max-width: 60em; padding: 0 1em; font: 16px/1.5 system-ui, sans-serif;
background: #f8f2e2; color: #2b2620; } pre { padding: 1em; white-space: pre-wrap;
background: #fff4f2; border: 2px solid #b3261e;
border-radius: 8px; } pre:empty { display: none; }</style>
<p id="now" role="status">The game is being made ...</p><pre id="trouble" role="alert"></pre>
<script>
const news = new EventSource("/events"), show = (id, text) => { document.getElementById(id).textContent = text; };
news.addEventListener("made", () => location.reload());
news.addEventListener("trouble", (e) => {
  show("now", "The game cannot be made yet:");
  show("trouble", JSON.parse(e.data));
});
</script></html>
"""


@dataclass(frozen=True)
class State:
    """What browsers should show. number: of the page, 0 before the first. trouble: why there is no newer one, or ""."""

    page: bytes = WAITING
    number: int = 0
    trouble: str = ""


class News:
    """The state, which one thread sets and others wait for."""

    def __init__(self) -> None:
        self.state = State()
        self._turn = threading.Condition()

    def set(self, state: State) -> None:
        """Make this the state, and wake who waits."""
        with self._turn:
            self.state = state
            self._turn.notify_all()

    def after(self, seen: State | None, seconds: float) -> State:
        """Return a state other than the one seen, as soon as there is one; the same one after so many seconds."""
        with self._turn:
            self._turn.wait_for(lambda: self.state is not seen, seconds)
            return self.state


def events(seen: State | None, now: State) -> bytes:
    """Write what a browser that has seen one state must hear of another, as Server-Sent Events."""
    out = ""
    if now.number and (seen is None or seen.number != now.number):
        out += f"event: made\ndata: {now.number}\n\n"
    if now.trouble and (seen is None or seen.trouble != now.trouble):
        out += f"event: trouble\ndata: {json.dumps(now.trouble)}\n\n"
    if not now.trouble and (seen is None or seen.trouble):
        out += "event: well\ndata: \n\n"
    return (out or ": still here\n\n").encode()


class Server(ThreadingHTTPServer):
    """Serve the page and its news on 127.0.0.1. port: 0 for any free one. Raises OSError when it is taken."""

    daemon_threads = True

    def __init__(self, port: int, news: News) -> None:
        super().__init__((HOST, port), Handler)
        self.news = news
        self.room = threading.Semaphore(MOST_LISTENERS)

    @property
    def address(self) -> str:
        """Where browsers find the page."""
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of browsers that went away in the middle of a request."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Answer one request."""

    server: Server
    timeout = 30
    server_version, sys_version = "toolchain", ""

    def do_GET(self) -> None:
        """Send the page or the news; to requests under another name than localhost, nothing."""
        # A page of the web whose name was made to lead here asks under that name.
        if self.headers.get("Host", "") not in {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}:
            self._send(403, b"This page is for this machine only.\n", "text/plain; charset=utf-8")
        elif self.path == "/":
            self._send(200, self.server.news.state.page, "text/html; charset=utf-8")
        elif self.path != "/events":
            self._send(404, b"There is nothing here but the page itself: /\n", "text/plain; charset=utf-8")
        elif self.server.room.acquire(blocking=False):
            try:
                self._tell()
            except OSError:
                pass  # the browser went away
            finally:
                self.server.room.release()
        else:
            self._send(503, b"Too many windows show this page.\n", "text/plain; charset=utf-8")

    def _tell(self) -> None:
        self._head(200, "text/event-stream")
        seen = None
        while True:
            now = self.server.news.after(seen, BEAT)
            self.wfile.write(events(seen, now))
            self.wfile.flush()
            seen = now

    def _send(self, status: int, body: bytes, kind: str) -> None:
        try:
            self._head(status, kind, len(body))
            self.wfile.write(body)
        except OSError:
            pass  # the browser went away

    def _head(self, status: int, kind: str, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in (
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing of requests: the terminal tells of what was made."""
