"""The bot exact without its file, the command that makes the file, and the folder of it in the sandbox."""
import os
import subprocess

from harness import BIN, Case, main, read

EXACT = os.path.join(BIN, "bots", "bgref-exact")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Exact(Case):
    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def exact(self, *words):
        return self.run_program(EXACT, *words)

    def test_a_missing_file_is_one_error_with_its_remedy(self):
        said = self.must("duel", "exact", "greedy", "--variant", "hypergammon", "--pairs", "1", status=3)[1]
        self.assertIn(self.path("cache/bgref/hypergammon-3.values") + ": No such file or directory", said)
        self.assertIn(f"{EXACT} solve hypergammon", said)

    def test_a_game_is_solved_into_the_cache_folder(self):
        done = self.exact("solve", "hypergammon", "--checkers", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.path("cache/bgref")), ["hypergammon-1.values"])
        self.assertIn("written: " + self.path("cache/bgref/hypergammon-1.values"), done.stdout)
        self.assertGreaterEqual(done.stdout.count("largest change"), 5)
        first = read(self.path("cache/bgref/hypergammon-1.values"))
        # The same bytes again, by the script of the source tree and with another number of threads.
        again = subprocess.run([os.path.join(ROOT, "tools/solve"), "hypergammon", "--checkers", "1", "--threads",
                                "3", "--output", self.path("again")], env={**self.environment, "BUILD": os.path.dirname(BIN)},
                               text=True, capture_output=True, timeout=300, check=False)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(read(self.path("again")), first)

    def test_a_file_that_is_not_whole_is_refused(self):
        self.exact("solve", "hypergammon", "--checkers", "1", "--output", self.path("cache/bgref/hypergammon-3.values"))
        done = self.exact()
        self.assertEqual(done.returncode, 1)
        self.assertIn("not complete, or not for 3 checkers", done.stderr)
        self.assertIn("solve hypergammon", done.stderr)

    def test_wrong_commands(self):
        for words in (["solve"], ["solve", "chess"], ["solve", "hypergammon", "--checkers", "4"],
                      ["solve", "hypergammon", "--checkers"],
                      ["solve", "hypergammon", "--threads", "2x"], ["help"]):
            with self.subTest(words):
                done = self.exact(*words)
                self.assertEqual(done.returncode, 2)
                self.assertIn("Usage: bgref-exact solve hypergammon", done.stderr)
        self.assertIn("Usage:", self.exact("--help").stdout)
        done = self.exact("solve", "hypergammon", "--checkers", "1", "--output", "/proc/no/file")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/proc/no/file", done.stderr)

    def test_a_confined_bot_reads_the_cache_folder_but_cannot_write_there(self):
        """Wherever it is: also in a home folder, which is else hidden."""
        self.needs_confinement()
        for place, changed in (("cache/bgref", {}),
                               ("home/.cache/bgref", {"XDG_CACHE_HOME": "", "HOME": self.path("home")}),
                               ("own", {"BGREF_CACHE": self.path("own")})):
            with self.subTest(place):
                self.environment.update(changed)
                os.makedirs(self.path(place))
                self.write(f"{place}/table", "what is kept")
                os.makedirs(self.path("bot"), exist_ok=True)
                os.makedirs(self.path(f"{place.replace('/', '-')}.d"))
                program = self.write("bot/reads", "#!/bin/sh\necho \"$(cat $BGREF_CACHE/table), "
                                     "$(touch $BGREF_CACHE/new 2>/dev/null && echo written || echo safe)\" >&2\nexit 1\n")
                os.chmod(program, 0o755)
                said = self.must("duel", program, "greedy", "--pairs", "1", "--sandbox", "on", "--results",
                                 f"{place.replace('/', '-')}.d/r.db", status=3)[1]
                self.assertIn("what is kept, safe", said)


main()
