"""Engines that speak UBGI play here, and their faults are named."""
import json
import os

from harness import BGREF, ROGUE, Case, main

ENGINE = "/usr/bin/python3 " + os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                            "ubgi_engine.py")


class Ubgi(Case):
    def event(self, *bots, ceiling="60s", **more):
        self.event_file(event="bridges", bots=bots, **more, seed=3, ceiling=ceiling, concurrency=2, instances=1)


class Bridge(Ubgi):
    def bot(self, name, words, more=""):
        command = json.dumps(f"{ENGINE} {words} --log {self.path(name + '.log')}")
        return f"{{name: {name}, bot: ubgi, options: {{Engine: {command}{more}}}}}"

    def play(self, *bots, length=3, pairs=3, ceiling="60s", status=0):
        self.event("greedy", *bots, length=length, pairs=pairs, ceiling=ceiling)
        return self.must("tournament", "event.yaml", "--results", "r.db", "--fresh", status=status)

    def log(self, name):
        with open(self.path(name + ".log"), encoding="ascii") as lines:
            return [line.rstrip("\n") for line in lines]

    def test_every_family_with_and_without_cube_plays_without_faults(self):
        self.play(self.bot("old", "--dialect 0.1", ', Set: "Threads=2"'),
                  self.bot("old-cube", "--dialect 0.1 --cube --no-limits", ', MoveTime: 50'),
                  self.bot("mixed", "--dialect mixed", ', Set: "engine.ply=0", MoveTime: 50'),
                  self.bot("new", "--dialect 0.2", ', MoveTime: 50'),
                  self.bot("new-cube", "--dialect 0.2 --cube"),
                  self.bot("chequer", "--dialect chequer"))
        self.assertEqual(self.rows("select bot, fault, story from fault"), [])
        (games,), = self.rows("select count(*) from game where match_over")
        self.assertEqual(games, 21 * 6)
        self.assertIn("setoption name Threads value 2", self.log("old"))
        self.assertIn("set engine.ply 0", self.log("mixed"))
        self.assertIn("go role chequer movetime 50", self.log("mixed"))
        self.asked_in_one_form("old", "go role chequer", at_most=0)
        self.asked_in_one_form("new", "go chequer", at_most=2)
        self.asked_in_one_form("mixed", "go role chequer movetime 50", at_most=2)
        self.asked_in_one_form("old-cube", "go role chequer", at_most=2)
        self.assertGreater(self.log("new-cube").count("go cube"), 20)
        self.assertGreater(self.log("old-cube").count("go role cube"), 20)
        received = set(self.log("new-cube"))
        self.assertIn("setcube value 2 owner p1", received)
        self.assertIn("newsession type match length 3 crawford on", received)
        self.assertIn("newsession type match length 3 crawford off", received, "post-Crawford")
        self.assertIn("setscore 0 2", received)
        self.assertIn("setscore 2 0", received)

    def asked_in_one_form(self, name, form, at_most):
        """Other forms of the question are tried a limited number of times; an engine without cube is asked once
        about it in each form and with each limit, and never about takes."""
        asked = [line for line in self.log(name) if line.startswith("go ")]
        self.assertGreater(asked.count(form), 50, name)
        self.assertLessEqual(sum("chequer" in line and line != form for line in asked), at_most, name)
        if "cube" not in name:
            self.assertLessEqual(sum("cube" in line for line in asked), 4, name)
            self.assertEqual([line for line in asked if "take" in line], [], name)

    def test_noise_slowness_capitals_and_unknown_error_codes_are_no_faults(self):
        self.play(self.bot("noisy", "--dialect 0.1 --cube --noise --capitals"),
                  self.bot("slow", "--dialect 0.2 --slow 0.01"),
                  self.bot("codes", "--dialect 0.1 --codes --no-limits", ", MoveTime: 50"),
                  self.bot("codes-new", "--dialect 0.2 --codes --noise", ", MoveTime: 50"),
                  length=1, pairs=1)
        self.assertEqual(self.rows("select bot, fault, story from fault"), [])
        (games,), = self.rows("select count(*) from game where match_over")
        self.assertEqual(games, 10 * 2)

    def test_other_set_ups(self):
        for variant in ("nackgammon", "hypergammon"):
            self.event("greedy", self.bot("knows", f"--dialect 0.2 --cube --variants backgammon,{variant}"),
                       self.bot("old", f"--dialect 0.1 --variants backgammon,{variant}"), self.bot("not", "--dialect 0.1"),
                       length=3, pairs=2, variant=variant)
            self.must("tournament", "event.yaml", "--results", f"{variant}.db")
            self.assertEqual("no faults\n", self.must("faults", f"{variant}.db")[0])
            self.assertIn(f"set game.variant {variant}", self.log("knows"))
            self.assertIn(f"setoption name Variant value {variant}", self.log("old"))

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
        fault, _, message, words = self.fault("die")
        self.assertEqual((fault, message), ("crash", "the process ended: exit 1"))
        self.assertIn("sorted: out of dice", words)
        self.assertRegex(words, r"bgref-ubgi: the engine has ended, exit status 7, when asked: "
                                r"go (role )?\w+")

    def test_an_illegal_move_and_passing_with_a_legal_play_are_named_with_their_rule(self):
        for deed in ("illegal", "nothing"):
            fault, rule, _, _ = self.fault(deed, after=1)
            self.assertEqual(fault, "illegal", deed)
            self.assertRegex(rule, r"^G[1-6]")

    def test_unreadable_engine_output_and_an_endless_line_end_the_bridge_and_are_reported(self):
        for deed, reason in (("nonsense", "the engine answers 'what?' to: go chequer"), ("long", "the engine's line is longer than")):
            fault, _, _, words = self.fault(deed, after=1)
            self.assertEqual(fault, "crash", deed)
            self.assertIn(f"bgref-ubgi: {reason}", words)

    def test_a_hung_engine_is_silent_and_reported(self):
        fault, _, _, words = self.fault("hang", ceiling="500ms")
        self.assertEqual(fault, "silent")
        self.assertRegex(words, r"bgref-ubgi: the engine has not answered: go (role )?\w+")

    def does_not_start(self, options, *expected):
        self.event("greedy", f"{{name: broken, bot: ubgi, options: {options}}}", length=1, pairs=1)
        _, talk = self.must("tournament", "event.yaml", "--results", "r.db", status=3)
        for text in ("bot broken does not start", *expected):
            self.assertIn(text, talk)

    def test_a_failed_start_is_explained(self):
        self.does_not_start("{}", 'no engine given: use option.Engine="./myengine"')
        self.does_not_start("{Engine: ./nowhere}", "./nowhere", "exit status 127")
        self.does_not_start(f'{{Engine: "{ENGINE}", Set: "engine.threads=2"}}',
                            "the engine refuses 'engine.threads=2': error unsupported key")
        self.does_not_start(f'{{Engine: "{ENGINE}", Set: "ply"}}', "'ply' is not NAME=VALUE")
        self.does_not_start('{Engine: "sleep 100", StartTime: 1}',
                            "the engine has not answered: ubgi")
        self.assert_nothing_lives()


