"""toolchain watch GAME: the view, made anew while you draw."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolchain.cli.session import Session, root_option

if TYPE_CHECKING:
    from toolchain.cli.serving import News
    from toolchain.cli.watching import Watched

LOOK, SETTLED = 0.5, 0.25  # seconds between two looks at the files, and for which they must rest before they are read


@click.command("watch")
@click.argument("game")
@root_option
@click.option("--port", type=click.IntRange(0, 65535), default=8650, show_default=True, help="0 for any free one.")
@click.option("--open", "look", is_flag=True, help="Open the page in your browser.")
def command(game: str, root: Path | None, port: int, look: bool) -> None:
    """Show the game in a browser while you work on it: whenever a file is saved, what it touches is made anew.

    The page is that of `toolchain view`, on this machine only. Data with errors do not end the watch: the page tells
    them and goes on showing the last game that was whole. Ctrl-C ends it.

    \b
    Example:
        toolchain watch my-game --open
    """
    from toolchain.cli.serving import News, Server
    from toolchain.cli.watching import Watched

    session = Session(Path.cwd(), "").about(game, root)
    news = News()
    try:
        server = Server(port, news)
    except OSError as error:
        hint = f"port {port} cannot be had ({error.strerror or error}); give another with --port, 0 for any free one"
        raise click.UsageError(hint) from error
    threading.Thread(target=server.serve_forever, daemon=True).start()
    session.console.print(f"watching {game}: {server.address} (Ctrl-C ends)")
    try:
        if look:
            click.launch(server.address)
        watch(Watched(session), news, session)
    except KeyboardInterrupt:
        session.console.print("ended")
    finally:
        server.shutdown()
        server.server_close()


def watch(watched: Watched, news: News, session: Session) -> None:
    """Make the game, and again after every change, until the user ends it."""
    from toolchain.cli.serving import State
    from toolchain.cli.watching import changed, settle

    number = time.time_ns() // 1_000_000  # above those of an earlier watch, whose page a browser may still show
    seen = watched.stamps()
    after = ""
    while True:
        start = time.perf_counter()
        made = watched.make(number)
        if made.page is None:
            news.set(State(news.state.page, news.state.number, made.words))
        else:
            news.set(State(made.page, number, ""))
        number += 1
        what = "made" if made.page is not None else "not made, the page tells why"
        session.console.print(f"{what}{after}: {made.tally}, {time.perf_counter() - start:.1f} s", markup=False)
        while not (edits := changed(seen, watched.stamps())):
            time.sleep(LOOK)
        seen = settle(watched, SETTLED)
        names = [p.name for p in edits]
        after = f" after {', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''}"
