"""Wrong input on the command line gets one clear message and the right exit status, and leaves nothing behind."""
import os
import signal
import sqlite3
import subprocess

from harness import BGREF, Case, kill, main

GOOD = "event: e\nbots: [random, greedy]\nlength: 1\npairs: 2\nseed: 1\n"
LONG = "event: e\nbots: [random, greedy]\nlength: 3\npairs: 100000\nseed: 1\n"

# name, event file, parts of the message
BAD_EVENTS = (
    ("an unknown key", GOOD + "lenght: 3\n", ("event.yaml:6", "lenght", "length")),
    ("a key twice", GOOD + "pairs: 3\n", ("event.yaml:6", "pairs")),
    ("a number that is none", GOOD.replace("pairs: 2", "pairs: many"), ("event.yaml:4", "many")),
    ("an unknown bot", GOOD.replace("greedy", "greedi"), ("event.yaml:2", "greedi", "greedy")),
    ("one bot", GOOD.replace(", greedy", ""), ("event.yaml", "bots")),
    ("no bots", "event: e\n", ("event.yaml", "bots")),
    ("a time without a unit", GOOD + "ceiling: 60\n", ("event.yaml:6", "ceiling", "60")),
    ("a bad clock", GOOD + "clock: bank=2\n", ("event.yaml:6", "clock")),
    ("yaml that is none", "event: [e\n", ("event.yaml:2",)),
    ("a bad name", GOOD.replace("event: e", "event: e/../f"), ("event.yaml:1", "e/../f")),
    ("a match rule in money play", GOOD.replace("length: 1", "length: 0") + "holland: on\n",
     ("holland",)),
)


