"""Bots that do not start: the start is repeated; they are left out, and return in the same run when they start again, or in the
next one."""
import os
import shutil
import subprocess

from harness import BGREF, BIN, LONGEST_S, ROGUE, Case, confines_bots, main

# Fails as often as the file's number, then plays.
FLAKY = """#!/bin/sh
read left < {count}
if [ "$left" -gt 0 ]; then echo $((left - 1)) > {count}; echo "no licence" >&2; exit 3; fi
exec {bot}
"""


class Absent(Case):
    def event(self, command, absent="unplayed", pairs=2):
        self.event_file("league.yaml", event="league", bots=["greedy", "random", f'{{name: late, cmd: "{command}"}}'], length=0,
                        pairs=pairs, seed=3, instances=1, absent=absent)

    def play(self, *words, status=0):
        return self.must("tournament", "league.yaml", "--results", "r.db", *words, status=status)

    def flaky(self, times):
        self.write("count", f"{times}\n")
        return self.script("flaky", FLAKY.format(count=self.path("count"), bot=os.path.join(BIN, "bots", "bgref-greedy")))

    def one(self, question):
        return self.rows(question)[0][0]

    def test_a_start_that_fails_is_tried_again(self):
        self.event(self.flaky(3))
        _, talk = self.play()
        self.assertIn("start 3 of 5 failed", talk)
        self.assertIn("12/12 (100.0%)", talk)
        self.assertEqual(self.one("select count(*) from fault"), 0, "it has started: nobody is charged")

    def test_the_event_continues_and_the_next_run_tries_again(self):
        self.event(self.flaky(5))
        out, talk = self.play("--events", "e.jsonl", status=7)
        self.assertIn("4/12 (33.3%)", talk)
        self.assertIn("ABSENT: late does not start", out)
        self.assertIn("OPEN: 8 of 12 games wait", out)
        self.assertIn("to go on: ", talk)
        self.assertNotIn("root: ", out)
        events = self.json_lines("e.jsonl")
        self.assertEqual([event["bot"] for event in events if event["kind"] == "absent"], ["late"])
        self.assertEqual(events[-1]["outcome"], "unplayed")
        out, talk = self.play()
        self.assertIn("12/12 (100.0%)", talk)
        self.assertIn("root: ", out)
        self.assertEqual(self.one("select count(*) from game"), 12)
        self.must("verify", "r.db")

    def test_failed_starts_of_many_runs_exclude_no_bot(self):
        self.event(self.flaky(15))
        for _ in range(3):
            self.play(status=7 if self.one_or_none() is None else 3)
        self.play()
        self.assertEqual(self.one("select count(*) from game"), 12)
        self.assertEqual(self.one("select count(*) from unplayed"), 0)

    def one_or_none(self):
        return self.one("select max(pair) from game") if os.path.exists(self.path("r.db")) else None

    def test_a_missing_program_is_a_bot_that_does_not_start(self):
        program = self.path("gone")
        self.event(program)
        out, talk = self.play(status=7)
        self.assertIn("gone: No such file", out)
        self.assertEqual(self.one("select count(*) from game"), 4)
        os.rename(self.flaky(0), program)
        self.play()
        os.rename(program, self.path("away"))  # a bot with games may be absent, too
        self.event(program, pairs=3)
        self.play(status=7)
        self.assertEqual(self.one("select count(*) from game where 'late' in (a, b)"), 8)
        self.assertEqual(self.one("select count(*) from game"), 14)
        self.assertNotIn("changed", talk)

    def test_a_missing_file_of_the_command_is_a_start_that_fails(self):
        """The interpreter exists, the script does not: nothing else has changed."""
        script = self.flaky(0)
        for absent, status, expected in (("unplayed", 7, "ABSENT: late does not start"),
                                         ("stop", 3, "late does not start")):
            self.event(f"sh {script}", absent)
            self.play()
            before = self.canonical("r.db")
            os.rename(script, self.path("away"))
            self.event(f"sh {script}", absent, pairs=3)
            out, talk = self.play(status=status)
            self.assertIn(expected, out + talk)
            self.assertIn("flaky: No such file", out + talk)
            self.assertNotIn("changed", talk)
            os.rename(self.path("away"), script)
            self.play()
            self.assertEqual(self.one("select count(*) from game"), 18)
            self.assertEqual(set(before.splitlines()) - set(self.canonical("r.db").splitlines()), set())
            os.unlink(self.path("r.db"))

    def test_a_bot_that_starts_without_one_of_its_files_is_another_bot(self):
        weights = self.write("weights", "1\n")
        self.event(f"sh {self.flaky(0)} {weights}")
        self.play()
        os.unlink(weights)
        self.event(f"sh {self.path('flaky')} {weights}", pairs=3)
        _, talk = self.play(status=2)
        self.assertRegex(talk, r"late changed since its last game: program \w{8} .* then, without its file \S+weights now")
        self.assertEqual(self.one("select count(*) from game"), 12)
        self.play("--accept-changed")
        self.assertEqual(self.one("select count(*) from game"), 18)
        self.must("verify", "r.db")

    def test_nothing_is_played_if_absence_stops_the_event(self):
        self.event(self.path("gone"), absent="stop")
        self.play(status=3)
        self.event(self.flaky(1), absent="stop")
        self.play(status=3)
        self.assertFalse(os.path.exists(self.path("r.db")))

    def test_forfeited_games_are_counted_separately(self):
        self.event(f"{ROGUE} wrong-die")
        out, talk = self.play("--quarantine", "1", status=7)
        played = self.one("select count(*) from game where match_over")
        given_up = self.one("select count(*) from unplayed")
        self.assertEqual(played + given_up, 12)
        self.assertIn(f"{played}/12 ({100 * played / 12:.1f}%)  unplayed {given_up}", talk)
        self.assertIn(f"NOT PLAYED: {given_up} of 12 games", out)
        _, talk = self.play("--quarantine", "1", status=7)
        self.assertIn(f"given up: {given_up} of 12 games", talk)
        for words in (("report", "r.db", "--text"), ("show", "r.db")):
            self.assertIn("over, not everything was played", self.must(*words)[0])


