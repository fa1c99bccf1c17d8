"""bgref report --sheet: what is published of a played event, in each form; and the dates of its games."""
import csv
import io
import json
import re
import time

from harness import Case, main

CUP = """event: cup
seed: 5
length: 1
concurrency: 2
absent: unplayed
schedule: swiss rounds=2 pairs=1 then knockout take=4 best_of=3 third_place=yes
bots: [random, greedy, {name: r2, bot: random}, {name: g2, bot: greedy}, {name: r3, bot: random},
       {name: gone, cmd: ./missing}]
"""
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


class Sheet(Case):
    def play(self):
        self.write("cup.yaml", CUP)
        before = time.time()
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", status=7)
        self.days = {time.strftime("%Y-%m-%d", time.gmtime(at)) for at in (before, time.time())}

    def sheet(self, *words):
        return self.must("report", "--sheet", "r.db", *words)[0]

    def table(self, section):
        """A section as CSV."""
        return list(csv.DictReader(io.StringIO(self.sheet("--csv", "--section", section))))

    def test_a_played_event(self):
        self.play()
        text = self.sheet()
        for words in ("Stage 1 swiss, round 2, paired ", "Stage 2 knockout, third place", "Bracket: 2 knockout", " bye ",
                      "Open meetings        0", "Match list", "absent bot=gone: it does not start"):
            self.assertIn(words, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        draw = self.table("draw")
        self.assertEqual([row["meeting"] for row in draw], [str(i + 1) for i in range(len(draw))])
        self.assertEqual([row["how"] for row in draw].count("bye"), 2)
        self.assertEqual([row["part"] for row in draw if row["stage"] == "2"].count("third"), 1)
        self.assertNotIn("gone", {row["a"] for row in draw} | {row["b"] for row in draw})
        matches = self.table("matches")
        self.assertEqual(len(matches), len(draw) - 2)
        self.assertEqual([row["at"] for row in matches], sorted(row["at"] for row in matches))
        for row in draw:
            self.assertRegex(row["at"], TIME)
            self.assertLessEqual(row["paired_at"], row["at"])
        final = next(row for row in draw if (row["stage"], row["part"], row["round"]) == ("2", "main", "2"))
        first = self.table("standing")[0]
        self.assertEqual((first["stage"], first["rank"], first["bot"]), ("2", "1", final["winner"]))

    def test_the_form_ranks_in_the_table_and_leads_the_report(self):
        self.play()
        sheet = self.json("report", "--sheet", "r.db")["tables"]["standing"]["rows"]
        last = max(row["stage"] for row in sheet)
        champion = next(row["bot"] for row in sheet if row["stage"] == last and row["rank"] == 1)
        rated = self.json("rate", "r.db")["standings"]
        self.assertEqual((rated[0]["bot"], rated[0]["rank"]), (champion, 1))
        lead = self.json("report", "r.db")["lead"]
        self.assertTrue(lead.startswith(f"Champion: {champion}, winner of the final against "), lead)
        self.assertIn(f"Champion: {champion},", self.sheet("--json"))

    def test_all_forms_agree(self):
        self.play()
        tables = json.loads(self.sheet("--json"))["tables"]
        for section in ("standing", "draw", "matches", "bracket", "entries", "decisions"):
            rows = self.table(section)
            self.assertEqual(len(rows), len(tables[section]["rows"]), section)
            for row, members in zip(rows, tables[section]["rows"]):
                self.assertEqual(list(row), list(members))
                for name, value in members.items():
                    if isinstance(value, str):
                        self.assertEqual(row[name], value)
        page = self.sheet("--html")
        self.assertIn('<svg class="tree" role="img"', page)
        self.assertEqual(self.json("report", "r.db")["tables"]["draw"], tables["draw"])
        self.sheet("--html", "--out", "page.html")
        self.assertEqual(self.text("page.html"), page)

    def test_games_have_dates(self):
        self.play()
        games = [json.loads(line) for line in self.must("export", "r.db", "--format", "jsonl")[0].splitlines()]
        for game in games:
            self.assertRegex(game["at"], TIME)
            self.assertIn(game["at"][:10], self.days)
        one = games[0]["id"].rpartition("|")[0]
        self.assertIn(games[0]["at"][:10].replace("-", "."),
                      re.search(r'; \[EventDate "(.*)"\]', self.must("export", "r.db", "-f", "mat", one)[0])[1])
        self.assertIn("DT[" + games[0]["at"][:10] + "]", self.must("export", "r.db", "-f", "sgf", one)[0])
        rows = csv.DictReader(io.StringIO(self.must("export", "r.db", "-f", "csv")[0]))
        self.assertEqual([row["at"] for row in rows], [game["at"] for game in games])
        seconds = [at for at, in self.rows("SELECT at FROM moment")]
        self.assertEqual(sorted({time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at)) for at in seconds}),
                         sorted({game["at"] for game in games}))
        records = self.must("export", "r.db", "--records")[0]
        self.assertEqual(re.findall(rf"^at ({TIME}) #", records, re.M), [game["at"] for game in games])
        self.write("r.txt", records)
        self.must("verify", "r.txt")
        self.write("late.txt", re.sub(rf"\nat {TIME} #", "\nat 2001-01-01T00:00:00Z #", records, count=1))
        self.assertIn("the date does not fit its check", self.must("verify", "late.txt", status=6)[1])

    def test_an_event_without_a_form(self):
        self.must("duel", "greedy", "random", "--pairs", "1", "--quiet", "--results", "r.db")
        _, talk = self.must("report", "--sheet", "r.db", status=2)
        self.assertIn("has no sheet; 'bgref show r.db'", talk)
        tables = self.json("report", "r.db")["tables"]
        self.assertFalse({"form", "draw", "entries", "standing"} & set(tables))
        _, talk = self.must("report", "--sheet", "r.db", "--section", "bracked", status=2)
        self.assertIn("--section 'bracked': no such section (perhaps bracket?)", talk)


main()
