#!/usr/bin/python3
"""bgref report: one page, the same as text and as JSON, from the results of real events.

usage: test_report.py BIN_DIRECTORY

The page is read with a strict XML parser and with Python's HTML parser; its numbers are compared with --json
and with bgref rate; judges' figures are compared with sums computed here.
"""
import contextlib
import csv
import html.parser
import io
import json
import math
import os
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import unicodedata
import unittest
import xml.etree.ElementTree as ElementTree

import harness

HOSTILE = "</title><script>alert(1)</script>&amp;\"'>\x01\ufffe <b>\u00fcn\u00efcode"
SECRET = "/home/secret/place/bot.py"
JUDGE = "judge <one> plies=0"


VOID = ("meta", "wbr")
WIDE = "WF"  # of unicodedata.east_asian_width: two columns of a terminal


class Table:
    """One table of the page: its place, its columns' keys, and its rows of cells, heads first."""

    def __init__(self, attributes):
        self.name, self.kind = attributes["data-table"], attributes["class"]
        self.keys, self.rows, self.attributes, self.caption = [], [], [], None


class Page(html.parser.HTMLParser):
    """Tables in their order, facts, headings, and every tag. A cell is its lines."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.tags, self.attributes, self.open = [], [], [], []
        self.headings, self.facts, self.order = [], {}, []
        self.text = self.fact = None
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        attributes = dict(attrs)
        if tag == "table":
            self.tables.append(Table(attributes))
            self.order.append(("table", self.tables[-1].name))
        elif tag == "tr":
            self.tables[-1].rows.append([])
            self.tables[-1].attributes.append([])
        elif tag in ("th", "td"):
            self.tables[-1].attributes[-1].append((tag, attributes))
            if "data-key" in attributes:
                self.tables[-1].keys.append(attributes["data-key"])
        elif tag == "div" and "data-key" in attributes:
            self.fact = attributes["data-key"]
            self.order.append(("fact", self.fact))
        elif tag == "section":
            self.order.append(("section", attributes["id"]))
        elif tag == "small" and self.text is not None:
            self.text += "\n"
        if tag in ("th", "td", "caption", "dd", "h1", "h2", "h3"):
            self.text = ""

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.open)
        if tag == "caption":
            self.tables[-1].caption = self.text
        elif tag in ("th", "td"):
            self.tables[-1].rows[-1].append(self.text.split("\n"))
        elif tag == "dd" and self.fact is not None:
            self.facts[self.fact], self.fact = self.text, None
        elif tag in ("h1", "h2", "h3"):
            self.headings.append((int(tag[1]), self.text))
        if tag in ("th", "td", "caption", "dd", "h1", "h2", "h3"):
            self.text = None

    def handle_data(self, data):
        if self.text is not None:
            self.text += data


def columns(line):
    """The width of a line in a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in WIDE
               else 1 for c in line)


def value_of(shown):
    """The number in a cell and half of its last digit's unit; None without a number."""
    text = shown.strip("\u2020=<>%+ ")
    try:
        return float(text), 0.5 * 10 ** -len(text.partition(".")[2]) + 1e-12
    except ValueError:
        return None


