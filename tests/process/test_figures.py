"""Figures that the pages quote: each is computed again from its campaign's table, or from the program. A sentence that is no
longer found is a failure too, because its figure then has no source. And the first output that a new user sees."""
import glob
import math
import os
import re
import statistics
import xml.etree.ElementTree

from harness import Case, main

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCS = os.path.join(ROOT, "docs")
NUMBER = r"([+-]?[\d,]+(?:\.\d+)?)"
PUBLISHED = ("Kazaross-XG2", "Rockwell-Kazaross")
FIRST = ("rating", "bound", "share", "cell", "false", "chi2")


def text_of(*path):
    with open(os.path.join(DOCS, *path), encoding="utf-8") as text:
        return text.read()


def value(word):
    return float(word.rstrip("!").replace(",", ""))


def coverage_rows():
    """Lines of the first table; repeated runs replace the earlier lines."""
    rows = {}
    for line in text_of("campaigns", "2026-11-22-coverage.txt").splitlines():
        words = line.split()
        if len(words) == 14 and words[-1] in ("good", "BAD"):
            row = {name: None if word == "-" else value(word) for name, word in zip(FIRST, words[7:13])}
            row.update(length=int(words[0]), bots=int(words[1]), pairs=int(words[2]), events=int(words[5]),
                       clusters=int(words[6]), good=words[-1] == "good")
            rows[tuple(words[:5])] = row
    return list(rows.values())


def coverage_of(rows, name):
    return [row[name] for row in rows if row[name] is not None]


