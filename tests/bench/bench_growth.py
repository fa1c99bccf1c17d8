#!/usr/bin/env python3
"""The cost of an event with many stored games: start, show, rate, report.

Usage: bench_growth.py BUILD FOLDER [GAMES...]     (10000 100000 1000000)
  BUILD   a build folder with bin/bgref and bin/make_games
  FOLDER  for the databases; an existing one is reused

Starts an event of four bots (money, duplicate pairs), stops it after its first games, fills it up with
make_games, and resumes it. Prints one line for each size: medians of three runs, wall seconds / CPU seconds.
resume: from the start of the command to the first line of the first bot's process. memory: the referee's
largest resident size until then, MB. verify: one run, for information; above 100000 games only with
VERIFY=1.
"""
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import time

ROUNDS = 3
BOTS = ["four", "one", "three", "two"]
PAIRINGS = len(BOTS) * (len(BOTS) - 1) // 2


def event_of(folder, games, bgref):
    """The event file: its bots write down the time of their start, then play randomly."""
    pairs = games // (2 * PAIRINGS) + 100
    event = folder / f"growth-{games}.yaml"
    bot = bgref.parent / "bots" / "bgref-random"
    script = folder / "begins.sh"
    script.write_text(f"#!/bin/sh\ndate +%s.%N >> '{folder}/started'\nexec '{bot}' \"$@\"\n")
    script.chmod(0o755)
    event.write_text("event: growth\nbots:\n" +
                     "".join(f"  - name: {name}\n    cmd: {script}\n" for name in BOTS) +
                     f"length: money\npairs: {pairs}\nseed: 5\nquarantine: 1000000\n")
    return event, pairs


def begin(command):
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def start_of(folder, bgref, event, results, *words):
    """Until the first bot runs: wall seconds, CPU seconds and the referee's memory in MB."""
    started = folder / "started"
    started.unlink(missing_ok=True)
    begun = time.time()
    run = begin([bgref, "tournament", event, "--results", results, "--quiet", "--sandbox", "off",
                 "--concurrency", "1", *words])
    while not (started.exists() and started.stat().st_size > 10):
        if run.poll() is not None:
            sys.exit(f"the event ended: {run.stderr.read()}")
        time.sleep(0.002)
    ticks = pathlib.Path(f"/proc/{run.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    status = pathlib.Path(f"/proc/{run.pid}/status").read_text()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    seconds = float(started.read_text().split()[0]) - begun
    time.sleep(0.3)  # a few games
    run.send_signal(signal.SIGINT)
    run.communicate()
    return (seconds, sum(int(tick) for tick in ticks) / os.sysconf("SC_CLK_TCK")), peak / 1024


def seconds_of(*command):
    """Wall seconds and CPU seconds."""
    begun = time.monotonic()
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        sys.exit(f"{command} ended with {run.returncode}")
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime


def median(measure):
    rounds = [measure() for _ in range(ROUNDS)]
    return " / ".join(f"{statistics.median(column):.2f}" for column in zip(*rounds))


def measure(build, folder, games):
    bgref = build / "bin" / "bgref"
    event, pairs = event_of(folder, games, bgref)
    results = folder / f"growth-{games}.db"
    if not results.exists():
        start_of(folder, bgref, event, results)
        subprocess.run([build / "bin" / "make_games", results, str(games), str(pairs), *BOTS], check=True,
                       stdout=subprocess.DEVNULL)
    starts = [start_of(folder, bgref, event, results) for _ in range(ROUNDS)]
    peak = max(peak for _, peak in starts)
    row = {"games": f"{games:,}",
           "resume s": median(lambda: starts.pop()[0]),
           "with chess lines s": median(lambda: start_of(folder, bgref, event, results, "--chess-lines")[0]),
           "memory MB": f"{peak:.0f}",
           "show s": median(lambda: seconds_of(bgref, "show", results)),
           "rate s": median(lambda: seconds_of(bgref, "rate", results)),
           "report --html s": median(lambda: seconds_of(bgref, "report", results, "--html")),
           "report --json s": median(lambda: seconds_of(bgref, "report", results, "--json"))}
    if games <= 100000 or os.environ.get("VERIFY") == "1":
        row["verify s"] = "{:.2f} / {:.2f}".format(*seconds_of(bgref, "verify", results))
    return row


def main():
    build, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    sizes = [int(word) for word in sys.argv[3:]] or [10000, 100000, 1000000]
    folder.mkdir(parents=True, exist_ok=True)
    head = False
    for games in sizes:
        row = measure(build, folder, games)
        row.setdefault("verify s", "-")
        if not head:
            print("| " + " | ".join(row) + " |\n|" + "---|" * len(row))
            head = True
        print("| " + " | ".join(row.values()) + " |", flush=True)
    print(f"largest child: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
