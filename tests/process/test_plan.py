#!/usr/bin/python3
"""bgref plan and bgref met as a user runs them, and the tally of a real event."""
import json
import lzma
import os
import re
import unittest

import harness

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors")


class Plan(harness.Case):
    def rows(self, *words):
        return self.json("plan", *words)["rows"]

    def test_games_for_a_difference(self):
        rows = {row["method"]: row for row in self.rows("--ppg", "0.02")}
        self.assertEqual(len(rows), 4)
        self.assertAlmostEqual(rows["plain dice"]["games_interval"], (1.959964 * 3 / 0.02) ** 2,
                               delta=1)
        self.assertAlmostEqual(rows["luck-adjusted"]["games_power"] / 3460, 1, delta=0.01)
        self.assertIn("100 clusters on", self.must("plan", "--ppg", "0.1")[0], "a test of 94 games there is not")
        self.assertNotIn("clusters on", self.must("plan", "--ppg", "0.02")[0])
        given = self.rows("--ppg", "0.02", "--sd", "3", "--power", "0.5")
        self.assertEqual(len(given), 1)
        self.assertAlmostEqual(given[0]["games_power"], given[0]["games_interval"])

    def test_text_fits_a_screen(self):
        for words in (["--ppg", "0.02"], ["--elo", "50"], ["--games", "500"]):
            text = self.must("plan", *words)[0]
            lines = text.splitlines()
            self.assertLess(len(lines), 24)
            self.assertTrue(all(len(line) <= 100 for line in lines), text)
            self.assertIsNone(re.search(r"\b(nan|inf)\b", text))

    def test_misuse_is_explained(self):
        for words, message in (
                ([], "needs a difference"), (["--ppg", "0"], "needs a number between 1e-06 and 1000"),
                (["--ppg", "x"], "needs a number between"),
                (["--ppg", "0.1", "--elo", "9"], "one question at a time"),
                (["--ppg", "0.1", "--method", "good"], "expected plain, duplicate"),
                (["--ppg", "0.1", "--power", "1"], "between 0.5 and 0.9999"),
                (["nowhere.db", "--ppg", "0.1"], "nowhere.db")):
            self.assertIn(message, self.must("plan", *words, status=2)[1])

    def test_every_answer_is_a_number(self):
        """At the limits of the allowed inputs; beyond them the question is refused."""
        for words in (["--ppg", "1e-6"], ["--ppg", "1000"], ["--ppg", "1e-6", "--sd", "1e6"],
                      ["--ppg", "1000", "--sd", "1e-6"], ["--elo", "0.01", "--length", "1"],
                      ["--elo", "10000", "--length", "1000"],
                      ["--ppg", "0.02", "--alpha", "1e-6", "--beta", "1e-6"]):
            for row in self.rows(*words):
                for key in ("games_interval", "games_power", "sprt", "sprt_halfway"):
                    self.assertIsNotNone(row[key], f"{words}: {row}")
        for words in (["--ppg", "1e-300"], ["--ppg", "1e300"], ["--elo", "1e9"], ["--games", "1e300"],
                      ["--ppg", "0.1", "--sd", "1e300"], ["--ppg", "0.1", "--alpha", "1e-320"]):
            self.assertIn("needs a number between", self.must("plan", *words, status=2)[1])

    def test_from_own_games(self):
        self.must("duel", "greedy", "random", "--pairs", "60", "--seed", "4", "--results", "m.db")
        answer = self.json("plan", "m.db", "--ppg", "0.1")
        encounter = self.json("rate", "m.db")["encounters"][0]
        self.assertEqual(answer["results"]["games"], 120)
        self.assertAlmostEqual(answer["results"]["ppg_se"], encounter["ppg_se"], places=9)
        self.assertAlmostEqual(answer["rows"][0]["games_interval"],
                               (1.959963985 * encounter["ppg_se"] / 0.1) ** 2 * 120, places=3)
        self.must("duel", "greedy", "random", "--length", "3", "--pairs", "2", "--results", "l.db")
        self.assertIn("--elo", self.must("plan", "l.db", "--ppg", "0.1", status=2)[1])

    def test_from_judged_games(self):
        """In addition to the plain deviation, that of the judged games."""
        self.must("duel", "-engine", "greedy", "name=a", "-engine", "greedy", "name=b",
                  "option.Style=bold", "--pairs", "40", "--seed", "4", "--judge", "greedy", "--quiet",
                  "--results", "m.db")
        answer = self.json("plan", "m.db", "--ppg", "0.1")
        row = self.json("report", "m.db")["tables"]["luck"]["rows"][0]
        self.assertEqual((answer["judged"]["judged_legs"], len(answer["rows"])), (80, 2))
        self.assertAlmostEqual(answer["judged"]["adjusted_se"], row["adjusted_se"], places=9)
        plain, adjusted = answer["rows"]
        self.assertAlmostEqual(adjusted["games_interval"], (1.959963985 * answer["judged"]["sd"] / 0.1) ** 2,
                               places=3)
        self.assertLess(adjusted["games_power"], plain["games_power"])
        self.assertIn("luck-adjusted, as judged", self.must("plan", "m.db", "--ppg", "0.1")[0])
        self.must("duel", "greedy", "random", "--length", "3", "--pairs", "4", "--seed", "2", "--judge",
                  "greedy", "--quiet", "--results", "l.db")
        answer = self.json("plan", "l.db", "--elo", "50", "--length", "3")
        self.assertEqual([row["method"] for row in answer["rows"]],
                         ["matches, plain dice", "luck-adjusted, as judged"])
        self.assertGreater(answer["rows"][1]["games_interval"], 0)
        self.assertIn("use --elo D --length 3", self.must("plan", "l.db", "--ppg", "0.1", status=2)[1])

    def test_rating_without_the_kept_tally_is_the_same(self):
        self.must("duel", "greedy", "random", "--length", "3", "--pairs", "5", "--results", "r.db")
        kept = self.must("rate", "r.db", "--json")[0]
        self.change("r.db", "DELETE FROM encounter")
        self.assertEqual(self.must("rate", "r.db", "--json")[0], kept)
        self.must("duel", "greedy", "random", "--length", "3", "--pairs", "5", "--results", "r.db")
        self.assertEqual(self.must("rate", "r.db", "--json")[0], kept)


