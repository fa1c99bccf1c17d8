"""The first experiences of a bot author: a crash that can be repaired from the printed messages, a bot asked
about one position, options by name, and mistakes reported with their remedy."""
import json
import os
import re
import shlex

from harness import BIN, ROGUE, Case, main

CRASHING = """#!/usr/bin/python3
import sys
sys.path.insert(0, {python!r})
import bgref_bot
asked = 0
honest = bgref_bot.best_index
def best_index(ask):
    global asked
    asked += 1
    if asked > {after}:
        return {{}}["the move"]
    return honest(ask)
bgref_bot.best_index = best_index
bgref_bot.main()
"""


class AuthorCase(Case):
    def script(self, name, text):
        path = self.path(name)
        with open(path, "wb") as out:
            out.write(text.encode())
        os.chmod(path, 0o755)
        return "./" + name

    def crashing(self, after):
        return self.script("mybot.py", CRASHING.format(
            python=os.path.join(BIN, "bots", "python"), after=after))

    def refused(self, *words, status=2):
        """The message of a run that fails; the folder must be unchanged."""
        before = set(os.listdir(self.folder))
        done = self.run_bgref(*words)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        self.assertEqual(set(os.listdir(self.folder)), before, "something was left behind")
        return done.stderr


class Crashes(AuthorCase):
    def assert_traceback(self, text):
        for part in ("Traceback (most recent call last):", 'mybot.py", line 11, in best_index',
                     "KeyError: 'the move'"):
            self.assertIn(part, text)
        self.assertIn("exit 1", text)

    def test_check_shows_the_traceback(self):
        self.assert_traceback(self.must("check", self.crashing(0), "--level", "0", status=1)[0])

    def test_duel_and_faults_show_the_traceback(self):
        out, talk = self.must("duel", self.crashing(20), "random", "--pairs", "1", "--seed", "1",
                              "--results", "r.db", "--quiet")
        self.assertIn("crash", out)
        self.assert_traceback(talk)
        self.assertIn("bgref faults r.db mybot.py", talk)
        self.assert_traceback(self.must("faults", "r.db", "mybot.py")[0])

    def test_what_a_bot_prints_is_in_its_log(self):
        """Python writes its output at its end, behind the traceback: that still ends the message."""
        bot = self.crashing(20)
        lines = self.text(bot)
        self.script(bot, lines.replace("    asked += 1\n", "    asked += 1; print('thinking of', asked)\n"))
        talk = self.must("duel", "-engine", f"cmd={bot}", "stderr=said.log", "-engine", "bot=random", "--pairs", "1",
                         "--seed", "1", "--results", "r.db", "--quiet")[1]
        self.assert_traceback(talk)
        self.assertIn("thinking of 1\nthinking of 2\n", self.text("said.log"))

    def test_a_slowly_ending_bot_shows_its_traceback(self):
        """It closes its connection first, then writes its message, then ends: on a busy machine this takes
        seconds."""
        bot = self.crashing(20)
        lines = self.text(bot)
        self.script(bot, lines.replace("bgref_bot.main()\n", "try:\n    bgref_bot.main()\nfinally:\n"
                                       "    import time; time.sleep(2)\n"))
        talk = self.must("duel", bot, "random", "--pairs", "1", "--seed", "1", "--results", "r.db", "--quiet")[1]
        self.assert_traceback(talk)

    def test_a_long_traceback_keeps_its_end(self):
        bot = self.script("mybot.py", "#!/usr/bin/python3\ndef f(n):\n    if n == 0:\n        raise ValueError('deep')\n"
                                      "    f(n - 1) if n % 2 else (\n        f(n - 1))\nf(60)\n")
        talk = self.must("duel", bot, "random", "--pairs", "1", status=3)[1]
        self.assertIn("line 4, in f", talk)
        self.assertIn("Traceback (most recent call last):", talk)
        self.assertIn("ValueError: deep", talk)
        self.assertLess(len(talk.splitlines()), 40)

    def test_a_bot_that_does_not_start_shows_its_traceback(self):
        bot = self.script("mybot.py", "#!/usr/bin/python3\n" + "\n" * 8 +
                          "def best_index(ask):\n    return {}['the move']\nbest_index(0)\n")
        talk = self.must("duel", bot, "random", "--pairs", "1", status=3)[1]
        self.assert_traceback(talk)

    def test_a_signal_is_named(self):
        self.assertIn("SIGSEGV", self.must("check", "--level", "0", "--", ROGUE, "segfault",
                                           status=1)[0])
        talk = self.must("duel", "-engine", f"cmd={ROGUE} segfault", "-engine", "name=random",
                         "--pairs", "1", "--results", "r.db")[1]
        self.assertIn("SIGSEGV", talk)

    def test_all_of_standard_error_is_kept_in_a_file(self):
        bot = self.script("chatty", f"#!/bin/sh\nseq 30000 >&2\nexec {ROGUE} plain\n")
        self.must("duel", "-engine", f"cmd={bot}", "stderr=kept.txt", "-engine", "name=random",
                  "--pairs", "1", "--instances", "1", "--results", "r.db")
        self.assertEqual(self.text("kept.txt").split()[:30000], [str(i) for i in range(1, 30001)])
        self.write("e.yaml", f"bots:\n  - random\n  - {{name: x, cmd: '{bot}', stderr: again.txt}}\n"
                   "pairs: 1\nlength: 1\ninstances: 1\n")
        self.must("tournament", "e.yaml")
        self.assertGreater(os.path.getsize(self.path("again.txt")), 100000)
        self.assertIn("there is no folder /nowhere", self.must(
            "duel", "-engine", f"cmd={bot}", "stderr=/nowhere/x", "-engine", "name=random",
            "--pairs", "1", status=2)[1])

    def test_missing_modules_are_named_with_the_remedy(self):
        for module, remedy in (("zmq", "python3-zmq"), ("google.protobuf", "python3-protobuf"),
                               ("bgref_pb2", "protoc --python_out")):
            with self.subTest(module):
                bot = self.script("bot.py", "#!/bin/sh\n" 'echo "Traceback (most recent call last):'
                                  f"\nModuleNotFoundError: No module named '{module}'\" >&2\nexit 1\n")
                self.assertIn(remedy, self.must("duel", bot, "random", status=3)[1])
                self.assertIn(remedy, self.must("check", bot, "--level", "0", status=1)[0])

    def test_unusable_first_lines_of_scripts_are_explained(self):
        for line, expected in (("#!/usr/bin/nonsuch\n", "names '/usr/bin/nonsuch', which is not installed"),
                           ("#!/usr/bin/env nonsuch\n", "names 'nonsuch', which is not installed"),
                           ("#!/usr/bin/env python3\r\nprint(1)\r\n", "carriage return")):
            with self.subTest(line):
                bot = self.script("bot", line)
                self.assertIn(expected, self.must("duel", bot, "random", status=3)[1])
                self.assertIn(expected, self.must("check", bot, "--level", "0", status=1)[0])
        self.script("bot", "#!/usr/bin/env -S python3 -u\nraise SystemExit('ran')\n")
        self.assertIn("ran", self.must("duel", "./bot", "random", status=3)[1])


