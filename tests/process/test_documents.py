"""Runs every command in README.md and docs/*.md, in the order of its page.

A block marked `sh` is run line by line in a folder that belongs to the page; `console` has commands (lines
that begin with `$`) and their exact output. `<!-- file: NAME -->` before a block makes it a file. The tables
below list commands that cannot be run, run shorter, or stand for a reader's own program.
"""
import os
import re
import shutil
import subprocess

from harness import BIN, LONGEST_S, Case, main

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.dirname(BIN)

# Not run: the beginning of the line, and the reason.
NOT_RUN = (
    ("git clone ADDRESS", "the reader has the repository already"),
    ("./run-olympiad", "installs packages and builds; it is what made this test's programs"),
    ("./run-tests", "runs this test"),
    ("cmake --preset", "builds what is being tested"),
    ("sudo cmake --install", "writes to the system"),
    ("sudo apt-get install", "needs the network and writes to the system; tools/packages.txt has them"),
    ("bgref tournament summer.yaml", "waits for bots of other machines; tests/process/test_door.py does it"),
    ("bgref join", "plays until the host says goodbye; tests/process/test_door.py does it"),
    ("bgref host HOST.yaml", "runs until it is stopped; tests/process/test_host_door.py does it"),
    ("bgref join host.bgref --key anna.key --seat", "a person plays; tests/process/test_operate.py types"),
    *((f"bgref host host.yaml{act}", "runs until it is stopped; tests/process/test_host.py does it")
      for act in (" --quiet", " status", " enter", " withdraw", " pause", " resume", " void", " cancel", " drain")),
    *((f"bgref host host.yaml{act}", "needs a running host; tests/process/test_gate.py does it")
      for act in (" ban", " unban")),
    *((f"bgref host host.yaml{act}", "needs a running host; tests/process/test_register.py does it") for act in (" approve", " refuse")),
    ("bgref host host.yaml accept", "needs a running host; tests/process/test_entry.py does it"),
    ("bgref host host.yaml reopen", "needs an event that has ended; tests/process/test_host_reopen.py does it"),
    ("bgref duel human", "a person plays; tests/process/test_human.py types"),
    ("bgref duel -engine bot=human", "likewise"),
    ("bgref duel person", "a person plays; tests/process/test_play.py does it by HTTP"),
    ("bgref duel -engine bot=person", "likewise"),
    ("bgref watch --listen", "serves until it is stopped; tests/process/test_watch.py does it"),
    ("bgref serve --port", "serves until it is stopped; tests/process/test_external.py plays against it"),
)
# Run shorter: a part of the line, and its replacement.
SHORTER = (
    (r"^(build/release/bin/)?bgref duel(?!.*--(pairs|games))", r"\g<0> --pairs 2 --seed 1"),
    (r"^(build/release/bin/)?bgref tournament", r"\g<0> --pairs 1"),
    (r"-sprt ppg0=0", "-sprt min_clusters=2 ppg0=0"),
    (r" -I /usr/local/share/bgref", f" -I {SOURCE}/proto"),
    (r" option\.Ply=2", ""),  # for an engine that the reader has
    (r"option\.Plies=2", "option.Plies=1"),
)
# Expected exit statuses; 0 for a command that is not listed.
STATUS = {
    "bgref duel ./new ./old -sprt ppg0=0 ppg1=0.05 --exit-verdict": 12,
    "bgref plays 4HPwATDgc/ABMA 3 1 --check '24/1'": 1,
    "bgref faults RESULTS.db mybot": 2,  # the results of this page have other bots
    "bgref sign RESULTS.db --key director.key": 2,  # this event has not ended
    "bgref verify RESULTS.db --signer director.pub": 6,
    "bgref desk RESULTS.db withdraw mybot --reason 'its author asked for it' --dry-run": 2,  # no bot has this name here
    "bgref desk RESULTS.db late-enter bert2": 2,  # this event has no schedule
    "bgref desk RESULTS.db withdraw bert --reason 'bert2 is its new version'": 2,
    "bgref desk RESULTS.db reinstate mybot --reason 'its move generator was mended'": 2,  # no bot is quarantined here
}
OWN_FILES = {
    "EVENT.yaml": "bots: [random, first]\nlength: 1\nseed: 1\n",
    "spring.yaml": "bots: [random, first]\nlength: 1\nseed: 1\n",
    "positions.xgid": "4HPwATDgc/ABMA\n",
    "myengine": "#!/bin/sh\nexec bgref serve greedy\n",
    "monitor": "#!/bin/sh\nexec cat >/dev/null\n",
}


def pages():
    names = sorted(name for name in os.listdir(os.path.join(SOURCE, "docs")) if name.endswith(".md"))
    return ["README.md"] + ["docs/" + name for name in names]


def read(page):
    with open(os.path.join(SOURCE, page), encoding="utf-8") as text:
        return text.read()


def blocks(text):
    """(language, name of the file that it becomes or None, lines) of each fenced block."""
    found = re.findall(r"(?:^<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$", text, flags=re.M | re.S)
    return [(language, name or None, body.splitlines()) for name, language, body in found]


def shortened(line):
    for pattern, text in SHORTER:
        line = re.sub(pattern, text, line)
    return line