class Misuse(Case):
    def refused(self, *words, parts=(), status=2, stdin=None):
        """One message on standard error, nothing on standard output, nothing left behind."""
        before = sorted(os.listdir(self.folder))
        done = self.run_bgref(*words, stdin=stdin)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("bgref"), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        return done.stderr

    def test_event_files(self):
        for name, text, parts in BAD_EVENTS:
            with self.subTest(name):
                self.write("event.yaml", text)
                self.refused("tournament", "event.yaml", parts=parts)

    def test_an_event_whose_bots_do_not_start_leaves_no_results_lock_or_folder(self):
        self.write("event.yaml", "bots: [random, {name: gone, cmd: /bin/false}]\nlength: 1\npairs: 1\n")
        for words in (("--results", "r.db"), ()):
            self.refused("tournament", "event.yaml", *words, status=3, parts=["bot gone does not start"])
        os.mkdir(self.path("old"))
        self.refused("tournament", "event.yaml", "--results", "old/r.db", status=3)
        self.assertEqual(os.listdir(self.path("old")), [])
        self.refused("tournament", "event.yaml", "--results", "odl/r.db", parts=["there is no folder odl; mend its name"])

    def test_commands_and_flags(self):
        for words, parts in (
                (["turnament"], ["turnament"]),
                (["duel", "random"], []),
                (["duel", "random", "nobody"], ["nobody"]),
                (["duel", "random", "./missing"], ["./missing"]),
                (["duel", "random", "greedy", "--pairs", "x"], ["x"]),
                (["duel", "random", "greedy", "--seed", "-1"], ["-1"]),
                (["duel", "random", "greedy", "--frobnicate"], ["frobnicate"]),
                (["tournament", "none.yaml"], ["none.yaml"]),
                (["plays", "4HPwATDgc/ABM", "3", "1"], ["4HPwATDgc/ABM"]),
                (["plays", "4HPwATDgc/ABMA", "7", "1"], ["7"]),
                (["plays", "--board", "nonsense"], ["nonsense"]),
                (["show", "none.db"], ["none.db"]),
                (["rate", "none.db"], ["none.db"]),
                (["rate"], ["bgref rate: needs", "bgref rate --help"]),
                (["show"], ["bgref show: needs", "bgref show --help"]),
                (["export"], ["bgref export: "]),
                (["export", "none.db", "--canonical"], ["none.db"]),
                (["rules", "tapp"], ["there is no game 'tapp' (perhaps tapa?)"]),
                (["duel", "random", "greedy", "option.Foo=1"], ["name that bot as '-engine BOT option.Foo=1'"]),
                (["duel", "random", "greedy", "--results", "odl/r.db"], ["there is no folder odl; mend its name"]),
                (["kin", "none.db", "--ask", "greedy"], ["--ask asks bots, and none.db is a results database"]),
                (["keygen", "--join", "x", "--folder", "nope"], ["there is no folder nope"])):
            with self.subTest(" ".join(words)):
                self.refused(*words, parts=parts)

    def test_a_program_that_is_no_bot_is_asked_about(self):
        self.assertIn("exit 0 before it said Hello, a bot's first message; docs/bot-guide.md",
                      self.must("duel", "random", "cmd=/bin/true", "--pairs", "1", status=3)[1])

    def test_results_are_looked_for_where_a_duel_puts_them(self):
        self.must("duel", "greedy", "random", "--pairs", "1", "--quiet")
        for name in ("greedy-vs-random.db", "greedy-vs-random"):
            self.refused("show", name, parts=["did you mean bgref-results/greedy-vs-random.db?"])
        results = "bgref-results/greedy-vs-random.db"
        self.refused("faults", results, "nobody", parts=["'nobody' has neither games nor faults"])
        self.refused("faults", results, "gready", parts=["(perhaps greedy?)"])
        self.refused("show", results, "greedy|random|9|0|0", parts=[f"'bgref show {results}' lists its games"])
        self.refused("tournament", results, parts=["a database of results, not a text"])
        self.refused("report", results, "--out", self.folder, parts=["a folder; name a file in it"])

    def test_lines_are_named_by_number(self):
        lines = "4HPwATDgc/ABMA\t3\t1\n4HPwATDgc/ABMA\t3\tx\n"
        done = self.run_bgref("plays", "--tsv", stdin=lines)
        self.assertEqual(done.returncode, 2)
        self.assertIn("2", done.stderr)
        done = self.run_bgref("plays", "--board", "--tsv", stdin="bad\tline\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("1", done.stderr)

    def test_help_shows_every_command(self):
        out, _ = self.must("--help")
        for command in ("duel", "tournament", "bots", "doctor", "show", "rate", "export", "plays",
                        "dice"):
            self.assertIn(f"  {command}", out)
            self.assertGreater(len(self.must(command, "--help")[0]), 80)
        self.assertRegex(self.must("--version")[0], r"\d+\.\d+\.\d+")


class Results(Case):
    def setUp(self):
        super().setUp()
        self.write("event.yaml", GOOD)

    def play(self, *words, status=0):
        return self.must("tournament", "event.yaml", "--results", "r.db", "--quiet", *words,
                         status=status)

    def test_a_changed_setting_is_refused_by_name_and_loses_nothing(self):
        self.play()
        before = self.canonical("r.db")
        for old, new, key in (("length: 1", "length: 3", "length"), ("seed: 1", "seed: 2", "seed"),
                              ("random, ", "", "bots"), ("pairs: 2", "pairs: 1", "pairs")):
            with self.subTest(key):
                bots = GOOD.replace(old, new)
                if key == "bots":
                    bots = GOOD.replace("random", "first")
                self.write("event.yaml", bots)
                self.assertIn(key, self.play(status=2)[1])
        self.assertEqual(self.canonical("r.db"), before)

    def test_settings_may_change_after_a_failed_start(self):
        broken = GOOD.replace("greedy]", "{name: x, cmd: /nowhere/x}]").replace("seed: 1", "seed: 5")
        self.write("event.yaml", broken)
        self.assertIn("/nowhere/x", self.play(status=3)[1])
        self.write("event.yaml", GOOD)
        self.play("--fresh")
        self.must("tournament", "event.yaml", "--results", "other.db", "--quiet")
        self.assertEqual(self.canonical("r.db"), self.canonical("other.db"))

    def test_a_second_referee_is_refused_by_the_name_of_the_first(self):
        self.write("event.yaml", LONG)
        first = self.begin("tournament", "event.yaml", "--results", "r.db", "--quiet")
        self.addCleanup(kill, first)
        self.wait_until(lambda: self.descendants(), "the first run to start its bots")
        self.assertIn(str(first.pid), self.play(status=2)[1])

    def test_reading_while_it_runs(self):
        self.write("event.yaml", LONG)
        run = self.begin("tournament", "event.yaml", "--results", "r.db", "--quiet")
        self.addCleanup(kill, run)
        self.wait_until(lambda: self.count() > 100, "a hundred stored games")
        self.assertIn("greedy", self.must("show", "r.db")[0])
        self.assertIn("greedy", self.must("rate", "r.db")[0])
        self.assertIsNone(run.poll())

    def test_a_file_that_is_not_a_database_is_unchanged(self):
        self.write("r.db", "my notes\n" * 100)
        self.assertIn("r.db", self.play(status=2)[1])
        with open(self.path("r.db"), encoding="utf-8") as notes:
            self.assertTrue(notes.read().startswith("my notes"))

    def test_a_lost_key_is_reported(self):
        self.write("event.yaml", LONG.replace("seed: 1\n", ""))
        run = self.begin("tournament", "event.yaml", "--results", "r.db", "--quiet")
        self.wait_until(lambda: self.count() > 10, "a few stored games")
        kill(run)
        self.assertEqual(os.stat(self.path("r.db.key")).st_mode & 0o777, 0o600)
        os.unlink(self.path("r.db.key"))
        self.assertIn("r.db.key", self.play(status=5)[1])

    def test_results_are_for_their_user_only(self):
        self.write("event.yaml", LONG.replace("seed: 1\n", ""))
        run = self.begin("tournament", "event.yaml", "--results", "r.db", "--quiet", umask=0)
        self.wait_until(lambda: self.count() > 10, "a few stored games")
        rights = {name: os.stat(self.path(name)).st_mode & 0o777 for name in sorted(os.listdir(self.folder))
                  if name.startswith("r.db")}
        self.assertIn("r.db-wal", rights)
        self.assertEqual(rights, {name: 0o600 for name in rights})
        kill(run)
        run.communicate()

    def test_the_key_is_published_when_the_event_has_ended(self):
        self.write("event.yaml", GOOD.replace("seed: 1\n", ""))
        self.play()
        self.assertFalse(os.path.exists(self.path("r.db.key")))
        (key,), = self.rows("select value from meta where key = 'dice.key'")
        self.assertRegex(key, r"^[0-9a-f]{64}$")


class Signals(Case):
    def interrupted(self, number, status, twice=False):
        self.write("event.yaml", LONG)
        run = self.begin("tournament", "event.yaml", "--results", "r.db")
        self.addCleanup(kill, run)
        self.wait_until(lambda: self.descendants(), "the run to start its bots")
        run.send_signal(number)
        if twice:
            run.send_signal(number)
        out, talk = run.communicate(timeout=60)
        self.assertEqual(run.returncode, status, talk)
        self.assertIn("to go on: bgref tournament event.yaml", talk)
        self.assert_nothing_lives()
        return out

    def test_interrupt_finishes_the_running_games(self):
        self.assertIn("results:", self.interrupted(signal.SIGINT, 130))

    def test_interrupt_twice(self):
        self.interrupted(signal.SIGINT, 130, twice=True)

    def test_terminate_and_hangup(self):
        self.interrupted(signal.SIGTERM, 143)
        if os.path.exists(self.path("r.db")):  # it reached its first game
            os.unlink(self.path("r.db"))
        self.interrupted(signal.SIGHUP, 129)

    def test_a_failed_standard_output_changes_the_exit_status(self):
        self.write("event.yaml", GOOD)
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([BGREF, "tournament", "event.yaml", "--results", "r.db"],
                                  cwd=self.folder, env=self.environment, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("standard output", done.stderr)

    def test_a_help_that_is_not_written_completely_is_a_failure(self):
        for words in (["show", "--help"], ["duel", "--help"], ["help"], ["rules", "--usage"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([BGREF, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
                                      check=False)
            self.assertEqual(done.returncode, 5, words)
            self.assertIn("standard output: No space left on device", done.stderr)


class SevenPoints(Case):
    def test_gnubg_against_gnubg_uses_the_whole_cube(self):
        self.must("duel", "gnubg", "gnubg-noise", "--length", "7", "--pairs", "8", "--seed", "4",
                  "--results", "r.db", "--quiet")
        with sqlite3.connect(self.path("r.db")) as database:
            records = "".join(text for text, in database.execute("select record from game"))
            ended = dict(database.execute("select ended, count(*) from game group by ended"))
            faults, = database.execute("select count(*) from fault").fetchone()
            matches, = database.execute("select count(*) from game where match_over").fetchone()
        self.assertEqual((faults, ended.get("fault", 0), matches), (0, 0, 16))
        for step in ("double", "take", "pass"):
            self.assertRegex(records, rf"(?m)^[01] {step}\b")
        self.assertRegex(records, r"(?m)^start .*crawford=on")
        self.assertRegex(records, r"(?m)^start .*post-crawford=on")


if __name__ == "__main__":
    main()