class Ask(AuthorCase):
    START = "4HPwATDgc/ABMA"
    XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:"

    def test_one_bot_before_one_position(self):
        for words, said in (
                ((self.START, "--dice", "31"), ("asked     play 31", "answered  moves 8/5 6/5",
                                                "legal     yes", "play      8/5 6/5",
                                                "compare   bgref rollout --bot td '4HPwATDgc/ABMA' --dice 31 ")),
                ((self.XGID + "31:0:0:0:0:10",), ("asked     play 31", "play      8/5 6/5")),
                ((self.XGID + "00:0:0:0:0:10",), ("asked     double or roll", "answered  roll", " --cube on ")),
                ((self.XGID + "00:0:0:0:0:10", "--dice", "13"), ("asked     play 31",)),
                ((self.XGID + "D:0:0:0:0:10",), ("asked     take or pass", "answered  take")),
                ((self.XGID + "21:3:2:0:5:10",), ("5 point match", "asked     play 21")),
                ((self.XGID + "00:0:0:0:0:10", "--then", "resign 2"),
                 ("asked     answer an offer to resign", "answered  refuse", "legal     yes")),
                ((self.XGID + "00:0:0:0:0:10", "--rules", "beavers=on", "--then", "double, raise"),
                 ("asked     answer a raise", "legal     yes")),
                ((self.XGID + "31:0:0:0:0:10", "--rules", "cube=off"), ("asked     play 31",)),
                ((self.XGID + "00:0:0:0:0:10", "--variant", "nackgammon"),
                 ("asked     double or roll",))):
            with self.subTest(words):
                out, _ = self.must("ask", "greedy", *words)
                for part in said:
                    self.assertIn(part, out)
        self.assertRegex(self.must("ask", "python", self.START, "--dice", "31")[0], r"index \d+.*\nthinks    wins \d+")
        self.assertIn("option", self.must("ask", "greedy", "option.Stile=bold", self.START, "--dice",
                                          "31", status=3)[1])
        self.assert_nothing_lives()

    def test_other_games(self):
        self.must("duel", "-engine", f"cmd={ROGUE} wrong-die --after 1", "-engine", "name=random",
                  "--variant", "plakoto", "--pairs", "1", "--results", "p.db")
        self.assert_faults_are_seen_again("p.db", "--variant plakoto")

    def assert_faults_are_seen_again(self, results, part):
        lines = self.must("faults", results, "--json")[0].splitlines()
        self.assertGreater(len(lines), 0)
        for line in lines:
            fault = json.loads(line)
            self.assertTrue(fault["again"].startswith("bgref ask "), fault)
            self.assertTrue(fault["rules_say"].startswith("bgref plays "), fault)
            self.assertIn(part, fault["again"])
            out, _ = self.must(*shlex.split(fault["again"])[1:], status=1)
            self.assertIn(f"legal     no: {fault['rule']} ", out)
            self.assertIn("answered  " + fault["reply"], out)

    def test_a_fault_can_be_repeated_with_its_bot(self):
        self.must("duel", "-engine", f"cmd={ROGUE} wrong-die --after 1", "-engine", "name=greedy", "--pairs", "2",
                  "--results", "r.db")
        self.assert_faults_are_seen_again("r.db", "--game ")
        self.assertNotIn("bgref ask", self.must("report", "r.db", "--json")[0])

    def test_a_crash_before_the_position(self):
        out, _ = self.must("ask", self.crashing(0), self.START, "--dice", "31", status=1)
        self.assertIn("fault     crash: the process ended: exit 1", out)
        self.assertIn('mybot.py", line 11, in best_index', out)

    def test_misuse(self):
        for words, expected in (((), "a bot and a position"), (("greedy",), "a bot and a position"),
                            (("greedy", "4HPwATDgc/ABM!"), "4HPwATDgc/ABM!"),
                            (("greedy", self.START, "--dice", "77"), "77"),
                            (("gredy", self.START), "perhaps greedy?"),
                            (("greedy", self.XGID + "D:0:0:0:0:10", "--dice", "31"), "a double waits"),
                            (("greedy", "--variant", "plakotto", self.START), "plako"),
                            (("greedy", "--variant", "plakoto", self.START), "docs/rules.md N3"),
                            (("greedy", self.XGID + "00:0:0:0:0:10", "--rules", "cube=of"), "cube=of"),
                            (("greedy", self.XGID + "00:0:0:0:0:10", "--rules", "qube=off"),
                             "'qube=off' is unknown"),
                            (("greedy", self.XGID + "00:0:0:0:0:10", "--rules", "cube=off"),
                             "nothing to decide"),
                            (("greedy", self.XGID + "00:0:0:0:0:10", "--then", "raise"),
                             "raise is not possible here"),
                            (("greedy", self.XGID + "00:0:0:0:0:10", "--then", "sing"), "'sing'")):
            with self.subTest(words):
                self.assertIn(expected, self.refused("ask", *words))