class Documents(Case):
    def setUp(self):
        super().setUp()
        self.environment.update({
            "PATH": f"{BIN}:/usr/bin:/bin:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": os.path.join(BUILD, "pkgconfig"),
            "LD_LIBRARY_PATH": os.path.join(BIN, "bots", "lib")})

    def prepare(self, folder):
        """A reader's folder: the source, a bot or two, an event and its results."""
        os.makedirs(os.path.join(folder, "build"))
        os.symlink(BUILD, os.path.join(folder, "build", "release"))
        for name in ("docs", "bots"):
            os.symlink(os.path.join(SOURCE, name), os.path.join(folder, name))
        for name in ("mybot", "new", "old"):
            os.symlink(os.path.join(BIN, "bots", "bgref-first"), os.path.join(folder, name))
        for name, text in OWN_FILES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(text)
        for name in ("monitor", "myengine"):
            os.chmod(os.path.join(folder, name), 0o755)
        for name in ("RESULTS.db", "NAME.db", "MONEY.db", "SPRING.db", "AUTUMN.db", "MATCH.mat"):
            shutil.copy(self.path(name), folder)
        os.mkdir(os.path.join(folder, "ARCHIVE"))
        shutil.copy(self.path("MATCH.mat"), os.path.join(folder, "ARCHIVE"))

    def results(self):
        """Two bots, two matches of 3 points, judged: made once for all pages."""
        self.must("duel", "-engine", "name=alpha", "bot=greedy", "-engine", "name=beta", "bot=random",
                  "--length", "3", "--pairs", "1", "--seed", "1", "--quiet", "--results", "RESULTS.db")
        self.must("judge", "RESULTS.db")
        self.must("duel", "first", "random", "--pairs", "50", "--seed", "1", "--quiet",
                  "--results", "MONEY.db")
        for seed, name in enumerate(("SPRING.db", "AUTUMN.db")):
            self.must("duel", "first", "random", "--length", "1", "--pairs", "2", "--seed", str(seed), "--quiet",
                      "--results", name)
        self.must("export", "RESULTS.db", "--format", "mat", "-o", "MATCH.mat", "alpha|beta|0|1")
        shutil.copy(self.path("RESULTS.db"), self.path("NAME.db"))

    def run_line(self, page, line, folder, state):
        """Runs one command in the shell's current folder. Returns its output."""
        script = f'cd "$(cat {state})" || exit 99\n{shortened(line)}\nstatus=$?\npwd > {state}\nexit $status'
        done = subprocess.run(["sh", "-c", script], cwd=folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_S, check=False)
        command = line.split("  #")[0].strip()
        self.assertEqual(done.returncode, STATUS.get(command, 0),
                         f"{page}: {line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def run_console(self, page, lines, folder, state):
        text = "\n".join(lines)
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n?)*)", text, flags=re.M):
            self.assertEqual(self.run_line(page, command, folder, state).strip(), output.strip(),
                             f"{page}: {command}")

    def run_page(self, page):
        folder = self.path(page.replace("/", "-"))
        state = folder + ".pwd"
        self.prepare(folder)
        with open(state, "w", encoding="utf-8") as out:
            out.write(folder)
        for language, name, lines in blocks(read(page)):
            if name is not None:
                path = os.path.join(folder, name)
                if os.path.lexists(path):
                    os.remove(path)
                with open(path, "w", encoding="utf-8") as out:
                    out.write("\n".join(lines) + "\n")
                if name.endswith(".c"):  # the page itself has to build it
                    os.remove(os.path.join(folder, name[:-2]))
            if language == "console":
                self.run_console(page, lines, folder, state)
            for line in lines if language == "sh" else ():
                if line.strip() and not line.startswith(tuple(start for start, _ in NOT_RUN)):
                    self.run_line(page, line, folder, state)

    def test_every_command_runs(self):
        self.results()
        for page in pages():
            with self.subTest(page):
                if "\nsandbox: on" in read(page):
                    self.needs_confinement()
                self.run_page(page)

    def test_no_command_is_unmarked(self):
        """Everything that looks like a command is in a block that is run."""
        for page in pages():
            text = read(page)
            lines = [line for language, _, body in blocks(text) for line in body
                     if language not in ("sh", "console")]
            lines += re.findall(r"^    (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S),
                                flags=re.M)
            for line in lines:
                self.assertNotRegex(line.strip(), r"^(\$ |\./run-|cmake |(\S*/)?bgref [a-z-]+ [^A-Z])",
                                    f"{page}: a command in a block that is not run")

    def test_commands_within_sentences_exist(self):
        """`bgref COMMAND --flag` in running text: the command exists and its help lists the flag."""
        known = re.findall(r"^  ([a-z][a-z-]*) ", self.must("--help")[0], flags=re.M)
        helps = {name: self.must(name, "--help")[0] for name in known}
        for page in pages():
            for command, rest in re.findall(r"`bgref ([a-z][a-z-]*)([^`]*)`", read(page)):
                with self.subTest(page=page, command=command + rest):
                    self.assertIn(command, known)
                    for flag in re.findall(r"\s(--[a-z][a-z-]*)", rest):
                        self.assertIn(flag, helps[command])

    def test_tables_are_used(self):
        """A row that no page needs any more has to be removed."""
        text = "\n".join(read(page) for page in pages())
        for start, _ in NOT_RUN:
            self.assertIn("\n" + start, text)
        for line in STATUS:
            self.assertIn(line, text)
        for pattern, _ in SHORTER:
            self.assertRegex(text, re.compile(pattern, flags=re.M))


main()