class Engine(Ubgi):
    """bgref serve: our bots as engines."""

    def test_a_bot_plays_the_same_through_both_bridges_as_directly(self):
        played = []
        for number, bot in enumerate(("bot: greedy",
                                      f'bot: ubgi, args: "{BGREF} serve greedy"')):
            self.event("greedy", "random", f"{{name: x, {bot}}}", length=3, pairs=8)
            self.must("tournament", "event.yaml", "--results", f"{number}.db")
            played.append(self.must("export", f"{number}.db", "--format", "xgid")[0])
            self.assertEqual("no faults\n", self.must("faults", f"{number}.db")[0])
        self.assertGreater(played[0].count("\n"), 1000)
        self.assertEqual(played[0], played[1])

    def talk(self, *lines, words=("greedy",), status=0):
        done = self.run_bgref("serve", *words, stdin="".join(line + "\n" for line in lines))
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout.splitlines(), done.stderr

    def test_the_dialogue_of_the_protocol(self):
        start = "position gnubgid 4HPwATDgc/ABMA"
        for lines, answers in (
                (["isready", "", "quit", "isready"], ["readyok"]),
                (["stop", "UBGI"], ["error unknown_command unknown"] * 2),
                (["go role chequer"], ["error missing_context position"]),
                ([start, "go"], ["error missing_context dice"]),
                ([start, "dice 3 1", "go", "go"],
                 ["bestmove 8/5 6/5", "error missing_context dice"]),
                ([start, "dice 1 3", "go role chequer movetime 100"], ["bestmove 8/5 6/5"]),
                (["position gnubgid 27YdAAD/HwAAYA", "dice 5 3", "go"], ["bestmove pass"]),
                (["position gnubgid 2+4OAADb7g4AAA", "dice 6 5", "go"], ["bestmove 6/off 5/off"]),
                ([start + ":cAkAAAAAAAAA", "dice 7 1", "go"],
                 ["error bad_argument dice", "error missing_context dice"]),
                ([start, "position gnubgid x", "dice 3 1", "go"],
                 ["error bad_argument invalid_position", "error missing_context position"]),
                ([start, "position xgid x"], ["error unsupported_feature position"]),
                ([start, "go role turn", "go role foo", "go role"],
                 ["bestturn cube=nodouble", "error bad_argument go", "error bad_argument go"]),
                ([start, "go role cube", "go role take"], ["bestcube nodouble", "bestcube take"]),
                (["newsession type foo", "newsession type match length", "setscore 1",
                  "setcube value 3 owner p0", "setcube value 2 owner me", "setturn p2"],
                 ["error bad_argument newsession"] * 2 + ["error bad_argument setscore"] +
                 ["error bad_argument setcube"] * 2 + ["error bad_argument setturn"]),
                (["newsession type match length 3", "setscore 3 0", start, "go role cube"],
                 ["error bad_argument position_or_score"]),
                (["set game.variant backgammon", "get game.variant", "set engine.ply 2", "set x",
                  "setoption name Variant value backgammon"],
                 ["value game.variant backgammon", "error unsupported key",
                  "error bad_command set"])):
            self.assertEqual(self.talk(*lines)[0], answers, lines)
        out, _ = self.talk("ubgi")
        self.assertEqual((out[0], out[-1]), ("id name greedy", "ubgiok"))
        self.assertIn("proto 0.2", out)
        self.assert_nothing_lives()

    def test_the_newer_family(self):
        start = "position gnubgid 4HPwATDgc/ABMA"
        for lines, answers in (
                (["go chequer"], ["error bad_state position"]),
                ([start, "go chequer", "dice 3 1", "go chequer"],
                 ["error bad_state dice", "bestmove 8/5 6/5"]),
                ([start, "go cube", "go take", "go turn"],
                 ["bestcube nodouble", "bestcube take", "bestturn cube=nodouble"]),
                ([start, "dice 3 1", "go turn", "go turn"],
                 ["bestturn cube=nodouble move=8/5 6/5", "bestturn cube=nodouble"]),
                ([start, "dice 3 1", "go role turn"], ["bestturn cube=nodouble move=8/5 6/5"]),
                (["position gnubgid 27YdAAD/HwAAYA", "dice 5 3", "go turn"],
                 ["bestturn cube=nodouble move=pass"]),
                (["go foo", "dice 7 1", "position xgid x", "stop"],
                 ["error bad_command go", "error bad_value dice", "error unsupported position",
                  "error bad_command unknown"]),
                (["set game.variant hypergammon", "get game.variant", start,
                  "position gnubgid AACgAgAAKgAAAA", "dice 3 1", "go chequer",
                  "set game.variant portes"],
                 ["value game.variant hypergammon", "error bad_value position",
                  "error bad_value game.variant"])):
            out = self.talk(*lines)[0]
            if "hypergammon" in lines[0]:
                self.assertRegex(out.pop(2), r"^bestmove (2\d/\d+ ?)+$")
            self.assertEqual(out, answers, lines)
        self.assertIn("key game.variant enum backgammon|nackgammon|hypergammon backgammon",
                      self.talk("keys")[0])

    def test_a_bot_at_fault_answers_nothing_illegal(self):
        out, talk = self.talk("position gnubgid 4HPwATDgc/ABMA", "dice 3 1", "go", status=1,
                              words=("--", ROGUE, "wrong-die", "--after", "0"))
        self.assertEqual(out, ["error internal bot"])
        self.assertRegex(talk, r"the bot is at fault \(illegal\): rule G")

    def test_an_unknown_bot_is_refused_by_name(self):
        self.assertIn("no bot is called", self.talk(words=("nobody",), status=2)[1])
        self.assertIn("which bot?", self.talk(words=(), status=2)[1])


main()