class Options(AuthorCase):
    def test_options_are_listed(self):
        out, _ = self.must("bots", "greedy")
        self.assertIn("offers     Style (normal|bold, default normal): how much it risks", out)
        self.assertIn("no options", self.must("bots", "python")[0])
        out, _ = self.must("bots", self.script("broken", "#!/bin/sh\necho out of order >&2\nexit 4\n"))
        self.assertIn("does not start: the process ended: exit 4", out)
        self.assertIn("out of order", out)
        self.assert_nothing_lives()

    def test_a_misspelt_option_is_refused_with_the_nearest(self):
        for words, expected in ((("greedy", "option.Styl=bold"), "(perhaps Style?); it has Style"),
                            (("python", "option.Ply=2"), "it has no options")):
            with self.subTest(words):
                self.assertIn(expected, self.must("check", *words, "--level", "0", status=1)[0])
                self.assertIn(expected, self.must("duel", "-engine", *words, "-engine", "name=random",
                                              status=3)[1])


class Words(AuthorCase):
    def test_words_of_chess_harnesses(self):
        for word, expected in (("tc=40/60+0.6", "use tc=60+0.6"), ("restart=off", "--quarantine 1"),
                           ("proto=uci", "bot=ubgi"), ("depth=3", "option.NAME=3"),
                           ("st=soon", "like 0.5"), ("tc=1:2:3", "time+increment")):
            with self.subTest(word):
                self.assertIn(expected, self.refused("duel", "-engine", "name=greedy", word, "-engine",
                                                 "name=random"))
        for number, (word, clock) in enumerate((("tc=1:30+0.5", "bank=90s,inc=500ms"),
                                                ("st=0.25", "move=250ms"), ("tc=60", "bank=60s"))):
            with self.subTest(word):
                _, told = self.must("duel", "-engine", "name=greedy", word, "restart=on", "-engine",
                                    "name=random", "--pairs", "1", "--results", f"{number}.db")
                self.assertEqual(told.count("restart=on is not needed"), 1)
                record = self.must("export", f"{number}.db", "--records")[0]
                self.assertIn(clock, record)
        for count in ("0", "-1"):
            self.must("duel", "greedy", "random", "--pairs", "1", "-concurrency", count, "--results",
                      "c.db")


