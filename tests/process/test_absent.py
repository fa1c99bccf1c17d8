"""Bots that do not start: the start is repeated, the bot is left out of the run, and returns in the next one."""
import json
import os

from harness import BIN, ROGUE, Case, main

EVENT = """event: league
bots:
  - greedy
  - random
  - {{name: late, cmd: "{command}"}}
length: 0
pairs: 2
seed: 3
instances: 1
absent: {absent}
"""
# Fails as often as the file's number, then plays.
FLAKY = """#!/bin/sh
read left < {count}
if [ "$left" -gt 0 ]; then echo $((left - 1)) > {count}; echo "no licence" >&2; exit 3; fi
exec {bot}
"""


class Absent(Case):
    def event(self, command, absent="unplayed"):
        self.write("league.yaml", EVENT.format(command=command, absent=absent))

    def play(self, *words, status=0):
        return self.must("tournament", "league.yaml", "--results", "r.db", *words, status=status)

    def flaky(self, times):
        self.write("count", f"{times}\n")
        path = self.write("flaky", FLAKY.format(count=self.path("count"),
                                                bot=os.path.join(BIN, "bots", "bgref-greedy")))
        os.chmod(path, 0o755)
        return path

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
        with open(self.path("e.jsonl"), encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
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
        self.write("league.yaml", EVENT.format(command=program, absent="unplayed").replace("pairs: 2", "pairs: 3"))
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
            self.write("league.yaml", self.read("league.yaml").replace("pairs: 2", "pairs: 3"))
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
        more = self.read("league.yaml").replace("pairs: 2", "pairs: 3")
        self.write("league.yaml", more)
        _, talk = self.play(status=2)
        self.assertRegex(talk, r"late changed since its last game: program \w{8} .* then, without its file \S+weights now")
        self.assertEqual(self.one("select count(*) from game"), 12)
        self.play("--accept-changed")
        self.assertEqual(self.one("select count(*) from game"), 18)
        self.must("verify", "r.db")

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as text:
            return text.read()

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


if __name__ == "__main__":
    main()
