#!/usr/bin/env python3
"""Whether a flood of connections makes the referee wait: the lag of its loop in an event with a known remote bot,
quiet and under the flood.

usage: bench_flood.py BUILD [ROUNDS [SECONDS]]

BUILD is a build folder (build/release). Three sides are run in turn, ROUNDS times (5), forwards and backwards
alternately: quiet; 17,000 connects a second from one address; the same from 50 addresses of loopback. Each is an event
with one remote and one local `random`, 8 tables, for about SECONDS (6). The lag is what the referee itself has measured
of each message (`lag_p99_us` of the run's account in the results). Prints medians and ranges, the ratio to the quiet
side round by round, the connects a second that the flood reached, and decisions a second. The flood runs with the
lowest priority, as it would be on another machine.
"""
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

PLAYED = re.compile(r"played: (\d+) decisions in ([\d.]+) s, (\d+) a second")
EVENT = """event: spring
bots:
  - {name: anna, remote: true}
  - random
length: 1
pairs: %d
concurrency: 8
sandbox: off
results: r.db
door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: allow.yaml, appear: 60s}
"""
SIDES = {"quiet": 0, "1 address": 1, "50 addresses": 50}
PACE, FEW = 17000, 200

# Connects at a pace and ends each connection with a reset, until it is terminated; prints the connects a second.
FLOOD = r"""
import os, signal, socket, struct, sys, time
os.nice(19)
host, port, addresses, pace = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
made, begun, over = 0, time.monotonic(), []
signal.signal(signal.SIGTERM, lambda *_: over.append(1))
reset = struct.pack("ii", 1, 0)
while not over:
    if made > pace * (time.monotonic() - begun):
        time.sleep(0.0005)
        continue
    for _ in range(20):
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
        line.setblocking(False)
        try:
            line.bind(("127.0.2.%d" % (made % addresses + 1), 0))
            line.connect((host, port))
        except OSError:
            pass
        line.close()
        made += 1
print(made / (time.monotonic() - begun))
"""


class Bench:
    def __init__(self, build, folder):
        self.bgref, self.folder = os.path.join(build, "bin", "bgref"), folder
        for name in ("host", "anna"):
            subprocess.run([self.bgref, "keygen", "--join", name], cwd=folder, check=True, capture_output=True)
        key = self.path("anna.pub").read_text().split()[3]
        self.path("allow.yaml").write_text(f"- {{name: anna, key: {key}}}\n")

    def path(self, name):
        return pathlib.Path(self.folder, name)

    def start(self, out, *words):
        with open(self.path(out), "wb") as sink:
            return subprocess.Popen([self.bgref, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=sink,
                                    stderr=subprocess.STDOUT)

    def play(self, side, pairs):
        """{name: number} of one event."""
        for old in self.path(".").glob("r.db*"):
            old.unlink()
        self.path("e.yaml").write_text(EVENT % pairs)
        self.path("host.bgref").unlink(missing_ok=True)
        event = self.start("event.txt", "tournament", "e.yaml")
        while not self.path("host.bgref").exists():
            time.sleep(0.01)
        host, port = re.search(r"endpoint: tcp://([\d.]+):(\d+)", self.path("host.bgref").read_text()).groups()
        join = self.start("join.txt", "join", "host.bgref", "random", "--key", "anna.key")
        while "game 1 " not in self.path("join.txt").read_text() and event.poll() is None:
            time.sleep(0.01)
        flood = None
        if SIDES[side] > 0:
            flood = subprocess.Popen([sys.executable, "-c", FLOOD, host, port, str(SIDES[side]), str(PACE)],
                                     stdout=subprocess.PIPE, text=True)
        status = event.wait()
        connects = 0.0
        if flood is not None:
            flood.terminate()
            connects = float(flood.communicate(timeout=30)[0])
        said = self.path("event.txt").read_text()
        if status != 0 or join.wait(30) != 0 or "fault=" in said or "starting again" in self.path("join.txt").read_text():
            sys.exit(f"{side}: the known bot lost something:\n{said}")
        with sqlite3.connect(self.path("r.db")) as results:
            account, = results.execute("select value from meta where key like 'run.%'").fetchone()
        _, took, rate = (float(word) for word in PLAYED.search(said).groups())
        lag = {name: float(re.search(rf" {name}=([\d.]+)", account)[1])
               for name in ("lag_p99_us", "lag_mean_us", "lag_most_us")}
        return {"took": took, "rate": rate, "connects": connects, **lag}


def shown(values, form=",.0f"):
    return f"{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})"


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 6
    with tempfile.TemporaryDirectory(prefix="bgref-bench-") as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), os.path.realpath(folder))
        pairs = max(FEW, int(FEW * seconds / max(bench.play("quiet", FEW)["took"], 0.1)))
        runs = {side: [] for side in SIDES}
        for turn in range(rounds):
            for side in list(SIDES) if turn % 2 == 0 else list(SIDES)[::-1]:
                runs[side].append(bench.play(side, pairs))
    for side, seen in runs.items():
        print(f"{side}: lag p99 {shown([run['lag_p99_us'] for run in seen])} us, mean "
              f"{shown([run['lag_mean_us'] for run in seen], '.1f')} us, longest "
              f"{shown([run['lag_most_us'] for run in seen])} us; {shown([run['rate'] for run in seen])} decisions a second; "
              f"{shown([run['connects'] for run in seen])} connects a second")
        if side != "quiet":
            ratios = [one["lag_p99_us"] / other["lag_p99_us"] for one, other in zip(seen, runs["quiet"])]
            print(f"  lag p99, of quiet: {shown(ratios, '.2f')} (target: at most 2)")


if __name__ == "__main__":
    main()