class Mistakes(AuthorCase):
    def test_foreign_files_are_refused_and_unchanged(self):
        def database(name, *words):
            self.change(name, *words)
            return name
        self.write("text", "not a database\n" * 20)
        self.write("short", "hi")
        os.mkdir(self.path("folder"))
        for name, expected in (
                ("text", "nor an SQLite database"), ("short", "nor an SQLite database"),
                ("folder", "a folder"), ("/dev/null", "not a plain file"),
                ("/etc/passwd", "nor an SQLite database"),
                (database("version.db", "create table t(x)", "pragma user_version = 7"),
                 "another program (application not said, user_version 7)"),
                (database("map.db", "create table t(x)", "pragma application_id = 0x47504B47"),
                 "another program (application GPKG, user_version 0)"),
                (database("plain.db", "create table t(x)"), "database of another program")):
            with self.subTest(name):
                before = os.path.exists(name + ".lock")
                stamp = os.stat(self.path(name)).st_mtime_ns
                for words in (("duel", "greedy", "random", "--pairs", "1", "--results"), ("rate",)):
                    self.assertIn(expected, self.refused(*words, name))
                self.assertEqual(os.path.exists(name + ".lock"), before)
                self.assertEqual(os.stat(self.path(name)).st_mtime_ns, stamp)

    def test_a_pipe_beside_results_is_refused_and_not_waited_for(self):
        self.must("duel", "greedy", "random", "--games", "2", "--results", "r.db")
        for end in ("-journal", "-wal", "-shm"):
            os.mkfifo(self.path("r.db" + end))
            for words in (("show", "r.db"), ("duel", "greedy", "random", "--games", "2", "--results", "r.db")):
                with self.subTest(end, words=words):
                    self.assertIn(f"results r.db: r.db{end} is not a plain file; remove it", self.refused(*words))
            os.remove(self.path("r.db" + end))