class Report(harness.Case):
    def assert_says(self, text, words):
        """Fails without printing the whole page."""
        self.assertTrue(words in text, words)

    def report(self, results, runs=False):
        """The three forms of one report; runs: games are finished in between."""
        self.must("report", results, "--out", "page.html")
        text = self.text("page.html")
        plain = self.must("report", results, "--text")[0]
        data = self.json("report", results)
        self.assert_sound(text, plain)
        if not runs:
            self.assert_equal_numbers(Page(text), data)
        self.assertEqual(data["schema"], "bgref-report")
        self.assertEqual(data["version"], 3)
        return text, plain, data

    def assert_sound(self, text, plain):
        """Well formed, without references to other files, and without invalid numbers."""
        ElementTree.fromstring(text)
        page = Page(text)
        self.assertNotIn("script", page.tags)
        for name, value in page.attributes:
            self.assertFalse(name.startswith("on"), name)
            self.assertNotEqual(name, "src")
            if name == "href":
                self.assertTrue(value.startswith("#"), value)
            if name == "id":
                self.assertEqual(page.attributes.count((name, value)), 1, value)
        self.assertNotIn("url(", text)
        self.assertNotIn("@import", text)
        self.assertEqual(page.tags.count("table"), page.tags.count("caption"))
        for table in page.tables:
            for row in table.rows:
                for cell in row:
                    self.assertNotIn(cell[0].strip("+-\u2020").lower(), ("nan", "inf"))
        self.assert_shape(page)
        for line in plain.splitlines():
            self.assertNotRegex(line, r"(^|[\s+-])(nan|inf)([\s%]|$)")
            self.assertEqual(line, line.rstrip())
            self.assertLessEqual(columns(line), 80, line)

    def assert_shape(self, page):
        """The guarantees for a reader or listener of the page."""
        kinds = [kind for kind, name in page.order]
        if any(table.name == "standings" for table in page.tables):
            self.assertEqual(page.order[kinds.index("section")], ("section", "standings"))
            self.assertEqual(page.order[kinds.index("table")], ("table", "standings"))
            self.assertLessEqual(len(page.tables[0].keys), 5, "as many as a telephone has room for")
        before = kinds[:kinds.index("section")]
        self.assertEqual(set(before), {"fact"} if before else set())
        self.assertEqual([level for level, _ in page.headings].count(1), 1)
        last = 0
        for level, title in page.headings:
            self.assertLessEqual(level, last + 1, title)
            self.assertTrue(title)
            last = level
        self.assertIn(("lang", "en"), page.attributes)
        shown = set()
        for table in page.tables:
            self.assertTrue(table.caption)
            if table.kind != "matrix":
                titles = [head[0] for head in table.rows[0]]
                self.assertEqual(len(set(titles)), len(titles), "one name a column")
                names = self.names(table)
                for key, title in zip(table.keys, titles):
                    if key == names or title in ("Clusters", "Judged"):
                        continue  # of other results in each table
                    by_bot = names == "bot" and "opponent" not in table.keys
                    where = (title,) if by_bot else (table.name, title)
                    self.assertFalse(where in shown, f"no column twice: {where}")
                    self.assertFalse((table.name, key) in shown, f"no column twice: {key}")
                    shown.update((where, (table.name, key)))
            for place, row in enumerate(table.attributes):
                scopes = [dict(cell[1]).get("scope") for cell in row if cell[0] == "th"]
                self.assertEqual(set(scopes), {"col"} if place == 0 else {"row"})

    def assert_equal_numbers(self, page, data):
        """Every number of a table of the page equals the JSON's, to the printed digits."""
        compared = 0
        for table in page.tables:
            if table.kind == "matrix":
                continue
            rows = {}
            for row in data["tables"][table.name]["rows"]:
                rows.setdefault(str(row[self.names(table)]), []).append(row)
            for cells in table.rows[1:]:
                name = cells[table.keys.index(self.names(table))][0]
                row = rows[name].pop(0)  # in the order of the JSON, if names are not unique
                for key, cell in zip(table.keys, cells):
                    if key not in row:
                        continue  # for people only
                    value, shown = row[key], value_of(cell[0])
                    if value is None:
                        self.assertEqual(cell[0], "-", key)
                    elif cell[0] in ("<0.1", ">99.9"):
                        small = cell[0].startswith("<")
                        self.assertTrue(value < 0.0501 if small else value > 99.9499, key)
                    elif isinstance(value, (int, float)) and shown is not None:
                        self.assertAlmostEqual(shown[0], value, delta=shown[1], msg=key)
                        compared += 1
        self.assertGreater(compared + (data["tables"]["event"]["games"] == 0), 0)

    def names(self, table):
        """The key of the column that names the rows."""
        return table.keys[[cell[0] for cell in table.attributes[1]].index("th")]

    def play(self, name, *words):
        results = self.path(name)
        self.must("duel", "random", "greedy", "--seed", "11", "--results", results, "--quiet",
                  *words)
        return results

    def three(self, results, *keys):
        """Plays an event of three bots."""
        self.write("three.yaml", "\n".join(["event: e", "bots: [greedy, random, first]", "seed: 11", f"results: {results}",
                                            *keys, ""]))
        self.must("tournament", "three.yaml", "--quiet")
        return self.path(results)

    def test_the_numbers_equal_those_of_rate(self):
        for name, words in (("match.db", ("--length", "3", "--pairs", "4")),
                            ("money.db", ("--pairs", "5"))):
            results = self.play(name, *words)
            tables = self.report(results)[2]["tables"]
            rate = self.json("rate", results)
            self.assertEqual(len(tables["standings"]["rows"]), len(rate["standings"]))
            for ours, theirs in zip(tables["standings"]["rows"], rate["standings"]):
                self.assertEqual(ours, {key: theirs[key] for key in ours})
            rows = {row["bot"]: row for row in rate["standings"]}
            for row in tables["ratings"]["rows"]:
                self.assertEqual(row, {key: rows[row["bot"]][key] for key in row})
            for row in tables["encounters"]["rows"]:
                mirror = next(r for r in tables["encounters"]["rows"] if r["bot"] == row["opponent"])
                self.assertEqual(row["won"], mirror["lost"])
                self.assertEqual(row["points"], -mirror["points"])
                if row["los"] is not None:
                    self.assertAlmostEqual(row["los"] + mirror["los"], 1)

    def test_times_equal_those_of_the_records(self):
        results = self.play("match.db", "--length", "3", "--pairs", "2")
        spent = {"greedy": [], "random": []}
        for a, b, leg, record in self.rows("SELECT a, b, leg, record FROM game", results):
            for line in record.splitlines():
                words = line.split()
                if words[0] in ("0", "1") and words[-2].startswith("@"):
                    spent[(a, b)[int(words[0]) ^ leg]].append(int(words[-2][1:]) / 1e6)
        text, _, data = self.report(results)
        drawing = re.search(r'<svg class="plot".*?</svg>', text[text.index('id="clocks"'):], re.S)[0]
        scale = sorted((math.log10(float(words)), float(x)) for x, words in re.findall(r'<text class="tick mid" x="([\d.]+)"[^>]*>([^<]*)<', drawing))
        (first, left), (last, right) = scale[0], scale[-1]
        self.assertEqual([place % 1 for place, _ in scale], [0] * len(scale), "powers of ten")
        points = re.findall(r'<circle class="s0" cx="([\d.]+)"', drawing)
        for row, point in zip(data["tables"]["clocks"]["rows"], points, strict=True):
            self.assertAlmostEqual(float(point), left + (right - left) * (math.log10(row["median_ms"]) - first) / (last - first), delta=0.2)
            times = sorted(spent[row["bot"]])
            self.assertEqual(row["decisions"], len(times))
            self.assertAlmostEqual(row["mean_ms"], sum(times) / len(times), places=6)
            self.assertAlmostEqual(row["most_ms"], times[-1], places=6)
            self.assertAlmostEqual(row["median_ms"] / times[(len(times) - 1) // 2], 1, delta=0.05)

    def test_fibs_ratings_follow_the_formula(self):
        results = self.play("match.db", "--length", "5", "--pairs", "20")
        rating, played = {"greedy": 1500.0, "random": 1500.0}, {"greedy": 0, "random": 0}
        won = self.rows("SELECT iif(match_winner, b, a), iif(match_winner, a, b) FROM game "
                        "WHERE match_over ORDER BY pair, leg", results)
        for winner, loser in won:
            upset = 1 / (1 + 10 ** (abs(rating[winner] - rating[loser]) * math.sqrt(5) / 2000))
            chance = upset if rating[winner] >= rating[loser] else 1 - upset
            for name, sign in ((winner, 1), (loser, -1)):
                rating[name] += sign * 4 * max(1, 5 - played[name] / 100) * math.sqrt(5) * chance
                played[name] += 5
        text, _, data = self.report(results)
        for row in data["tables"]["fibs"]["rows"]:
            self.assertAlmostEqual(row["rating"], rating[row["bot"]], places=6)
            self.assertEqual(row["experience"], 200)
        # The ratings on the way: a line a bot from a tenth of the matches to the table's number, inside its frame, told apart by its
        # dashes. The games took less than a minute, so that the way is by number.
        last = {row["bot"]: row for row in data["tables"]["standings"]["rows"]}
        for bot, row in last.items():
            way = [point for point in data["tables"]["course"]["rows"] if point["bot"] == bot]
            self.assertEqual((way[0]["matches"], way[-1]["matches"], way[0]["at"]), (4, 40, None))
            self.assertAlmostEqual(way[-1]["rating"], row["rating"], places=6)
            self.assertAlmostEqual(way[-1]["se"], row["rating_se"], places=6)
        self.assertIn("By number and not by date", text)
        drawing, = [svg for svg in re.findall(r'<svg class="plot".*?</svg>', text, re.S) if 'class="line' in svg]
        height = float(re.search(r'viewBox="0 0 480 (\d+)"', drawing)[1])
        for line in re.findall(r'<path class="line l\d" d="M([^"]*)"', drawing):
            for x, y in (map(float, point.split()) for point in line.split("L")):
                self.assertTrue(0 < x < 480 and 0 < y < height, line)
        self.assertEqual(re.findall(r'<text class="label"[^>]*>([^<]*)<', drawing), ["greedy", "random"])
        dashes = re.findall(r"(?<!band)\.l\d \{ ([^}]*)\}", text)
        self.assertEqual(len({re.sub(r"stroke: [^;]*;", "", dash) for dash in dashes}), 8)

    def test_ratings_by_date_are_those_of_the_games_that_had_ended(self):
        results = self.play("dated.db", "--length", "1", "--pairs", "30", "--concurrency", "1")
        half = self.play("half.db", "--length", "1", "--pairs", "15", "--concurrency", "1")
        with contextlib.closing(sqlite3.connect(results)) as database:  # as if each game had taken a minute, with a night between
            database.execute("DELETE FROM moment")
            database.execute("INSERT INTO moment SELECT rowid, 1796024000 + 60 * rowid + iif(rowid > 30, 36000, 0) FROM game")
            database.commit()
        text, _, data = self.report(results)
        _, _, before = self.report(half)
        rows = [row for row in data["tables"]["course"]["rows"] if row["bot"] == "greedy"]
        self.assertEqual(len({row["at_s"] for row in rows} - {1796024060 + (36000 + 59 * 60) * k // 40 for k in range(41)}), 0)
        night = [row for row in rows if row["matches"] == 30]
        self.assertEqual([row["at_s"] > 1796024030 + 18000 for row in night], [False, True], "both ends of the night")
        then, = [row for row in before["tables"]["standings"]["rows"] if row["bot"] == "greedy"]
        for row in night:
            self.assertAlmostEqual(row["rating"], then["rating"], places=6)
            self.assertAlmostEqual(row["se"], then["rating_se"], places=6)
        self.assertEqual(rows[-1]["at"], "2026-11-30T18:33:20Z")
        drawing, = [svg for svg in re.findall(r'<svg class="plot".*?</svg>', text, re.S) if 'class="line' in svg]
        self.assertEqual(len(re.findall(r'<path class="band l\d" d="M[^"]*Z"', drawing)), 2)
        self.assertIn(">12:00<", drawing)

    def test_calibration_equals_that_of_the_records(self):
        results = self.path("thinks.db")
        self.must("duel", "bkg", "random", "--seed", "5", "--pairs", "15", "--cube", "off", "--results", results,
                  "--quiet")
        games = []  # (won, chances told) of bkg
        for a, leg, winner, record in self.rows("SELECT a, leg, winner, record FROM game", results):
            side = 0 if a == "bkg" else 1
            told = [float(win) for seat, win in re.findall(r"^(\d) .*\nthought win=([\d.]+)", record, re.M)
                    if int(seat) ^ leg == side]
            games.append((int(winner == side), told))
        self.assertGreater(min(len(told) for _, told in games), 3)
        text, _, data = self.report(results)
        self.assertIn('class="bar b0 faint"', text)
        self.assertNotIn('class="band', text)
        row, = data["tables"]["calibration"]["rows"]
        self.assertEqual((row["bot"], row["games"]), ("bkg", 30))
        bins = {int(row["told"] // 10): row for row in data["tables"]["calibration_bins"]["rows"]}
        for number, row in [(None, row), *bins.items()]:
            parts = [(won, [p for p in told if number is None or min(int(p * 10), 9) == number]) for won, told in games]
            parts = [(won, told) for won, told in parts if told]
            count = sum(len(told) for _, told in parts)
            off = sum(won - p for won, told in parts for p in told) / count
            self.assertEqual((row["games"], row["decisions"]), (len(parts), count))
            self.assertAlmostEqual(row["off"], 100 * off)
            self.assertAlmostEqual(row["won"] - row["told"], row["off"])
            if len(parts) > 1:  # the games are the clusters
                square = sum((sum(won - p - off for p in told)) ** 2 for won, told in parts)
                error = math.sqrt(square * len(parts) / (len(parts) - 1)) / count
                t95 = row["off_error"] / 100 / error if error > 1e-9 else 2
                self.assertTrue(1.95 < t95 < 12.8, f"a quantile of Student's t: {t95}")
        self.assertAlmostEqual(data["tables"]["calibration"]["rows"][0]["brier"],
                               statistics.mean((won - p) ** 2 for won, told in games for p in told))
        self.assertIn("What the bots thought", text)
        # Dropped: the same game without them.
        dropped = self.path("dropped.db")
        self.must("duel", "bkg", "random", "--seed", "5", "--pairs", "15", "--cube", "off", "--results", dropped,
                  "--quiet", "--thoughts", "drop")
        steps = "SELECT id, winner, points, turns FROM game ORDER BY id"
        self.assertEqual(self.rows(steps, dropped), self.rows(steps, results))
        self.assertFalse(any("\nthought" in record for record, in self.rows("SELECT record FROM game", dropped)))
        text, _, data = self.report(dropped)
        self.assertNotIn("calibration", data["tables"])
        self.assertNotIn("What the bots thought", text)

    def test_health_follows_from_the_games(self):
        """Effects, drift and tails, computed again from the games alone."""
        results = self.path("health.db")
        self.must("duel", "random", "first", "--seed", "11", "--results", results, "--quiet",
                  "--pairs", "40")
        games = self.rows("SELECT pair, leg, iif(winner = 0, points, -points), points / level, "
                          "record FROM game ORDER BY pair, leg", results)
        seat, starter, wins, pairs, points = {}, {}, {}, {}, []
        for pair, leg, a_points, _, record in games:
            steps = record.splitlines()
            opened = max(i for i, line in enumerate(steps) if line.startswith("open "))
            began = int(steps[opened + 1].split()[0])
            seat[pair] = seat.get(pair, 0) + (a_points if leg == 0 else -a_points)
            mine = a_points if began == leg else -a_points  # seat 0 of leg 1 is B's
            starter[pair] = starter.get(pair, 0) + mine
            wins[pair] = wins.get(pair, 0) + (mine > 0) - 0.5
            pairs[pair] = pairs.get(pair, 0) + a_points / 2
            points.append(a_points)
        self.assertEqual(len(pairs), 40)
        tables = self.report(results)[2]["tables"]
        effects = {row["effect"]: row for row in tables["effects"]["rows"]}
        for key, sums in (("seat", seat), ("starter", starter), ("starter_game", wins)):
            mean = sum(sums.values()) / 80
            squares = sum((x - 2 * mean) ** 2 for x in sums.values())
            self.assertAlmostEqual(effects[key]["estimate"], mean, 9, key)
            self.assertAlmostEqual(effects[key]["se"], math.sqrt(40 / 39 * squares) / 80, 9, key)
            self.assertEqual((effects[key]["clusters"], effects[key]["legs"]), (40, 80))
            self.assertAlmostEqual(effects[key]["high"] - effects[key]["low"],
                                   2 * 2.0226909 * effects[key]["se"], 6)  # Student, 39
        drift, = tables["drift"]["rows"]
        order = [i / 39 - 0.5 for i in range(40)]
        results_of = [pairs[i] for i in range(40)]
        tt = sum(t * t for t in order)
        slope = sum(t * x for t, x in zip(order, results_of)) / tt
        mean = sum(results_of) / 40
        middle = sum((t * (x - mean - slope * t) / (1 - 1 / 40 - t * t / tt)) ** 2
                     for t, x in zip(order, results_of))
        self.assertEqual((drift["bot"], drift["opponent"]), ("random", "first"), "as they were named")
        self.assertAlmostEqual(drift["change"], -slope, 9)  # games are stored from first's view
        self.assertAlmostEqual(drift["se"], math.sqrt(middle) / tt, 9)
        self.assertEqual(drift["p_holm"], drift["p"])
        tails = {row["bot"]: row for row in tables["tails"]["rows"]}
        mean = sum(points) / 80
        far = max(points, key=lambda x: abs(x - mean))
        spread = sum((x - mean) ** 2 for x in points)
        first = games[0][4].split("id ")[1].split("|")[0]
        self.assertEqual(tails[first]["largest_game"], far)
        self.assertAlmostEqual(tails[first]["largest_share_percent"],
                               100 * (far - mean) ** 2 / spread, 9)
        self.assertEqual(tails[first]["median"], sum(sorted(points)[39:41]) / 2)
        self.assertEqual(tails[first]["largest_cube"], max(game[3] for game in games))
        self.assertLess(tails[first]["ppg_boot_low"], mean)
        self.assertGreater(tails[first]["ppg_boot_high"], mean)
        checks = {row["key"]: row for row in tables["checks"]["rows"]}
        self.assertEqual(set(checks), {"dice", "seat", "starter_apart", "drift", "tails"})
        self.assertEqual(checks["drift"]["p"], drift["p_holm"])

    def test_heavy_tails_are_named_everywhere(self):
        """A bot without sense has turned the cube; one game weighs more than all others."""
        results = self.play("heavy.db", "--pairs", "40")
        self.assertNotIn("eavy tails (", self.must("rate", results)[0])
        # readers then make runs from the games
        self.change(results, "UPDATE game SET points = 67108864 * level WHERE pair = 3 AND leg = 0", "DELETE FROM run")
        text, plain, data = self.report(results)
        for form in (text, plain.replace("\n ", ""), self.must("show", results)[0],
                     self.must("rate", results)[0]):
            words = " ".join(form.split())
            self.assert_says(words, "Heavy tails (")
            self.assert_says(words, "largest cube 67108864")
            self.assert_says(words, "cube_limit")
        check, = [row for row in data["tables"]["checks"]["rows"] if row["key"] == "tails"]
        self.assertEqual(check["verdict"], "heavy")
        rate = self.json("rate", results)
        self.assertTrue(all(row["heavy_tails"] for row in rate["standings"]))
        self.assertEqual(rate["standings"][0]["largest_cube"], 67108864)

    def test_the_bootstrap_runs_only_on_request(self):
        results = self.play("boot.db", "--pairs", "40", "--length", "1")
        words = ("rate", results, "--bootstrap", "200")
        self.assertEqual(self.must(*words), self.must(*words))
        for line in self.must(*words)[0].splitlines():
            self.assertLessEqual(len(line), 100)
        rate = self.json(*words)
        self.assertEqual(rate["model"]["bootstrap_draws"], 200)
        data = json.loads(self.must("report", results, "--json", "--bootstrap", "200")[0])
        rows = {row["bot"]: row for row in rate["standings"]}
        for row in data["tables"]["bootstrap"]["rows"]:
            self.assertEqual(row, {key: rows[row["bot"]][key] for key in row})
        self.assertNotIn("bootstrap", self.report(results)[2]["tables"])
        for command in (("rate", results, "--bootstrap", "99"), ("report", results,
                        "--bootstrap", "many"), ("rate", "x.json", "--bootstrap", "200")):
            done = self.run_bgref(*command)
            self.assertEqual(done.returncode, 2, command)
            self.assertIn("--bootstrap", done.stderr)

    def test_foreign_texts_are_escaped(self):
        results = self.play("strange.db", "--pairs", "2")
        with sqlite3.connect(results) as db:
            db.execute("UPDATE meta SET value = ? WHERE key = 'event.event'", (HOSTILE,))
            db.execute("UPDATE meta SET value = ? WHERE key = 'event.bot.greedy'",
                       (f"{SECRET} {HOSTILE}",))
            db.execute("INSERT INTO meta VALUES ('event.odd', ?)", (HOSTILE,))
            for bot in ("greedy", HOSTILE):
                db.execute(
                    "INSERT INTO fault (game_id, bot, fault, decision, rule, reply, reproduce, "
                    "story, stderr_tail, xgid) VALUES (?, ?, 'illegal', 1, ?, ?, ?, ?, ?, ?)",
                    (HOSTILE, bot, HOSTILE, b"\xff\xfe<i>".decode("latin-1"),
                     f"python3 {SECRET} '{HOSTILE}' bgref plays /PwHAAABAAAAAA", HOSTILE,
                     f'File "{SECRET}", line 3', HOSTILE))
        text, plain, data = self.report(results)
        raw = json.dumps(data)
        for form in (text, plain, raw):
            self.assertNotIn("secret", form)
            self.assertIn("/PwHAAABAAAAAA", form)  # a position is not a path
            self.assertIn("python3 bot.py", form)
        self.assertNotIn("<script", text)
        self.assert_says(text, "&lt;script&gt;alert(1)")
        self.assertNotIn("\x01", plain)
        self.assertEqual(data["tables"]["event"]["event"],
                         HOSTILE.replace("\x01", "\\x01").replace("\ufffe", "<U+FFFE>"))

    def test_a_fault_shows_its_position(self):
        results, xgid = self.play("fault.db", "--pairs", "1"), "XGID=-b--ABB-C---eE---b-d--b-B-:0:0:-1:53:0:0:0:3:10"
        self.change(results, *((f"INSERT INTO fault (bot, fault, decision, rule, reply, story, xgid) VALUES ('random', 'illegal', 1, "
                                f"'{rule}', 'moves 6/1', 'said {rule}', ?)", (position,))
                               for rule, position in (("G1", None), ("G2", xgid), ("G3", "XGID=nonsense"))))
        text, plain, data = self.report(results)
        self.assertEqual([row["rule"] for row in data["tables"]["faults"]["rows"]], ["G1", "G2", "G3"])
        section = text[text.index('<section class="plots0" id="faults"'):]
        section = section[:section.index("</section>")]
        self.assertEqual(section.count('<figure class="position">'), 1)
        board = section[section.index("<figure"):]
        for words in ("said G2", "moves 6/1", html.escape(xgid)):
            self.assertIn(words, board)
        self.assertIn("to play 53", plain)

    def test_date_place_command_and_root_are_shown(self):
        results = self.play("top.db", "--pairs", "2")
        text, plain, data = self.report(results)
        event, facts = data["tables"]["event"], Page(text).facts
        root, = self.rows("SELECT value FROM meta WHERE key = 'results.root'", results)[0]
        for form in (event["root"], facts["root"]):
            self.assertEqual(form, root)
        self.assertRegex(event["begun"], r"^20\d\d-\d\d-\d\d \d\d:\d\d$")
        self.assertGreaterEqual(event["ended"], event["begun"])
        self.assert_says(event["command"], "bgref duel random greedy ")
        self.assert_says(event["command"], "--results top.db")
        self.assertNotIn(os.path.dirname(results), text + plain + json.dumps(data))
        self.assertIsNone(data["state"])
        first = plain[:plain.index("Standings\n")]
        self.assertIn(event["begun"][:10], first)
        for words in ("Command", "bgref duel random greedy", root):  # the machine is no news
            self.assertNotIn(words, first)
            self.assertIn(words, plain)
        self.assertIn('<html lang="en">', text)

    def test_an_event_has_the_words_that_its_director_gives_it(self):
        words = {"title": "Bots' Open \u2014 \u0141\u00f3d\u017a <b>", "place": "Caf\u00e9 Central", "date": "27 November",
                 "organiser": "The Society", "director": "Zo\u00eb"}
        flags = [word for key, value in words.items() for word in (f"--{key}", value)]
        results = self.play("named.db", "--pairs", "1", *flags)
        text, plain, data = self.report(results)
        self.assertEqual(data["tables"]["about"], words)
        self.assertEqual(data["title"], words["title"])
        title = html.escape(words["title"]).replace("&#x27;", "&#39;")
        for place in (f"<title>{title}</title>", f"<h1>{title}</h1>", f'<meta property="og:title" content="{title}"/>',
                      f'<meta name="description" content="{data["lead"]}"/>'):
            self.assertIn(place, text)
        self.assert_says(plain, "Caf\u00e9 Central \u00b7 27 November \u00b7 Organiser: The Society \u00b7 Director: Zo\u00eb")
        # Corrected after the end: no new game, and what proves the games stays.
        self.play("named.db", "--pairs", "1", "--title", "Open", "--place", "none")
        _, plain, again = self.report(results)
        self.assertEqual(again["title"], "Open")
        self.assertEqual(again["tables"]["about"], {**{word: words[word] for word in ("date", "organiser", "director")}, "title": "Open"})
        self.assertEqual(again["tables"]["event"]["root"], data["tables"]["event"]["root"])
        self.assertIn("as published", self.must("verify", results)[0])
        self.write("bad.yaml", f"bots: [greedy, random]\ntitle: '{'x' * 201}'\n")
        self.assert_says(self.must("tournament", "bad.yaml", status=2)[1], "bad.yaml:2: title: one line of 1 to 200 bytes")

    def latex_rows(self, text):
        """Reads tables of LaTeX strictly: rows of cells by label, each as wide as its head says."""
        tables, label, width, depth = {}, None, 0, 0
        for line in text.splitlines():
            bare = re.sub(r"\\[#$%&_{}]", "  ", line)
            if not line.startswith("%"):
                self.assertNotRegex(bare, "[#%~^<>|\"`]")
                self.assertRegex(bare, "^[ -~\u00c0-\u017e]*$")
                self.assertEqual(bare.count("$") % 2, 0, line)
            depth += bare.count("{") - bare.count("}")
            self.assertEqual(depth, 0, line)
            label = re.search(r"\\label\{tab:([\w-]+)\}", line)[1] if "\\label" in line else label
            if line.startswith("\\begin{tabular}"):
                width, tables[label] = len(re.findall(r"p\{[^}]*\}|[lr]", line[len("\\begin{tabular}{"):-1].replace("\\linewidth", ""))), []
            elif line.endswith(" \\\\"):
                row = re.split(r" ?(?<!\\)& ?", line[:-3])
                self.assertEqual(len(row), width, line)
                tables[label].append(row)
        return tables

    def test_tables_are_written_for_papers(self):
        foreign = "A & B_100% #1 {x} \\cmd ^~ <|> \"--\" \u0141\u00f3d\u017a \u6771 [*] ``"
        self.write("paper.yaml", f"event: e\nschedule: circle pairs=1\nlength: 1\nresults: p.db\nbots: [greedy, random, "
                                 f"{{name: a_b, bot: first, author: {json.dumps(foreign)}}}]\n")
        self.must("tournament", "paper.yaml", "--quiet")
        text = self.must("report", "p.db", "--latex")[0]
        tables = self.latex_rows(text)
        self.assertLessEqual({"standings", "certain", "encounters", "encounters-2", "entries"}, set(tables))
        for name in ("standings", "certain", "totals"):
            rows = self.json("report", "p.db")["tables"][name]["rows"]
            alone = self.latex_rows(self.must("report", "p.db", "--latex", "--table", name)[0])
            self.assertEqual({key: value for key, value in tables.items() if re.sub(r"-\d+$", "", key) == name}, alone)
            shown = alone[name][2:]
            self.assertEqual([row[1 if name == "standings" else 0].replace("\\_", "_") for row in shown], [row["bot"] for row in rows])
            table = list(csv.DictReader(io.StringIO(self.must("report", "p.db", "--csv", "--table", name)[0])))
            self.assertEqual([row["bot"] for row in table], [row["bot"] for row in rows])
        self.assertIn("A \\& B\\_100\\% \\#1 \\{x\\} \\textbackslash{}cmd \\textasciicircum{}\\textasciitilde{} "
                      "\\textless{}\\textbar{}\\textgreater{} \\textquotedbl{}-{-}\\textquotedbl{} \u0141\u00f3d\u017a "
                      "{[}U+6771{]} {[}{*}{]} \\textasciigrave{}\\textasciigrave{}", text)
        self.assert_says(self.must("report", "p.db", "--csv", "--table", "luk", status=2)[1], "there are standings, ratings, ")
        self.assert_says(self.must("report", "p.db", "--table", "luck", status=2)[1], "--table needs --csv or --latex")
        if shutil.which("pdflatex"):
            self.write("p.tex", "\\documentclass{article}\\usepackage[T1]{fontenc}\\begin{document}" + text + "\\end{document}\n")
            done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "p.tex"], cwd=self.folder,
                                  stdout=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 0, done.stdout.decode(errors="replace")[-2000:])

    def test_a_decided_event_is_over(self):
        results = self.path("sprt.db")
        self.must("duel", "greedy", "random", "--seed", "3", "--results", results, "--quiet",
                  "--length", "1", "--pairs", "400", "--sprt", "elo0=0 elo1=50")
        _, _, data = self.report(results)
        self.assertTrue(data["tables"]["event"]["decided"])
        self.assertFalse(data["tables"]["event"]["complete"])
        self.assertIsNone(data["state"])
        self.assertTrue(data["lead"].startswith("H1 accepted: greedy against random is worth 50 rather than 0 "), data["lead"])

    def test_wide_and_leftward_names_keep_their_place(self):
        results = self.play("names.db", "--pairs", "2")
        wide, leftward = "\u6771\u4eac\U0001f3b2" * 40, "\u05e9\u05dc\u05d5\u05dd " * 20
        for name in (wide, leftward, "x" * 127, "e\u0301" * 40):
            self.change(results, ("UPDATE meta SET value = ? WHERE key = 'event.event'", (name,)),
                        ("UPDATE meta SET value = ? WHERE key = 'event.bot.greedy'", (f"bot {name} {name}",)))
            text, plain, _ = self.report(results)  # measures every line
            self.assertTrue(text.count("<bdi>") >= 4)
            command = plain[plain.index("Programs and their options"):]
            self.assertIn(" ".join(name.split())[:8], command)

    def test_plots_are_not_cut_off(self):
        """No number, name or bar leaves the drawing, and no bar leaves the possible range."""
        results = self.three("plots.db", "length: 3", "pairs: 5")
        self.judge(results)
        text = self.report(results)[0]
        drawings = re.findall(r'<svg class="plot".*?</svg>', text, re.S)
        self.assertEqual(len(drawings), 4, "ratings, plain and adjusted, luck against skill, times")
        for drawing in drawings:
            width = float(re.search(r'viewBox="0 0 (\d+) ', drawing)[1])
            for class_, x, words in re.findall(r'<text class="([^"]*)" x="([\d.-]+)"[^>]*>([^<]*)<',
                                               drawing):
                room, x = 6 * len(words), float(x)  # a low estimate: letters differ
                left = x - (room / 2 if "mid" in class_ else room if "end" in class_ else 0)
                self.assertGreaterEqual(left, 0, words)
                self.assertLessEqual(left + room, width, words)
            ends = -math.inf
            for x, words in re.findall(r'<text class="tick mid" x="([\d.]+)"[^>]*>([^<]*)<', drawing):
                self.assertGreater(float(x) - 3 * len(words), ends, "numbers stand apart")
                ends = float(x) + 3 * len(words)
            for path in re.findall(r'<path class="bar[^"]*" d="([^"]*)"', drawing):
                for number in re.findall(r"[ML]([\d.-]+) ", path):
                    self.assertTrue(0 <= float(number) <= width, path)
        scale = {float(words): float(x) for x, words in
                 re.findall(r'<text class="tick mid" x="([\d.]+)"[^>]*>([\d.]+)<', drawings[1])}
        for path in re.findall(r'<path class="bar[^"]*" d="([^"]*)"', drawings[1]):
            for number in re.findall(r"[ML]([\d.-]+) ", path):
                self.assertTrue(scale[0] - 0.1 <= float(number) <= scale[1] + 0.1, path)

    def test_every_colour_has_enough_contrast(self):
        """WCAG 2 contrast of at least 4.5, in light mode, dark mode and on paper."""
        def light(colour):
            digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
            parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
            parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

        def contrast(one, other):
            low, high = sorted((light(one), light(other)))
            return (high + 0.05) / (low + 0.05)

        text = self.report(self.three("colours.db", "pairs: 2"))[0]
        style = text[text.index("<style>"):text.index("</style>")]
        sheets, colours = re.findall(r":root \{(.*?)\}", style, re.S), {}
        self.assertEqual(len(sheets), 6)  # of the report, and of its positions
        for sheet in map("".join, zip(sheets[:3], sheets[3:])):  # the later ones change some
            colours = {**colours, **dict(re.findall(r"--(\w+): (#\w+)", sheet))}
            for ink, page in [("ink", "page"), ("ink", "band"), ("soft", "page"), ("soft", "band"),
                              ("accent", "page"), ("warn", "warnpage"), ("s0", "page"),
                              ("s1", "page"), ("onframe", "frame"), ("onframe", "wood"),
                              ("says", "felt")] + [("ink", f"t{tone}") for tone in range(5)]:
                self.assertGreaterEqual(contrast(colours[ink], colours[page]), 4.5, (ink, page))
        for tone, sign in enumerate("\u25bc\u25bd=\u25b3\u25b2"):
            self.assertIn(f'<li class="tone t{tone}">{sign} ', text)  # the legend
        cells = re.findall(r'<td class="tone t(\d)"><span aria-hidden="true">(.)</span>', text)
        self.assertEqual(len(cells), 6)
        self.assertEqual({(tone, "\u25bc\u25bd=\u25b3\u25b2"[int(tone)]) for tone, _ in cells},
                         set(cells))

    def test_nothing_played_and_not_complete(self):
        results = self.play("none.db", "--pairs", "2")
        self.change(results, "UPDATE meta SET value = '3' WHERE key = 'event.pairs'")
        text, plain, data = self.report(results)
        self.assert_says(text, "The event is not complete")
        self.assertIn("In the lead", data["lead"])
        with sqlite3.connect(results) as db:
            for table in ("game", "encounter", "lost", "run"):
                db.execute(f"DELETE FROM {table}")
        text, plain, data = self.report(results)
        self.assert_says(text, "No game is finished yet")
        self.assert_says(plain, "No game is finished yet")
        self.assertEqual(data["tables"]["event"]["games"], 0)

    def test_a_schedule_that_is_over_is_complete(self):
        self.write("e.yaml", "event: e\nbots: [greedy, random, first]\nlength: 1\nduplicate: off\nresults: r.db\n"
                             "schedule: circle pairs=2\n")
        self.must("tournament", "e.yaml", "--quiet")
        plain = self.must("report", "r.db", "--text")[0]
        data = self.json("report", "r.db")
        self.assertIsNone(data["state"])
        self.assertTrue(data["tables"]["event"]["complete"])
        self.assertEqual(data["tables"]["event"]["state"], "over: 6 matches")
        self.assertIn("first of the circle.", data["lead"])
        self.assert_says(plain, "has its own dice: error bars")
        self.assertNotIn("both legs of a pair", plain)
        self.assertNotIn("beginning leg 0", plain)
        self.change("r.db", "DELETE FROM meta WHERE key = 'results.root'")  # an act of the desk withdraws it
        data = self.json("report", "r.db")
        self.assertIn("The event is not complete", data["state"])
        self.assertIn("In the lead", data["lead"])

    def test_what_absent_bots_have_left_is_told(self):
        self.write("e.yaml", "event: e\nbots: [greedy, random, {name: gone, cmd: /bin/false}]\nlength: 1\npairs: 2\n"
                             "absent: unplayed\nresults: r.db\n")
        self.must("tournament", "e.yaml", "--quiet", status=7)
        _, plain, data = self.report(self.path("r.db"))
        self.assertEqual(data["tables"]["event"]["open"], 8)
        self.assertRegex(plain, r"Still to be played +8\n")

    def test_while_the_event_runs(self):
        results = self.path("running.db")
        running = self.begin("duel", "random", "greedy", "--pairs", "100000", "--results", results,
                             "--quiet")
        try:
            def some():
                if not os.path.exists(results):
                    return False
                done = self.run_bgref("report", results, "--json")
                return done.returncode == 0 and \
                    json.loads(done.stdout)["tables"]["event"]["games"] > 20
            self.wait_until(some, "games", 120)
            text, _, data = self.report(results, runs=True)
            self.assert_says(text, "The event is running")
            self.assertTrue(data["tables"]["event"]["running"])
            self.assertFalse(data["tables"]["event"]["complete"])
            self.assertLess(data["tables"]["event"]["games"], 200000)
        finally:
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=harness.LONGEST_S)
        self.assert_nothing_lives()
        text, _, data = self.report(results)
        self.assert_says(text, "The event is not complete")
        self.assertEqual([row["exit"] for row in data["tables"]["runs"]["rows"]], [130])

    def test_the_account_of_each_run(self):
        results = self.play("runs.db", "--pairs", "2")
        self.play("runs.db", "--pairs", "4", "--durable", "decision")
        self.play("runs.db", "--pairs", "4")  # nothing left to play: no run
        text, _, data = self.report(results)
        runs = data["tables"]["runs"]["rows"]
        self.assertEqual([(run["run"], run["durable"]) for run in runs], [(1, "game"), (2, "decision")])
        for run in runs:
            self.assertRegex(run["begun"], r"^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$")
            self.assertGreater(run["frames"], 50)
            self.assertGreater(run["lag_most_us"], 0)
            self.assertGreaterEqual(run["lag_most_us"], run["lag_mean_us"])
            self.assertGreater(run["lag_p99_us"], 0)
            self.assertEqual((run["given_up"], run["exit"]), (0, 0))
        bots = sum(bot["credited_ms"] for bot in data["tables"]["clocks"]["rows"])
        self.assertGreater(bots, 0)
        self.assertAlmostEqual(bots, sum(run["credited_ms"] for run in runs), delta=0.1)
        self.assertNotIn(os.uname().nodename, text)

    def judge(self, results):
        """Gives every game a judgement: luck by place, errors by step. Returns luck of A over B by game, and
        the bots' errors."""
        luck, errors = {}, {"greedy": [], "random": []}
        with sqlite3.connect(results) as db:
            for a, b, pair, leg, game, hash_, record in db.execute(
                    "SELECT a, b, pair, leg, game, hash, record FROM game").fetchall():
                lines = [line[:-6] for line in record.splitlines()]
                rolls, choices, sums = "", "", [0.0, 0.0]
                for step, line in enumerate(lines[lines.index("steps") + 1:-2]):
                    words = line.split()
                    bot = int(words[0]) ^ leg if words[0] in ("0", "1") else 0
                    if words[1] == "roll":
                        value = ((7 * step + 13 * pair + 5 * leg) % 11 - 5) / 100
                        sums[bot] += value
                        rolls += f"{step} {bot} {value!r}\n"
                    elif words[1] == "play":
                        error = (step * (pair + 1 + leg) % 17) / 100
                        errors.setdefault((a, b)[bot], []).append(error)
                        choices += f"{step} {bot} play 1 {error!r} {error!r} <b>24/23\n"
                luck[pair, leg, game] = sums[0] - sums[1]
                db.execute("INSERT INTO judgement VALUES (?, ?, ?, ?, 50000000, ?, ?)",
                           (JUDGE, hash_, sums[0], sums[1], rolls, choices))
        return luck, errors

    def test_luck_and_errors_equal_those_of_the_judge(self):
        for name, words, money in (("money.db", ("--pairs", "6"), True),
                                   ("match.db", ("--length", "3", "--pairs", "5"), False)):
            results = self.play(name, *words)
            luck, errors = self.judge(results)
            self.assertIn("there are 'judge <one>",
                          self.must("report", results, "--judge", "xg", status=2)[1])
            text, plain, data = self.report(results)
            tables = data["tables"]
            legs = self.rows("SELECT pair, leg, max(game), iif(length, iif(match_winner, 0.0, 1.0), "
                "iif(winner < 0, 0, iif(winner, -points, points))) FROM game "
                "GROUP BY pair, leg HAVING game = max(game)", results)
            clusters = {}
            for pair, leg, last, result in legs:
                adjusted = result - sum(luck[pair, leg, game] for game in range(last + 1))
                clusters.setdefault(pair, []).append(adjusted)
            count = sum(len(values) for values in clusters.values())
            mean = sum(map(sum, clusters.values())) / count
            squares = sum((sum(v) - len(v) * mean) ** 2 for v in clusters.values())
            error = math.sqrt(len(clusters) / (len(clusters) - 1) * squares) / count
            rows = {row["bot"]: row for row in tables["luck"]["rows"]}
            self.assertAlmostEqual(rows["greedy"]["adjusted"], mean, places=9)
            self.assertAlmostEqual(rows["greedy"]["adjusted_se"], error, places=9)
            self.assertAlmostEqual(rows["random"]["adjusted"], -mean if money else 1 - mean)
            self.assertAlmostEqual(rows["greedy"]["luck"],
                                   rows["greedy"]["plain"] - rows["greedy"]["adjusted"])
            (judge,) = tables["judge"]["rows"]
            plain_results = [result for *_, result in legs]
            without = [value for values in clusters.values() for value in values]
            self.assertAlmostEqual(judge["variance_ratio"], statistics.variance(plain_results) /
                                   statistics.variance(without), places=9)
            self.assertTrue(0 <= judge["strong_legs"] <= count)
            self.assertGreater(judge["judge_cpu_s"], 0)
            self.assertIsNone(judge["judge_sd"])
            fitted = {row["bot"]: row for row in tables["adjusted_ratings"]["rows"]}
            if money:
                self.assertTrue(0.8 * abs(mean / 2) < abs(fitted["greedy"]["rating"]) <= abs(mean / 2))
            else:
                self.assertAlmostEqual(
                    1 / (1 + 10 ** (-(fitted["greedy"]["rating"] - fitted["random"]["rating"])
                                    * 3 ** 0.5 / 2000)), mean, places=6)
            rated = self.json("rate", results, "--adjusted")["adjusted"]
            self.assertEqual({row["bot"]: row["rating"] for row in rated["ratings"]},
                             {name: row["rating"] for name, row in fitted.items()})
            self.assertIn("LUCK-ADJUSTED by", self.must("rate", results, "--adjusted")[0])
            for row in tables["errors"]["rows"]:
                given = errors[row["bot"]]
                self.assertEqual(row["plays"], len(given))
                self.assertAlmostEqual(row["pr"], 500 * sum(given) / len(given))
                self.assertIsNone(row["cube_pr"])
            self.assert_blunders(results, text, plain, tables["blunders"]["rows"], errors)
            self.must("report", results, "--judge", "nobody", status=2)

    def test_the_judge_is_checked_against_itself(self):
        """Greedy finds no errors of greedy: it favours the bot that thinks like it."""
        results = self.play("itself.db", "--pairs", "32")
        self.must("judge", results, "--judge", "greedy", "--errors")
        text, _, data = self.report(results)
        luck = {row["bot"]: row for row in data["tables"]["luck"]["rows"]}
        rows = {row["bot"]: row for row in data["tables"]["judge_itself"]["rows"]}
        self.assertEqual(set(rows), {"greedy", "random"})
        for name, row in rows.items():
            self.assertAlmostEqual(row["difference"], luck[name]["itself"], 12)
            self.assertAlmostEqual(row["se"], luck[name]["itself_se"], 12)
            self.assertAlmostEqual(row["high"] - row["difference"], 2.0395134 * row["se"], 6)
            self.assertAlmostEqual(row["low"] + row["high"], 2 * row["difference"], 9)
        self.assertAlmostEqual(rows["greedy"]["difference"], -rows["random"]["difference"], 9)
        self.assertGreater(rows["greedy"]["low"], 0)
        checks = {row["key"]: row for row in data["tables"]["checks"]["rows"]}
        self.assertEqual(checks["judge_itself"]["verdict"], "favours a bot")
        self.assertEqual(checks["judge_itself"]["looked_at"], 2)
        self.assertEqual(checks["judge_itself"]["p"], min(row["p_holm"] for row in rows.values()))
        self.assertLess(checks["judge_itself"]["p"], 0.05)
        self.assertEqual(checks["luck_rolls"]["looked_at"], 2)
        self.assert_says(text, "The judge against itself")

    def assert_blunders(self, results, text, plain, rows, errors):
        """The largest errors, drawn, and their positions as bgref itself has them."""
        page = Page(text)
        self.assertEqual(len(rows), 6)
        self.assertEqual([a for a in page.attributes if a == ("class", "board")],
                         [("class", "board")] * 6)
        self.assertEqual(sorted(row["error"] for row in rows),
                         sorted(sorted(errors["greedy"])[-3:] + sorted(errors["random"])[-3:]))
        self.assert_says(text, "&lt;b&gt;24/23")
        for row in rows:
            self.assertIn(row["xgid"], plain)
            drawn = self.must("plays", "--board", row["xgid"])[0]
            self.assertIn("to play", drawn)
            shown = self.must("show", results, row["game"])[0]
            self.assertIn(row["played"], shown)

    def test_misuse_and_output_files(self):
        results = self.play("spring.db", "--pairs", "1")
        out, _ = self.must("report", results)
        self.assertEqual(out, self.path("spring.html") + "\n")
        self.assertEqual(self.text("spring.html"), self.must("report", results, "--out", "-")[0])
        self.must("report", results, "--text", "--json", status=2)
        self.must("report", results, "--out", self.path("no/such/folder.html"), status=2)
        self.must("report", self.write("text.db", "no database"), status=2)


unittest.main()
