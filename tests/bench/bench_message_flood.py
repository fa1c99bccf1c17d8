#!/usr/bin/env python3
"""Whether a known remote bot that floods its line with messages delays the other bots of its event.

usage: bench_message_flood.py BUILD [ROUNDS [PAIRS]]

BUILD is a build folder (build/release). Two events are played in turn, ROUNDS times (7), the order alternating: quiet,
where anna (remote) is `random`; and flooded, where she is the rogue `flood`, which sends as fast as its line takes,
and comes back after each fault until she is quarantined. Beside her ben (remote), `random` and `greedy` play long matches
(PAIRS, 10, times two for any two). Prints for each of these the 99th percentile of the times of its decisions in games
without anna, as the referee has measured them (ben's on the whole way through the gateway and back): medians and
ranges, and the ratio to the quiet event of the same round.
"""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

EVENT = """event: spring
bots:
  - {name: anna, remote: true}
  - {name: ben, remote: true}
  - random
  - greedy
length: 25
pairs: %d
concurrency: 4
quarantine: 12
sandbox: off
results: r.db
door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: allow.yaml, appear: 60s}
"""
SIDES, OTHERS = ("quiet", "flooded"), ("ben", "random", "greedy")
DECISION = re.compile(r"[01] .* @(\d+) #")


class Bench:
    def __init__(self, build, folder):
        self.bin, self.folder = os.path.join(build, "bin"), folder
        entries = ""
        for name in ("host", "anna", "ben"):
            subprocess.run([self.bgref, "keygen", "--join", name], cwd=folder, check=True, capture_output=True)
            entries += f"- {{name: {name}, key: {self.path(name + '.pub').read_text().split()[3]}}}\n"
        self.path("allow.yaml").write_text(entries)
        rogue = self.path("flooder")
        rogue.write_text(f"#!/bin/sh\nexec {self.bin}/bots/bgref-rogue flood\n")
        rogue.chmod(0o755)

    @property
    def bgref(self):
        return os.path.join(self.bin, "bgref")

    def path(self, name):
        return pathlib.Path(self.folder, name)

    def start(self, out, *words):
        with open(self.path(out), "wb") as sink:
            return subprocess.Popen([self.bgref, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=sink,
                                    stderr=subprocess.STDOUT)

    def times(self):
        """{bot: microseconds of each of its decisions} in games without anna, from the records."""
        subprocess.run([self.bgref, "export", "r.db", "--records", "-o", "x.records"], cwd=self.folder, check=True,
                       capture_output=True)
        found, seats = {name: [] for name in OTHERS}, ["", ""]
        for line in self.path("x.records").read_text().splitlines():
            words = line.split()
            if words[0] in ("seat0", "seat1"):
                seats[int(words[0][-1])] = words[1]
            elif (spent := DECISION.match(line)) and "anna" not in seats:
                found[seats[int(words[0])]].append(int(spent[1]) / 1000)
        return found

    def play(self, side, pairs):
        for old in self.path(".").glob("r.db*"):
            old.unlink()
        self.path("e.yaml").write_text(EVENT % pairs)
        self.path("host.bgref").unlink(missing_ok=True)
        event = self.start("event.txt", "tournament", "e.yaml")
        while not self.path("host.bgref").exists() and event.poll() is None:
            time.sleep(0.01)
        joins = [self.start("anna.txt", "join", "host.bgref", "random" if side == "quiet" else "./flooder", "--key", "anna.key"),
                 self.start("ben.txt", "join", "host.bgref", "random", "--key", "ben.key")]
        status = event.wait(300)
        for join in joins:
            join.terminate()
            join.wait(30)
        said = self.path("event.txt").read_text()
        charged = [line for line in said.splitlines() if "fault=" in line]
        if status not in (0, 7) or any(f"bot={name} " in line for line in charged for name in OTHERS):
            sys.exit(f"{side}: status {status}; another bot lost something:\n{said}")
        if (side == "quiet") != (not charged):
            sys.exit(f"{side}: {len(charged)} faults:\n{said}")
        p99 = {name: statistics.quantiles(spent, n=100)[98] for name, spent in self.times().items()}
        return {"faults": len(charged), **p99}


def shown(values, form=",.0f"):
    return f"{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})"


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    runs = {side: [] for side in SIDES}
    with tempfile.TemporaryDirectory(prefix="bgref-bench-") as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), os.path.realpath(folder))
        for turn in range(rounds):
            for side in SIDES if turn % 2 == 0 else SIDES[::-1]:
                runs[side].append(bench.play(side, pairs))
    for name in OTHERS:
        for side in SIDES:
            print(f"{name}, {side}: p99 of a decision {shown([run[name] for run in runs[side]])} us")
        ratios = [one[name] / other[name] for one, other in zip(runs["flooded"], runs["quiet"])]
        print(f"  of quiet: {shown(ratios, '.2f')} (target: at most 2)")
    print(f"faults of anna, flooded: {shown([run['faults'] for run in runs['flooded']])}")


if __name__ == "__main__":
    main()
