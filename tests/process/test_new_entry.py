"""revisions: new_entry. A bot whose program changed goes on as a new entrant, and the results of both names stay apart; it is no way
out of a quarantine, back after a withdrawal, to points, or to names without end."""
import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess

from harness import BIN, Case, ROGUE, kill, main, read

VERIFY_MATCH = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "verify_match.py")
EVENT = """event: e
bots: [{{name: bert, cmd: ./bert}}, greedy, random{more}]
length: 1
pairs: {pairs}
seed: 1
results: r.db
"""


class NewEntry(Case):
    def setUp(self):
        super().setUp()
        self.event()
        self.build("random")

    def event(self, pairs=2, more="", keys="", revisions="new_entry"):
        self.write("e.yaml", EVENT.format(pairs=pairs, more=more) + f"revisions: {revisions}\n" + keys)

    def build(self, bot, note="", name="bert"):
        program = bot if bot.startswith("/") else os.path.join(os.environ.get("BGREF_BOTS_DIR", os.path.join(BIN, "bots")), f"bgref-{bot}")
        os.chmod(self.write(name, f"#!/bin/sh\n# {note}\nexec {program}\n"), 0o755)

    def play(self, *words, status=0):
        return self.must("tournament", "e.yaml", "--quiet", *words, status=status)

    def dump(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.path('r.db')}?mode=ro", uri=True)) as results:
            return [line for line in results.iterdump() if "'run." not in line and "'credit." not in line]

    def rows(self, question):
        with contextlib.closing(sqlite3.connect(f"file:{self.path('r.db')}?mode=ro", uri=True)) as results:
            return results.execute(question).fetchall()

    def acts(self):
        return [(kind, subject) for kind, subject in self.rows("select kind, subject from act order by number")
                if kind in ("late-enter", "withdraw", "enter")]

    def games(self, *names):
        return len([row for row in self.rows("select a, b from game") if set(names) <= set(row)])

    def is_proved(self):
        self.must("verify", "r.db")
        self.must("export", "r.db", "--records", "--output", "r.txt")
        checked = subprocess.run(["/usr/bin/python3", VERIFY_MATCH, self.path("r.txt")], capture_output=True, timeout=120, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def refused(self, *sentences, words=()):
        before = self.dump()
        out, talk = self.play(*words, status=2)
        self.assertEqual(out, "")
        for sentence in sentences:
            self.assertIn(sentence, talk)
        self.assertEqual(self.dump(), before)

    # ---- it goes on

    def test_a_changed_program_plays_all_its_pairs_under_the_next_name(self):
        self.play()
        self.build("greedy", "second")
        out, talk = self.play(status=7)  # as after a withdrawal: bert and bert.2 have not met
        self.assertRegex(talk, r"bot=bert its program changed \(\w{8} then, \w{8} now\), and it goes on as bert\.2")
        self.assertEqual(self.acts(), [("withdraw", "bot=bert")])
        self.assertEqual([self.games("bert"), self.games("bert.2"), self.games("bert", "bert.2")], [8, 8, 0])
        for table in (out, self.must("show", "r.db")[0], self.must("rate", "r.db")[0], self.must("report", "r.db", "--text")[0]):
            self.assertRegex(table.replace("\n", " "), r"bert\.2 continues bert, whose program changed during the event")
            self.assertRegex(table, r"(?m)^ *\d+=? +bert ")
            self.assertRegex(table, r"(?m)^ *\d+=? +bert\.2 ")
            self.assertNotIn("which was accepted", table)
        self.assertEqual(len(self.rows("select value from meta where key = 'program.bert'")[0][0].splitlines()), 1)
        self.is_proved()
        self.play(status=7)  # nothing more to play
        self.assertEqual([self.games("bert"), self.games("bert.2")], [8, 8])
        self.assertIn("reinstate bert: its program changed, and bert.2 continues it", self.must(
            "desk", "r.db", "reinstate", "bert", "--reason", "x", status=2)[1])
        self.event(pairs=3, more=", first")
        self.play(status=7)
        self.assertEqual([self.games("bert"), self.games("bert.2"), self.games("bert.2", "first")], [8, 18, 6])
        self.is_proved()

    def test_a_changed_command_is_a_changed_program(self):
        self.play()
        self.write("e.yaml", EVENT.format(pairs=2, more="").replace("./bert", "./bert --fast") + "revisions: new_entry\n")
        self.play(status=7)
        self.assertEqual(self.games("bert.2"), 8)
        self.is_proved()

    def test_another_version_of_the_same_files_is_a_changed_program(self):
        for name in ("bgref_bot.py", "bgref_pb2.py"):
            shutil.copy(os.path.join(BIN, "bots", "python", name), self.folder)
        source = read(self.path("bgref_bot.py")).decode()
        os.chmod(self.write("bert", "#!/usr/bin/python3\nimport bgref_bot\nbgref_bot.main()\n"), 0o755)
        self.play()
        # of another size: Python takes an equal one of the same second from its cache
        self.write("bgref_bot.py", source.replace('greeting.version = "0.1.0"', 'greeting.version = "0.20.0"'))
        self.event(pairs=3, revisions="freeze")
        self.refused("bert changed since its last game: python 0.1.0 then, python 0.20.0 now")
        self.event(more=", {name: bert.2, bot: first}")
        self.refused("bert changed since its last game: python 0.1.0 then, python 0.20.0 now",
                     "bot=bert is no new entrant: the event has another bot with this name")
        self.event(pairs=3)
        self.play(status=7)
        self.assertEqual(self.acts(), [("withdraw", "bot=bert")])
        self.assertEqual(self.rows("select reason from act where kind = 'withdraw'")[0][0],
                         "its version changed (python 0.1.0 then, python 0.20.0 now), and it goes on as bert.2")
        self.assertEqual([self.games("bert"), self.games("bert.2")], [8, 12])
        self.is_proved()
        self.play(status=7)  # the same one
        self.assertEqual([self.games("bert"), self.games("bert.2")], [8, 12])

    def test_who_has_no_game_may_change_and_a_missing_program_is_no_change(self):
        self.of_sh(2)
        self.play()
        self.build("/nowhere", "broken")
        self.play(status=3)
        self.build("greedy", "mended")
        self.play(status=7)
        self.assertEqual(self.acts(), [("withdraw", "bot=bert")])
        self.assertEqual(self.games("bert.2"), 8)
        os.remove(self.path("bert"))
        self.of_sh(3)
        self.play(status=3)
        self.assertEqual(self.acts(), [("withdraw", "bot=bert")])
        self.is_proved()

    def of_sh(self, pairs):
        """The program is there without its file, and the command then reads otherwise."""
        self.write("e.yaml", EVENT.format(pairs=pairs, more="").replace("./bert", "sh ./bert") + "revisions: new_entry\n")

    def test_in_a_form_it_is_a_late_entrant(self):
        self.begin_form("swiss rounds=4 pairs=300")
        self.build("greedy", "second")
        self.play()
        self.assertEqual(self.acts(), [("late-enter", "bot=bert.2"), ("withdraw", "bot=bert")])
        self.assertGreaterEqual(self.games("bert.2"), 600)
        self.assertEqual(self.games("bert", "bert.2"), 0)
        self.assertIn("bert.2 continues bert", self.must("show", "r.db")[0])
        self.is_proved()

    def begin_form(self, schedule):
        """The first round has begun when the run ends."""
        self.event(more=", first, {name: g2, bot: greedy}", keys=f"schedule: {schedule}\n")
        run = self.begin("tournament", "e.yaml", "--quiet")
        self.addCleanup(kill, run)
        self.wait_until(self.bert_has_played, "a game of bert", 60)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)

    def bert_has_played(self):
        try:
            return self.games("bert") > 0
        except sqlite3.OperationalError:
            return False

    # ---- it is refused

    def test_a_bracket_takes_nobody(self):
        self.begin_form("knockout pairs=300")
        self.build("greedy", "second")
        self.refused("bert changed since its last game, and cannot go on as bert.2: late-enter bert.2: the bracket is drawn",
                     "--accept-changed")

    def test_a_swiss_with_points_for_late_entrants_takes_nobody_so(self):
        self.begin_form("swiss rounds=4 pairs=300 late=half")
        self.build("greedy", "second")
        self.refused("so a change could be worth points")

    def test_of_two_changed_bots_both_enter_or_none(self):
        self.event(more=", {name: carl, cmd: ./carl}")
        self.build("first", name="carl")
        self.play()
        self.must("desk", "r.db", "withdraw", "carl", "--reason", "x")
        for name in ("bert", "carl"):
            self.build("greedy", "second", name)
        self.refused("carl was taken out of the event (row 1 of the journal); reinstate comes first")
        self.must("desk", "r.db", "reinstate", "carl", "--reason", "x")
        self.play(status=7)
        self.assertEqual([self.games("bert.2", "carl.2"), self.games("bert"), self.games("carl")], [4, 12, 12])
        self.is_proved()

    def test_it_is_no_way_out_of_a_quarantine_and_faults_go_along(self):
        self.event(keys="quarantine: 2\n")
        self.build(f"{ROGUE} wrong-die --after 12")
        self.play(status=7)
        self.build("greedy", "second")
        self.refused("it is quarantined, which a new program does not end; 'bgref reinstate' does")
        self.must("reinstate", "r.db", "bert", "--reason", "agreed")
        self.play(status=7)
        self.assertEqual(self.games("bert.2"), 8)

    def test_faults_before_and_after_count_together(self):
        self.event(keys="quarantine: 100\n")
        self.build(f"{ROGUE} wrong-die --after 8")
        self.play()
        before = self.faults("bert")
        self.assertGreater(before, 1)
        self.event(keys=f"quarantine: {before + 1}\nconcurrency: 1\n")  # else games beside it can have a fault more
        self.build(f"{ROGUE} wrong-die --after 8", "second")
        self.play(status=7)
        self.assertEqual([self.faults("bert"), self.faults("bert.2")], [before, 1])

    def faults(self, name):
        return self.rows(f"select count(*) from fault where bot = '{name}'")[0][0]

    def test_names_end(self):
        self.event(pairs=1)
        self.play()
        for number in range(2, 10):
            self.build("random", str(number))
            self.play(status=7)
            self.assertEqual(self.games(f"bert.{number}"), 4)
        self.build("random", "10")
        self.refused("bert.9 changed since its last game, and cannot go on as bert.10: it has the last name that it may have in an event")
        self.is_proved()

    def test_names_that_are_taken_or_too_long(self):
        self.event(more=", {name: bert.2, bot: first}")
        self.play()
        self.build("greedy", "second")
        self.refused("bert changed since its last game, and cannot go on as bert.2: the event has another bot with this name")
        self.write("e.yaml", EVENT.format(pairs=2, more="").replace("name: bert", "name: " + "b" * 63) + "revisions: new_entry\n")
        self.build("random")
        self.play("--fresh")
        self.build("greedy", "second")
        self.refused("a name has at most 64 characters")

    def test_conditions_by_name_tests_and_duels(self):
        self.event(keys="conditions: [{between: [bert, greedy], length: 3}]\n")
        self.play()
        self.build("greedy", "second")
        self.refused("'conditions' name it")
        self.assertIn("revisions: new_entry is for tournaments", self.must(
            "duel", "./bert", "greedy", "--revisions", "new_entry", "--results", "d.db", status=2)[1])
        self.assertFalse(os.path.exists(self.path("d.db")))

    def test_accept_changed_and_other_words_keep_the_name(self):
        self.play()
        self.build("greedy", "second")
        self.play("--accept-changed", "--pairs", "3")
        self.assertEqual(self.acts(), [])
        self.build("greedy", "third")
        self.event(pairs=3)
        self.play(status=7)
        self.event(pairs=3, revisions="freeze")  # it goes on to know its names
        self.play(status=7)
        self.build("greedy", "fourth")
        self.refused("bert.2 changed since its last game: program")


if __name__ == "__main__":
    main()
