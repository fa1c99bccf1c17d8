"""Played games are kept, whatever happens around the referee: readers that close, closed descriptors, a
read-only file system, a database of another version, a wall clock that jumps."""
import contextlib
import os
import sqlite3
import subprocess

from harness import BGREF, BIN, LONGEST_S, Case, kill, main, read
from test_shell import FILES

EVENT = "event: e\nbots: [random, greedy]\nlength: 1\npairs: {pairs}\nseed: 1\n"
RUN = ("tournament", "event.yaml", "--results")


class Lost(Case):
    def setUp(self):
        super().setUp()
        self.write("event.yaml", EVENT.format(pairs=4))
        self.must(*RUN, "whole.db", "--quiet")
        self.expected = self.canonical("whole.db")

    def tearDown(self):
        self.assert_nothing_lives()

    def shell(self, text, status):
        """Runs a command line with $BGREF in it; returns its standard output and error."""
        done = self.run_program("/bin/bash", "-o", "pipefail", "-c", text, env={**self.environment, "BGREF": BGREF})
        self.assertEqual(done.returncode, status, f"{text}\n{done.stdout}\n{done.stderr}")
        return done.stdout, done.stderr

    def is_whole(self, results):
        self.assertFalse(os.path.exists(self.path(results + "-wal")), "the database was not closed")
        self.assertEqual(self.canonical(results), self.expected)

    def test_a_closed_pipe_loses_no_results(self):
        # The reader is closed before the referee writes.
        _, talk = self.shell("$BGREF tournament event.yaml --results r.db | true", status=5)
        self.assertIn("standard output: Broken pipe; nothing is lost: 'bgref show r.db'", talk)
        self.is_whole("r.db")

    def test_a_closed_standard_error_changes_nothing(self):
        out, _ = self.shell("$BGREF tournament event.yaml --results r.db 2> >(true)", status=0)
        self.assertIn("results: r.db", out)
        self.is_whole("r.db")

    def test_closed_descriptors(self):
        for closed, status in ((">&-", 5), ("2>&-", 0), ("<&- >&- 2>&-", 5), ("<&-", 0)):
            with self.subTest(closed):
                self.shell(f"$BGREF tournament event.yaml --results r.db {closed}", status)
                self.is_whole("r.db")
                self.remove("r.db")

    def test_both_clients_play_the_same_games(self):
        for client in ("libzmq", "socket"):
            with self.subTest(client):
                self.environment["BGREF_CLIENT"] = client
                self.must(*RUN, client + ".db", "--quiet")
                self.is_whole(client + ".db")
        self.environment["BGREF_CLIENT"] = "pigeon"
        _, talk = self.must(*RUN, "none.db", status=3)
        self.assertIn("BGREF_CLIENT is pigeon: socket or libzmq is possible", talk)

    def test_a_closed_reader_does_not_stop_the_event(self):
        slow = self.python_bot("slow.py", "def best_index(ask):\n    time.sleep(0.01)\n    return honest(ask)\n")
        self.write("event.yaml", EVENT.format(pairs=100000).replace("greedy", f"{{name: slow, cmd: {slow}}}"))
        run = self.begin(*RUN, "r.db", "-ratinginterval", "1s")
        self.addCleanup(kill, run)
        self.assertTrue(run.stdout.readline())
        run.stdout.close()
        printed = ""
        while "no more tables: standard output: Broken pipe" not in printed:
            printed = run.stderr.readline()
            self.assertTrue(printed, "it was never reported")
        before = self.count()
        self.wait_until(lambda: self.count() > before + 10, "more games")
        run.terminate()
        talk = run.stderr.read()
        self.assertEqual(run.wait(timeout=LONGEST_S), 143, talk)
        self.assertIn("to go on: bgref tournament", talk)

    def test_a_second_referee_under_another_name_of_the_results(self):
        os.mkdir(self.path("results"))
        os.symlink("results", self.path("linked"))
        os.symlink("results/r.db", self.path("link.db"))
        self.write("event.yaml", EVENT.format(pairs=1000000))
        run = self.begin(*RUN, "results/r.db", "--quiet")
        self.wait_until(lambda: self.count(results="results/r.db"), "the first referee")
        for results in ("linked/r.db", "link.db"):
            for words in ((*RUN, results, "--quiet"), ("judge", results, "--judge", "greedy")):
                with self.subTest(words):
                    done = self.run_bgref(*words, timeout=10)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(f"results {results}: in use by", done.stderr)
        kill(run)

    def test_a_read_only_file_system(self):
        os.mkdir(self.path("ro"))
        self.change("whole.db", ("vacuum into ?", (self.path("ro/whole.db"),)))
        within = f'bwrap --dev-bind / / --ro-bind "$PWD/ro" "$PWD/ro" $BGREF'
        self.needs_confinement()  # for bubblewrap's mounts
        for words in ("tournament event.yaml --results ro/r.db",
                      "tournament event.yaml --results ro/whole.db",
                      "duel random greedy --results ro/d.db"):
            with self.subTest(words):
                out, talk = self.shell(f"{within} {words}", status=5)
                self.assertEqual(out, "")
                self.assertRegex(talk, r"bgref \w+: results ro/\w+\.db: .*Read-only file system")
        for words in ("show ro/whole.db", "rate ro/whole.db", "export ro/whole.db --canonical",
                      "faults ro/whole.db"):
            with self.subTest(words):
                self.shell(f"{within} {words}", status=0)
        self.assertEqual(os.listdir(self.path("ro")), ["whole.db"])

    def test_a_database_of_another_version(self):
        for step, age in ((1, "a newer"), (-2, "an older")):
            with contextlib.closing(sqlite3.connect(self.path("whole.db"), isolation_level=None)) as database:
                version = database.execute("pragma user_version").fetchone()[0] + step
                database.execute(f"pragma user_version = {version}")
            before = self.bytes_of("whole.db")
            for words in ([*RUN, "whole.db"], *([name, "whole.db", *more] for name, more in FILES.items() if name not in ("join", "replay", "tournament"))):
                with self.subTest(" ".join(words)):
                    self.assertIn(f"whole.db: written by {age} bgref (schema version {version},", self.must(*words, status=2)[1])
            self.assertEqual(self.bytes_of("whole.db"), before)

    def bytes_of(self, name):
        return read(self.path(name))

    def test_a_wall_clock_that_jumps(self):
        self.environment["LD_PRELOAD"] = os.path.join(BIN, "wrong_clock.so")
        self.environment["ASAN_OPTIONS"] = "verify_asan_link_order=0"
        looks = subprocess.run(
            ["/usr/bin/python3", "-c", "import time; a = time.time(); print(abs(time.time() - a))"],
            env=self.environment, check=True, capture_output=True, text=True).stdout
        self.assertGreater(float(looks), 1e6, "the clock does not jump")
        self.must(*RUN, "r.db", "--quiet", "--clock", "bank=20s,delay=5s")
        del self.environment["LD_PRELOAD"]
        self.must(*RUN, "clocked.db", "--quiet", "--clock", "bank=20s,delay=5s")
        self.assertEqual(self.canonical("r.db"), self.canonical("clocked.db"))


main()
