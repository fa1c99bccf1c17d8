"""Engines that speak UBGI play here, and what they do wrong is named."""
import json
import os
import sqlite3

from harness import BIN, Case, main

BRIDGE = os.path.join(BIN, "bots", "bgref-ubgi")
ENGINE = "/usr/bin/python3 " + os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                            "ubgi_engine.py")

EVENT = """
event: bridges
bots:
  - greedy
{bots}
length: {length}
pairs: {pairs}
seed: 3
ceiling: {ceiling}
concurrency: 2
instances: 1
"""


class Bridge(Case):
    def bot(self, name, words, more=""):
        command = json.dumps(f"{ENGINE} {words} --log {self.path(name + '.log')}")
        return f"  - {{name: {name}, bot: ubgi, options: {{Engine: {command}{more}}}}}\n"

    def play(self, *bots, length=3, pairs=3, ceiling="60s", status=0):
        self.write("event.yaml", EVENT.format(bots="".join(bots), length=length, pairs=pairs,
                                              ceiling=ceiling))
        return self.must("tournament", "event.yaml", "--results", "r.db", status=status)

    def rows(self, question):
        with sqlite3.connect(self.path("r.db")) as database:
            return database.execute(question).fetchall()

    def log(self, name):
        with open(self.path(name + ".log"), encoding="ascii") as lines:
            return [line.rstrip("\n") for line in lines]

    def test_both_dialects_with_and_without_cube_play_without_faults(self):
        self.play(self.bot("old", "--dialect 0.1", ', Set: "Threads=2"'),
                  self.bot("old-cube", "--dialect 0.1 --cube"),
                  self.bot("new", "--dialect 0.2", ', Set: "engine.ply=0", MoveTime: 50'),
                  self.bot("new-cube", "--dialect 0.2 --cube"))
        self.assertEqual(self.rows("select bot, fault, story from fault"), [])
        (games,), = self.rows("select count(*) from game where match_over")
        self.assertEqual(games, 10 * 6)
        self.assertIn("setoption name Threads value 2", self.log("old"))
        self.assertIn("set engine.ply 0", self.log("new"))
        self.assertIn("go role chequer movetime 50", self.log("new"))
        self.assertEqual(1, self.log("new").count("go role cube movetime 50"),
                         "an engine without cube is asked once")
        self.assertGreater(self.log("new-cube").count("go role cube"), 20)
        told = set(self.log("new-cube"))
        self.assertIn("setcube value 2 owner p1", told)
        self.assertIn("newsession type match length 3 crawford on", told)
        self.assertIn("newsession type match length 3 crawford off", told, "post-Crawford")
        self.assertIn("setscore 0 2", told)
        self.assertIn("setscore 2 0", told)

    def test_money_is_played_too(self):
        self.play(self.bot("one", "--cube"), length=0, pairs=5)
        self.assertEqual(self.rows("select bot, fault, story from fault"), [])
        self.assertIn("newsession type money jacoby on", self.log("one"))

    def fault(self, deed, ceiling="60s", after=20):
        self.play(self.bot("rogue", f"--deed {deed} --after {after}"), pairs=1, ceiling=ceiling)
        found = self.rows("select bot, fault, rule, story, stderr_tail from fault")
        self.assertGreater(len(found), 0)
        self.assertEqual({"rogue"}, {row[0] for row in found})
        return found[0][1:]

    def test_an_engine_that_dies_is_a_crash_with_its_last_words_and_ours(self):
        fault, _, story, words = self.fault("die")
        self.assertEqual((fault, story), ("crash", "the process ended: exit 1"))
        self.assertIn("sorted: out of dice", words)
        self.assertRegex(words, r"bgref-ubgi: the engine has ended, exit status 7, when asked: "
                                r"go role \w+")

    def test_an_illegal_move_is_named_with_its_rule(self):
        fault, rule, _, _ = self.fault("illegal", after=1)
        self.assertEqual(fault, "illegal")
        self.assertRegex(rule, r"^G[1-6]")

    def test_to_pass_with_a_play_is_illegal(self):
        fault, rule, _, _ = self.fault("nothing", after=1)
        self.assertEqual(fault, "illegal")
        self.assertRegex(rule, r"^G[1-6]")

    def test_nonsense_ends_the_bridge_and_is_told(self):
        fault, _, _, words = self.fault("nonsense", after=1)
        self.assertEqual(fault, "crash")
        self.assertIn("bgref-ubgi: the engine answers 'what?' to: go role chequer", words)

    def test_a_line_without_end_is_told(self):
        fault, _, _, words = self.fault("long", after=1)
        self.assertEqual(fault, "crash")
        self.assertIn("bgref-ubgi: the engine's line is longer than", words)

    def test_an_engine_that_hangs_is_silent_and_told(self):
        fault, _, _, words = self.fault("hang", ceiling="500ms")
        self.assertEqual(fault, "silent")
        self.assertRegex(words, r"bgref-ubgi: the engine has not answered: go role \w+")

    def does_not_start(self, options, *told):
        self.write("event.yaml", EVENT.format(
            bots=f"  - {{name: broken, bot: ubgi, options: {options}}}\n", length=1, pairs=1,
            ceiling="60s"))
        _, talk = self.must("tournament", "event.yaml", "--results", "r.db", status=3)
        for text in ("bot broken does not start", *told):
            self.assertIn(text, talk)

    def test_what_does_not_start_says_why(self):
        self.does_not_start("{}", 'no engine is named: say option.Engine="./myengine"')
        self.does_not_start("{Engine: ./nowhere}", "./nowhere", "exit status 127")
        self.does_not_start(f'{{Engine: "{ENGINE}", Set: "engine.threads=2"}}',
                            "the engine refuses 'engine.threads=2': error unsupported key")
        self.does_not_start(f'{{Engine: "{ENGINE}", Set: "ply"}}', "'ply' is not NAME=VALUE")
        self.does_not_start('{Engine: "sleep 100", StartTime: 1}',
                            "the engine has not answered: ubgi")
        self.assert_nothing_lives()


if __name__ == "__main__":
    main()
