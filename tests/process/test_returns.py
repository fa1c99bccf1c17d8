"""Bots that are absent and start again while the event runs: they play their remaining fixtures in the same
run."""
import os
import shutil
import sqlite3
import subprocess

from harness import BGREF, BIN, LONGEST_S, ROGUE, Case, main

# Keeps the event running: its decisions wait for the file `go` in its folder, at most two minutes.
WAITER = """#!/usr/bin/python3
import os, time
import bgref_bot
honest, asked = bgref_bot.best_index, 0
def best_index(ask):
    global asked
    asked += 1
    end = time.monotonic() + 120
    while asked > 5 and not os.path.exists({go!r}) and time.monotonic() < end:
        time.sleep(0.02)
    return honest(ask)
bgref_bot.best_index = best_index
bgref_bot.main()
"""
RETURNS = """event: league
bots:
  - random
  - {{name: waiter, cmd: "{waiter}"}}
  - {{name: late, cmd: "{late}"}}
length: {length}
pairs: {pairs}
instances: {instances}
ceiling: 150s
concurrency: 24
absent: unplayed
"""


class Returns(Case):
    def setUp(self):
        super().setUp()
        for folder in ("waiter", "late", "results"):
            os.mkdir(self.path(folder))
        self.go, self.late = self.path("waiter/go"), self.path("late/bot")
        for folder in ("waiter", "late"):  # a confined bot sees only its own folder
            for name in ("bgref_bot.py", "bgref_pb2.py"):
                shutil.copy(os.path.join(BIN, "bots", "python", name), self.path(folder))
        self.program("waiter/bot", WAITER.format(go=self.go))

    def program(self, name, text):
        """Writes the file in one step (rename)."""
        os.chmod(self.write(name + ".new", text), 0o755)
        os.rename(self.path(name + ".new"), self.path(name))

    def good(self, *more):
        self.program("late/bot", "#!/bin/sh\n" + "".join(more) +
                     f"cd {self.path('late')} && exec /usr/bin/python3 bgref_bot.py\n")

    def event(self, length=0, pairs=3, instances=2):
        self.write("league.yaml", RETURNS.format(waiter=self.path("waiter/bot"), late=self.late, length=length,
                                                 pairs=pairs, instances=instances))

    def said(self):
        with open(self.path("talk"), encoding="utf-8") as talk:
            return talk.read()

    def start(self, *words):
        with open(self.path("talk"), "w", encoding="utf-8") as talk:
            run = subprocess.Popen([BGREF, "tournament", "league.yaml", "--results", "results/r.db", "--sandbox",
                                    "off", *words], cwd=self.folder, env=self.environment, stdout=talk, stderr=talk)
        self.addCleanup(self.end, run)
        return run

    @staticmethod
    def end(run):
        if run.poll() is None:
            run.kill()
            run.wait()

    def until(self, text):
        self.wait_until(lambda: text in self.said(), text, 120)

    def let_go(self, run, status=0):
        with open(self.go, "w", encoding="utf-8"):
            pass
        self.assertEqual(run.wait(LONGEST_S), status, self.said())

    def ask(self, question):
        with sqlite3.connect(self.path("results/r.db")) as database:
            return database.execute(question).fetchall()

    def check(self, fixtures):
        self.assertEqual(self.ask("select count(*) from game where match_over"), [(fixtures,)])
        self.assertEqual(self.ask("select count(*) from unplayed"), [(0,)])
        self.assertNotIn("ABSENT", self.said())
        self.assertIn("root: ", self.said())
        self.must("verify", "results/r.db")

    def test_a_missing_program_is_started_when_it_appears(self):
        self.event()
        run = self.start()
        self.until("bot=late absent")
        self.good()
        self.until("bot=late is back")
        self.let_go(run)
        self.check(18)
        digests = self.ask("select value from meta where key = 'program.late'")[0][0].splitlines()
        self.assertEqual(len(digests), 1)
        self.assertNotEqual(digests[0].split("|")[0], "-")

    def test_interrupted_matches_are_resumed(self):
        """Its first processes end in the middle of a match, and five starts fail; each of its processes counts."""
        self.event(length=5, pairs=4, instances=1)
        count = self.path("late/count")
        self.write("late/count", "0\n")
        self.good(f"read n < {count}; echo $((n + 1)) > {count}\n",
                  f"if [ $n = 0 ]; then exec {ROGUE} exit-decision --after 200; fi\n",
                  f"if [ $n -lt 6 ]; then exit 3; fi\n")
        run = self.start()
        self.until("bot=late absent")
        self.until("bot=late is back")
        self.let_go(run)
        self.check(24)
        self.assertEqual(self.ask("select count(*) from fault where fault = 'crash'"), [(1,)])

    def test_a_changed_program_is_not_started(self):
        self.event()
        with open(self.go, "w", encoding="utf-8"):
            pass
        self.good()
        self.assertEqual(self.start().wait(LONGEST_S), 0)
        before = self.ask("select value from meta where key = 'program.late'")
        os.unlink(self.late)
        os.unlink(self.go)
        self.event(pairs=5)
        run = self.start()
        self.until("bot=late absent")
        self.good("# changed\n")
        self.until("bot=late starts again, but stays out of this run: late changed since its last game")
        self.let_go(run, 7)
        self.assertEqual(self.ask("select value from meta where key = 'program.late'"), before)
        self.assertEqual(self.ask("select count(*) from game where 'late' in (a, b)"), [(12,)])
        self.assertIn("ABSENT: late does not start (late changed", self.said())

    def test_strangers_return_too(self):
        self.needs_confinement()
        self.event()
        run = self.start("--sandbox", "on", "--trust", "strangers")
        self.until("bot=late absent")
        self.good()
        self.until("bot=late is back")
        self.let_go(run)
        self.check(18)


if __name__ == "__main__":
    main()
