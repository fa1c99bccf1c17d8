#!/usr/bin/python3
"""Real events in which bots have played unequal numbers of games, and events of many bots with few games: the
claims of their tables."""
import os

import harness

LENGTHS = ("1", "0")
UNPLAYED = 7  # exit status of an event with fixtures that were not played


class Unequal(harness.Case):
    def rated(self, results):
        return self.json("rate", results)

    def tournament(self, bots, *words, length="1", status=UNPLAYED):
        event = self.write("event.yaml", "bots:\n" + "".join(f"  - {bot}\n" for bot in bots))
        return self.must("tournament", event, "--length", length, "--seed", "4", "--results", "r.db", "--quiet",
                         "--events", self.path("e.jsonl"), *words, status=status)[0]

    def last_standings(self):
        events = self.json_lines("e.jsonl")
        return [event for event in events if event["kind"] == "standings"][-1]

    def test_a_bot_that_leaves_late_is_ranked_by_share(self):
        """A bot is quarantined after more than half of its fixtures: no bot is ranked by a number of wins that
        others could not reach, and stream and database agree."""
        for length in LENGTHS:
            rogue = f"{{name: rogue, cmd: '{harness.ROGUE} wrong-die --after 90'}}"
            table = self.tournament(["greedy", "random", "first", rogue], "--pairs", "12", "--quarantine", "40",
                                    "-concurrency", "1", length=length)
            rows = self.rated("r.db")["standings"]
            legs = {row["bot"]: row["legs"] for row in rows}
            self.assertLess(legs["rogue"], 72, "it was to leave")
            self.assertGreaterEqual(2 * legs["rogue"], 72, "but not so early")
            self.assertGreater(len(set(legs.values())), 1)
            self.assertTrue(self.rated("r.db")["model"]["ranked_by_share"])
            self.assertIn("unequal numbers of", " ".join(table.split()))
            shares = [row["share"] for row in rows]
            self.assertEqual(shares, sorted(shares, reverse=True))
            for row in rows:
                expected = (row["won"] + row["drawn"] / 2 if length == "1" else row["points"]) / row["legs"]
                self.assertAlmostEqual(row["share"], expected, 12)
            last = self.last_standings()
            self.assertEqual([row["bot"] for row in last["standings"]], [row["bot"] for row in rows])
            for mine, row in zip(last["standings"], rows):
                for key in ("rank", "share", "legs", "won", "rating", "rating_bar"):
                    self.assertEqual(mine[key], row[key], (key, row["bot"]))
            os.unlink(self.path("r.db"))

    def test_a_bot_that_leaves_early_is_not_ranked_and_not_counted(self):
        rogue = f"{{name: rogue, cmd: '{harness.ROGUE} wrong-die'}}"
        self.tournament(["greedy", "random", "first", rogue], "--pairs", "12", "--quarantine", "3",
                        "-concurrency", "1")
        rows = {row["bot"]: row for row in self.rated("r.db")["standings"]}
        self.assertTrue(rows["rogue"]["dropped"])
        self.assertIsNone(rows["rogue"]["rank"])
        self.assertEqual(sorted(rows[bot]["rank"] for bot in ("greedy", "random", "first")), [1, 2, 3])

    def test_fifty_bots_with_one_pair_each(self):
        """Every bot is rated, or the table gives the reason in one line; among equal bots none is established."""
        bots = [f"{{name: g{i:02d}, bot: greedy}}" for i in range(25)]
        bots += [f"{{name: r{i:02d}, bot: random}}" for i in range(25)]
        table = self.tournament(bots, "--pairs", "1", status=0)
        rated = self.rated("r.db")
        rows = rated["standings"]
        self.assertEqual(len(rows), 50)
        self.assertTrue(all(len(line) <= 100 for line in table.splitlines()))
        self.assertAlmostEqual(sum(row["rating"] * row["anchor_weight"] for row in rows), 1500, 6)
        for row in rows:
            self.assertEqual(row["legs"], 98)
            self.assertGreater(row["rating_bar"], 0)
            self.assertEqual(row["rating_low"] is None, row["flag"] == "winless")
            self.assertEqual(row["rating_high"] is None, row["flag"] == "unbeaten")
            self.assertLessEqual(row["won_percent_low"], row["won_percent"])
            self.assertGreaterEqual(row["won_percent_high"], row["won_percent"])
        wrong = [row for row in rated["encounters"]
                 if row["bot"][0] == row["opponent"][0] and (row["established"] or row["opponent_established"])]
        self.assertEqual(wrong, [])
        right = [row for row in rated["encounters"]
                 if row["bot"][0] != row["opponent"][0] and (row["established"] or row["opponent_established"])]
        self.assertGreater(len(right), 400, "of 625 pairs of a greedy one and a random one")


harness.main()