# The rest within 1e-7; fits end where a step is small.
TOLERANCE = {"rating": 1e-4, "se": 1e-4, "robust_se": 1e-4, "performance": 1e-4, "los": 1e-6, "expected_wins": 1e-5}


def differences(want, got, tolerance, at=""):
    """Where an answer is another than the one that is wanted."""
    if isinstance(want, dict) and isinstance(got, dict) and want.keys() == got.keys():
        return [d for k in want for d in differences(want[k], got[k], TOLERANCE.get(k, 1e-7), f"{at}.{k}")]
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [d for i, pair in enumerate(zip(want, got)) for d in differences(*pair, tolerance, f"{at}[{i}]")]
    is_same = abs(want - got) <= tolerance * max(1, abs(want) / 1000) if type(want) in (int, float) and \
        type(got) in (int, float) else want == got and type(want) is type(got)
    return [] if is_same else [f"{at}: wanted {want}, got {got}"]


class Question(harness.Case):
    def test_answers_to_questions_by_chance_are_those_of_another_program(self):
        with lzma.open(os.path.join(VECTORS, "rates-by-chance.jsonl.xz"), "rt") as cases:
            for number, case in enumerate(map(json.loads, cases)):
                want, question = case.pop("expected"), json.dumps(case)
                done = self.run_bgref("rate", "--input", "-", "--json", stdin=question)
                self.assertEqual(done.returncode, 0, f"{done.stderr}\n{question}")
                got = json.loads(done.stdout)
                if case["input"].get("options", {}).get("mode") == "table":  # this answer has more
                    got = {"los": got["los"], "players": {p["name"]: p["rating"] and {"rating": p["rating"], "se": p["rating_se"]}
                                                          for p in got["players"]}}
                wrong = differences(want, got, 1e-7)
                self.assertEqual(wrong[:4], [], f"line {number + 1}: {question}")

    ROWS = [{"a": "x", "b": "y", "length": 3, "pairs": [9, 20, 11]}, {"a": "y", "b": "z", "length": 3, "pairs": [0, 0, 6]}]

    def ask(self, **options):
        self.write("q.json", json.dumps({"kind": "ratings", "input": {
            "players": ["x", "y", "z"], "options": options, "results": self.ROWS}}))
        return self.json("rate", "q.json")

    def test_mode_table_is_the_table_of_results(self):
        """A bot that never won has a number without a lower end; with the formulas alone a virtual draw makes one."""
        table = {row["name"]: row for row in self.ask(mode="table")["players"]}
        self.assertLess(table["z"]["rating"], table["y"]["rating"])
        self.assertEqual((table["z"]["rating_low"], table["z"]["flag"]), (None, "winless"))
        self.assertAlmostEqual(sum(row["rating"] * row["anchor_weight"] for row in table.values()), 1500, 6)
        self.assertGreater(table["x"]["rating_bar"], 0)
        formula = {row["name"]: row for row in self.ask(mode="formula")["players"]}
        self.assertEqual(formula, {row["name"]: row for row in self.ask()["players"]})
        self.assertNotIn("anchor_weight", formula["z"])
        self.write("q.json", json.dumps({"kind": "ratings", "input": {
            "players": ["x", "y"], "options": {"mode": "tabel"}, "results": self.ROWS[:1]}}))
        self.assertIn("options.mode: needs formula or table", self.must("rate", "q.json", status=2)[1])


