"""The entry list: what is declared of a bot, what its program says, and what happens if either changes."""
import html
import json
import os

from harness import BIN, Case, main
from seal import seal_again

EVENT = """event: cup
seed: 5
length: 1
pairs: 2
sandbox: off
bots:
  - {name: mine, cmd: ./mine, author: "%s", operator: Carl, origins: [own work, "gnubg 1.07, its weights"]}
  - {name: theirs, bot: random}
"""
# The Python bot of this repository, with an author in its Hello.
BOT = """#!/usr/bin/python3
import sys
sys.path.insert(0, %r)
import bgref_bot
plain = bgref_bot.hello
def hello():
    message = plain()
    with open("author.txt", encoding="utf-8") as text:
        message.hello.author = text.read()
    return message
bgref_bot.hello = hello
bgref_bot.main()
"""


class Entries(Case):
    def setUp(self):
        super().setUp()
        bots = os.environ.get("BGREF_BOTS_DIR", os.path.join(BIN, "bots"))
        self.script("mine", BOT % os.path.join(bots, "python"))
        self.says("Ann")

    def says(self, author):
        self.write("author.txt", author)

    def play(self, *words, author="Ann", schedule="circle", status=0):
        self.write("cup.yaml", EVENT % author)
        return self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", "--schedule", schedule,
                         *words, status=status)

    def sheet(self, form="--text"):
        return self.must("report", "--sheet", "r.db", "--section", "entries", form)[0]

    def entry(self):
        rows = json.loads(self.sheet("--json"))["tables"]["entries"]["rows"]
        return next(row for row in rows if row["bot"] == "mine")

    def report(self):
        self.must("report", "r.db", "--out", "page.html")
        return " ".join(html.unescape(self.text("page.html")).split())

    def notes(self):
        return " ".join(self.sheet().split("\n\n", 3)[-1].split())

    def test_declared_and_said(self):
        self.play()
        row = self.entry()
        self.assertEqual([row[key] for key in ("author", "operator", "origins", "said_author", "bot_version")],
                         ["Ann", "Carl", "own work, gnubg 1.07, its weights", "Ann", "python 0.1.0"])
        for form in ("--text", "--html", "--csv"):
            page = self.sheet(form)
            for word in ("Ann", "Carl", "own work", "python 0.1.0", row["program"]):
                self.assertIn(word, page, form)
        self.assertNotIn("!", self.notes())
        shown = self.must("show", "r.db")[0]
        self.assertRegex(shown, r"author\.mine +Ann\n")
        self.assertRegex(shown, r"origins\.mine +own work, gnubg")
        self.assertNotIn("author.theirs", shown)

    def test_the_root_covers_them(self):
        self.play()
        self.must("verify", "r.db")
        for word in ("author", "operator", "origins", "said_author"):
            before = self.forge(f"event.{word}.mine", "Eve")
            self.assertIn("they do not match the table's seal", self.must("verify", "r.db", status=6)[1])
            self.forge(f"event.{word}.mine", "Eve", sealed=True)
            self.assertIn("root", self.must("verify", "r.db", status=6)[1])
            self.forge(f"event.{word}.mine", before, sealed=True)
            self.must("verify", "r.db")

    def forge(self, key, text, sealed=False):
        """Changes a setting, if wanted as someone who can compute the seal again; returns what it was."""
        was = self.rows("SELECT value FROM meta WHERE key = ?", values=(key,))[0][0]
        self.change("r.db", ("UPDATE meta SET value = ? WHERE key = ?", (text, key)))
        if sealed:
            seal_again(self.path("r.db"), "meta")
        return was

    def test_the_program_names_another_author(self):
        self.says("E\u202eve")
        self.play()
        self.assertEqual(self.entry()["said_author"], "E<U+202E>ve")
        self.assertIn("! mine: the entry list has the author Ann, its program names E<U+202E>ve", self.notes())

    def test_a_changed_author_needs_consent(self):
        self.play()
        root = self.must("verify", "r.db")[0]
        error = self.play(author="Bea", status=2)[1]
        for words in ("mine was entered with author Ann, now Bea", "--accept-changed"):
            self.assertIn(words, error)
        self.assertEqual(self.must("verify", "r.db")[0], root)
        self.play("--accept-changed", author="Bea")
        self.must("verify", "r.db")
        self.assertEqual(self.entry()["author"], "Bea")
        self.assertIn("! mine: author, changed during the event; before: Ann", self.notes())
        self.assertRegex(self.must("show", "r.db")[0], r"author\.mine +Bea; before: Ann\n")
        self.play(author="Bea")

    def test_more_may_be_declared_later(self):
        self.play()
        self.write("cup.yaml", (EVENT % "Ann").replace("bot: random", "bot: random, author: Dora"))
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", "--schedule", "circle")
        self.assertIn("Dora", self.sheet())
        self.assertNotIn("before", self.notes())
        self.must("verify", "r.db")

    def test_a_plain_round_robin(self):
        self.says("Eve")
        self.play(schedule="round-robin")
        self.assertEqual(self.must("report", "--sheet", "r.db", status=2)[0], "")
        rows = self.json("report", "r.db")["tables"]["bots"]["rows"]
        self.assertEqual([[row[key] for key in ("author", "operator", "origins", "said_author")]
                          for row in rows if row["bot"] == "mine"],
                         [["Ann", "Carl", "own work, gnubg 1.07, its weights", "Eve"]])
        page = self.report()
        self.assertIn("author Ann; operator Carl; origins own work, gnubg 1.07, its weights", page)
        self.assertIn("the entry list has the author Ann, its program names Eve", page)
        self.says("ANN")
        self.play("--pairs", "3", schedule="round-robin")
        page = self.report()
        self.assertIn("author in its program's own words, changed during the event; before: Eve", page)
        self.assertNotIn("its program names", page)
        self.must("verify", "r.db")

    def test_refused(self):
        for words, why in (('author: ""', "a line of 1 to 255 bytes"),
                           (f"author: {'x' * 256}", "255"),
                           ('operator: "a\\u202eb"', "cannot be seen"),
                           ("origins: []", "a line of 1 to 255 bytes"),
                           ("origins: {a: b}", "origins"),
                           ("autor: x", "perhaps author?")):
            self.write("bad.yaml", f"bots:\n  - {{name: a, bot: random, {words}}}\n  - greedy\n")
            error = self.must("tournament", "bad.yaml", "--results", "b.db", status=2)[1]
            self.assertIn("bad.yaml:2", error)
            self.assertIn(why, error)


main()
