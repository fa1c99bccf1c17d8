#!/usr/bin/env python3
"""What a line over CURVE costs: decisions a second of an event with one remote bot, beside the same event with two
local ones.

usage: bench_remote.py BUILD [ROUNDS [SECONDS [TABLES]]]

BUILD is a build folder (build/release). Three events are run in turn, ROUNDS times (5), forwards and backwards
alternately, each for about SECONDS (6): one-point matches of two `random`, TABLES (64) at once, one process a bot, so
that one session is compared with one; no sandbox, durable games. In the first event both bots are local. In the others
one is remote, over TCP on loopback: `joined` by `bgref join`, or `alone`, where the bot itself connects by CURVE, as
every program on the SDK can. Prints medians and ranges, the ratios to the local event round by round, and the CPU time
of each process a decision of the event.
"""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

PLAYED = re.compile(r"played: (\d+) decisions in ([\d.]+) s, (\d+) a second; referee CPU ([\d.]+)")
EVENT = """event: spring
bots:
  - {first}
  - random
length: 1
pairs: {pairs}
concurrency: {tables}
instances: 1
sandbox: off
results: r.db
"""
DOOR = """door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: allow.yaml, appear: 20s}
"""
ROLES = {"bgref-doorman": "doorman", "bgref-gateway": "gateway", "bgref-random": "bots"}
TICK = os.sysconf("SC_CLK_TCK")
FEW = 1000
SIDES = ("local", "joined", "alone")


def role_of(words):
    name = os.path.basename(words[0])
    return "join" if words[1:2] == ["join"] else "referee" if words[1:2] == ["tournament"] else ROLES.get(name)


def cpu_by_role(folder):
    """CPU seconds of the processes that work in this folder, by process id: (role, seconds)."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or os.readlink(entry / "cwd") != folder:
                continue
            role = role_of((entry / "cmdline").read_text().split("\0"))
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if role is not None:
            found[entry.name] = (role, (int(fields[11]) + int(fields[12])) / TICK)
    return found


class Bench:
    def __init__(self, build, folder, tables):
        self.bgref, self.folder, self.tables = os.path.join(build, "bin", "bgref"), folder, tables
        for name in ("host", "anna"):
            subprocess.run([self.bgref, "keygen", "--join", name], cwd=folder, check=True, capture_output=True)
        key = self.path("anna.pub").read_text().split()[3]
        self.path("allow.yaml").write_text(f"- {{name: anna, key: {key}}}\n")

    def path(self, name):
        return pathlib.Path(self.folder, name)

    def start(self, out, *words, **told):
        with open(self.path(out), "wb") as sink:
            return subprocess.Popen(words, cwd=self.folder, env={**os.environ, **told}, stdin=subprocess.DEVNULL,
                                    stdout=sink, stderr=subprocess.STDOUT)

    def start_remote(self, side):
        host = self.path("host.bgref")
        while not host.exists():
            time.sleep(0.01)
        if side == "joined":
            return self.start("join.txt", self.bgref, "join", "host.bgref", "random", "--key", "anna.key")
        words = dict(re.findall(r"^(\w+): '?([^'\n]+)", host.read_text(), re.M))
        random = os.path.join(os.path.dirname(self.bgref), "bots", "bgref-random")
        return self.start("alone.txt", random, BGREF_ENDPOINT=words["endpoint"], BGREF_SERVER_KEY=words["key"],
                          BGREF_KEY_FILE="anna.key")

    def play(self, side, pairs):
        """Returns (decisions a second, seconds, {role: CPU us a decision})."""
        is_remote = side != "local"
        for old in self.path(".").glob("r.db*"):
            old.unlink()
        text = EVENT.format(first="{name: anna, remote: true}" if is_remote else "{name: anna, bot: random}",
                            pairs=pairs, tables=self.tables)
        self.path("e.yaml").write_text(text + (DOOR if is_remote else "duplicate: off\n"))
        self.path("host.bgref").unlink(missing_ok=True)
        running = [self.start("event.txt", self.bgref, "tournament", "e.yaml")]
        if is_remote:
            running.append(self.start_remote(side))
        seen = {}
        while running[0].poll() is None:
            seen.update(cpu_by_role(self.folder))
            time.sleep(0.05)
        for process in running:
            if process.wait(30) != 0:
                sys.exit(f"{process.args} ended with {process.returncode}: see {self.folder}")
        decisions, took, rate, _ = (float(word) for word in PLAYED.search(self.path("event.txt").read_text()).groups())
        spent = {}
        for role, seconds in seen.values():
            spent[role] = spent.get(role, 0) + 1e6 * seconds / decisions
        return rate, took, spent


def shown(values, form):
    return f"{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})"


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 6
    tables = int(sys.argv[4]) if len(sys.argv) > 4 else 64
    with tempfile.TemporaryDirectory(prefix="bgref-bench-") as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), os.path.realpath(folder), tables)
        pairs = {side: max(FEW, int(FEW * seconds / max(bench.play(side, FEW)[1], 0.1))) for side in SIDES}
        runs = {side: [] for side in SIDES}
        for turn in range(rounds):
            for side in SIDES if turn % 2 == 0 else SIDES[::-1]:
                runs[side].append(bench.play(side, pairs[side]))
    for side in SIDES:
        print(f"{side:7} decisions a second {shown([run[0] for run in runs[side]], ',.0f')}")
        everything = statistics.median(sum(run[2].values()) for run in runs[side])
        for role in runs[side][0][2]:
            spent = statistics.median(run[2].get(role, 0) for run in runs[side])
            print(f"        {role:8} {spent:6.2f} us of CPU a decision, {100 * spent / everything:5.1f} %")
    for side in SIDES[1:]:
        turns = list(zip(runs["local"], runs[side]))
        print(f"{side}, of local: {shown([far[0] / near[0] for near, far in turns], '.2f')}")
        ratios = [sum(near[2].values()) / sum(far[2].values()) for near, far in turns]
        print(f"        by the CPU time of all processes: {shown(ratios, '.2f')}")


if __name__ == "__main__":
    main()
