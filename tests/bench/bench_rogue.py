#!/usr/bin/python3
"""What a rogue costs the tables of other bots: the referee's CPU time for each of their decisions.

usage: bench_rogue.py BUILD [ROUNDS [POINTS [DEED...]]]

BUILD is a build folder (build/release). Every run is one event in which all tables are open at once: HONEST
copies of `random` meet each other in matches to POINTS (48), and one `bgref-rogue DEED` meets them all. The
rogue is never quarantined: it continues its deed until the last honest match has ended; then the run is
stopped. The referee has the first core for itself, all bots are on the second. Sides are run in turn, ROUNDS
times (5); the medians are printed.

CPU is the getrusage time of the referee's own process (all its threads, without bots) from its start to the
end of play. The games between honest bots depend on their names only, so every run has the same decisions. A
rogue that ends, or is ended because of its deed, is compared with the event without a rogue; a rogue that
continues to play is compared with a bot that only plays (`plain`). The cost of the decisions at the rogue's
own tables, at the rate of the other side, is subtracted from the referee's CPU time. The rest (the rogue's
starts, deaths, floods and evidence) is charged to the honest decisions.
"""
import os
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
POINTS = int(sys.argv[3]) if len(sys.argv) > 3 else 48
FAULTY = ("flood", "flood-bytes", "flood-aside", "unread", "garbage", "monstrous", "exit-decision",
          "wrong-die", "memory-hog")
QUIET = ("chatty-on", "duplicate", "unasked", "second-hello", "fork-bomb", "double-fork")
DEEDS = sys.argv[4:] or [*FAULTY, *QUIET]
HONEST, PAIRS = 8, 4
MATCHES = HONEST * (HONEST - 1) * PAIRS
OVER = """select count(*) from game where match_over and a <> 'rogue' and b <> 'rogue'"""
BOUND = 1.05
BOTS = os.path.join(BUILD, "bin", "bots")
PLAYED = re.compile(r"played: (\d+) decisions in ([\d.]+) s, \d+ a second; referee CPU ([\d.]+) us")


def honest_are_done(results):
    try:
        with sqlite3.connect(f"file:{results}?mode=ro", uri=True, timeout=10) as database:
            return database.execute(OVER).fetchone()[0] >= MATCHES
    except sqlite3.OperationalError:  # the table does not exist yet
        return False


def event(folder, deed):
    """(decisions, seconds, referee CPU in us) of one run."""
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    lines = ["event: neighbours", "bots:"]
    programs = [(f"honest{i}", "bgref-random") for i in range(HONEST)]
    programs += [("rogue", f"bgref-rogue {deed}")] if deed else []
    for name, program in programs:
        lines.append(f'  - {{name: {name}, cmd: "taskset -c 1 {BOTS}/{program}"}}')
    lines += [f"length: {POINTS}", f"pairs: {PAIRS}", "seed: 1", "instances: 1", "memory: 500M",
              f"concurrency: {(HONEST + 1) * HONEST * PAIRS}", "quarantine: 1000000", ""]
    with open(os.path.join(folder, "event.yaml"), "w", encoding="utf-8") as out:
        out.write("\n".join(lines))
    results = os.path.join(folder, "r.db")
    with open(os.path.join(folder, "talk"), "w+", encoding="utf-8") as talk:
        run = subprocess.Popen(
            ["taskset", "-c", "0", os.path.join(BUILD, "bin", "bgref"), "tournament", "event.yaml",
             "--results", results], stdout=subprocess.DEVNULL, stderr=talk, cwd=folder)
        while run.poll() is None and not honest_are_done(results):
            time.sleep(0.1)
        while run.poll() is None:
            run.send_signal(signal.SIGINT)
            time.sleep(0.05)
        talk.seek(0)
        decisions, seconds, each = PLAYED.search(talk.read()).groups()
    return int(decisions), float(seconds), int(decisions) * float(each)


def main():
    if len(os.sched_getaffinity(0)) < 2:
        sys.exit("bench_rogue: two cores are needed: one for the referee, one for the bots")
    base = {deed: "plain" if deed in QUIET else "" for deed in DEEDS}
    sides = [*sorted(set(base.values())), *DEEDS]
    with tempfile.TemporaryDirectory(prefix="bgref-bench-") as folder:
        runs = {side: [] for side in sides}
        for _ in range(ROUNDS):
            for side in sides:
                runs[side].append(event(folder, side))
        honest = event(folder, "")[0]
    middle = {side: [statistics.median(column) for column in zip(*runs[side])] for side in sides}
    print(f"{MATCHES} matches to {POINTS} of {HONEST} honest bots, {honest} honest decisions; medians of {ROUNDS}")
    print(f"{'side':14} {'against':8} {'decisions':>10} {'seconds':>8} {'referee us':>11} "
          f"{'range':>13} {'charged us':>11} {'ratio':>6}")
    worst = 0.0
    for side in sides:
        decisions, seconds, cpu = middle[side]
        each = [used / count for count, _, used in runs[side]]
        row = (f"{side or '(none)':14} {(base[side] or '(none)') if side in base else '':8} "
               f"{decisions:10.0f} {seconds:8.1f} {cpu / decisions:11.3f} "
               f"{min(each):6.3f}-{max(each):.3f}")
        if side in base:
            rate = statistics.median(used / count for count, _, used in runs[base[side]])
            charged = statistics.median((used - (count - honest) * rate) / honest
                                        for count, _, used in runs[side])
            row += f" {charged:11.3f} {charged / rate:6.3f}"
            worst = max(worst, charged / rate)
        print(row, flush=True)
    print(f"worst ratio {worst:.3f}, bound {BOUND}")
    sys.exit(worst > BOUND)


if __name__ == "__main__":
    main()
