"""The same event gives the same games byte for byte, whatever happens to the referee."""
import contextlib
import os
import random
import re
import resource
import signal
import sqlite3
import time

from harness import LONGEST_S, Case, kill, main

KILLS = 20


class Resume(Case):
    def event(self, name, bots, pairs):
        return self.event_file(name, event="kept", bots=bots, length=5, pairs=pairs, seed=20)

    def play(self, event, results, *words):
        return self.must("tournament", event, "--results", results, "--quiet", *words)

    def test_twenty_kills_leave_the_same_games(self):
        event = self.event("event.yaml", ["random", "greedy", "gnubg"], 60)
        self.play(event, "whole.db", "-concurrency", "3")
        expected = self.canonical("whole.db")
        self.assertGreater(len(games(expected)), 400, "360 matches")
        chance = random.Random(7)
        killed_at_work = 0
        for _ in range(KILLS):
            run = self.begin("tournament", event, "--results", "killed.db", "--quiet",
                             "-concurrency", str(chance.randint(1, 8)),
                             "--instances", str(chance.randint(1, 2)))
            try:
                run.wait(timeout=chance.uniform(0.02, 0.35))
            except Exception:  # still running, as intended
                killed_at_work += 1
            kill(run)
            self.assert_nothing_lives()
        self.assertGreaterEqual(killed_at_work, KILLS // 2, "the event is too short to be killed")
        self.play(event, "killed.db")
        self.assertEqual(self.canonical("killed.db"), expected)
        self.assertEqual(self.shown("killed.db"), self.shown("whole.db"))

    def shown(self, results):
        """The numbers of the tables, including the incremental FIBS ratings, which depend on an order."""
        tables = self.json("report", results)["tables"]
        self.assertGreater(len(tables["fibs"]["rows"]), 1)
        return (self.json("rate", results)["standings"],
                [tables[name]["rows"] for name in ("standings", "encounters", "fibs")])

    def test_concurrency_and_instances_do_not_matter(self):
        event = self.event("event.yaml", ["random", "greedy", "gnubg-noise"], 6)
        self.play(event, "one.db", "-concurrency", "1", "--instances", "1")
        self.play(event, "many.db", "-concurrency", "64", "--instances", "3")
        self.assertEqual(self.canonical("one.db"), self.canonical("many.db"))
        self.assertEqual(self.shown("one.db"), self.shown("many.db"))

    def test_more_bots_and_more_pairs_keep_what_is_played(self):
        self.play(self.event("a.yaml", ["random", "greedy"], 4), "r.db")
        before = self.canonical("r.db")
        grown = self.event("b.yaml", ["first", "random", "greedy"], 6)
        self.play(grown, "r.db")
        after = self.canonical("r.db")
        for game in games(before):
            self.assertIn(game, after)
        self.play(grown, "fresh.db")
        self.assertEqual(after, self.canonical("fresh.db"))

    def full_disk(self, *more):
        """An event whose files may not grow: the limit simulates a full disk."""
        self.play(self.event("event.yaml", ["random", "greedy"], 200), "whole.db")
        return self.begin("tournament", "event.yaml", "--results", "r.db", "--quiet", *more,
                          preexec_fn=little_room)

    def test_a_full_disk_pauses_the_event_until_there_is_space(self):
        full = self.full_disk()
        first = full.stderr.readline()
        self.assertIn("tried again each second", first)
        resource.prlimit(full.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        _, talk = full.communicate(timeout=LONGEST_S)
        self.assertEqual(full.returncode, 0, talk)
        self.assertIn("can be written again", talk)
        self.assertEqual(self.canonical("r.db"), self.canonical("whole.db"))

    def test_an_interrupt_or_no_patience_ends_the_wait_for_disk_space(self):
        full = self.full_disk()
        self.assertIn("tried again each second", full.stderr.readline())
        full.send_signal(signal.SIGINT)
        _, talk = full.communicate(timeout=60)
        self.assertNotEqual(full.returncode, 0, talk)
        again = self.run_bgref("tournament", "event.yaml", "--results", "r.db", "--quiet", "--store-wait", "0s", preexec_fn=little_room)
        self.assertEqual(again.returncode, 5, again.stderr)
        self.assertIn("results r.db: write: ", again.stderr)
        self.assertIn("to go on when the cause is gone: bgref tournament event.yaml --results r.db", again.stderr)
        self.assert_nothing_lives()
        self.play("event.yaml", "r.db")
        self.assertEqual(self.canonical("r.db"), self.canonical("whole.db"))

    def test_a_foreign_lock_of_eight_seconds_pauses_the_event(self):
        event = self.event("event.yaml", ["random", "greedy"], 100)
        self.play(event, "whole.db")
        run = self.begin("tournament", event, "--results", "r.db", "--quiet")
        self.addCleanup(kill, run)
        self.wait_until(lambda: self.count() > 20, "games")
        with contextlib.closing(sqlite3.connect(self.path("r.db"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            self.assertIn("locked; nothing is lost", run.stderr.readline())
            while time.monotonic() - began < 8:  # the length that was refused before
                time.sleep(0.1)
            other.execute("ROLLBACK")
        _, talk = run.communicate(timeout=LONGEST_S)
        self.assertEqual(run.returncode, 0, talk)
        self.assertIn("can be written again", talk)
        self.assertEqual(self.canonical("r.db"), self.canonical("whole.db"))

    def begin_kept(self, results, games=5):
        """An event without a seed, which plays."""
        self.event_file(event="kept", bots=["random", "greedy"], length=5, pairs=1000)
        run = self.begin("tournament", "event.yaml", "--results", results, "--quiet")
        self.addCleanup(kill, run)
        self.wait_until(lambda: self.count(results=results) > games, "games")
        return run

    def test_results_that_are_removed_stop_the_event_and_are_kept(self):
        os.mkdir(self.path("sub"))
        run = self.begin_kept("sub/r.db", 20)
        os.remove(self.path("sub/r.db"))
        out, talk = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 5, talk)
        self.assertNotIn("root", out)
        self.assertNotIn("complete", out)
        self.assertIn("all that was stored is kept in sub/r.db.rescued", talk)
        self.assertEqual(os.stat(self.path("sub/r.db.rescued")).st_mode & 0o777, 0o600)
        self.assert_nothing_lives()
        os.rename(self.path("sub/r.db.rescued"), self.path("sub/r.db"))
        before = self.count(results="sub/r.db")
        self.assertGreater(before, 20)
        run = self.begin_kept("sub/r.db", before)  # with its key
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.must("verify", "sub/r.db")

    def test_games_lost_by_a_kill_are_reported(self):
        """Of a database without its log: the kill may have cut off its emptying, which leaves a damaged file."""
        for results, lost, said in (("r.db", ("-wal", "-shm"), "its log r.db-wal is gone|r.db: damaged .*: continue with a backup"),
                                    ("s.db", ("", "-wal", "-shm"), "s.db.key exists, but results s.db have no game begun with it")):
            kill(self.begin_kept(results))
            self.assert_nothing_lives()
            for ending in lost:
                os.remove(self.path(results + ending))
            run = self.begin("tournament", "event.yaml", "--results", results, "--quiet")
            self.addCleanup(kill, run)
            self.assertRegex(run.stderr.readline(), said)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)

    def test_resuming_a_finished_event_plays_nothing(self):
        event = self.event("event.yaml", ["random", "greedy"], 2)
        first = self.play(event, "r.db")[0]
        self.assertEqual(self.play(event, "r.db")[0], first)


def little_room():
    """A limit on file sizes simulates a full disk; its signal ends a program that does not ignore it (Python
    restores the default before it starts the program)."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1600 << 10, resource.RLIM_INFINITY))


def games(canonical):
    """The text of each game in a canonical export."""
    return [part for part in re.split(r"(?m)^(?=id )", canonical) if part.startswith("id ")]


main()
