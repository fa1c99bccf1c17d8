#!/usr/bin/python3
"""The cost of `trust: strangers`: games per second compared with `trust: own`, both confined.

usage: bench_trust.py BUILD [ROUNDS [SECONDS]]

BUILD is a build folder (build/release). For every field of two equal bots the two settings are run in turn,
ROUNDS times (5), each for about SECONDS (20) of play. Prints the medians of games per second, the range of
single runs, and the ratio. A third setting, without a sandbox, shows the cost of the sandbox.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 20
PLAYED = re.compile(r"played: (\d+) decisions in ([\d.]+) s")
FIELDS = {"random": 200, "greedy": 100, "python": 100, "gnubg": 60}  # bot -> pairs of the first measurement
SIDES = {"no sandbox": ("--sandbox", "off", "--trust", "own"),
         "own": ("--sandbox", "on", "--trust", "own"),
         "strangers": ("--sandbox", "on", "--trust", "strangers")}


def duel(bot, side, pairs):
    """Returns (games per second, seconds) of one run."""
    with tempfile.TemporaryDirectory(prefix="bgref-bench-") as folder:
        done = subprocess.run(
            [os.path.join(BUILD, "bin", "bgref"), "duel", "-engine", "name=A", bot, "-engine",
             "name=B", bot, "--length", "1", "--pairs", str(pairs), *SIDES[side],
             "--results", os.path.join(folder, "r.db")],
            capture_output=True, text=True, check=True, cwd=folder)
    seconds = float(PLAYED.search(done.stderr)[2])
    return 2 * pairs / seconds, seconds


def measure(bot, few):
    pairs = max(few, int(few * SECONDS / max(duel(bot, "own", few)[1], 0.1)))
    runs = {side: [] for side in SIDES}
    for _ in range(ROUNDS):
        for side, seen in runs.items():
            seen.append(duel(bot, side, pairs)[0])
    middle = {side: statistics.median(seen) for side, seen in runs.items()}
    for side, seen in runs.items():
        print(f"{bot:8} {side:11} {middle[side]:10.1f} games/s   {min(seen):.1f}..{max(seen):.1f}"
              f"   {middle[side] / middle['own']:.3f} of own   {pairs} pairs", flush=True)


def main():
    print(f"medians of {ROUNDS} alternating runs")
    for bot, few in FIELDS.items():
        measure(bot, few)


if __name__ == "__main__":
    main()
