"""The bundled bot bkg in games: legal plays, strength, and the cube."""
import re
import sqlite3

from harness import Case, main

GAMES = ("backgammon", "nackgammon", "hypergammon", "short-nardi", "portes", "tavla", "old-english", "irish",
         "shuanglu", "hoyle-1870")


class Bkg(Case):
    results = 0  # files

    def duel(self, a, b, *words):
        """Plays a duel in which nobody is at fault; returns the points a game of a, and the records."""
        self.results += 1
        results = f"{self.results}.db"
        printed = self.must("duel", a, b, "--seed", "5", "--results", results, *words)[0]
        with sqlite3.connect(self.path(results)) as database:
            self.assertEqual(database.execute("select bot, fault, story from fault").fetchall(), [])
            records = [record for record, in database.execute("select record from game")]
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
            self.assertRegex(steps, rf"(?m)\b{word}\b", f"{word} in no record")


if __name__ == "__main__":
    main()
