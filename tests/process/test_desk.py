"""bgref desk: acts of a director, between two runs and during one. What is not allowed is refused with a sentence and changes nothing;
what is done is in the journal, and every changed byte of it is found."""
import csv
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3

from gallery import SANITIZED
from harness import BGREF, BIN, ROGUE, Case, kill, main, read
from seal import seal_again

EVENT = "event: cup\nbots: [random, first, greedy]\npairs: {pairs}\nlength: 1\nseed: 3\n"


def digest_of(before, *row):
    """The hash of a row of the journal."""
    return hashlib.blake2b("".join(f"{field}\n" for field in ("bgref-act 1", before) + row).encode(), digest_size=32).hexdigest()


class Desk(Case):
    def play(self, pairs=2, status=0):
        self.write("cup.yaml", EVENT.format(pairs=pairs))
        return self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", status=status)

    def act(self, *words, status=0, reason="a cause"):
        return self.must("desk", "r.db", *words, *(("--reason", reason) if reason else ()), status=status)

    def refused(self, *words, reason="a cause"):
        """One sentence, status 2, and the database as it was."""
        before = self.dump()
        out, talk = self.act(*words, status=2, reason=reason)
        self.assertEqual(out, "", words)
        self.assertRegex(talk, r"\Abgref desk: [^\n]+\n\Z", words)
        self.assertEqual(self.dump(), before, words)
        return talk

    def test_every_act_that_is_not_allowed_is_refused_and_changes_nothing(self):
        self.play()
        for words, reason, sentence in (
                (("withdraw", "bot=nobody"), "x", "'nobody' is not an entrant of this event"),
                (("reinstate", "randon"), "x", "'randon' is not an entrant of this event; did you mean 'random'?"),
                (("reinstate", "random", "greedy"), "x", "reinstate: 'bot=greedy': expected bot=NAME"),
                (("withdraw", "bot=random"), None, "withdraw needs --reason TEXT"),
                (("withdraw",), "x", "withdraw needs 'bot=NAME'"),
                (("enter", "bot=new"), None, "into a plain round robin a bot comes by the event file"),
                (("absent", "random"), None, "a plain round robin has no rounds; withdraw takes a bot out"),
                (("walkover", "meeting=1", "bot=random"), "x", "a plain round robin has no meetings"),
                (("void", "pair=first|nobody|0"), "x", "nobody"),
                (("replay", "pair=random|first|0"), "x", "names in the order of their bytes"),
                (("condition", "between=first,random", "cube=off"), "x", "the terms of a plain round robin"),
                (("note", "hello"), "x", "'hello': note takes no word; its text is --reason"),
                (("note",), None, "note needs --reason TEXT"),
                (("sign", "signer=me"), None, "'bgref sign RESULTS.db --key NAME.key' signs a result"),
                (("withdrew", "random"), "x", "there is no act 'withdrew' (perhaps withdraw?)"),
                (("note",), "x" * 401, "--reason: a line of 1 to 400 bytes"),
                (("note",), "two\nlines", "--reason: a line of 1 to 400 bytes, without control and invisible characters"),
                (("note",), "  ", "--reason: a line of 1 to 400 bytes"),
                (("note",), "\u202ereversed", "--reason: a line of 1 to 400 bytes")):
            with self.subTest(words):
                self.assertIn(sentence, self.refused(*words, reason=reason))
        self.assertIn("none.db", self.must("desk", "none.db", "note", "-r", "x", status=2)[1])
        self.assertFalse(os.path.exists(self.path("none.db")))

    def test_acts_tried_twice_and_too_late_are_refused(self):
        self.play()
        self.act("withdraw", "random")
        self.assertIn("withdraw random: it is withdrawn already (row 1); reinstate brings it back",
                      self.refused("withdraw", "random"))
        self.act("reinstate", "random")
        self.assertIn("it takes part", self.refused("reinstate", "random"))
        self.act("void", "pair=first|random|0")
        self.assertIn("is void already", self.refused("void", "pair=first|random|0"))
        self.assertIn("is void; it is not played again", self.refused("replay", "pair=first|random|0"))
        self.act("replay", "pair=first|random|1")
        self.assertIn("no game of it has been played", self.refused("replay", "pair=first|random|1"))
        self.act("close", reason=None)
        for words in (("withdraw", "random"), ("void", "pair=first|random|1"), ("close",)):
            self.assertIn("the event is closed; allowed are note and sign", self.refused(*words))
        self.act("note")
        self.must("verify", "r.db")

    def test_a_reason_is_text_wherever_it_is_published(self):
        """A reason may quote anybody: it must be no formula in a spreadsheet, and no markup in a page."""
        self.season(1)
        self.run_cup()
        formula, page = "=HYPERLINK(\"http://x\",\"y\")", "<script>alert(1)</script>"
        self.act("note", reason=formula)
        self.act("note", reason=page)
        cell, = [row[-1] for row in csv.reader(self.must("report", "--sheet", "r.db", "--section", "decisions", "--csv")[0].splitlines())
                 if "HYPERLINK" in row[-1]]
        self.assertEqual(cell, "'" + formula)
        self.assertIn(json.dumps(formula), self.must("report", "--sheet", "r.db", "--json")[0])
        self.must("report", "r.db", "--output", "r.html")
        for html in self.must("report", "--sheet", "r.db", "--html")[0], self.text("r.html"):
            self.assertIn("&lt;script&gt;alert(1)", html)
            self.assertNotIn(page, html)

    def test_nobody_is_brought_back_when_all_is_over(self):
        """A question names an act that is allowed."""
        self.write("cup.yaml", f"event: cup\nbots: [random, first, greedy, {{name: lame, cmd: '{ROGUE} exit-start'}}]\n"
                               "seed: 3\nabsent: unplayed\nstart: 2s\nschedule: swiss rounds=2 pairs=1\n")
        self.run_cup(status=7)
        talk = self.must("desk", "r.db")[0]
        self.assertIn("lame                 absent", talk)
        self.assertNotIn("reinstate", talk)
        self.assertIn("all meetings are over: close the event?", talk)

    def test_no_entrant_is_called_nobody(self):
        self.write("cup.yaml", "event: cup\nbots: [random, {name: \"-\", bot: greedy}]\n")
        self.assertIn("cup.yaml:2: name: '-' is not a name", self.must("tournament", "cup.yaml", status=2)[1])

    def test_a_dry_run_says_what_would_change(self):
        self.play()
        before = self.dump()
        out, _ = self.act("void", "pair=first|random|0", "--dry-run")
        self.assertIn("would be act 1: void pair=first|random|0, by ", out)
        self.assertIn("2 games of 1 pair would be set aside", out)
        self.assertEqual(self.dump(), before)
        dry = json.loads(self.act("void", "pair=first|random|0", "--dry-run", "--json")[0])
        self.assertEqual((dry["schema"], dry["dry_run"], dry["games_set_aside"], dry["pairs_set_aside"]),
                         ("bgref-desk-act", True, 2, 1))
        self.assertEqual(self.dump(), before)

    def test_a_voided_pair_counts_no_longer_and_is_not_played_again(self):
        self.play()
        games = self.rows("select count(*) from game")[0][0]
        out, _ = self.act("void", "pair=first|random|1", reason="the machine was full")
        self.assertIn("a new one is published", out)
        self.assertEqual(self.rows("select count(*) from game")[0][0], games - 2)
        self.play(status=7)  # something was not played
        self.assertEqual(self.rows("select count(*) from game")[0][0], games - 2)
        self.assertEqual(self.rows("select kind, subject, reason from act"),
                         [("void", "pair=first|random|1", "the machine was full")])
        self.assertIn("journal: 1 act, each following", self.must("verify", "r.db")[0])

    def test_a_pair_of_one_game_is_voided(self):
        for form, said in (("schedule: circle pairs=1\n", "1 game of 1 pair is set aside"),
                           ("pairs: 1\n", "1 game of 1 pair is set aside and counts no longer\n1 fixture is marked unplayed\n")):
            with self.subTest(form):
                self.remove("r.db")
                self.write("cup.yaml", "event: cup\nbots: [random, first]\nlength: 1\nduplicate: off\n" + form)
                self.run_cup()
                self.assertIn(said, self.act("void", "pair=first|random|0")[0])

    def test_a_withdrawn_entrant_comes_back(self):
        self.play(pairs=1)
        self.assertNotIn("marked unplayed", self.act("withdraw", "greedy")[0])  # nothing is left to play
        self.assertEqual({one["bot"]: one["state"] for one in self.json("desk", "r.db")["entrants"]},
                         {"first": "in", "greedy": "withdrawn", "random": "in"})
        self.act("reinstate", "greedy")
        self.play(pairs=2)
        self.assertEqual(self.count(), 12)

    def test_who_has_the_results_is_named(self):
        self.play()
        with open(self.path("r.db.lock"), "r+", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertRegex(self.refused("note"), r"r\.db: in use by process \d+; it takes no acts now: wait for its end, or end it")

    def test_a_bot_that_is_removed_from_the_event_file_is_named_with_the_act_it_needs(self):
        self.play()
        before = self.dump()
        self.write("cup.yaml", EVENT.format(pairs=2).replace(", greedy", ""))
        _, talk = self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", status=2)
        self.assertIn("begun with greedy, which has played and is not among the bots now", talk)
        self.assertIn("'bgref desk r.db withdraw greedy --reason TEXT' takes it out of the event", talk)
        self.assertEqual(self.dump(), before)
        self.act("withdraw", "greedy")
        self.play()

    def test_each_changed_byte_of_the_journal_is_named(self):
        self.play()
        self.act("void", "pair=first|random|0")
        self.act("note", reason="hé")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        shutil.copy(self.path("r.db"), self.path("kept.db"))
        for number, fields in ((1, ("at", "who", "kind", "subject", "reason", "hash")), (2, ("reason", "hash"))):
            for field in fields:
                text, = self.rows(f"select {field} from act where number={number}", "kept.db")[0]
                for at in range(0, len(text), 1 if len(text) < 32 else 7):
                    changed = text[:at] + ("x" if text[at] != "x" else "y") + text[at + 1:]
                    shutil.copy(self.path("kept.db"), self.path("r.db"))
                    self.change("r.db", (f"update act set {field}=? where number=?", (changed, number)))
                    _, talk = self.must("verify", "r.db", status=6)
                    self.assertIn(f"journal: row {number} ", talk)
        text = self.text("r.txt")
        for row in re.findall(r"^acts? .*$", text, re.M):
            for at in range(0, len(row), 11):
                self.write("forged.txt", text.replace(row, row[:at] + ("x" if row[at] != "x" else "y") + row[at + 1:]))
                self.must("verify", "forged.txt", status=6)
        self.assertEqual(self.verify_beside("r.txt").returncode, 0)
        self.assertNotEqual(self.verify_beside("forged.txt").returncode, 0)

    def test_changed_settings_signatures_and_acts_are_named(self):
        self.play()
        self.act("note")
        self.must("keygen", "--sign", "anna")
        self.must("sign", "r.db", "--key", "anna.key")
        shutil.copy(self.path("r.db"), self.path("kept.db"))
        for deed, named in (("update meta set value='cap' where key='event.event'", "setting event.event of the event is 'cap'"),
                            ("update meta set value=replace(value,'anna|20','anna|19') where key like 'signature.%'", "table meta"),
                            ("delete from act", "table act")):
            shutil.copy(self.path("kept.db"), self.path("r.db"))
            self.change("r.db", deed)
            self.assertIn(named, self.must("verify", "r.db", status=6)[1])

    def forge(self, deed, *values):
        """Changes the results as someone who can compute the seal of the settings again."""
        before = self.dump()
        self.change("r.db", (deed, values))
        self.assertNotEqual(self.dump(), before, deed)
        seal_again(self.path("r.db"), "meta")

    def test_dates_that_were_signed_are_those_of_the_runs(self):
        self.play()
        self.must("keygen", "--sign", "anna")
        self.must("sign", "r.db", "--key", "anna.key")
        self.play()  # nothing is left to play: the same event, another run
        self.must("verify", "r.db", "--signer", "anna.pub")
        self.forge("update meta set value=replace(value, 'begun=1', 'begun=0') where key='run.000000'")
        self.assertIn("it has other dates", self.must("verify", "r.db", "--signer", "anna.pub", status=6)[1])

    def test_a_row_that_was_never_allowed_is_named(self):
        self.season(1)
        self.run_cup()
        number, before = self.rows("select number + 1, hash from act order by number desc limit 1")[0]
        row = (str(number), "2026-11-22T08:30:00Z", "eve@host", "walkover", "meeting=1 bot=greedy", "x")
        self.forge("insert into act values(?, ?, ?, ?, ?, ?, ?)", *row, digest_of(before, *row))
        for command in ("verify",), ("report", "--sheet"):
            self.assertIn(f"row {number} of the journal (walkover meeting=1 bot=greedy) is not allowed there: ",
                          self.must(*command, "r.db", status=6)[1])

    def forge_journal(self, change, *values):
        """An insider's change: all hashes and the seal fit again, and no root is published."""
        self.change("r.db", (change, values))
        before, hashes = "0" * 64, []
        for row in self.rows("select number, at, who, kind, subject, reason from act order by number"):
            before = digest_of(before, *row)
            hashes.append(("update act set hash=? where number=?", (before, row[0])))
        self.change("r.db", *hashes)
        seal_again(self.path("r.db"), "act")

    def test_a_changed_journal_is_not_read_continued_or_signed(self):
        self.season(1)
        self.run_cup()
        self.must("keygen", "--sign", "anna")
        shutil.copy(self.path("r.db"), self.path("kept.db"))
        number, = self.rows("select max(number) from act")[0]
        for change, said in (
                (("delete from act where number=4",), "row 4 of the journal is missing; row 5 is in its place"),
                (("insert into act values(?, '2026-11-22T08:30:00Z', 'eve@host', 'walkover', 'meeting=1 bot=greedy', 'x', '')",
                  number + 1), "walkover: "),
                (("update act set kind='bribe' where number=4",), "'bribe' is not an act")):
            for command in (("desk", "r.db"), ("report", "--sheet", "r.db"), ("report", "r.db"),
                            ("tournament", "cup.yaml", "--results", "r.db", "--quiet"), ("verify", "r.db")):
                shutil.copy(self.path("kept.db"), self.path("r.db"))
                self.forge_journal(*change)
                talk = self.must(*command, status=6)[1]
                if command[0] != "verify":
                    self.assertIn(said, talk, command)
            self.must("sign", "r.db", "--key", "anna.key", status=6)

    def test_a_result_that_the_games_do_not_give_is_not_signed(self):
        self.season(1)
        self.run_cup()
        self.must("keygen", "--sign", "anna")
        number, subject = self.rows("select number, subject from act where kind='result' and subject like '%score=1 %' "
                                    "order by number desc limit 1")[0]
        self.forge_journal("update act set subject=? where number=?", re.sub(r"score=1 .*", "score=0 points=0:2", subject), number)
        self.assertIn("the published root is not the one of these results", self.must("sign", "r.db", "--key", "anna.key", status=6)[1])
        self.run_cup()  # an insider publishes a new root
        self.assertIn(f"row {number}: ", self.must("sign", "r.db", "--key", "anna.key", status=6)[1])
        self.assertEqual(self.rows("select count(*) from meta where key like 'signature.%'"), [(0,)])

    def test_games_without_a_fixture_and_a_row_without_a_time_are_named(self):
        self.season(1)
        self.run_cup()
        for change, reason in (
                ("update act set at='2026-02-30T08:30:00Z' where number=2", "journal: row 2 (fixture): '2026-02-30T08:30:00Z' is not a time"),
                ("delete from act", "belong to no fixture of the journal")):
            self.forge_journal(change)
            self.assertIn(reason, self.must("verify", "r.db", status=6)[1])

    def test_the_sheet_names_who_signed(self):
        self.season(1)
        self.run_cup()
        said = self.must("keygen", "--sign", "anna")[0]
        fingerprint = re.search(r"(?m)^fingerprint: (.+)$", said)[1]
        self.assertNotIn("Signed by", self.must("report", "--sheet", "r.db")[0])
        self.must("sign", "r.db", "--key", "anna.key")
        self.assertIn(fingerprint, re.sub(r"\s+", " ", self.must("report", "--sheet", "r.db")[0]))
        self.assertIn(fingerprint, self.json("report", "--sheet", "r.db")["tables"]["form"]["signed"])
        self.assertIn(fingerprint, self.must("report", "--sheet", "r.db", "--html")[0])
        signed = f"anna on .*, fingerprint {re.escape(fingerprint)}"
        self.act("note")  # the signature no longer counts
        form = self.json("report", "--sheet", "r.db")["tables"]["form"]
        self.assertNotIn("signed", form)
        self.assertRegex(form["signed_before"], "signature of " + signed)
        self.assertNotIn("Signed by", self.must("report", "--sheet", "r.db", "--html")[0])
        for words in ((), ("--html",)):
            page = re.sub(r"\s+", " ", self.must("report", "--sheet", "r.db", *words)[0])
            self.assertRegex(page, signed)
            self.assertIn("Not valid for these results", page)

    def season(self, pairs, rounds=3):
        self.write("cup.yaml", f"event: cup\nbots: [random, first, greedy, {{name: r2, bot: random}}]\nseed: 3\n"
                               f"schedule: swiss rounds={rounds} pairs={pairs}\n")

    def run_cup(self, status=0):
        return self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", status=status)

    def test_decisions_on_the_meetings_of_a_swiss(self):
        self.season(1)
        self.run_cup()
        self.assertIn("all meetings are over: close the event?\n    bgref desk r.db close", self.must("desk", "r.db")[0])
        for words, sentence in ((("adjudicate", "meeting=99", "score=1"), "99"),
                                (("adjudicate", "meeting=1", "score=2"), "score= is 1, 0.5 or 0"),
                                (("walkover", "meeting=1", "bot=random"), "adjudicate changes its result"),
                                (("withdraw", "random"), "all meetings are over"), (("late-enter", "new"), "late-enter new: "),
                                (("enter", "new"), "the first round is paired"), (("replay", "meeting=1", "pairs=0+1"), "pairs=0+1")):
            with self.subTest(words):
                self.assertIn(sentence, self.refused(*words))
        rows = self.rows("select a, b from game where pair=0 group by a, b order by a, b")
        dry = json.loads(self.act("adjudicate", "meeting=1", "score=0.5", "--dry-run", "--json")[0])
        self.assertTrue(all(one["place_before"] > 0 for one in dry["standing"]))
        self.assertEqual([(one["meeting"], one["how"], one["winner"]) for one in dry["ends"]], [(1, "decided", "")])
        self.act("adjudicate", "meeting=1", "score=0.5")
        self.assertIn("decided meeting 1 so already", self.refused("adjudicate", "meeting=1", "score=0.5"))
        out, _ = self.act("replay", "meeting=6")
        self.assertIn("the next run publishes a new one", out)
        subject, = self.rows("select subject from act where kind='replay'")[0]
        self.assertEqual(subject, "meeting=6 pairs=1+1")
        self.run_cup()
        self.assertEqual(len(self.rows("select distinct a, b from game where pair=1")), 1)
        self.assertEqual(len(self.rows("select distinct a, b from game where pair=0")), len(rows) - 1)
        self.must("verify", "r.db")
        self.act("close", reason=None)
        self.assertIn("who signs?", self.must("desk", "r.db")[0])

    def socket_seen(self):
        try:
            return os.stat(self.path("r.db.desk")).st_ctime_ns
        except FileNotFoundError:
            return None

    def runs(self):
        try:
            return self.rows("select count(*) from meta where key like 'run.%'")[0][0]
        except sqlite3.OperationalError:
            return 0

    def begin_cup(self):
        """Waits for the new socket: before it is there, the desk would itself write the results; and until the run has begun."""
        before, runs = self.socket_seen(), self.runs() if os.path.exists(self.path("r.db")) else 0
        run = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.wait_until(lambda: run.poll() is not None or self.socket_seen() not in (None, before), "the desk's socket", 120)
        self.wait_until(lambda: run.poll() is not None or self.runs() > runs, "the account of the run", 120)
        self.assertIsNone(run.poll())
        return run

    def test_a_full_disk_takes_an_act_or_leaves_it(self):
        """The disk is full from each step on that writes (tests/support/kill_at.c). The message says whether the act is taken."""
        if SANITIZED:
            self.skipTest("the sanitizer has to be loaded first")
        self.season(1)
        self.run_cup()
        self.must("keygen", "--sign", "anna")
        kept = read(self.path("r.db"))
        question = "select (select count(*) from act), (select count(*) from meta where key like 'signature.%')"
        before = self.rows(question)
        for words, both in ((("desk", "r.db", "note", "--reason", "x"), True), (("sign", "r.db", "--key", "anna.key"), False)):
            seen = set()
            steps = self.run_full(words, 0, kept)[1]
            for step in range(1, steps + 1, 2):
                done, _ = self.run_full(words, step, kept)
                said = "" if done.returncode == 0 else "taken" if " is taken, but " in done.stderr else "failed"
                seen.add((done.returncode, said))
                self.assertEqual(self.rows(question) != before, said != "failed", (step, words, done.stderr))
            self.assertEqual(seen, {(0, ""), (5, "failed")} | ({(5, "taken")} if both else set()), words)
            self.must("verify", "r.db")

    def run_full(self, words, step, kept):
        self.remove("r.db")
        with open(self.path("r.db"), "wb") as out:
            out.write(kept)
        done = self.run_program(BGREF, *words,
                                env={**self.environment, "LD_PRELOAD": os.path.join(BIN, "kill_at.so"), "BGREF_KILL_FULL": "1", "BGREF_KILL_AT": str(step), "BGREF_KILL_COUNT": self.path("count")})
        return done, int(read(self.path("count")))

    def test_acts_of_a_desk_that_has_gone_are_not_taken(self):
        """A desk that had no answer from a stopped referee has gone. What other programs write into the socket changes nothing."""
        self.season(100000)
        run = self.begin_cup()
        os.kill(run.pid, signal.SIGSTOP)
        try:
            with socket.socket(socket.AF_UNIX) as desk:
                desk.connect(self.path("r.db.desk"))
                desk.sendall(b"bgref-desk-1\t-\tnote\t-\tnobody waits for this\n")
        finally:
            os.kill(run.pid, signal.SIGCONT)
        for line in b"note\n", b"\0" * 3000, b"bgref-desk-1\t-\tnote\t-\t\x1b[31mred\n", b"bgref-desk-1\t-\tnote\t-\ta\tb\n":
            with socket.socket(socket.AF_UNIX) as desk:
                desk.connect(self.path("r.db.desk"))
                desk.sendall(line)
                self.assertRegex(desk.recv(1000), rb"\A[1-9]\d*\n")
        self.act("note", reason="somebody waits for this")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=120)
        self.assertEqual(self.rows("select reason from act where who<>'bgref'"), [("somebody waits for this",)])
        self.must("verify", "r.db")

    def test_acts_are_taken_while_the_event_runs(self):
        """Also after a kill, which leaves its socket behind."""
        self.season(100000)
        run = self.begin_cup()
        self.assertRegex(self.act("withdraw", "r2", "--dry-run")[0],
                         r"\nmeetings:\n  meeting [12], (r2 against (\w+)|(\w+) against r2): walkover, won by (\2|\3)\n")
        self.act("withdraw", "r2")
        kill(run)
        self.assertTrue(os.path.exists(self.path("r.db.desk")))
        self.act("note")
        run = self.begin_cup()
        self.assertIn("r2 is being started", self.act("reinstate", "r2")[0])  # this run began without it
        self.assertIn("the event file of this run does not name it; end the run (Ctrl-C), take the act, and start the event again",
                      self.act("late-enter", "new", status=2, reason=None)[1])
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=120)
        self.assertFalse(os.path.exists(self.path("r.db.desk")))
        self.assertEqual([kind for kind, in self.rows("select kind from act where who<>'bgref'")], ["withdraw", "note", "reinstate"])
        self.must("verify", "r.db")


main()
