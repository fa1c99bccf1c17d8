#!/usr/bin/python3
"""Decisions a second and the referee's CPU for each, beside the bare transport in the same run.

usage: bench_throughput.py BUILD [ROUNDS [SECONDS]]

BUILD is a build folder (build/release). Sides are run in turn, ROUNDS times (5); printed are the
medians. `shared`: two `random` bots, 64 tables on one connection each, one-point matches, durable
store. `lock-step`: the same with one table. The ceiling is tests/bench/ceiling/rtbench: the same
libzmq sockets and messages of like size without any game.
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
BARE = ["-t", "zmq", "-p", "router", "-w", "poll", "--pb", "--arena", "-s", str(SECONDS / 4)]
PLAYED = re.compile(r"played: (\d+) decisions in ([\d.]+) s, (\d+) a second; referee CPU ([\d.]+)")


def duel(folder, tables, pairs):
    """(decisions a second, referee CPU us a decision, seconds) of one run."""
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    done = subprocess.run(
        [os.path.join(BUILD, "bin", "bgref"), "duel", "-engine", "name=A", "random", "-engine",
         "name=B", "random", "--length", "1", "--pairs", str(pairs), "-concurrency", str(tables),
         "--instances", "1", "--seed", "1", "--results", os.path.join(folder, "r.db")],
        capture_output=True, text=True, check=True, cwd=folder)
    decisions, seconds, rate, cpu = PLAYED.search(done.stderr).groups()
    assert int(decisions) > 0
    return float(rate), float(cpu), float(seconds)


def bare(*words):
    """(round trips a second, referee CPU us each) of the bare transport."""
    out = subprocess.run([os.path.join(BUILD, "bin", "rtbench"), *BARE, *words],
                         capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), float(out[4]), 0.0


def pairs_for(folder, tables):
    """As many pairs as keep the run at work for about SECONDS."""
    few = 40 * tables
    return max(few, int(few * SECONDS / max(duel(folder, tables, few)[2], 0.1)))


def main():
    with tempfile.TemporaryDirectory(prefix="bgref-bench-") as folder:
        pairs = {tables: pairs_for(folder, tables) for tables in (64, 1)}
        sides = {
            "shared, bgref": lambda: duel(folder, 64, pairs[64]),
            "shared, bare": lambda: bare("-n", "2", "-b", "32"),
            "lock-step, bgref": lambda: duel(folder, 1, pairs[1]),
            "lock-step, bare": lambda: bare("-n", "2"),
        }
        runs = {name: [] for name in sides}
        for _ in range(ROUNDS):
            for name, side in sides.items():
                runs[name].append(side())
    print(f"{'side':18} {'decisions/s':>12} {'referee us':>11}   medians of {ROUNDS}")
    middle = {}
    for name, values in runs.items():
        middle[name] = [statistics.median(column) for column in zip(*values)]
        print(f"{name:18} {middle[name][0]:12.0f} {middle[name][1]:11.2f}   "
              f"rates {min(v[0] for v in values):.0f}..{max(v[0] for v in values):.0f}")
    for kind in ("shared", "lock-step"):
        ratio = middle[f"{kind}, bgref"][1] / middle[f"{kind}, bare"][1]
        print(f"{kind}: referee CPU a decision is {ratio:.2f} times the bare one")


if __name__ == "__main__":
    main()