class Met(harness.Case):
    def test_table_is_the_reference(self):
        with open(os.path.join(VECTORS, "met15.tsv"), encoding="utf-8") as file:
            self.assertEqual(self.must("met")[0].split(), file.read().split())
        self.assertEqual(len(self.must("met", "--away", "64")[0].splitlines()), 66)

    def test_scores(self):
        self.assertIn("match won 0.650800", self.must("met", "--score", "3-5")[0])
        self.assertIn("0.513165", self.must("met", "--score", "1-4", "--crawford")[0])
        self.assertIn("match won 0.513165", self.must("met", "--score", "1-2", "--post")[0])
        self.assertIn("match won 0.500000", self.must("met", "--score", "1-1")[0])
        for words, expected in ((["1-3"], "add --crawford or --post"), (["4-1"], "add --crawford or --post"),
                            (["3-5", "--crawford"], "one side is 1 point away"),
                            (["3-3", "--crawford"], "one side is 1 point away"),
                            (["1-1", "--crawford"], "one side is 1 point away"),
                            (["3-5", "--post"], "one side is 1 point away"),
                            (["1-3", "--crawford", "--post"], "choose one"),
                            (["1-3", "--crawford", "--cube", "2"], "no cube"),
                            (["3-5", "--cube", "3"], "1, 2, 4")):
            self.assertIn(expected, self.must("met", "--score", *words, status=2)[1])
        for words in (["--score", "3"], ["--score", "0-4"], ["--away", "129"], ["--cube", "2"]):
            self.must("met", *words, status=2)

    def test_tables_of_others(self):
        printed = self.must("met", "--away", "5")[0]
        table = self.write("own.tsv", printed)
        self.assertEqual(self.must("met", "--table", table)[0], printed)
        self.write("bad.tsv", printed.replace("0.677500", "0.677501"))
        self.assertIn("sum to", self.must("met", "--table", "bad.tsv", status=2)[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
