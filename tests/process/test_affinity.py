"""Cores: with `affinity: auto` and one table at once the referee's thread and the bots share a core, and no other
thread of the referee does; not with more tables, and not with strangers. The games are the same. Bots are batch
processes: when they wake they do not interrupt the referee."""
import os
import signal
import sqlite3

from harness import LONGEST_S, Case, kill, main


class Affinity(Case):
    def cores_of(self, run):
        """The cores of the referee's first thread, of its other threads, and of the bots; None: bots are being
        started again, as strangers are."""
        try:
            bots = [os.sched_getaffinity(pid) for pid in self.descendants()]
        except ProcessLookupError:
            return None
        if len(bots) < 2:
            return None
        threads = {int(tid): os.sched_getaffinity(int(tid)) for tid in os.listdir(f"/proc/{run.pid}/task")}
        first = threads.pop(run.pid)
        return first, list(threads.values()), bots

    def policies_of(self, run):
        """The scheduling policies of the referee's threads and of the bots; None: not all bots have started."""
        try:
            bots = [os.sched_getscheduler(pid) for pid in self.descendants()]
        except ProcessLookupError:
            return None
        threads = [os.sched_getscheduler(int(tid)) for tid in os.listdir(f"/proc/{run.pid}/task")]
        return (set(threads), set(bots)) if len(bots) >= 2 else None

    def while_it_plays(self, *more, look=None):
        """What look (cores_of) returns after the first game."""
        look = look or self.cores_of
        run = self.begin("duel", "random", "greedy", "--pairs", "100000", "--length", "1", "--results", "r.db",
                         "--quiet", "--instances", "1", *more)
        self.addCleanup(kill, run)
        found = []

        def has_played():
            if self.has_games():
                found.append(look(run))
            return run.poll() is not None or (found and found[-1] is not None)
        self.wait_until(has_played, "games between two bots")
        self.assertIsNone(run.poll(), "it ended")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=LONGEST_S)
        self.remove("r.db")
        return found[-1]

    def has_games(self):
        try:
            return self.rows("SELECT count(*) FROM game")[0][0] > 0
        except sqlite3.OperationalError:
            return False  # not made yet

    def test_one_table_shares_a_core(self):
        before = os.sched_getaffinity(0)
        first, others, bots = self.while_it_plays("-concurrency", "1", "--affinity", "auto", "--sandbox",
                                                 "off")
        self.assertEqual(len(first), 1)
        self.assertLessEqual(first, before)
        self.assertEqual(bots, [first] * 2)
        self.assertGreater(len(others), 0)  # the thread that writes results
        self.assertEqual(others, [before] * len(others))

    def test_more_tables_a_list_and_off_leave_the_referee_alone(self):
        before = os.sched_getaffinity(0)
        for more in (("-concurrency", "2", "--affinity", "auto"),
                     ("-concurrency", "1", "--affinity", str(min(before))), ("-concurrency", "1")):
            with self.subTest(more):
                first, others, bots = self.while_it_plays("--sandbox", "off", *more)
                self.assertEqual(first, before)
                self.assertEqual(others, [before] * len(others))
                self.assertEqual({len(cores) for cores in bots}, {1 if "--affinity" in more else len(before)})

    def test_strangers_leave_the_referee_alone(self):
        self.needs_confinement()
        first, _, bots = self.while_it_plays("-concurrency", "1", "--affinity", "auto", "--sandbox", "on", "--trust",
                                             "strangers")
        self.assertEqual(first, os.sched_getaffinity(0))
        self.assertEqual({len(cores) for cores in bots}, {1})

    def test_bots_do_not_interrupt_the_referee(self):
        own = os.sched_getscheduler(0)
        bots = os.SCHED_BATCH if own == os.SCHED_OTHER else own  # another policy was the user's choice
        for confined in ("off", "auto"):
            with self.subTest(sandbox=confined):
                self.assertEqual(self.while_it_plays("--sandbox", confined, look=self.policies_of), ({own}, {bots}))

    def test_the_games_are_the_same(self):
        for affinity in ("off", "auto"):
            self.must("duel", "random", "greedy", "--pairs", "3", "--length", "1", "--seed", "4", "-concurrency", "1",
                      "--sandbox", "off", "--affinity", affinity, "--results", f"{affinity}.db")
        self.assertEqual(self.canonical("auto.db"), self.canonical("off.db"))


main()
