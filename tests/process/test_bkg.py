"""The bundled bot bkg in games: legal plays, strength; and the cube of bkg and greedy."""
import re

from harness import Case, main

GAMES = ("backgammon", "nackgammon", "hypergammon", "short-nardi", "portes", "tavla", "old-english", "irish",
         "shuanglu", "hoyle-1870")


# Races in the checkers of one side by point, the side's on roll first; and what players know of them:
# its action and the other side's answer, without and with beavers.
HOME = {6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2}
CUBES = (
    ("even", {8: 3, 7: 3, 6: 3, 5: 2, 4: 2, 3: 2}, {8: 3, 7: 3, 6: 3, 5: 2, 4: 2, 3: 2}, "roll", "take", None),
    ("a lead of 12 %", {8: 3, 7: 3, 6: 3, 5: 2, 4: 2, 3: 2}, {9: 4, 8: 4, 7: 2, 6: 2, 5: 1, 4: 1, 3: 1}, "double", None,
     None),
    ("a lead of a half", HOME, {12: 2, 10: 2, 6: 4, 5: 3, 4: 2, 3: 2}, "double", "pass", "pass"),
    ("a third behind", {12: 2, 10: 2, 6: 4, 5: 3, 4: 2, 3: 2}, HOME, "roll", "take", "raise"),
)


def xgid(own, other, dice="00", rules=0):
    """A money position: own has capital letters and is on roll, or has doubled ("D")."""
    board = ["-"] * 26
    for slot, count in own.items():
        board[slot] = chr(ord("A") + count - 1)
    for slot, count in other.items():
        board[25 - slot] = chr(ord("a") + count - 1)
    return f"XGID={''.join(board)}:0:0:1:{dice}:0:0:{rules}:0:10"


class Bkg(Case):
    results = 0  # files

    def duel(self, *words):
        """Plays a duel in which nobody is at fault; returns the points a game of the first, and the records."""
        self.results += 1
        results = f"{self.results}.db"
        printed = self.must("duel", "--seed", "5", "--results", results, *words)[0]
        self.assertEqual(self.rows("select bot, fault, story from fault", results), [])
        records = [record for record, in self.rows("select record from game", results)]
        points = re.search(r"RESULT \S+ vs \S+ +([+-][\d.]+)", printed)
        return float(points[1]) if points else None, records

    def test_it_plays_every_game_that_is_played_like_backgammon(self):
        for game in GAMES:
            with self.subTest(game):
                self.assertGreaterEqual(len(self.duel("bkg", "random", "--variant", game, "--length", "3",
                                                      "--pairs", "1")[1]), 2)
        printed = self.must("duel", "bkg", "random", "--variant", "plakoto", status=3)[1]
        self.assertIn("game plakoto", printed)

    def test_it_beats_greedy(self):
        """Measured +0.5 points a game in 800 games; here the dice are given by the seed."""
        points, records = self.duel("bkg", "greedy", "--pairs", "100", "--cube", "off")
        self.assertEqual(len(records), 200)
        self.assertGreater(points, 0.2)

    def test_it_doubles_takes_passes_beavers_and_resigns(self):
        _, records = self.duel("bkg", "greedy", "--pairs", "60", "--beavers", "on")
        steps = "\n".join(records)
        for word in ("double", "take", "pass", "resign"):
            self.assertRegex(steps, rf"(?m)^[01] {word}\b", f"{word} in no record")

    def action(self, *words):
        printed = self.must("ask", *words)[0]
        return re.search(r"(?m)^answered +(\w+)", printed)[1]

    def test_races_are_doubled_taken_passed_and_beavered(self):
        for bot in ("bkg", "greedy"):
            for name, own, other, action, answer, beavered in CUBES:
                with self.subTest(name, bot=bot):
                    self.assertEqual(self.action(bot, xgid(own, other)), action)
                    if answer:
                        self.assertEqual(self.action(bot, xgid(own, other, "D")), answer)
                    if beavered:
                        self.assertEqual(self.action(bot, xgid(own, other, "D", 2)), beavered)

    def test_a_beaver_is_passed_where_the_double_was_hopeless(self):
        for bot in ("bkg", "greedy"):
            for name, own, other, answer in (("hopeless", {12: 5, 10: 5, 6: 5}, HOME, "pass"),
                                             ("good", HOME, {12: 2, 10: 2, 6: 4, 5: 3, 4: 2, 3: 2}, "take")):
                with self.subTest(name, bot=bot):
                    self.assertEqual(self.action(bot, xgid(own, other), "--rules", "beavers=on", "--then",
                                                 "double, raise"), answer)

    def test_greedy_knows_when_to_double_in_other_games(self):
        """Measured in 40 games each: the side that doubles first wins 68 to 80 % of them."""
        for game in ("plakoto", "gul", "nard", "tabula", "acey-deucey"):
            with self.subTest(game):
                _, records = self.duel("-engine", "name=one", "bot=greedy", "-engine", "name=two", "bot=greedy",
                                       "--variant", game, "--length", "money", "--games", "40", "--cube", "on")
                first = [re.search(r"(?m)^([01]) double", record) for record in records]
                won = [f"winner={double[1]} " in record for double, record in zip(first, records) if double]
                self.assertGreater(len(won), 25)
                self.assertGreater(sum(won), 0.62 * len(won))


main()
