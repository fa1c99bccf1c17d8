#!/usr/bin/python3
"""bgref kin: copies are found in stored games and by asking; others are not called alike."""

import harness


class Kin(harness.Case):
    def kin(self, *words):
        found = self.json("kin", *words)
        return found, {(row["a"], row["b"]): row for row in found["kin"]}

    def test_a_copy_is_found_in_stored_games(self):
        bold = [f"{{name: {name}, bot: greedy, options: {{Style: bold}}}}" for name in ("bold", "copy")]
        self.event_file("kin.yaml", bots=[*bold, "greedy", "random", "first"], pairs=16, length="money", seed=5, sandbox="off",
                        results="kin.db")
        self.must("tournament", "kin.yaml", "--quiet")
        found, rows = self.kin("kin.db")
        self.assertIsNone(found["judge"])
        copies = rows["bold", "copy"]
        self.assertEqual(copies["same"], copies["both"], "a program without chance")
        self.assertGreater(copies["both"], 100)
        self.assertFalse(rows["bold", "random"]["alike"])
        self.must("judge", "kin.db", "--judge", "greedy", "--errors", "--quiet")
        found, rows = self.kin("kin.db")
        self.assertTrue(found["judge"].startswith("bot:greedy"))
        copies = rows["bold", "copy"]
        self.assertIs(copies["alike"], True, copies)
        self.assertIsNone(copies["alike_reason"])
        self.assertGreater(copies["compared"], 100)
        self.assertEqual(copies["same_share"], 1)
        self.assertEqual(copies["wrong_alike"], copies["both_wrong"])
        self.assertEqual([pair for pair, row in rows.items() if row["alike"]], [("bold", "copy")])
        rare = copies["rare"]
        self.assertTrue(rare)
        self.assertEqual([row["error"] for row in rare], sorted((row["error"] for row in rare), reverse=True))
        variant, position, dice = rare[0]["decision"].split()[:3]
        self.assertEqual(variant, "backgammon")
        if dice.isdigit():  # the decision can be seen, and was no forced play
            plays = self.must("plays", position, dice[0], dice[-1])[0].splitlines()
            self.assertGreater(len(plays), 1)
        text = self.must("kin", "kin.db")[0]
        self.assertIn("Rare choices that bold and copy share", text)
        self.assertIn("never why", text)
        again, _ = self.kin("kin.db", "--same-name")
        self.assertEqual(again["kin"], found["kin"])

    def test_a_copy_is_found_by_asking(self):
        words = ("--ask", "greedy", "greedy", "python", "random", "first")
        _, rows = self.kin(*words)
        self.assertIsNone(rows["greedy", "greedy-2"]["alike"], "nobody knows without a judge")
        self.assertIn("no judge", rows["greedy", "greedy-2"]["alike_reason"])
        self.assertGreater(rows["greedy", "greedy-2"]["excess"], 0.1)
        for other in ("greedy", "greedy-2", "python"):
            for weak in ("random", "first"):
                self.assertIs(rows[other, weak]["alike"], False, (other, weak))
                self.assertIsNone(rows[other, weak]["alike_reason"])
        self.assertIsNone(rows["random", "first"]["excess"], "nobody is comparable to these two")
        self.assertIsNone(rows["random", "first"]["alike"])
        self.assertIn("too few", rows["random", "first"]["alike_reason"])
        text = self.must("kin", *words)[0]
        self.assertNotIn("No two bots choose alike", text)
        self.assertIn("Not tested: 1 of 10 pairs, with fewer than 30 compared positions", text)
        self.assertIsNone(self.kin("--ask", "greedy", "random")[1]["greedy", "random"]["same_expected"])
        self.assertIn(("random", "random-3"), self.kin("--ask", "first", "name=random-2", "random", "random")[1])
        self.assertNotIn("No two bots choose alike", self.must("kin", "--ask", "greedy", "random")[0])

    def test_refusals(self):
        for words, message in (
                ((), "needs a results database"), (("--ask",), "--ask needs bots"),
                (("--ask", "greedy"), "two bots or more"), (("--ask", "nosuchbot", "greedy"), "nosuchbot"),
                (("--ask", "greedy", "random", "--game", "nosuch"), "no such game"),
                (("--ask", "greedy", "--judge", "gnubg"), "are for results"),
                (("kin.db", "--game", "plakoto"), "--game needs --ask"), (("nowhere.db",), "No such file")):
            self.assertIn(message, self.must("kin", *words, status=2)[1], words)


harness.main()
