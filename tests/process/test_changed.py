"""Results record which program played them, and a command that is refused or fails changes nothing."""
import contextlib
import glob
import hashlib
import os
import re
import shlex
import shutil
import signal
import sqlite3

from harness import BIN, Case, kill, main, read

WORDS = ("--pairs", "3", "--seed", "1", "--results", "r.db", "--quiet")


class Changed(Case):
    """Programs that can be rebuilt: scripts that start a bundled bot."""

    def setUp(self):
        super().setUp()
        self.build("new", "random")
        self.build("old", "greedy")

    def build(self, name, bot, note=""):
        return self.script(name, f"#!/bin/sh\n# {note}\nexec '{self.bundled(bot)}'\n")

    def bundled(self, bot):
        return os.path.join(os.environ.get("BGREF_BOTS_DIR", os.path.join(BIN, "bots")), f"bgref-{bot}")

    def duel(self, *words, status=0, bots=("./new", "./old")):
        return self.must("duel", *bots, *WORDS, *words, status=status)

    def digest(self, name):
        return hashlib.blake2b(read(self.path(name)), digest_size=32).hexdigest()

    def tables(self, name):
        return {table: self.rows(f"select * from {table} order by 1, 2", name)
                for table in ("meta", "game", "unplayed", "fault")}

    def settings(self, name="r.db"):
        return {key: value for key, value in self.tables(name)["meta"]
                if not key.startswith(("run.", "credit."))}


