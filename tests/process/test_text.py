"""Text of bots and files reaches terminals, logs, pages, records and exports only cleaned."""
import os
import re
import subprocess
import unicodedata
import xml.etree.ElementTree

from harness import BGREF, LONGEST_S, ROGUE, Case, main, read

HIDDEN = "\u202e\u2066\u200b\u00ad\ufeff\ufe0f\u2028\u3164\U000e0041"
# The progress line's own control characters.
OWN = (b"\x1b[K", b"\r")


def is_hidden(character):
    """By Unicode's own table, not by ours."""
    return (character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Cn")
            or character in HIDDEN)


class Text(Case):
    def assert_clean(self, data, where):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as broken:
            self.fail(f"{where}: {broken}: {data[max(0, broken.start - 60):broken.end + 20]}")
        for at, character in enumerate(text):
            if is_hidden(character):
                self.fail(f"{where}: U+{ord(character):04X} in {text[max(0, at - 60):at + 20]!r}")

    def on_terminal(self, *words, status=0):
        """The output on a terminal, without our own progress line."""
        ended, shown = super().on_terminal(*words)
        self.assertEqual(ended, status, shown.decode(errors="replace"))
        for own in OWN:
            shown = shown.replace(own, b"")
        return shown

    def shown(self, *words, status=0):
        """Both streams into files, without a terminal."""
        done = subprocess.run([BGREF, *words], cwd=self.folder, env=self.environment,
                              capture_output=True, timeout=LONGEST_S, check=False)
        self.assertEqual(done.returncode, status, done)
        return done.stdout + done.stderr

    def play(self):
        return self.on_terminal(
            "duel", "greedy", "-engine", "name=rogue", f"cmd={ROGUE} writes-escapes --after 20", "--pairs",
            "2", "--length", "1", "--results", "r.db", "--log", "debug", "--events", "events.json",
            "--quarantine", "1000", "--seed", "3")

    def test_text_of_a_bot_is_clean_in_every_output(self):
        self.assert_clean(self.play(), "a duel on a terminal")
        said = read(self.path("events.json"))
        self.assert_clean(said, "event stream")
        self.assertIn(b"<U+202E>", said, "the version and options are in the stream")
        self.assertNotIn(b"\\u00", said, "a control stands escaped in the stream")
        ids = [row[0] for row in self.rows("select id from game where fault = 'crash'")]
        for table, columns in (("game", "id,record"), ("fault", "story,stderr_tail,reply"),
                               ("meta", "key,value")):
            for row in self.rows(f"select {columns} from {table}"):
                for value in row:
                    self.assert_clean((value or "").encode(), f"table {table}")
        (tail,), = self.rows("select stderr_tail from fault limit 1")
        self.assertIn("last words \\x1b[2J\\x1b[31m\\x1b]0;mine\\x07\\x9b1m\\xff", tail)
        for words in (("show", "r.db"), ("show", "r.db", ids[0]), ("faults", "r.db"),
                      ("faults", "r.db", "--json"), ("verify", "r.db"), ("rate", "r.db"),
                      ("report", "r.db", "--text"), ("report", "r.db", "--json"),
                      ("report", "r.db", "--out", "-")):
            self.assert_clean(self.on_terminal(*words), words)
        for kind in ("--canonical", "--records", "-fcsv", "-fjson", "-fjsonl", "-fxgid"):
            self.assert_clean(self.shown("export", "r.db", kind).replace(b"\t", b" "), kind)
        for kind in ("mat", "sgf"):
            self.must("export", "r.db", "-f", kind, "--output", kind)
            for name in os.listdir(self.path(kind)):
                self.assert_clean(read(os.path.join(self.path(kind), name)), name)
        out, _ = self.must("faults", "r.db")
        self.assertIn("last words \\x1b[2J", out)

    def test_markup_of_a_bot_is_escaped_on_the_page(self):
        self.play()
        self.must("report", "r.db", "--out", "r.html")
        text = self.text("r.html")
        self.assertIn("&lt;script&gt;alert(1)", text)
        tree = xml.etree.ElementTree.fromstring(re.sub("<!DOCTYPE[^>]*>", "", text))
        for element in tree.iter():
            self.assertNotIn(element.tag.rpartition("}")[2], ("script", "img", "iframe", "object"))
            for name, value in element.attrib.items():
                self.assertFalse(name.lower().startswith("on"), f"{name}={value}")
                self.assertFalse(value.strip().lower().startswith("javascript:"), value)

    def test_greetings_that_are_refused(self):
        for deed, message in (("escapes-hello", b"is not a Hello"), ("escapes-refused", b"refused: game")):
            shown = self.on_terminal(
                "duel", "greedy", "-engine", "name=rogue", f"cmd={ROGUE} {deed}", "--pairs", "1",
                "--results", f"{deed}.db", "--log", "debug", status=3)
            self.assert_clean(shown, deed)
            self.assertIn(message, shown)
            self.assertIn(b"last words \\x1b[2J", shown)

    def test_check_prints_and_writes_clean_text(self):
        self.write("bots.yaml", "")
        shown = self.on_terminal("check", "--json", "c.json", "--junit", "c.xml", "--", ROGUE,
                                 "writes-escapes", "--after", "20", status=1)
        self.assert_clean(shown, "check")
        for name in ("c.json", "c.xml"):
            said = read(self.path(name))
            self.assert_clean(said, name)
            self.assertIn(b"U+202E", said, name)  # its version, or its output on standard error

    def test_a_database_and_files_of_strangers(self):
        self.must("duel", "greedy", "random", "--pairs", "1", "--length", "1", "--results", "r.db")
        evil = "\x1b[31mgreedy\x9b" + HIDDEN
        self.change("r.db", ("update game set a = ?", (evil,)),
                    ("update meta set value = ? where key = 'event.length'", (evil,)),
                    ("insert into fault(game_id, bot, fault, decision, story, stderr_tail) " "values (?, ?, 'crash', 1, ?, ?)", (evil, evil, evil, evil)),
                    ("update encounter set a = ?", (evil,)))
        for words in (("show", "r.db"), ("faults", "r.db"), ("faults", "r.db", "--json"),
                      ("rate", "r.db"), ("report", "r.db", "--text"), ("report", "r.db", "--json"),
                      ("report", "r.db", "--out", "-"), ("export", "r.db", "-fcsv"),
                      ("export", "r.db", "-fjson"), ("verify", "r.db")):
            done = subprocess.run([BGREF, *words], cwd=self.folder, env=self.environment,
                                  capture_output=True, timeout=LONGEST_S, check=False)
            self.assertIn(done.returncode, (0, 1, 2, 5, 6), words)
            self.assert_clean(done.stdout + done.stderr, words)
        with open(self.path("evil.mat"), "wb") as match:
            match.write(b"1 point match\n\nGame 1\n \x1b[31malice\xff : 0  b\xe2\x80\xaeob : 0\n"
                        b"  1) 3\x1b1: 8/5 6/5\n")
        with open(self.path("evil.yaml"), "w", encoding="utf-8") as event:
            event.write(f'bots: [random, greedy]\nevent: "a{HIDDEN[0]}b"\n')
        with open(self.path("evil.txt"), "wb") as moves:
            moves.write(b"backgammon\x1b[31m\t1\t1\tw\troll\t31\tx\n")
        for words in (("import", "evil.mat", "--results", "i.db"), ("replay", "evil.mat"),
                      ("tournament", "evil.yaml"), ("replay", "--transcript", "evil.txt"),
                      ("show", "r.db", evil), ("faults", f"none{evil}.db")):
            done = subprocess.run([BGREF, *words], cwd=self.folder, env=self.environment,
                                  capture_output=True, timeout=LONGEST_S, check=False)
            self.assertIn(done.returncode, (1, 2), words)
            self.assert_clean(done.stdout + done.stderr, words)


main()
