"""Wrong input on the command line gets one clear message and the right exit status, and leaves nothing behind."""
import os
import signal
import subprocess

from harness import BGREF, Case, kill, main

GOOD = "event: e\nbots: [random, greedy]\nlength: 1\npairs: 2\nseed: 1\n"
CUT = " 3 point match\n\n Game 1\n ann : 0                    bob : 0\n  1) 31: 8/5 6/5               42: 8/4 6/4\n"
LONG = "event: e\nbots: [random, greedy]\nlength: 3\npairs: 100000\nseed: 1\n"


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

    def test_commands_and_flags(self):
        for words, parts in (
                (["duel", "random", "greedy", "--seed", "-1"], ["-1"]),
                (["plays", "4HPwATDgc/ABM", "3", "1"], ["4HPwATDgc/ABM"]),
                (["plays", "4HPwATDgc/ABMA", "7", "1"], ["7"]),
                (["plays", "--board", "nonsense"], ["nonsense"]),
                (["rules", "tapp"], ["there is no game 'tapp' (perhaps tapa?)"]),
                (["duel", "random", "greedy", "--results", "odl/r.db"], ["there is no folder odl; mend its name"]),
                (["kin", "none.db", "--ask", "greedy"], ["--ask asks bots, and none.db is a results database"]),
                (["keygen", "--join", "x", "--folder", "nope"], ["there is no folder nope"]),
                (["duel", "cmd=", "random"], ["cmd=: the value is missing"]),
                (["duel", "random", "greedy", "--judge", "bkg:error"], ["'error' has no value (perhaps errors?)"]),
                (["rollout", "4HPwATDgc/ABMA", "--bot", "greedy", "--cube", "on", "--rules", "cube=off"],
                 ["--cube on: the rules say cube=off"]),
                (["replay", self.write("cut.mat", CUT)], ["cut.mat: no finished game"])):
            with self.subTest(" ".join(words)):
                self.refused(*words, parts=parts)

    def test_a_program_that_is_no_bot_is_asked_about(self):
        self.assertIn("exit 0 before it said Hello, a bot's first message; docs/bot-guide.md",
                      self.must("duel", "random", "cmd=/bin/true", "--pairs", "1", status=3)[1])

    def test_an_event_whose_bots_do_not_start_leaves_no_results_lock_or_folder(self):
        self.write("event.yaml", "bots: [random, {name: gone, cmd: /bin/false}]\nlength: 1\npairs: 1\n")
        os.mkdir(self.path("old"))
        for words in ((), ("--results", "r.db"), ("--results", "old/r.db")):
            self.refused("tournament", "event.yaml", *words, status=3, parts=["bot gone does not start"])
            self.assertEqual(os.listdir(self.path("old")), [])

    def test_results_are_looked_for_where_a_duel_puts_them(self):
        self.must("duel", "greedy", "random", "--pairs", "1", "--quiet")
        for name in ("greedy-vs-random.db", "greedy-vs-random"):
            for command in ("show", "verify"):
                self.refused(command, name, parts=["did you mean bgref-results/greedy-vs-random.db?"])
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
        records = "".join(text for text, in self.rows("select record from game"))
        ended = dict(self.rows("select ended, count(*) from game group by ended"))
        faults, = self.rows("select count(*) from fault")[0]
        matches, = self.rows("select count(*) from game where match_over")[0]
        self.assertEqual((faults, ended.get("fault", 0), matches), (0, 0, 16))
        for step in ("double", "take", "pass"):
            self.assertRegex(records, rf"(?m)^[01] {step}\b")
        self.assertRegex(records, r"(?m)^start .*crawford=on")
        self.assertRegex(records, r"(?m)^start .*post-crawford=on")


main()