class Help(AuthorCase):
    def commands(self):
        return re.findall(r"^  ([a-z][a-z-]*) +(.*)$", self.must("--help")[0], flags=re.M)

    def test_entries_are_whole_at_80_columns(self):
        for name, _ in self.commands():
            with self.subTest(name):
                out, _ = self.must(name, "--help")
                self.assertNotIn("default )", out)
                for line in out.splitlines():
                    self.assertLessEqual(len(line), 80)
                    # an entry begins at its column, its text continues at one other column
                    self.assertNotRegex(line, r"^ {30,}\S", name)

    def test_mistakes_of_new_users_name_the_command_the_place_and_the_remedy(self):
        os.mkdir(self.path("folder"))
        self.write("text.txt", "hello\n")
        self.write("mybot", "#!/bin/sh\nexit 3\n")
        os.mkfifo(self.path("fifo"))
        self.must("keygen", "--join", "join")
        for name, text in (("judge.yaml", "bots: [random, greedy]\njudge: xg\n"), ("one.yaml", "bots: [random]\n"), ("list.yaml", "- a\n"),
                           ("empty.yaml", ""), ("empty.db", "")):
            self.write(name, text)
        for words, message in (
                (("duel", "random"), "a duel needs two bots"),
                (("duel", "random", "folder"), "'folder' here is a folder: name the program in it"),
                (("duel", "random", "./folder"), "program ./folder: a folder; name the program in it"),
                (("duel", "random", "mybot"), "'mybot' here is a file: './mybot' names it"),
                (("duel", "random", "./mybot"), "chmod +x"),
                (("duel", "random", "./nowhere"), "program ./nowhere: No such file"),
                (("duel", "random", "greedy", "--length", "1.5"), "--length: '1.5' is not a whole number"),
                (("duel", "random", "greedy", "--variant", "plakotto"), "perhaps plakoto"),
                (("duel", "random", "greedy", "--seed", "1", "--commit"), "remove one of the two"),
                (("duel", "random", "greedy", "third"), "one bot too many"),
                (("duel", "random", "greedy", "--judge", "human"), "judge human: it does not value positions"),
                (("judge", "nowhere.db", "--judge", "xg"), "no bot is called 'xg'"),
                (("duel", "random", "greedy", "--judge", "gnubg:depth=3"), "'depth'"),
                (("tournament", "judge.yaml"), "judge.yaml:2: judge: no bot is called 'xg'"),
                (("judge", "nowhere.db", "--judge", "first:errors"), "judge first: it does not value positions"),
                (("met", "--score", "200-1"), "1 to 128 each"),
                (("ask", "greedy", "4HPwATDgc/ABMA", "--dice", "31", "--state", "length=5 score=1-1,length=7"),
                 "state: length is given twice"),
                (("verify", "text.txt"), "neither exported records"),
                (("tournament",), "like 'bgref tournament EVENT.yaml'"),
                (("tournament", "one.yaml"), "an event needs at least two"),
                (("tournament", "list.yaml"), "an event file is a map of keys"),
                (("tournament", "empty.yaml"), "an event file is a map of keys"),
                (("ask", "greedy", "4HPwATDgc/ABMA", "--dice", "77"), "dice '77': expected a roll like 63"),
                (("show", "empty.db"), "empty.db: an empty database"),
                (("judge", "empty.db"), "empty.db: an empty database"),
                (("tournament", "folder"), "folder: a folder; name a file in it"),
                (("rate",), "needs either a results database"),
                (("rate", "folder"), "folder: a folder; name a file"),
                (("rate", "text.txt"), "text.txt: not a results database"),
                (("verify", "folder"), "bgref verify: folder: a folder; name a file"),
                (("duel", "random", "greedy", "--results", "text.txt/r.db"), "text.txt is a file, not a folder"),
                (("export", "nowhere.db"), "what to export is missing: --format mat"),
                (("import", "text.txt"), "like 'bgref import MATCH.mat"),
                (("import", "text.txt", "-r", "r.db"), "text.txt:1: not a .mat file"),
                (("import", "text.txt", "-r", "text.txt"), "text.txt: not a results database"),
                (("import", "text.txt", "-r", "folder"), "folder: a folder; name a file"),
                (("replay", "folder"), "folder: a folder; name a file in it"),
                (("plays", "4HPwATDgc/ABMA"), "give them as D1 D2"),
                (("plays",), "like 'bgref plays 4HPwATDgc/ABMA 3 1'"),
                (("check", "./nowhere"), "program ./nowhere: No such file"),
                (("bots", "gredy"), "perhaps greedy?"),
                (("serve", "gredy"), "perhaps greedy?"),
                (("duel", "random", "greedy", "games=10"), "'games=10': a flag begins with two dashes: --games=10"),
                (("duel", "greedy", "option.Style=bold", "random"), "-engine BOT option.Style=bold"),
                (("duel", "greedy:Style=bold", "random"), "'greedy:Style=bold': unknown key"),
                (("duel", "random", "greedy", "--cube-limit", "3"), "--cube-limit 3: expected a power of 2"),
                (("duel", "random", "greedy", "--open-files", "5"), "--open-files: '5' is not a whole number from 16 to"),
                (("duel", "random", "greedy", "--csvout", "none/x.csv"), "--csvout: write none/x.csv: there is no folder"),
                (("duel", "random", "greedy", "--metrics", "none/m"), "metrics: write none/m: there is no folder none"),
                (("duel", "random", "greedy", "--metrics", "fifo"), "metrics: fifo is a pipe"),
                (("check", "greedy", "random"), "'greedy' and 'random' are two bots; one is expected here"),
                (("check", "greedy", "Style=bold"), "written option.Style=bold"),
                (("check", "greedy", "--level", "0", "--json", "none/x"), "write none/x: there is no folder none"),
                (("check", "--", "./nowhere"), "program ./nowhere: No such file"),
                (("check", "greedy", "--out", "c", "--key", "join.key"), "join.key: a key for another use"),
                (("new-bot", "b" * 100, "--lang", "c"), "bbb...' is not a valid bot name"),
                (("import", "text.txt", "-r", "none/r.db"), "there is no folder none"),
                (("plan", "--ppg", "0.1", "--length", "7"), "--length needs --elo"),
                (("rate", "--anchor-rating", "1e99", "r.db"), "needs a number from -1000000"),
                (("dice", "a", "b", "0", "0", "0", "open", "0", "--seed", "1", "--nonces", "a", "b"), "two digits each"),
                (("ask", "greedy", "4HPwATDgc/ABMA", "--rules", "jacoby=on cube=of"), "rules: 'cube=of' has no value"),
                (("ask", "greedy", "4HPwATDgc/ABMA", "--state", "score=1-2"), "a score is of a match: add length="),
                (("plays", "--board", "cInqAAAAAAAE"), "is a Match ID, which holds no board"),
                (("plays", "--board", "11jz:66:N0N:52:W:IW:0:0:7:0"), "OGID: ")):
            with self.subTest(words):
                done = self.run_bgref(*words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertTrue(done.stderr.startswith(f"bgref {words[0]}: "), done.stderr)
                self.assertIn(message, " ".join(done.stderr.split()))

    def test_a_pipe_without_a_reader_is_refused_and_not_waited_for(self):
        os.mkfifo(self.path("fifo"))
        self.must("duel", "random", "greedy", "--games", "2", "--results", "r.db")
        for words in (("report", "r.db", "-o", "fifo"), ("export", "r.db", "-f", "csv", "-o", "fifo"),
                      ("check", "random", "--level", "0", "--json", "fifo")):
            with self.subTest(words):
                self.assertIn("write fifo: nobody reads it; start its reader first",
                              self.must(*words, status=5)[1])

    def test_the_anchor_is_a_bot_of_these_results_and_rates_matches(self):
        self.must("duel", "random", "greedy", "--games", "2", "--results", "r.db")
        self.assertIn("--anchor gredy: no such bot in these results (perhaps greedy?)",
                      self.must("rate", "r.db", "--anchor", "gredy", status=2)[1])
        self.assertIn("--anchor-rating: ratings of money games are points per game",
                      self.must("rate", "r.db", "--anchor-rating", "1800", status=2)[1])


class Counts(AuthorCase):
    SEVERAL = (r"(?<![.,\d])1 (games|matches|files|turns|steps|rolls|points|faults|decisions|clusters|sessions|"
               r"bots|pairs|processes)\b(?!/s)")  # 3.1 games/s is allowed

    def one_is_singular(self, *words, status=0):
        out, talk = self.must(*words, status=status)
        self.assertNotRegex(out + talk, self.SEVERAL, words)
        return out + talk

    def test_one_is_singular(self):
        self.one_is_singular("duel", "first", "random", "--pairs", "1", "--duplicate=off", "--length", "1",
                             "--results", "r.db", "--csvout", "g.csv")
        self.assertIn("1 game judged", self.one_is_singular("judge", "r.db", "--judge",
                                                            "greedy").replace("1 of 1", "1"))
        for words in (("rate", "r.db"), ("rate", "--adjusted", "r.db"), ("verify", "r.db"),
                      ("export", "r.db", "-fmat", "-o", "out"), ("report", "r.db", "--text"),
                      ("show", "r.db"), ("faults", "r.db"), ("import", "out", "--results", "i.db"),
                      ("report", "i.db", "--text"), ("show", "i.db"), ("verify", "i.db")):
            self.one_is_singular(*words)
        self.assertIn("Progress: 1 of 1 (100.0 %) match, 1 game finished", self.must("show", "r.db")[0])

    def test_one_turn_and_one_step_are_singular(self):
        self.write("drop.mat", " 1 point match\n\n Game 1\n a : 0                          b : 0\n"
                   "  1) 31: 8/5 6/5                 \n"
                   "                                  Wins 1 point\n")
        self.one_is_singular("replay", "drop.mat")
        self.one_is_singular("import", "drop.mat", "--results", "i.db")
        for words in (("show", "i.db"), ("report", "i.db", "--text"), ("verify", "i.db")):
            self.one_is_singular(*words)


main()