# Keeps the event running: its decisions wait for the file `go` in its folder, at most two minutes.
WAITER = """
asked = 0
def best_index(ask):
    global asked
    asked += 1
    end = time.monotonic() + 120
    while asked > 5 and not os.path.exists({go!r}) and time.monotonic() < end:
        time.sleep(0.02)
    return honest(ask)
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
        self.python_bot("waiter/bot", WAITER.format(go=self.go), self.path("waiter"))

    def program(self, name, text):
        """Writes the file in one step (rename)."""
        self.script(name + ".new", text)
        os.rename(self.path(name + ".new"), self.path(name))

    def good(self, *more):
        self.program("late/bot", "#!/bin/sh\n" + "".join(more) +
                     f"cd {self.path('late')} && exec /usr/bin/python3 bgref_bot.py\n")

    def event(self, length=0, pairs=3, instances=2):
        bots = [f'{{name: {name}, cmd: "{path}"}}' for name, path in (("waiter", self.path("waiter/bot")), ("late", self.late))]
        self.event_file("league.yaml", event="league", bots=["random", *bots], length=length, pairs=pairs, instances=instances,
                        ceiling="150s", concurrency=24, absent="unplayed")

    def said(self):
        return self.text("talk")

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
        return self.rows(question, "results/r.db")

    def check(self, fixtures):
        self.assertEqual(self.ask("select count(*) from game where match_over"), [(fixtures,)])
        self.assertEqual(self.ask("select count(*) from unplayed"), [(0,)])
        self.assertNotIn("ABSENT", self.said())
        self.assertIn("root: ", self.said())
        self.must("verify", "results/r.db")

    def test_a_missing_program_is_started_when_it_appears(self):
        """That of a stranger, where bots can be confined."""
        self.event()
        run = self.start(*(("--sandbox", "on", "--trust", "strangers") if confines_bots() else ()))
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


main()