class Programs(Changed):
    def test_a_rebuilt_program_is_reported_before_anything_starts(self):
        self.duel()
        before, was = self.tables("r.db"), self.digest("new")
        self.build("new", "random", "rebuilt")
        for words in ((), ("--pairs", "5")):
            out, talk = self.duel(*words, status=2)
            self.assertEqual(out, "")
            for part in ("new", was[:8], self.digest("new")[:8], "--accept-changed", "--fresh",
                         "--name"):
                self.assertIn(part, talk)
            self.assertEqual(len(re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", talk)), 2, talk)
            self.assertEqual(len(talk.splitlines()), 1, "one sentence")
            self.assertEqual(self.tables("r.db"), before)
        self.build("new", "random")
        self.duel("--pairs", "5")

    def test_options_arguments_and_clocks_count_like_the_program(self):
        bots = ("-engine", "name=new", "cmd=./new --fast", "-engine", "./old")
        self.duel(bots=bots)
        for old, new in (("--fast", "--slow"), ("--fast", "--fast 2")):
            other = tuple(word.replace(old, new) for word in bots)
            _, talk = self.duel(status=2, bots=other)
            for part in ("--fast", new, "--accept-changed", "--fresh"):
                self.assertIn(part, talk)
        self.duel(bots=bots)

    def test_files_behind_an_equals_sign_and_in_options_count(self):
        engine = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ubgi_engine.py")
        for file, bot in (("net", "name=new cmd='./new --weights=net'"), ("net", "name=new cmd='env NET=net ./new'"),
                          ("net", "name=new cmd=./new dir=. args=-w=./net"),
                          ("engine.py", "name=new bot=ubgi option.Engine='python3 ./engine.py --dialect 0.2'")):
            with self.subTest(bot):
                bots = ("-engine", *shlex.split(bot), "-engine", "./old")
                shutil.copy(engine, self.path("engine.py"))
                self.write("net", "1 2 3\n")
                self.duel("--fresh", bots=bots)
                self.duel(bots=bots)
                with open(self.path(file), "a", encoding="utf-8") as out:
                    out.write("# 4\n")
                self.assertIn("new changed since its last game: program ", self.duel("--pairs", "4", status=2, bots=bots)[1])

    def test_another_version_of_the_same_files_is_reported_before_the_first_game(self):
        folder = os.path.dirname(self.path("new"))
        self.write("new", f"#!/bin/sh\n. '{folder}/which'\n")
        self.write("which", f"exec '{self.bundled('random')}'\n")
        self.duel()
        before = self.tables("r.db")
        self.write("which", f"exec '{self.bundled('greedy')}'\n")
        _, talk = self.duel("--pairs", "5", status=2)
        self.assertRegex(talk, r"new changed since its last game: random \S+ then, greedy \S+ now")
        self.assertNotIn("to go on", talk)
        self.assertEqual(self.tables("r.db"), before)

    def test_a_moved_program_is_the_same_bot(self):
        os.mkdir(self.path("build-2"))
        self.write("weights", "1 2 3\n")
        for name in ("new", "weights"):
            os.link(self.path(name), self.path(os.path.join("build-2", name)))
        self.duel(bots=("-engine", "name=new", "cmd=./new ./weights", "-engine", "./old"))
        self.duel("--pairs", "4", bots=("-engine", "name=new", "cmd=build-2/new build-2/weights",
                                        "-engine", "./old"))

    def test_accepted_changes_are_marked_from_then_on(self):
        self.duel()
        was = self.digest("new")
        self.assertNotIn("changed", "".join(self.duel("--pairs", "4")))
        self.build("new", "greedy", "rebuilt")
        out, _ = self.duel("--pairs", "6", "--accept-changed")
        tables = {"duel": out, "again": self.duel("--pairs", "6")[0]}
        for words in (("show",), ("rate",), ("report", "--text"), ("report", "--html", "--out", "-")):
            tables[" ".join(words)] = self.must(words[0], "r.db", *words[1:])[0]
        for name, table in tables.items():
            with self.subTest(name):
                self.assertRegex(table.replace("\n", " "), r"new\W+(changed|is 2 programs)")
                self.assertIn(was[:8], table)
                self.assertIn(self.digest("new")[:8], table)
        row, other = (next(row for row in self.json("rate", "r.db")["standings"]
                           if row["bot"] == bot) for bot in ("new", "old"))
        self.assertEqual([program["program"] for program in row["programs"]], [was, self.digest("new")])
        self.assertEqual(len(other["programs"]), 1)

    def test_an_accepted_change_is_valid_only_for_this_program(self):
        self.duel()
        self.build("new", "random", "second")
        self.duel("--accept-changed", "--pairs", "4")
        self.build("new", "random", "third")
        self.assertIn(self.digest("new")[:8], self.duel("--pairs", "4", status=2)[1])

    def test_with_revisions_same_each_change_is_taken_up_to_64_programs(self):
        self.duel("--revisions", "same")
        was = self.digest("new")
        self.build("new", "random", "second")
        out, _ = self.duel("--revisions", "same", "--pairs", "4")
        self.assertRegex(out.replace("\n", " "), r"new changed during the event, which was accepted; its\s+figures\s+mix\s+2\s+programs")
        self.must("verify", "r.db")
        with contextlib.closing(sqlite3.connect(self.path("r.db"))) as database:
            (lines,), = database.execute("select value from meta where key = 'program.new'").fetchall()
            self.assertEqual([line.split("|")[0] for line in lines.splitlines()], [was, self.digest("new")])
            database.execute("update meta set value = ? where key = 'program.new'", ((lines.splitlines()[0] + "\n") * 62 + lines,))
            database.commit()
        self.build("new", "random", "third")
        self.assertIn("new changed since its last game", self.duel("--revisions", "same", "--pairs", "5", status=2)[1])

    def test_the_table_of_a_decided_test_marks_them_and_the_command_to_go_on_accepts_nothing(self):
        test = ("-sprt", "ppg0=0", "ppg1=0.1", "min_clusters=3")
        self.duel(*test)
        self.build("new", "random", "rebuilt")
        out, talk = self.must("duel", "./new", "./old", *WORDS[:-1], *test, "--pairs", "200", "--accept-changed")
        self.assertIn("was accepted after", out)
        self.assertRegex(out.replace("\n", " "), r"new\W+(changed|is 2 programs)")
        self.assertRegex(talk, r"(?m)^command: bgref duel \./new")
        self.assertNotRegex(talk, r"(?m)^command: .*accept-changed")

    def test_fresh_starts_a_new_event_and_keeps_the_old_results(self):
        self.duel()
        old = self.tables("r.db")
        self.build("new", "greedy", "rebuilt")
        _, talk = self.duel("--fresh")
        kept, = glob.glob(self.path("r.2*.db"))
        self.assertIn(os.path.basename(kept), talk)
        self.assertEqual(self.tables(os.path.basename(kept)), old)
        self.must("verify", kept)
        self.must("duel", "./new", "./old", *WORDS[:-3], "--results", "other.db", "--quiet")
        self.assertEqual(self.canonical("r.db"), self.canonical("other.db"))
        self.assertNotIn("is 2 programs", self.must("show", "r.db")[0])

    def test_fresh_keeps_the_key_of_an_unfinished_event(self):
        words = ("--length", "5", "--results", "r.db", "--quiet")
        run = self.begin("duel", "./new", "./old", "--pairs", "100000", *words)
        self.wait_until(lambda: os.path.exists(self.path("r.db")) and self.rows_or_none(), "games")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.must("duel", "./new", "./old", "--pairs", "1", "--fresh", *words)
        kept, = glob.glob(self.path("r.2*.db"))
        self.assertTrue(os.path.exists(kept + ".key"))
        games = self.tables(os.path.basename(kept))["game"]
        most = max(row[2] for row in games) + 1
        self.must("duel", "./new", "./old", "--pairs", str(most), *words[:2], "--results", kept, "--quiet")

    def rows_or_none(self):
        try:
            return self.tables("r.db")["game"]
        except sqlite3.OperationalError:
            return None


class Failed(Changed):
    """A refused command, or a bot that does not start, changes nothing in settings, key and root."""

    def setUp(self):
        super().setUp()
        self.write("event.yaml", self.event())
        self.write("more.yaml", self.event(", {name: third, cmd: python3 nowhere.py}"))
        self.write("long.yaml", self.event().replace("pairs: 2", "pairs: 1000000"))

    @staticmethod
    def event(more=""):
        return f"event: e\nbots: [random, greedy{more}]\nlength: 1\npairs: 2\n"

    def play(self, event="event.yaml", *words, status=0):
        return self.must("tournament", event, "--results", "r.db", "--quiet", *words, status=status)

    def test_a_first_start_that_fails_leaves_no_results(self):
        self.script("broken", "#!/bin/sh\nexit 3\n")
        for status, words in ((3, ("./broken", "./old")), (3, ("./broken", "./old", "--fresh")),
                              (2, ("./new", "./old", "--commit"))):
            with self.subTest(words):
                self.must("duel", *words, "--pairs", "3", "--results", "r.db", "--quiet", status=status)
                self.assertEqual(glob.glob(self.path("r.db")) + glob.glob(self.path("r.db[.-][!l]*")), [])
        self.duel("--length", "3")
        self.must("verify", "r.db")

    def test_a_new_bot_that_does_not_start(self):
        first = self.play()[0]
        before = self.settings()
        self.play("more.yaml", status=3)
        self.assertEqual(self.settings(), before, "settings, published key and root stay")
        self.assertFalse(os.path.exists(self.path("r.db.key")))
        self.assertIn("event complete", self.must("show", "r.db")[0])
        self.must("verify", "r.db")
        self.assertEqual(self.play()[0], first)

    def test_a_refused_setting_leaves_earlier_settings_unchanged(self):
        self.play()
        before = self.settings()
        self.play("event.yaml", "--pairs", "9", "--length", "3", status=2)
        self.play("event.yaml", "--pairs", "9", "--margin", "3ms", "--seed", "5", status=2)
        self.assertEqual(self.settings(), before)
        self.play()

    def test_pairs_may_be_reduced_to_the_number_played(self):
        self.play()
        run = self.begin("tournament", "long.yaml", "--results", "r.db", "--quiet")
        self.addCleanup(kill, run)
        self.wait_until(lambda: len(self.tables("r.db")["game"]) > 8, "more games")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        pairs = max(row[2] for row in self.tables("r.db")["game"]) + 1
        self.assertIn(f"pairs={pairs}", self.play("event.yaml", "--pairs", str(pairs - 1), status=2)[1])
        self.play("event.yaml", "--pairs", str(pairs))
        self.assertIn(f"{2 * pairs} of {2 * pairs}", self.must("show", "r.db")[0])
        self.must("verify", "r.db")

    def test_settings_may_change_while_no_game_is_played(self):
        slow = self.write("slow.py", "import time\ntime.sleep(60)\n")
        self.write("more.yaml", self.event(f", {{name: third, cmd: python3 {slow}}}"))
        self.play()
        run = self.begin("tournament", "more.yaml", "--results", "r.db", "--quiet")
        self.addCleanup(kill, run)
        self.wait_until(lambda: self.descendants(), "the bots to be started")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.play()
        self.must("verify", "r.db")

    def test_fresh_that_does_not_start_leaves_the_old_results(self):
        self.play()
        before = self.settings()
        self.play("more.yaml", "--fresh", status=3)
        self.assertEqual(self.settings(), before)
        self.assertEqual(glob.glob(self.path("r.2*")), [])
        self.play()


main()
