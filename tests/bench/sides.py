"""The measurements of tests/bench/run: each side is one run of a program, and returns numbers by name."""
import contextlib
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PLAYED = re.compile(r"played: (\d+) decisions in ([\d.]+) s, (\d+) a second; referee CPU ([\d.]+)")
AUTO = ("--sandbox", "off", "--affinity", "auto")
GNUBG_TABLES = 256  # so that no gnubg ever waits for its next question
COMPARED = 15  # runs of each way when two are compared
GNUBG_PATH = os.environ.get("PATH", "") + ":/usr/games"
GAMES = 1000000  # stored in the event whose start is measured
TICK = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A side could not be measured; the text gives the reason."""


def last_line(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it printed nothing"


def number(pattern, text):
    """The number that the pattern's group matches in a program's output."""
    found = re.search(pattern, text)
    if found is None:
        raise Failed(f"no '{pattern}' in: {last_line(text)}")
    return float(found.group(1))


def status_of(pid):
    """The lines of /proc/PID/status by name, in KiB."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return {name: int(kib) for name, kib in re.findall(r"^(\w+):\s+(\d+) kB$", lines, flags=re.M)}


def private_of(pid):
    """Memory of this process alone, in KiB."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii", errors="replace")
    return sum(int(kib) for kib in re.findall(r"^Private_(?:Clean|Dirty):\s+(\d+) kB$", text, flags=re.M))


@contextlib.contextmanager
def first_cores(count):
    """Programs that are started inside have only the first cores of this program."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


