"""All commands refuse wrong input in the same form, and a refused command does nothing."""
import os
import re

from harness import Case, main

FILES = {"show": (), "rate": (), "kin": (),
         "judge": (), "report": (), "faults": (), "plan": (), "replay": (), "watch": (),
         "tournament": (), "export": ("--format", "csv"),
         "backup": ("copy.db",), "publish": ("pages",),
         "verify": (),
         "sign": ("--key", "x.key"), "join": ("random", "--key", "x.key"), "desk": ()}


class Shell(Case):
    def commands(self):
        return re.findall(r"^  ([a-z-]+) +\S", self.must("--help")[0], re.M)

    def refused(self, *words):
        """One line on standard error, nothing on standard output, status 2, no file."""
        out, talk = self.must(*words, status=2)
        self.assertEqual(out, "", words)
        self.assertRegex(talk, r"\Abgref " + re.escape(words[0]) + r": [^\n]+\n\Z", words)
        self.assertEqual(os.listdir(self.folder), self.before, words)
        return talk

    def setUp(self):
        super().setUp()
        self.before = os.listdir(self.folder)
        self.names = self.commands()
        self.assertGreater(len(self.names), 20)

    def test_an_unknown_flag_is_refused_by_name(self):
        for name in self.names:
            self.assertEqual(self.refused(name, "--nosuch"),
                             f"bgref {name}: there is no flag --nosuch; 'bgref {name} --help' lists them\n")
            self.assertIn(f"(perhaps --help?); 'bgref {name} --help'", self.refused(name, "--hepl"))

    def test_extra_and_missing_values(self):
        for name in self.names:
            self.assertIn(": --help takes no value; ", self.refused(name, "--help=3"))
        self.assertIn("--attempt needs a value: --attempt=N", self.refused("show", "--attempt"))
        self.assertIn("-f needs a value: -f FORMAT", self.refused("export", "r.db", "-f"))
        self.assertIn("there is no flag -Z; ", self.refused("export", "r.db", "-Z"))

    def test_missing_words(self):
        for name in self.names:
            if name not in ("bots", "doctor", "rules", "met"):
                self.assertIn(f"; see 'bgref {name} --help'\n", self.refused(name))

    def test_a_missing_file(self):
        for name in self.names:
            if re.search(r" RESULTS\.db\b", self.must(name, "--help")[0].split("\n", 1)[0]):
                self.assertIn(name, FILES, "takes a results database: give it a row of FILES")
        for name, more in FILES.items():
            talk = self.refused(name, "nowhere.db", *more)
            self.assertEqual(talk, f"bgref {name}: nowhere.db: No such file or directory\n")

    def test_help_with_one_letter_and_two_dashes(self):
        for name in self.names:
            long = self.must(name, "--help")
            self.assertEqual(self.must(name, "-h"), long)
            self.assertTrue(long[0].startswith(f"Usage: bgref {name}"), long[0][:80])

    def test_the_version_is_printed(self):
        for word in ("--version", "-version", "-V"):
            self.assertRegex(self.must(word)[0], r"\Abgref \d+\.\d+\.\d+\n\Z")

    def test_a_terminal_need_not_break_a_message_inside_a_word(self):
        for words in (("duel", "random", "nosuch"), ("report", "--sheet", "x.db", "--section", "x"), ("show",),
                      ("check", "./nowhere"), ("check", "--level", "0", "--start", "5s", "--", "true")):
            for columns in (40, 80):
                with self.subTest((words, columns)):
                    done = self.run_bgref(*words)
                    said = self.on_terminal(*words, columns=columns)[1].decode().replace("\r\n", "\n")
                    if words[-1] != "true":  # its certificate has another digest each time
                        self.assertEqual(said.split(), (done.stdout + done.stderr).split())
                    for line in said.splitlines():
                        if not line.startswith("certificate: "):
                            self.assertLessEqual(len(line), columns, said)

    def test_a_command_of_an_earlier_version_names_what_does_its_work(self):
        for name, instead in (("operate", "bgref join HOST.bgref --key FILE --seat"), ("register", "NAME.pub"), ("position", "bgref plays --board"),
                              ("reinstate", "bgref desk RESULTS reinstate BOT"), ("sheet", "bgref report RESULTS --sheet"),
                              ("ubgi", "bgref serve BOT"), ("set-aside", "bgref desk RESULTS replay 'pair=")):
            out, talk = self.must(name, status=2)
            self.assertEqual(out, "")
            self.assertRegex(talk, f"\\Abgref: the command '{name}' was taken away; now: .*{instead}")
        for words, why in ((("host", "none.yaml", "invite", "ann"), "the action 'invite' was taken away; now: 'bgref keygen --invite NAME'"),
                           (("host", "none.yaml", "backup"), "the action 'backup' was taken away; now: let a timer call"),
                           (("host", "none.yaml", "puase", "cup"), "there is no action 'puase' (perhaps pause?)"),
                           (("join", "h.bgref", "--key", "k", "--new-key", "n.pub"), "--new-key was taken away; now: send NEW.pub")):
            self.assertIn(why, self.must(*words, status=2)[1])

    def test_what_rows_of_options_say_of_each_other(self):
        for words, why in ((("report", "--sheet", "r.db", "--json", "--csv"), "choose one of --html, --text, --json, --csv and --latex"),
                           (("rate", "r.db", "--judge", "gnubg"), "--judge needs --adjusted"),
                           (("met", "--cube", "2"), "--cube needs --score"),
                           (("met", "7"), "'7': not expected here"),
                           (("plan", "--ppg", "0"), "--ppg '0': needs a number between 1e-06 and 1000"),
                           (("show", ""), "the results database is an empty word"),
                           (("verify", "r.db", "s.db"), "'s.db': one set of results is enough"),
                           (("import", "m.mat", "--results", "r.db", "--only", "both"),
                            "--only: 'both' is none of matches, money"),
                           (("rollout", "4HPwATDgc/ABMA", "--bot", "td", "--cube", "maybe"),
                            "--cube: 'maybe' is neither on"),
                           (("ask", "td", "4HPwATDgc/ABMA", "--limit", "soon"), "--limit soon: "),
                           (("keygen", "--sign", "a", "--join", "b"), "choose one of --sign, --join and --invite")):
            self.assertIn(why, self.refused(*words))

    def test_a_value_may_look_like_a_flag(self):
        self.assertIn("nowhere.db: No such file", self.refused("desk", "nowhere.db", "note", "--reason", "--why"))
        self.assertIn("--count: '-3' is not a whole number from 1 to 1000", self.refused("dice", "--count", "-3"))


if __name__ == "__main__":  # test_lost reads FILES
    main()
