"""The first output that a new user sees, and the output that the pages quote, are read as printed."""
import math
import os
import re

from harness import Case, main

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")


class First(Case):
    """`bgref duel random greedy` with few pairs: a bot that wins nothing, or almost nothing."""

    def duel(self, pairs, *words):
        results = f"{pairs}{len(words)}{words[-1] if words else ''}.db"
        out, err = self.must("duel", "random", "greedy", "--pairs", str(pairs), "--seed", "3", "--results",
                             results, *words)
        return results, out, err

    def honest(self, text):
        self.assertNotRegex(text, r"± ?[-+]?0\.0+(?!\d)", "an interval without width")
        self.assertNotRegex(text, r"LOS (0\.0|100\.0) %", "certainty")
        self.assertNotRegex(text, r"\b(nan|inf)\b")
        self.assertNotRegex(text, r"design effect \d", "a claim that needs a variance, of under 30 clusters")
        self.assertNotRegex(text, r"(?i)established")

    def test_few_pairs_have_wide_intervals(self):
        for pairs in range(2, 11, 2):
            for length in ("0", "1", "3"):
                with self.subTest(pairs=pairs, length=length):
                    results, out, err = self.duel(pairs, "--length", length)
                    self.honest(out)
                    self.honest(err)
                    self.assertIn("Small sample", out)
                    table = self.json("rate", results)
                    self.assertIsNone(table["model"]["chi2_p"])
                    self.last_line(table["standings"][0], err, length == "0")
                    self.result_line(table, out, length == "0")

    def test_equal_bots_play_each_pair_twice(self):
        even = r"greedy\s+and\s+greedy-2\s+ended\s+each\s+of\s+their\s+10\s+pairs\s+even"
        out, _ = self.must("duel", "greedy", "greedy", "--pairs", "10", "--seed", "3", "--results", "even.db")
        self.assertRegex(out, even)
        self.assertRegex(out, r"--duplicate\s+off")
        self.assertRegex(self.must("show", "even.db")[0] + self.must("rate", "even.db")[0], even)
        for words in (("greedy", "greedy", "--games", "20", "--duplicate", "off"), ("random", "greedy", "--pairs", "10"),
                      ("greedy", "greedy", "--pairs", "2")):
            out, _ = self.must("duel", *words, "--seed", "3", "--results", f"{len(words)}{words[-1]}{words[0]}.db")
            self.assertNotIn("pairs even", out)

    def last_line(self, best, err, money):
        """The last line of progress and the first row of the table are the same numbers."""
        leader = re.findall(r"leader (\S+) (.*)", err)[-1]
        bar = f" ± {best['ppg_bar']:.3f}" if money and best["ppg_bar"] is not None else ""
        want = (f"{best['ppg']:+.3f}{bar} ppg" if money else
                f"{best['won_percent']:.1f} % won (95 %: {best['won_percent_low']:.1f} to {best['won_percent_high']:.1f})")
        self.assertEqual(leader, (best["bot"], want))

    def result_line(self, table, out, money):
        """The duel and the table use the view of the first-named bot."""
        row = table["encounters"][0]
        self.assertEqual((row["bot"], row["opponent"]), ("random", "greedy"))
        self.assertIn("RESULT random vs greedy", out)
        if money:
            self.assertIn(f"{row['ppg']:+.3f}", out.splitlines()[1])
        else:
            low, high = row["won_percent_low"], row["won_percent_high"]
            self.assertIn(f"(95 %: {low:.1f} to {high:.1f})", out.splitlines()[1])
            self.assertGreater(high - low, 10, "of 20 matches at most")

    def test_judge_and_duel_use_the_same_viewpoint(self):
        results, out, _ = self.duel(4, "--length", "1")
        judged = self.must("judge", results, "--judge", "greedy", "--quiet")[0]
        self.assertIn("random vs greedy   8 matches judged", judged)
        chances = [float(x) for x in re.findall(r"(?:PLAIN|ADJUSTED) +(-?[\d.]+)", judged)]
        self.assertTrue(all(0 <= x <= 1 for x in chances), judged)
        self.assertLess(chances[0], 0.5, "random is no better in the judge's table than in the duel's")
        self.assertIn("win 0.0", out)


class Quoted(Case):
    """The numbers quoted in docs/statistics.md are this program's."""

    def page(self):
        with open(os.path.join(DOCS, "statistics.md"), encoding="utf-8") as text:
            return text.read()

    def test_the_table_of_games(self):
        rows = dict(re.findall(r"(?m)^\| ((?:plain dice|luck-adjusted)[^|]*?) \| (.*) \|$", self.page()))
        name = {"plain dice": "plain dice", "luck-adjusted": "luck-adjusted",
                "luck-adjusted, duplicate dice": "duplicate + luck-adjusted"}
        self.assertEqual(set(rows), set(name))
        answer = self.json("plan", "--ppg", "0.02")
        plans = {row["method"]: row for row in answer["rows"]}
        for words, cells in rows.items():
            plan = plans[name[words]]
            quoted = [float(re.sub(r"[^\d.]", "", cell)) for cell in cells.split("|")]
            self.assertEqual(quoted, [plan["sd"]] + [math.ceil(plan[key]) for key in (
                "games_interval", "games_power", "sprt", "sprt_halfway")], words)

    def test_the_numbers_in_the_text(self):
        page = " ".join(self.page().split())
        quoted = re.findall(r"([\d.]+) % in a (\d+)-point match", page)
        self.assertEqual(len(quoted), 2)
        for share, length in quoted:
            chance = 100 / (1 + 10 ** (-100 * math.sqrt(int(length)) / 2000))
            places = len(share.partition(".")[2])
            self.assertEqual(share, f"{chance:.{places}f}")
        sd = {row["method"]: row["sd"] for row in
              self.json("plan", "--ppg", "0.02")["rows"]}
        self.assertIn(f"s is {sd['plain dice']:.1f} with plain dice, {sd['duplicate dice']} with duplicate dice, "
                      f"{sd['luck-adjusted']} adjusted for luck, {sd['duplicate + luck-adjusted']:.2f} both", page)
        plan = self.json("plan", "--ppg", "1", "--sd", "1")["rows"][0]
        self.assertIn(f"takes {plan['sprt']:.1f} s²/D² on average if one of the two is true, "
                      f"{plan['sprt_halfway']:.1f} s²/D²", page)
        self.assertIn(f"({math.sqrt(plan['games_interval']):.2f} s/D)² and ({math.sqrt(plan['games_power']):.2f} s/D)²",
                      page)
        low, high = (math.log(0.05 / 0.95), math.log(0.95 / 0.05))
        self.assertIn(f"±{high:.2f} at 5 % and 5 %", page)
        self.assertAlmostEqual(low, -high)


main()