class Sides:
    """build: a build folder. seconds: playing time of one run of the referee. folder: databases that are reused
    (a million games); scratch: for one run."""

    def __init__(self, build, seconds, folder, scratch):
        self.bin = build / "bin"
        self.build, self.seconds, self.folder, self.scratch = build, seconds, folder, scratch
        self.paces = {}  # games per second by kind of run, to choose the number of games

    def measure(self, name):
        """The numbers of one run of the named side: a method, or a method and its number, such as cores_2."""
        word, _, count = name.rpartition("_")
        return getattr(self, word)(int(count)) if count.isdigit() else getattr(self, name)()

    # ---- helpers

    def output(self, *command, timeout=300, **more):
        """Returns the command's output of both channels; raises Failed with the last line if it fails."""
        command = [str(word) for word in command]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                  timeout=timeout, cwd=self.scratch, check=False, **more)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"{os.path.basename(command[0])} took more than {timeout} s") from late
        if done.returncode != 0:
            raise Failed(f"{os.path.basename(command[0])} ended with {done.returncode}: "
                         f"{last_line(done.stderr or done.stdout)}")
        return done.stdout + done.stderr

    def empty_scratch(self):
        for entry in self.scratch.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()

    def duel_words(self, pairs, tables, instances=1, program="bgref", bot="random"):
        self.empty_scratch()
        return [str(self.bin / program), "duel", "-engine", "name=A", bot, "-engine", "name=B", bot,
                "--length", "1", "--pairs", str(pairs), "-concurrency", str(tables),
                "--instances", str(instances), "--seed", "1", "--results", "r.db"]

    def duel(self, kind, tables, instances=1, program="bgref", more=("--sandbox", "off"), env=None):
        """Two random bots for about `seconds`; the number of pairs is determined once for each kind."""
        environment = {name: value for name, value in os.environ.items() if name != "BGREF_CLIENT"}
        environment.update(env or {})

        def play(pairs):
            text = self.output(*self.duel_words(pairs, tables, instances, program), *more, env=environment)
            found = PLAYED.search(text)
            if found is None:
                raise Failed(f"no line 'played:' in: {last_line(text)}")
            decisions, took, rate, cpu = (float(word) for word in found.groups())
            if decisions < 50 * pairs:  # a game has about 90; fewer: games were lost by faults
                raise Failed(f"only {decisions:.0f} decisions in {pairs} pairs")
            return {"rate": rate, "cpu_us": cpu, "games": 2 * pairs / max(took, 0.1), "took": took,
                    "decisions": decisions}

        if kind not in self.paces:
            few = max(50, 4 * tables)
            few = max(few, int(few * 0.5 / max(play(few)["took"], 0.05)))
            self.paces[kind] = play(few)["games"]
        return play(max(20, int(self.paces[kind] * self.seconds / 2)))

    def bare(self, *words):
        """The transport alone, without a game: tests/bench/ceiling/rtbench.c."""
        text = self.output(self.bin / "rtbench", *words, "-s", max(0.5, self.seconds / 2))
        try:
            found = [float(word) for word in text.split()]
            return {"rate": found[0], "p50_us": found[1], "p99_us": found[2], "cpu_us": found[3]}
        except (ValueError, IndexError) as bad:
            raise Failed(f"rtbench printed: {last_line(text)}") from bad

    # ---- the referee compared with the transport

    def shared(self):
        return self.duel("shared", 64)

    def unrecorded(self):
        """What durable recording costs."""
        return self.compare(("shared", 64), ("unrecorded", 64, 1, "bgref-unrecorded"))

    def confined(self):
        """What confinement costs."""
        return self.compare(("confined", 64, 1, "bgref", ("--sandbox", "on", "--trust", "own")), ("shared", 64))

    def cpu_of_play(self, way, start):
        """A duel's numbers, with the CPU time of a decision of all its processes without their start, in us."""
        before = cpu_of_children()
        played = self.duel(*way)
        played["all_us"] = 1e6 * (cpu_of_children() - before - start) / played["decisions"]
        return played

    def start_of(self, way):
        """CPU seconds for a duel that hardly plays."""
        kind, tables, *more = way
        self.duel(*way)  # determines the number of pairs of this kind
        kept, self.paces[kind] = self.paces[kind], 0
        try:
            spent = []
            for _ in range(5):
                before = cpu_of_children()
                self.duel(kind, tables, *more)
                spent.append(cpu_of_children() - before)
            return min(spent)
        finally:
            self.paces[kind] = kept

    def compare(self, with_it, without):
        """Two ways to play the same duel in turn, COMPARED times: by how much the first is slower, and uses more CPU
        time, in percent: the median, and the limits that hold it in 95 of 100 such comparisons (of the sign test)."""
        ways = (with_it, without)
        starts = [self.start_of(way) for way in ways]
        slower, more, rates = [], [], []
        for turn in range(COMPARED):
            order = (0, 1) if turn % 2 == 0 else (1, 0)
            one = {i: self.cpu_of_play(ways[i], starts[i]) for i in order}
            slower.append(100 * (1 - one[0]["rate"] / one[1]["rate"]))
            more.append(100 * (one[0]["all_us"] / one[1]["all_us"] - 1))
            rates.append(one[0]["rate"])
        return {"slower": limits(slower), "more": limits(more), "rate": statistics.median(rates)}

    def shared_pinned(self):
        return self.duel("shared", 64, more=AUTO)

    def cores(self, count):
        """On the first cores, with as many processes per bot."""
        with first_cores(count):
            return self.duel(f"cores_{count}", 64 * count, instances=count)

    def shared_libzmq(self):
        return self.bare("-t", "zmq", "-n", "2", "-b", "32")

    def shared_link(self):
        return self.bare("-t", "zmtp", "-n", "2", "-b", "32")

    def shared_ends(self):
        return self.bare("-t", "link", "-n", "2", "-b", "32")

    # Lock-step: `flight` decisions are on their way at once. A table has one; each engine of rtbench has one.

    def lockstep(self, flight):
        return self.duel(f"lockstep_{flight}", flight)

    def lockstep_client(self, flight):
        return self.duel(f"client_{flight}", flight, env={"BGREF_CLIENT": "libzmq"})

    def lockstep_libzmq(self, flight):
        return self.bare("-t", "zmq", "-n", flight)

    def lockstep_link(self, flight):
        return self.bare("-t", "zmtp", "-n", flight)

    def lockstep_ends(self, flight):
        return self.bare("-t", "link", "-n", flight)

    def lockstep_pinned(self):
        return self.duel("lockstep_pinned", 1, more=AUTO)

    def lockstep_client_pinned(self):
        return self.duel("client_pinned", 1, more=AUTO, env={"BGREF_CLIENT": "libzmq"})

    def lockstep_libzmq_pinned(self):
        with first_cores(1):
            return self.lockstep_libzmq(1)

    def lockstep_link_pinned(self):
        with first_cores(1):
            return self.lockstep_link(1)

    def lockstep_ends_pinned(self):
        with first_cores(1):
            return self.lockstep_ends(1)

    def sixteen(self):
        """8 tables, two bots at each: 16 processes. Move times from the report."""
        values = self.duel("sixteen", 8, instances=8)
        text = self.output(self.bin / "bgref", "report", "r.db", "--json")
        rows = json.loads(text)["tables"]["clocks"]["rows"]
        values["p50_us"] = statistics.mean(row["median_ms"] for row in rows) * 1e3
        values["p99_us"] = max(row["p99_ms"] for row in rows) * 1e3
        return values

    def sixteen_libzmq(self):
        return self.bare("-t", "zmq", "-n", "16")

    def sixteen_ends(self):
        return self.bare("-t", "link", "-n", "16")

    # ---- inside one process

    def generation(self):
        text = self.output(self.bin / "bench_plays", HERE.parent / "vectors" / "backgammon-moves.tsv", 5)
        return {"rate": number(r"position-rolls/s\s+(\d+) median", text)}

    def legality(self):
        text = self.output(self.bin / "bench_match", 200000, 5)
        return {"ns": number(r"plays judged by moves\s+([\d.]+) ns", text)}

    def codec(self):
        return {"ns": number(r"together\s+([\d.]+) ns", self.output(self.bin / "bench_wire"))}

    def rating(self):
        """1,000 bots, 2 million games. The first run makes them (about 30 s); a database of an older version is
        made again."""
        command = (self.bin / "bench_rate", self.bin / "bgref", self.folder)
        try:
            text = self.output(*command)
        except Failed:
            for path in self.folder.glob("rate.db*"):
                path.unlink()
            text = self.output(*command)
        return {"cpu_s": number(r"ratings from it:.* processor ([\d.]+) s", text),
                "all_s": number(r"bgref rate:.* processor ([\d.]+) s", text)}

    def report(self):
        text = self.output(self.bin / "bench_report")
        return {"s": number(r"the page, all in all: ([\d.]+) s", text)}

    def start(self):
        """An event with a million stored games. The first run makes them (20 s, 2.8 GB)."""
        text = self.output(sys.executable, HERE / "bench_growth.py", self.build, self.folder, GAMES, timeout=900)
        lines = [line for line in text.splitlines() if line.startswith("| ")]
        row = dict(zip(*([cell.strip() for cell in line.strip("|").split("|")] for line in lines)))
        try:
            return {"s": float(row["resume s"].split("/")[0]), "mib": float(row["memory MB"])}
        except (KeyError, ValueError) as bad:
            raise Failed(f"bench_growth.py printed: {last_line(text)}") from bad

    # ---- memory

    def held_kib(self, tables, pairs):
        """The referee's largest memory, and the part that is not shared with other programs."""
        run = subprocess.Popen(self.duel_words(pairs, tables), cwd=self.scratch, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, errors="replace")
        peak = own = 0
        deadline = time.monotonic() + 120
        while run.poll() is None and time.monotonic() < deadline:
            try:
                peak = max(peak, status_of(run.pid).get("VmHWM", 0))
                own = max(own, private_of(run.pid))
            except OSError:
                break  # the process has just ended
            time.sleep(0.1)
        if time.monotonic() >= deadline:
            end(run)
            raise Failed(f"a duel at {tables} tables took more than 120 s")
        _, said = run.communicate()
        if "played:" not in said:
            raise Failed(f"a duel at {tables} tables ended: {last_line(said)}")
        return peak, own

    def memory(self):
        """A few hundred games at one table; 15,000 at 10,000 tables, so that all are full at once, minus the
        memory of as many games at 64 tables."""
        (one, own), (few, _), (many, _) = (self.held_kib(1, 200), self.held_kib(64, 7500),
                                           self.held_kib(10000, 7500))
        return {"base_mib": own / 1024, "resident_mib": one / 1024, "table_kib": (many - few) / (10000 - 64)}

    # ---- GNU Backgammon

    def gnubg_fed(self):
        """As many gnubg as in the duel, fed with questions from a file by processes that throw the answers away."""
        text = self.output(sys.executable, HERE / "bench_questions.py", shutil.which("gnubg", path=GNUBG_PATH),
                           HERE.parent / "vectors" / "backgammon-moves.tsv", "feed", 2 * len(os.sched_getaffinity(0)),
                           max(4.0, self.seconds))
        return {"share": number(r"share ([\d.]+) %", text), "part": number(r"part ([\d.]+) %", text)}

    def gnubg(self):
        """gnubg's share of the CPU time of all cores, and the CPU time of a decision by program, measured
        in the middle of a duel."""
        words = [str(self.bin / "bgref"), "duel", "gnubg", "gnubg", "--pairs", "100000", "--seed", "1",
                 "-concurrency", str(GNUBG_TABLES), "--results", "r.db"]
        programs = ("gnubg", "bgref-gnubg", "bgref", None)
        self.empty_scratch()
        run = subprocess.Popen(words, cwd=self.scratch, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            begun = time.monotonic()
            while sum(cpu_of(run.pid, "gnubg").values()) < 2.0:
                if run.poll() is not None or time.monotonic() > begun + 60:
                    raise Failed("gnubg did not begin to play within 60 s")
                time.sleep(0.1)
            before, at = {comm: cpu_of(run.pid, comm) for comm in programs}, time.monotonic()
            answered = sum(writes_of(pid) for pid in before["gnubg"])
            time.sleep(max(4.0, self.seconds))
            after, seconds = {comm: cpu_of(run.pid, comm) for comm in programs}, time.monotonic() - at
            answered = sum(writes_of(pid) for pid in after["gnubg"]) - answered
            spent = {comm: sum(now - before[comm].get(pid, 0) for pid, now in after[comm].items())
                     for comm in after}
            if answered < 1000 or after["gnubg"].keys() != before["gnubg"].keys():
                raise Failed(f"{answered} decisions of gnubg, or another gnubg was started")
            return {"share": 100 * spent["gnubg"] / seconds / len(os.sched_getaffinity(0)),
                    "part": 100 * spent["gnubg"] / spent[None],
                    "gnubg_us": 1e6 * spent["gnubg"] / answered,
                    "bridge_us": 1e6 * spent["bgref-gnubg"] / answered,
                    "referee_us": 1e6 * spent["bgref"] / answered}
        finally:
            end(run)


def cpu_of_children():
    """CPU seconds of all processes below this one that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def limits(values):
    """(median, low, high): the ranks that hold the true median with at least 95 %."""
    ranked, n, below, total = sorted(values), len(values), -1, 0.0
    while total + math.comb(n, below + 1) / 2 ** n <= 0.025:
        below += 1
        total += math.comb(n, below) / 2 ** n
    low = max(below, 0)
    return statistics.median(ranked), ranked[low], ranked[n - 1 - low]


def writes_of(pid):
    """Write calls of a process so far. gnubg makes one for each answer."""
    text = pathlib.Path(f"/proc/{pid}/io").read_text(encoding="ascii")
    return int(re.search(r"^syscw: (\d+)$", text, flags=re.M).group(1))


def end(run):
    """Stops a run that would continue to play."""
    run.send_signal(signal.SIGINT)
    try:
        run.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)  # the second signal aborts the running games
        try:
            run.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            run.kill()
            run.communicate()


def cpu_of(root, comm):
    """CPU seconds by process, for root and its descendants; only processes of this name (None: all)."""
    parents, seconds = {}, {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            text = pathlib.Path(f"/proc/{name}/stat").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        named, rest = text.split("(", 1)[1].rsplit(")", 1)
        words = rest.split()
        parents[int(name)] = int(words[1])
        if comm in (None, named):
            seconds[int(name)] = (int(words[11]) + int(words[12])) / TICK

    def descends(pid):
        while pid in parents and pid != root:
            pid = parents[pid]
        return pid == root

    return {pid: spent for pid, spent in seconds.items() if descends(pid)}
