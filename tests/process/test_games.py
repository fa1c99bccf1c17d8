"""Every game, option and rotation of the rule book, played by the real referee; and fifty random games of each."""
import itertools
import os
import re
import shlex
import subprocess

from harness import BIN, Case, main

OPENINGS = ("play", "reroll", "choice", "sum-reroll", "sum-play", "winner")
NEXTS = ("same", "winner", "hoyle", "alternate")
ODD_GAMES = ("plakoto", "gulbara", "asodio", "russian", "tabula", "kiz-tavlasi", "xii-scripta")
RULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/rules.md")
# A bot whose third answer to a play moves a checker backwards.
BACKWARDS = """
plays, answer, best_index = [0], bgref_bot.answer, honest
def wrong(ask, out):
    answer(ask, out)
    plays[0] += ask.kind == bgref_bot.pb.DECISION_PLAY
    if plays[0] == 3:
        out.moves = bytes([1, 2])
bgref_bot.answer = wrong
"""


class Games(Case):
    def games(self):
        """Ids of all games, in the order of the rule book."""
        return re.findall(r"(?m)^  V\d+ +(\S+)", self.must("rules")[0])

    def round(self, name, bots, variant, pairs, **more):
        return self.event_file(name, event="round", bots=bots, variant=variant, pairs=pairs, seed=8, concurrency=4, instances=1, **more)

    def duel(self, a, b, variant, results, *words):
        self.must("duel", a, b, "--variant", variant, "--seed", "2", "--quiet", "--results",
                  results, *words)
        self.assertEqual(self.rows("select bot, fault, story from fault", results),
                         [], f"{variant} {words}")
        return self.rows("select id, ended, record from game", results)

    def test_the_python_bot_plays_every_game(self):
        for game in self.games():
            with self.subTest(game):
                self.assertEqual(len(self.duel("python", "random", game, f"{game}.db", "--length",
                                               "money", "--games", "2")), 2)

    def test_every_value_of_every_option_is_played(self):
        for game in self.games():
            for name, values in re.findall(r"(?m)^  (?:options)? +(\S+?)=(\S+)",
                                           self.must("rules", game)[0]):
                for value in values.split("|"):
                    variant = f"{game}:{name}={value}"
                    with self.subTest(variant):
                        rows = self.duel("greedy", "random", variant,
                                         f"{game}-{name}-{value}.db", "--length", "money",
                                         "--games", "2")
                        self.assertEqual(len(rows), 2)
                        recorded = re.search(r"(?m)^rules variant=(\S+)", rows[0][2])[1]
                        default = value == values.split("|")[0]
                        self.assertEqual(recorded, game if default else variant)

    def test_every_opening_mode_works_with_every_game(self):
        nexts = itertools.cycle(NEXTS)
        for game, mode in itertools.product(ODD_GAMES, OPENINGS):
            with self.subTest(game=game, opening=mode):
                self.duel("random", "greedy", game, f"{game}-{mode}.db", "--length", "3",
                          "--pairs", "1", "--opening", mode, "--next", next(nexts))

    def test_a_rotation_plays_its_games_in_turn_and_ends_in_a_table(self):
        self.round("e.yaml", ["greedy", "random", "python"], "tavli", 3)
        table = self.must("tournament", "e.yaml", "--results", "r.db", "--quiet")[0]
        self.assertRegex(table, r"(?m)^ *1 +\S*(greedy|python)")
        self.assertRegex(table, r"(?m)^ *3 +random")
        for game, record in self.rows("select game, record from game"):
            rules = re.search(r"(?m)^rules variant=(\S+) length=(\d+) .*rotation=(\S+)", record)
            self.assertEqual(rules[1], ("portes", "plakoto", "fevga")[game % 3])
            self.assertEqual((rules[2], rules[3]), ("5", "tavli"))
        longest, = self.rows("select max(game) from game")[0]
        self.assertGreaterEqual(longest, 2, "no match came to its third game")

    def test_a_bot_that_does_not_play_the_game_is_refused(self):
        for variant, game in (("tapa", "tapa"), ("tavli", "portes")):
            _, printed = self.must("duel", "first", "random", "--variant", variant, "--results",
                                "r.db", "--quiet", status=3)
            self.assertIn(f"game {game}", printed)
            self.assertIn("bot first plays backgammon", printed)

    def test_an_unknown_game_or_option_lists_the_known_ones(self):
        for variant, parts in (("tavly", ["variant", "tavl"]),
                               ("plakoto:head=any", ["head=any", "bear-pinned", "mother"]),
                               ("long-nardi:head=two", ["head=two", "doubles|any|need"])):
            _, printed = self.must("duel", "greedy", "random", "--variant", variant, status=2)
            for part in parts:
                self.assertIn(part, printed)

    def test_a_rotation_has_a_length_and_no_cube(self):
        for words, key in ((["--length", "money"], "--length: "), (["--cube", "on"], "--cube: ")):
            _, printed = self.must("duel", "greedy", "random", "--variant", "tavli", *words, status=2)
            self.assertIn(key, printed)
        self.round("e.yaml", ["greedy", "random"], "tavli", 1, length=0)
        self.assertIn("e.yaml:8: length: ", self.must("tournament", "e.yaml", status=2)[1])

    def test_a_fault_in_another_game_keeps_evidence_that_can_be_used(self):
        self.python_bot("backwards.py", BACKWARDS)
        for variant in ("plakoto", "gulbara:grace=none", "tabula"):
            results = f"{variant.replace(':', '-')}.db"
            self.must("duel", "-engine", "name=bad", "cmd=/usr/bin/python3 backwards.py",
                      "-engine", "random", "--variant", variant, "--length", "money", "--games",
                      "2", "--results", results, "--quiet")
            rows = self.rows("select rule, position_id, xgid, dice, reply, reproduce "
                                    "from fault where fault = 'illegal'", results)
            self.assertGreater(len(rows), 0)
            for rule, position, xgid, dice, reply, again in rows:
                self.assertRegex(rule, r"^[GNV]\d")
                self.assertRegex(position, r"^[-wb0-9/+]+\|\d+,\d+\|.*\|[wb]\|")
                self.assertEqual(xgid, "-")
                self.assertRegex(dice, r"^[1-6](x[1-4]|[1-6][1-6]?)$")
                self.assertEqual(reply, "moves 1/2")
                words = shlex.split(again.splitlines()[0])
                self.assertEqual(words[:4], ["bgref", "plays", "--variant", variant])
                self.assertEqual(words[4:], [position, dice, "--check", "1/2"])
                self.assertIn(f"illegal: {rule} ", self.must(*words[1:], status=1)[0])
                self.must("plays", "--board", "--variant", variant, position)

    def test_a_game_of_any_kind_is_drawn(self):
        for variant in ("plakoto", "gul", "acey-deucey", "xii-scripta", "kiz-tavlasi"):
            game, _, record = self.duel("greedy", "random", variant, f"{variant}.db", "--length",
                                        "money", "--games", "2")[0]
            shown = self.must("show", f"{variant}.db", game)[0]
            self.assertIn(f", {variant}, money game", shown)
            plays = len(re.findall(r"(?m)^[01] play ", record))
            self.assertEqual(shown.count("|BAR|"), plays + 1)
            self.assertRegex(shown, r"(?m)wins \d+ points? |^Drawn")


