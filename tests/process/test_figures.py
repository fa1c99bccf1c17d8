#!/usr/bin/python3
"""Figures that the pages quote: each is computed again from its campaign's table, or from the program. A
sentence that is no longer found is a failure too, because its figure then has no source."""
import glob
import os
import re
import statistics
import xml.etree.ElementTree

import harness

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


class Figures(harness.Case):
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


harness.main()
