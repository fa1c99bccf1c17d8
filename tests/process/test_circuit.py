#!/usr/bin/python3
"""bgref rate of several databases: joint ratings, circuit points, history, refusals."""
import shutil

import harness


class Circuit(harness.Case):
    def play(self, name, *words, pairs=6, bots=("greedy", "random", "first")):
        listed = "".join(f"  - {bot}\n" for bot in bots)
        self.write(f"{name}.yaml", f"bots:\n{listed}pairs: {pairs}\nresults: {name}.db\nsandbox: off\n"
                   + "".join(f"{word}\n" for word in words))
        self.must("tournament", f"{name}.yaml", "--quiet")
        return f"{name}.db"

    def half(self, whole, name, which):
        """A copy with the even or the odd pairs of an event; its tally is counted from the games."""
        shutil.copy(self.path(f"{whole}.db"), self.path(name))
        self.change(name, ("DELETE FROM game WHERE pair % 2 <> ?", (which,)),
                    "DELETE FROM meta WHERE key IN ('results.root', 'dice.digest')",
                    "DELETE FROM run",
                    "DELETE FROM encounter")
        return name

    def test_two_halves_are_the_whole(self):
        for length in ("length: 1", "length: money"):
            name = "whole-" + length[-1]
            whole = self.json("rate", self.play(name, length, "seed: 7", pairs=10))
            joint = self.json("rate", self.half(name, "odd.db", 1), self.half(name, "even.db", 0))
            self.assertEqual(joint["games"], whole["games"])
            self.assertEqual([event["file"] for event in joint["joined"]], ["odd", "even"])
            rows = {row["bot"]: row for row in joint["standings"]}
            for row in whole["standings"]:
                for field in ("rating", "rating_se", "legs", "won", "points", "ppg"):
                    if isinstance(row.get(field), float):
                        self.assertAlmostEqual(rows[row["bot"]][field], row[field], places=6, msg=field)
                    else:
                        self.assertEqual(rows[row["bot"]].get(field), row.get(field), field)

    def test_programs_names_and_a_map(self):
        spring = self.play("spring", "length: 1", "seed: 1", bots=("greedy", "random"))
        autumn = self.play("autumn", "length: 3", "seed: 2",
                           bots=("random", "{name: swift, bot: greedy}", "{name: greedy, bot: first}"))
        joint = self.json("rate", spring, autumn)
        self.assertEqual({row["bot"] for row in joint["standings"]}, {"greedy", "random", "greedy@autumn"})
        of_autumn = {bot["bot"]: bot["competitor"] for bot in joint["joined"][1]["bots"]}
        self.assertEqual(of_autumn, {"random": "random", "swift": "greedy", "greedy": "greedy@autumn"})
        self.assertTrue(any("square root of the length" in note for note in joint["notes"]))
        by_name = self.json("rate", spring, autumn, "--same-name")
        self.assertEqual({row["bot"] for row in by_name["standings"]}, {"greedy", "random", "swift"})
        self.write("names", "# who is who\nautumn swift greedy\nautumn greedy first\n")
        mapped = self.json("rate", spring, autumn, "--map", "names")
        self.assertEqual({row["bot"] for row in mapped["standings"]}, {"greedy", "random", "first"})
        text = self.must("rate", spring, autumn)[0]
        self.assertIn("* greedy is swift in autumn.", text)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()), text)
        for line, message in (("autumn swfit greedy", "line 1: no bot swfit in autumn (perhaps swift?)"),
                              ("autumn swift", "needs EVENT BOT COMPETITOR"),
                              ("autumn swift random", "two bots of this event are both random")):
            self.write("names", line + "\n")
            self.assertIn(message, self.must("rate", spring, autumn, "--map", "names", status=2)[1])

    def test_points_by_the_standing_of_a_form(self):
        """In the table of all games those who lost in the first round need not share a place."""
        self.play("cup", "length: 1", "seed: 3", "schedule: knockout pairs=1",
                  bots=("greedy", "random", "first", "{name: other, bot: random}"))
        sheet = self.json("report", "--sheet", "cup.db")
        self.write("points", "1 10\n2 6\n3 2\n4 2\n")
        joint = self.json("rate", "cup.db", "--points", "points")
        places = {row["bot"]: row["joined"][0]["rank"] for row in joint["circuit"]}
        shown = {row["bot"]: row["rank"] for row in sheet["tables"]["standing"]["rows"]}
        self.assertEqual(places, shown)
        self.assertEqual(sorted(places.values()), [1, 2, 3, 3])
        self.assertEqual(sum(row["circuit_points"] for row in joint["circuit"]), 20)

    def test_points_and_history(self):
        spring = self.play("spring", "length: 1", "seed: 1")
        autumn = self.play("autumn", "length: 1", "seed: 2", bots=("greedy", "random"))
        self.write("points", "1 10\n2 6\n3 4\n")
        joint = self.json("rate", spring, autumn, "--points", "points", "--history")
        self.assertEqual(sum(row["circuit_points"] for row in joint["circuit"]), 36)
        self.assertEqual(joint["circuit"][0]["bot"], "greedy")
        self.assertEqual([event["rank"] for event in joint["circuit"][0]["joined"]], [1, 1])
        last = [row for row in joint["circuit"] if row["bot"] == "first"][0]["joined"]
        self.assertEqual([last[1]["rank"], last[1]["circuit_points"]], [None, 0])
        alone, after = self.json("rate", spring), joint["history"]
        self.assertEqual(len(after), 6)
        ratings = {row["bot"]: row["rating"] for row in after[:3]}
        self.assertEqual(ratings, {row["bot"]: row["rating"] for row in alone["standings"]})
        self.assertEqual({row["bot"]: row["rating"] for row in after[3:]},
                         {row["bot"]: row["rating"] for row in joint["standings"]})
        self.assertRegex(after[0]["date"], r"\A\d{4}-\d\d-\d\d\Z")
        text = self.must("rate", spring, autumn, "--points", "points", "--history")[0]
        self.assertIn("Points of the circuit", text)
        self.assertIn("Ratings after each event", text)
        self.write("points", "1 10\nsecond 6\n")
        self.assertIn("points: line 2: 'second 6': needs a place",
                      self.must("rate", spring, autumn, "--points", "points", status=2)[1])

    def test_what_cannot_be_joined_is_refused(self):
        bots = ("greedy", "random")
        spring = self.play("spring", "length: 1", "seed: 1", pairs=1, bots=bots)
        money = self.play("money", "length: money", "seed: 2", pairs=1, bots=bots)
        flat = self.play("flat", "length: money", "cube: off", "seed: 3", pairs=1, bots=bots)
        other = self.play("other", "length: 1", "variant: nackgammon", "seed: 4", pairs=1, bots=bots)
        shutil.copy(self.path(spring), self.path("copy.db"))
        for words, message in (
                ((spring, money), "no common scale"), ((money, flat), "not in one unit"),
                ((spring, other), "one rating for two games"), ((spring, spring), "the same file"),
                ((spring, "copy.db"), "the same games"), ((spring, "nowhere.db"), "nowhere.db: No such file"),
                ((spring, spring, "--bootstrap", "100"), "--bootstrap needs one results database"),
                ((spring, "--history", "--adjusted"), "--adjusted needs one results database"),
                ((spring, "--history", "--anchor", "nobody"), "no such bot"),
                ((spring, "--points", "nowhere"), "nowhere: No such file")):
            self.assertIn(message, self.must("rate", *words, status=2)[1], words)


harness.main()