class Rules(Case):
    def test_every_game_and_rotation_has_its_rules(self):
        listed = self.must("rules")[0]
        names = re.findall(r"(?m)^  [VT]\d+ +(\S+)", listed)
        with open(RULES, encoding="utf-8") as page:
            self.assertEqual(names, re.findall(r"(?m)^\| [VT]\d+ \| `(\S+)` \|", page.read()))
        others = re.findall(r"(?m)^  (\S+) +(\S+)$", listed.partition("Other names\n")[2])
        self.assertGreater(len(others), 30)
        for other, name in others:
            self.assertTrue(self.must("rules", other)[0].startswith(f"{name}, rule "), other)
        for name in names:
            text = self.must("rules", name)[0]
            self.assertTrue(text.startswith(f"{name}, rule "), text)
            self.assertNotIn("`", text)
            self.assertGreater(len(text.splitlines()), 8, name)

    def test_an_unknown_game_id_is_refused(self):
        _, printed = self.must("rules", "tapo", status=2)
        self.assertIn("tapo", printed)


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CAMPAIGN = os.path.join(ROOT, "tools", "campaign-games")


class Campaign(Case):
    def test_random_games_of_every_game_end_without_a_fault(self):
        done = subprocess.run([CAMPAIGN, "--games", "50", "--bin", BIN], text=True,
                              capture_output=True, env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = re.search(r"^game  .*\n\n?((?:.+\n)+)", done.stdout, re.M).group(1).count("\n")
        self.assertGreaterEqual(rows, 25)
        self.assertIn(f"\n{rows} of {rows} games as they should be\n", done.stdout)


main()
