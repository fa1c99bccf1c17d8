"""A judge that runs beside an event: its messages, its sandbox, and its progress."""
import contextlib
import os
import re
import shutil
import subprocess

from harness import BGREF, BIN, Case, main

FIELD = """event: field
bots: [greedy, random, {name: other, bot: greedy}, {name: last, bot: random}]
length: 0
pairs: 1
seed: 3
"""
SLOW = """#!/bin/sh
touch seen
while [ ! -e go ]; do sleep 0.05; done
LD_LIBRARY_PATH="${0%/*}" exec "${0%/*}/judging-greedy"
"""


class Judging(Case):
    def judge(self):
        """A judge that leaves a mark where it may write, and waits for a file."""
        path = self.write("slow", SLOW)
        bots = os.path.join(BIN, "bots")
        shutil.copy(os.path.join(bots, "bgref-greedy"), self.path("judging-greedy"))
        shutil.copy(os.path.join(bots, "lib", "libbgref.so.1"), self.folder)
        os.chmod(path, 0o755)
        return path

    def test_its_table_has_one_row_a_bot_and_the_pairings_by_option(self):
        self.write("field.yaml", FIELD)
        out, _ = self.must("tournament", "field.yaml", "--judge", "greedy", "--results", "r.db")
        table = out[out.index("LUCK-ADJUSTED"):]
        for bot in ("greedy", "random", "other", "last"):
            rows = [line for line in table.splitlines() if line.startswith(bot + " ")]
            self.assertEqual(len(rows), 1, table)
        self.assertNotIn(" vs ", table)
        self.assertIn("--pairings", table)
        words = ("judge", "r.db", "--judge", "greedy", "--quiet")
        plain = self.must(*words)[0]
        self.assertNotIn(" vs ", plain)
        self.assertEqual(plain.count("\nother "), 1)
        self.assertEqual(self.must(*words, "--pairings")[0].count(" judged\n"), 7, "six, and the sum")

    def test_progress_counts_games_left_by_earlier_runs(self):
        judge = self.judge()
        os.mkdir(self.path("out"))
        run = self.begin("duel", "greedy", "random", "--games", "6", "--seed", "3", "--judge", judge,
                         "--judge-sandbox", "off", "--results", "out/r.db")
        said = ""
        while "all games are played" not in said:
            line = run.stderr.readline()
            self.assertNotEqual(line, "", said)
            said += line
        self.write("go", "")
        said += run.communicate(timeout=300)[1]
        self.assertEqual(run.returncode, 0, said)
        self.assertIn("judged 6/6 (100.0%)", said)
        self.assertIn(f"judge: {judge}, not confined: judge_sandbox=off", said)

    def test_on_a_terminal_its_progress_is_written_over_one_line(self):
        leader, terminal = self.open_terminal()
        os.mkdir(self.path("out"))
        run = subprocess.Popen([BGREF, "duel", "greedy", "random", "--games", "6", "--seed", "3", "--judge", self.judge(),
                                "--judge-sandbox", "off", "--results", "out/r.db"], cwd=self.folder, env=self.environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        shown = b""
        with contextlib.suppress(OSError):  # the last writer has closed it
            while more := os.read(leader, 65536):
                shown += more
                if b"all games are played" in shown:
                    self.write("go", "")
        os.close(leader)
        self.assertEqual(run.wait(timeout=300), 0, shown)
        self.assertEqual(sum(b"judged" in line for line in shown.split(b"\n")), 1, shown)

    def test_the_start_of_the_judge_is_no_cost_of_its_games(self):
        self.write("slow", "#!/bin/sh\ni=0\nwhile [ $i -lt 300000 ]; do i=$((i+1)); done\n"
                           f"exec {os.path.join(BIN, 'bots', 'bgref-greedy')}\n")
        os.chmod(self.path("slow"), 0o755)
        self.must("duel", "greedy", "random", "--pairs", "1", "--results", "r.db")
        said = self.must("judge", "r.db", "--judge", "./slow", "--sandbox", "off")[1]
        costs = re.search(r"judged now: 2 games, ([\d.]+) s of CPU a game; to start the judge and "
                          r"end it: ([\d.]+) s", said)
        self.assertIsNotNone(costs, said)
        self.assertGreater(float(costs[2]), 4 * float(costs[1]), said)

    def test_the_judge_is_confined_by_default(self):
        self.needs_confinement()
        judge = self.judge()
        self.write("go", "")
        os.mkdir(self.path("out"))
        words = ("duel", "greedy", "random", "--games", "2", "--seed", "3", "--judge", judge, "--results", "out/r.db")
        said = self.must(*words)[1]
        self.assertIn(", confined (bwrap", said)
        self.assertFalse(os.path.exists(self.path("seen")), "it can write outside of its folder")
        self.must("judge", "out/r.db", "--judge", judge, "--again", "--sandbox", "off")
        self.assertTrue(os.path.exists(self.path("seen")))
        self.assertIn("confined", self.must("doctor")[0].partition("judge")[2].splitlines()[0])

    def test_untrusted_bots_need_a_confined_judge(self):
        self.needs_confinement()
        said = self.must("duel", "greedy", "random", "--games", "2", "--sandbox", "on", "--judge", "greedy",
                         "--judge-sandbox", "off", status=2)[1]
        self.assertIn("judge_sandbox: off", said)
        self.assertFalse(os.path.exists(self.path("bgref-results/duel.db-journal")))

    def test_sandbox_on_is_refused_where_the_judge_cannot_be_confined(self):
        self.environment["PATH"] = self.folder  # no bwrap
        said = self.must("duel", os.path.join(BIN, "bots", "bgref-greedy"), "random", "--games", "2", "--judge",
                         "greedy", "--judge-sandbox", "on", status=2)[1]
        self.assertIn("judge_sandbox: on, but a judge cannot be confined here", said)
        done = subprocess.run([os.path.join(BIN, "bgref"), "judge", "x.db", "--sandbox", "maybe"],
                              capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected auto, on or off", done.stderr)

    def test_verify_takes_what_gnubg_rounds_and_no_more(self):
        if shutil.which("gnubg", path=os.environ.get("PATH", "") + ":/usr/games") is None:
            self.skipTest("gnubg is not installed")
        for length in ("0", "5"):
            results = f"{length}.db"
            self.must("duel", "greedy", "random", "--pairs", "1", "--length", length, "--seed", "1", "--results", results, "--quiet")
            self.must("judge", results, "--judge", "gnubg", "--quiet")
            self.must("verify", results)
            self.change(results, "update judgement set luck_a = luck_a + 0.1")
            self.assertIn("its luck is not the sum over its rolls", self.must("verify", results, status=6)[1])


main()
