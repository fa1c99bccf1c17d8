"""Rules that differ by pairing or by stage: played, killed, continued, verified, rated and published. What a game was played under is
compared with what its pairing says."""
import json
import os
import signal
import sqlite3
import time

from harness import Case, kill, main

EVENT = """event: cup
bots: [random, first, greedy]
length: 3
seed: 7
sandbox: off
concurrency: 1
schedule: {schedule}
conditions:
  - {{between: [random, greedy], cube: off, length: 2}}
  - {{between: [greedy, first], crawford: off}}
"""
TWO_STAGES = "circle pairs={pairs} then knockout take=2 match=5"


class Terms(Case):
    def event(self, pairs=2, schedule=TWO_STAGES):
        self.write("cup.yaml", EVENT.format(schedule=schedule.format(pairs=pairs)))

    def set(self, name, key, value):
        database = sqlite3.connect(self.path(name))
        database.execute("update meta set value=? where key=?", (value, key))
        database.commit()
        database.close()

    def rules(self, pair, name="r.db"):
        """Rules of the games of two bots, as their records have them."""
        games = self.must("export", name, "--records")[0].split("\nbgref-record ")
        lines = [line for game in games if f"\nid {pair}|" in game for line in game.splitlines()]
        rules = {line.rpartition(" #")[0] + " " for line in lines if line.startswith("rules ")}
        self.assertTrue(rules, pair)
        return rules

    def refused(self, *words, status=2):
        out, talk = self.must("tournament", "cup.yaml", "--results", "no.db", "--quiet", *words, status=status)
        self.assertEqual(out, "")
        self.assertFalse(os.path.exists(self.path("no.db")), words)
        return talk

    def test_each_pairing_has_its_rules_through_a_kill(self):
        self.event(pairs=40)
        self.must("tournament", "cup.yaml", "--results", "whole.db", "--quiet")
        run = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        deadline = time.monotonic() + 60
        played = 0
        while played < 20 and run.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)  # asks again, at most until the deadline
            try:
                played = self.rows("select count(*) from game")[0][0]
            except sqlite3.OperationalError:
                continue
        kill(run)
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.assertEqual(self.canonical("r.db"), self.canonical("whole.db"))
        lengths = dict.fromkeys(self.rows("select distinct a||'|'||b, length from game order by 1, 2"))
        self.assertEqual(set(lengths), {("first|greedy", 3), ("first|greedy", 5), ("first|random", 3), ("greedy|random", 2)})
        self.assertIn("settings match the records", self.must("verify", "r.db")[0])
        for words in self.rules("greedy|random"):
            self.assertIn(" length=2 ", words)
            self.assertIn(" cube=off ", words)
        for words in self.rules("first|greedy"):
            self.assertIn(" crawford=off ", words)
            self.assertIn(" cube=on ", words)

    def test_tables_ratings_and_sheet_know_the_lengths(self):
        self.event()
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        text = self.must("rate", "r.db", "--explain")[0]
        self.assertIn("of 2 to 5 points", text)
        self.assertIn("P(win a n-point match)", text)
        draws = self.must("report", "--sheet", "r.db", "--csv")[0]
        self.assertIn("cube=off length=2", draws)
        self.assertIn("length=5 crawford=off", draws)
        self.assertIn("one match to 5", self.must("report", "--sheet", "r.db")[0])
        games = json.loads(self.must("rate", "r.db", "--json")[0])
        self.assertEqual((games["length"], games["length_most"]), (2, 5))
        words = "random and greedy: cube=off length=2; greedy and first: crawford=off"
        self.assertEqual(games["conditions"], words)
        self.assertIn(f"Rules that differ by pairing: {words}.", " ".join(text.split()))
        self.must("report", "r.db", "-o", "r.html")
        with open(self.path("r.html"), encoding="utf-8") as page:
            self.assertIn("Rules that differ by pairing: ", page.read())

    def test_a_game_under_other_rules_is_named(self):
        self.event()
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.set("r.db", "event.conditions", "random,greedy cube=off length=3; greedy,first crawford=off")
        out, talk = self.must("verify", "r.db", status=6)
        self.assertRegex(talk, r"game greedy\|random\|0\|0\|0: its pairing has 'cube=off length=3', .* length=2 ")
        self.set("r.db", "event.conditions", "random,greedy length=2; greedy,first crawford=off")
        self.assertRegex(self.must("verify", "r.db", status=6)[1], r"game greedy\|random\|0\|0\|0: setting event.cube of the event is 'on', .* cube=off ")
        self.set("r.db", "event.conditions", "random,greedy cube=off length=2; greedy,first crawford=off")
        self.must("verify", "r.db")
        self.set("r.db", "event.schedule", "circle pairs=2 then knockout take=2 match=7")
        self.assertRegex(self.must("verify", "r.db", status=6)[1], r"game first\|greedy\|2\|0\|0: its pairing has 'length=7 crawford=off', .* length=5 ")

    def test_a_changed_length_beside_a_record_is_named(self):
        self.event()
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        database = sqlite3.connect(self.path("r.db"))
        database.execute("update game set length=4 where a='first' and b='random' and pair=1 and leg=0 and game=0")
        database.commit()
        database.close()
        self.assertIn("first|random|1|0|0", self.must("verify", "r.db", status=6)[1])

    def test_a_swiss_with_a_final_of_another_length(self):
        self.event(schedule="swiss rounds=3 pairs=1 length=1 then knockout take=2 best_of=3 length=4")
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", "--conditions", "none")
        self.assertEqual(self.rows("select distinct length from game order by 1"), [(1,), (4,)])
        self.must("verify", "r.db")
        self.assertIn("best of 3, matches to 4", " ".join(self.must("report", "--sheet", "r.db")[0].split()))

    def test_a_plain_round_robin_of_money_games(self):
        self.write("cup.yaml", "event: cup\nbots: [random, first, greedy]\nlength: money\npairs: 3\nseed: 7\nsandbox: off\n"
                               "conditions: [{between: [first, random], cube: off, jacoby: off}]\n")
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.assertTrue(all(" cube=off jacoby=off " in words for words in self.rules("first|random")))
        self.assertTrue(all(" cube=on jacoby=on " in words for words in self.rules("greedy|random")))
        self.must("verify", "r.db")
        self.set("r.db", "event.conditions", "first,random cube=off")
        self.assertIn("first|random|0|0|0", self.must("verify", "r.db", status=6)[1])

    def test_the_file_keeps_its_conditions(self):
        self.event()
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        for value in ("none", "random,greedy cube=off length=4; greedy,first crawford=off"):
            _, talk = self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", "--conditions", value, status=2)
            self.assertIn("conditions", talk)

    def test_the_desk_sets_the_rules_of_the_next_meetings(self):
        self.write("cup.yaml", "event: cup\nbots: [random, first, greedy, python]\nlength: 1\nseed: 7\nsandbox: off\nconcurrency: 1\n"
                               "schedule: circle pairs=30\nseeds: entry\n")
        run = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        deadline = time.monotonic() + 60
        while run.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)  # asks again, at most until the deadline
            try:
                if self.rows("select count(*) from game")[0][0] > 0:
                    break
            except sqlite3.OperationalError:
                continue
        run.send_signal(signal.SIGINT)
        run.communicate()
        met = {tuple(sorted(word.partition("=")[2] for word in subject.split() if word[:2] in ("a=", "b=")))
               for (subject,) in self.rows("select subject from act where kind='fixture'")}
        every = [("first", "greedy"), ("first", "python"), ("first", "random"), ("greedy", "python"), ("greedy", "random"), ("python", "random")]
        free, busy = next(pair for pair in every if pair not in met), next(pair for pair in every if pair in met)
        act = ("desk", "r.db", "condition", "--reason", "agreed")
        self.assertIn("conditions are set before two entrants are paired", self.must(*act, "between=" + ",".join(busy), "length=2", status=2)[1])
        self.assertIn("perhaps length?", self.must(*act, "between=" + ",".join(free), "lenght=2", status=2)[1])
        self.must(*act, "between=" + ",".join(free), "length=2")
        self.must(*act, "between=" + ",".join(free), "cube=off")
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        words = " ".join(self.must("rate", "r.db")[0].split())
        self.assertRegex(words, f"Rules that differ by pairing: {free[0]} and {free[1]}: length=2 .since row [0-9]+ of the journal.; ")
        for pair in every:
            words = self.rules("|".join(pair))
            self.assertEqual(len(words), 1)
            self.assertIn(" length=2 " if pair == free else " length=1 ", words.pop())
        self.must("verify", "r.db")

    def test_what_cannot_be_is_refused_with_file_and_line(self):
        for key, sentence in (
                ("[{between: [random, nobody], cube: off}]", "cup.yaml:7: conditions: between nobody: the event has no bot with this name"),
                ("[{between: [random, frist], cube: off}]", "(perhaps first?)"),
                ("[{between: [random, first], cube: off}, {between: [first, random], length: 2}]", "cup.yaml:7: conditions: between random and first: given twice"),
                ("[{between: [first, first], cube: off}]", "between first and itself"),
                ("[{between: [random, first], lenght: 2}]", "unknown condition 'lenght' (perhaps length?)"),
                ("[{between: [random, first], jacoby: off}]", "only money games have it"),
                ("[{between: [random, first], length: money}]", "play two events"),
                ("[{between: [random, first], length: 0}]", "play two events"),
                ("[{between: [random, first], cube: maybe}]", "not on or off"),
                ("[{between: [random], cube: off}]", "cup.yaml:7: conditions: between needs two bots"),
                ("[{cube: off}]", "cup.yaml:7: conditions: between is missing"),
                ("[{between: [random, first]}]", "no condition is given")):
            self.write("cup.yaml", f"event: cup\nbots: [random, first]\nlength: 3\npairs: 1\nseed: 7\nsandbox: off\nconditions: {key}\n")
            with self.subTest(key):
                self.assertIn(sentence, self.refused())
        self.write("cup.yaml", "event: cup\nbots: [random, first]\nlength: money\npairs: 1\nsandbox: off\n")
        for words, sentence in ((("--conditions", "random,first length=3"), "the event plays money games"),
                                (("--conditions", "random,first crawford=off"), "only matches have it"),
                                (("--schedule", "circle match=3"), "matches to 3 in an event of money games"),
                                (("--schedule", "circle length=3"), "give the event a length, like length: 3"),
                                (("--sprt", "ppg0=0 ppg1=0.1", "--conditions", "random,first cube=off"), "a sequential test")):
            with self.subTest(words):
                self.write("cup.yaml", "event: cup\nbots: [random, first]\nlength: money\nsandbox: off\n")
                self.assertIn(sentence, self.refused(*words))


if __name__ == "__main__":
    main()
