"""How soon `toolchain --help` answers, against the floor: the same Python doing nothing, and importing click.

Run by hand: python tests/benchmarks/start.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 15
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "python -c 'import click'": ["-c", "import click"],
    "toolchain --help": ["-m", "toolchain", "--help"],
    "toolchain build --help": ["-m", "toolchain", "build", "--help"],
}


def median_of(arguments: list[str]) -> float:
    """Return the median wall time of whole processes in seconds."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    floor = 0.0
    print(f"{'command':28}{'median ms':>10}{'times floor':>13}   ({RUNS} runs each)")
    for name, arguments in COMMANDS.items():
        median = median_of(arguments)
        floor = floor or median
        print(f"{name:28}{median * 1000:10.0f}{median / floor:13.1f}")