class Figures(Case):
    def quoted(self, page, pattern):
        """The numbers in a sentence of a page; \\N stands for a number, a blank for any white space."""
        flat = " ".join(text_of(*page).split())
        found = re.search(pattern.replace("\\N", NUMBER), flat)
        self.assertIsNotNone(found, f"{'/'.join(page)} does not say: {pattern}")
        return [value(word) for word in found.groups()]

    def test_coverage(self):
        rows = coverage_rows()
        later = [row for row in rows if row["clusters"] >= 30]
        page = ("campaigns", "README.md")
        count, = self.quoted(page, r"2026-11-22-coverage\.txt\): \N lines")
        self.assertEqual(count, len(rows))
        least, most = self.quoted(page, r"\N to \N events each")
        self.assertEqual([least, most], [min(row["events"] for row in rows), max(row["events"] for row in rows)])
        self.assertIn("none marked", " ".join(text_of(*page).split()))
        self.assertTrue(all(row["good"] for row in rows))
        for name, pattern in (("rating", r"From 30 clusters on ratings lie between \N and \N %"),
                              ("share", r"points a game and shares between \N and \N %")):
            self.assertEqual(self.quoted(page, pattern),
                             [min(coverage_of(later, name)), max(coverage_of(later, name))], name)
        few = [row for row in later if row["pairs"] == 5 and row["length"] > 0]
        many = [row for row in later if row["pairs"] >= 10]
        self.assertEqual(self.quoted(page, r"Cells of a crosstable: \N to \N % from ten pairs on, \N to \N % of "
                                           r"matches with five"),
                         [f(coverage_of(part, "cell")) for part in (many, few) for f in (min, max)])
        most, = self.quoted(page, r'A false "established" comes in at most \N % of events')
        self.assertEqual(most, max(row["false"] for row in rows))
        lowest, highest = self.quoted(("statistics.md",), r"with five pairs \N to \N %")
        self.assertLessEqual(lowest, min(coverage_of(few, "cell")))
        self.assertGreaterEqual(highest, max(coverage_of(few, "cell")))

    def test_the_sequential_test(self):
        table = text_of("campaigns", "2026-11-22-sprt.txt").split("\ndate ")[0]  # the full one
        lengths = [int(n) for n in re.findall(r"^ +\d+ +H1 +(\d+)", table, re.M)]
        page = ("campaigns", "README.md")
        self.assertEqual(self.quoted(page, r"\N tests of \N accept H1"), [len(lengths)] * 2)
        self.assertEqual(set(lengths), {self.quoted(page, r"each at the first look after \N games")[0]})
        plain = [int(n) for n in re.findall(r"plain +[\d.]+ +(\d+)", table)]
        self.assertEqual(len(plain), 3)
        as_measured, either = self.quoted(page, r"takes \N games where the truth is as measured \([\d.]+\), \N where "
                                                r"a hypothesis is true")
        self.assertEqual(as_measured, plain[2])
        self.assertAlmostEqual(either / statistics.mean(plain[:2]), 1, delta=0.02)
        deviations = [float(n) for n in re.findall(r"standard deviation of a game ([\d.]+)", table)]
        games, plain_sd, adjusted_sd = self.quoted(("statistics.md",),
                                                   r"over \N games of gnubg with and without noise 0\.01: \N and \N with")
        pairs = int(re.search(r"measured, (\d+) pairs", table)[1])
        self.assertAlmostEqual(games / (2 * pairs), 1, delta=0.02)
        self.assertEqual([plain_sd, adjusted_sd], [round(deviations[0], 2), deviations[1]])

    def test_luck(self):
        table = text_of("campaigns", "2026-11-21-luck.txt")
        games, ratio, separated, duels = self.quoted(
            ("campaigns", "README.md"), r"luck\.txt\): \N games; ratio \N, \N of \N duels of equals separated")
        found = re.search(r"separated at 95 %: (\d+) of (\d+)", table)
        self.assertEqual([separated, duels], [int(found[1]), int(found[2])])
        self.assertEqual(ratio, float(re.search(r"variance ratio ([\d.]+)", table)[1]))
        self.assertEqual(games, float(re.search(r"noise 0\.02, (\d+) games", table)[1]))
        fair = text_of("campaigns", "2026-11-22-fair.txt")
        games, = self.quoted(("campaigns", "README.md"), r"greedy against itself, \N games with plain dice")
        self.assertEqual(games, float(re.search(r"greedy against itself, (\d+) games", fair)[1]))
        self.assertNotIn("ALARM", fair)

    def test_the_ladder(self):
        """The README's rows: points without luck, and against the next bot below."""
        table = text_of("campaigns", "2026-11-27-ladder.txt")
        rows = re.findall(r"(?m)^\| `(\w+)` \|[^|]*\| ([+-][\d.]+) ± ([\d.]+) \| (?:([+-][\d.]+) ± ([\d.]+))?",
                          text_of("..", "README.md"))
        self.assertGreaterEqual(len(rows), 4)
        for (bot, points, bar, more, bar_more), (below, *_) in zip(rows, [*rows[1:], ("",)]):
            found = re.search(rf"(?m)^{bot} +\S+ +\S+ +([+-][\d.]+) +([\d.]+) ", table)
            self.assertEqual(float(points), float(found[1]))
            self.assertAlmostEqual(float(bar), 1.96 * float(found[2]), delta=0.0006)
            if more:
                self.check_pairing(table, f"{below} vs {bot}", -float(more), float(bar_more))
        flat = self.quoted(("campaigns", "README.md"), r"gnubg is ahead of td by \N ± \N, td of bkg by \N ± \N")
        self.check_pairing(table, "td vs gnubg", -flat[0], flat[1])
        self.check_pairing(table, "bkg vs td", -flat[2], flat[3])

    def check_pairing(self, table, pairing, points, bar):
        found = re.search(rf"(?m)^{pairing} .*\n.*\n  ADJUSTED +(\S+) ppg +SE \S+ +95 % (\S+) to (\S+)", table)
        self.assertIsNotNone(found, pairing)
        self.assertAlmostEqual(points, float(found[1]), delta=0.0006)
        self.assertAlmostEqual(bar, (float(found[3]) - float(found[2])) / 2, delta=0.0006)

    def test_the_bootstrap(self):
        rows = {}  # repeated runs replace the earlier ones
        for line in text_of("campaigns", "2026-11-22-closer.txt").splitlines():
            words = line.split()
            if len(words) == 16 and words[-1] in ("good", "BAD") and words[9] != "-":
                rows[tuple(words[:5])] = [value(word) for word in words[9:11] if word != "-"]
        rows = list(rows.values())
        self.assertGreater(len(rows), 3)
        least, most = self.quoted(("campaigns", "README.md"), r"The bootstrap covers \N to \N %")
        self.assertEqual([least, most], [min(map(min, rows)), max(map(max, rows))])

    def test_match_equity(self):
        folder, = glob.glob("/usr/share/gnubg/met") or glob.glob("/usr/share/games/gnubg/met") or [None]
        if folder is None:
            self.skipTest("no published tables here: they come with gnubg")
        rms, most = self.quoted(("statistics.md",), r"differ from it by \N \(root mean square up to 15-away\), \N at most")
        ours = [[float(word) for word in line.split()[1:]] for line in self.must("met")[0].splitlines()[1:16]]
        for name in PUBLISHED:
            tree = xml.etree.ElementTree.parse(os.path.join(folder, name + ".xml"))
            theirs = [[float(me.text) for me in row.findall("me")]
                      for row in tree.getroot().find("pre-crawford-table").findall("row")]
            apart = [ours[i][j] - theirs[i][j] for i in range(15) for j in range(15)]
            self.assertEqual(round(statistics.mean(d * d for d in apart) ** 0.5, 3), rms, name)
            self.assertEqual(round(max(map(abs, apart)), 3), most, name)


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
