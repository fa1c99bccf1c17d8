"""Bots that enter while the event runs: local ones and one of another machine. One that does not start, or comes too late, is
refused, and the results are as they were. The running game is held by stopping a bot, so no test waits for time."""
import os
import signal
import sqlite3

from door_case import DoorCase
from harness import ROGUE, main, read

BOTS = """bots: [random, first, greedy, {{name: r2, bot: random}}, {{name: new, bot: greedy, late: yes}},
       {{name: lame, cmd: '{rogue} exit-start', late: yes}}, {{name: more, bot: first, late: yes}}{remote}]
"""


class Late(DoorCase):
    def setUp(self):
        super().setUp()
        self.held = []
        self.addCleanup(self.let_go)

    def let_go(self):
        for pid in self.held:
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
        self.held = []

    def enter(self, bot, status=0):
        out, talk = self.must("desk", "r.db", "late-enter", bot, status=status)
        return talk if status else out

    def begin_cup(self, schedule, remote="", more="seed: 3\n"):
        """The event runs, and no game goes on until let_go."""
        self.write("cup.yaml", f"event: cup\nresults: r.db\nlength: 1\nconcurrency: 1\nceiling: 600s\nstart: 20s\nschedule: {schedule}\n"
                   + more + BOTS.format(rogue=ROGUE, remote=remote))
        event = self.start("tournament", "cup.yaml", "--quiet")
        self.wait_until(lambda: event.poll() is not None or (os.path.exists(self.path("r.db.desk")) and self.has_begun()),
                        "the first round", 60)
        self.assertIsNone(event.poll(), self.said(event))
        for pid in self.bots():
            os.kill(pid, signal.SIGSTOP)
            self.held.append(pid)
        self.must("desk", "r.db", "note", "--reason", "held")  # answered behind all that the bots had sent before
        self.must("desk", "r.db", "note", "--reason", "held")
        return event

    def has_begun(self):
        try:
            return bool(self.rows("select count(*) from act where kind='fixture'")[0][0])
        except sqlite3.OperationalError:
            return False

    def bots(self):
        found = []
        for pid in self.descendants():
            try:
                program = read(f"/proc/{pid}/cmdline").split(b"\0")[0]
            except OSError:
                continue
            if os.path.basename(program) in (b"bgref-random", b"bgref-first", b"bgref-greedy"):
                found.append(pid)
        return found

    def test_bots_enter_a_running_swiss_until_half_of_its_rounds(self):
        event = self.begin_cup("swiss rounds=3 pairs=20 late=half")
        before = self.dump()
        self.assertIn("late-enter lame: it does not start: ", self.enter("lame", status=2))
        self.assertIn("does not name it; end the run", self.enter("nobody", status=2))
        self.assertIn("would be act ", self.must("desk", "r.db", "late-enter", "new", "--dry-run")[0])
        self.assertEqual(self.dump(), before)
        self.assertIn("late-enter bot=new", self.enter("new"))
        self.assertIn("already an entrant", self.enter("new", status=2))
        self.let_go()
        self.ends(event)
        self.assertGreaterEqual(self.rows("select count(*) from game where 'new' in (a, b)")[0][0], 40)
        self.assertEqual(self.rows("select count(*) from game where 'more' in (a, b)"), [(0,)])
        self.assertIn("new                  in, entered late", self.must("desk", "r.db")[0])
        self.assertIn("late-enter more", self.enter("more", status=2))
        self.must("verify", "r.db")

    def test_a_refused_bot_is_no_fault_of_a_strict_event(self):
        event = self.begin_cup("swiss rounds=3 pairs=20", more="seed: 3\nstrict: yes\n")
        before = self.dump()
        self.assertIn("late-enter lame: it does not start: ", self.enter("lame", status=2))
        self.assertEqual(self.dump(), before)
        self.let_go()
        self.ends(event)
        self.must("verify", "r.db")

    def test_bots_enter_a_ladder_and_a_league(self):
        for schedule in "ladder meetings=12 pairs=1", "league meetings=12 pairs=1", "circle pairs=1":
            with self.subTest(schedule):
                self.remove("r.db")
                event = self.begin_cup(schedule)
                self.enter("new")
                self.let_go()
                self.ends(event)
                self.assertGreater(self.rows("select count(*) from game where 'new' in (a, b)")[0][0], 0)
                self.must("verify", "r.db")

    def test_nobody_enters_a_knockout_after_its_draw(self):
        self.begin_cup("knockout pairs=300")
        before = self.dump()
        self.assertIn("the bracket is drawn; nobody can enter a knockout after its first round", self.enter("new", status=2))
        self.assertEqual(self.dump(), before)

    def test_a_bot_of_another_machine_enters_when_it_has_joined(self):
        door = 'door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: allow.yaml, appear: 30s}\n'
        event = self.begin_cup("swiss rounds=3 pairs=20", ", {name: anna, remote: true, late: yes}", door)
        desk = self.start("desk", "r.db", "late-enter", "anna")
        join = self.join()
        self.assertIn("late-enter bot=anna", self.ends(desk))
        self.let_go()
        self.ends(event)
        self.ends(join)
        self.assertGreaterEqual(self.rows("select count(*) from game where 'anna' in (a, b)")[0][0], 20)
        self.must("verify", "r.db")

    def test_a_candidate_that_nobody_asks_for_any_more_is_given_up(self):
        door = 'door: {listen: "tcp://127.0.0.1:0", key: host.key, allow: allow.yaml, appear: 600s}\n'
        event = self.begin_cup("swiss rounds=3 pairs=20", ", {name: anna, remote: true, late: yes}", door)
        before = self.dump()
        desk = self.start("desk", "r.db", "late-enter", "anna")
        self.wait_until(lambda: "anna is started" in self.said(event), "the start of anna")
        desk.kill()
        desk.wait()
        self.wait_until(lambda: "anna is not entered: nobody asks" in self.said(event), "anna to be given up")
        self.assertEqual(self.dump(), before)
        desk = self.start("desk", "r.db", "late-enter", "anna")
        join = self.join()
        self.assertIn("late-enter bot=anna", self.ends(desk))
        self.let_go()
        self.ends(event)
        self.ends(join)
        self.must("verify", "r.db")

    def test_files_whose_late_bots_can_never_enter_are_refused(self):
        for text, said in (("bots: [random, first, {name: new, bot: greedy, late: yes}]\npairs: 1\n", "new has 'late', which needs a 'schedule'"),
                           ("bots: [random, {name: new, bot: greedy, late: yes}]\nschedule: swiss pairs=1\n", "all but 1 have 'late'")):
            self.write("cup.yaml", "event: cup\n" + text)
            self.assertIn(said, self.must("tournament", "cup.yaml", status=2)[1])


main()
