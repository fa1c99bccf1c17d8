"""Files of games at the end of a run: -matout, -sgfout, -jsonout, -csvout."""
import csv
import json
import os
import signal
import stat

from harness import BGREF, Case, main, read


class Outputs(Case):
    def duel(self, *words):
        return ("duel", "greedy", "random", "--results", "a.db", "--seed", "4", "--quiet", *words)

    def exported(self, form, *words):
        self.must("export", "a.db", "--format", form, "--output", "x." + form, *words)
        return read(self.path("x." + form))

    def test_the_files_equal_the_output_of_export(self):
        said = self.must(*self.duel("--pairs", "3", "-matout", "o.mat", "-sgfout", "o.sgf", "-jsonout",
                                    "o.json", "--csvout=o.csv"))[1]
        for form in ("mat", "sgf", "json", "csv"):
            self.assertEqual(read(self.path("o." + form)), self.exported(form), form)
            self.assertIn(f"{form}out: 6 games in o.{form}\n", said)
        with open(self.path("o.csv"), encoding="utf-8") as rows:
            self.assertEqual(len(list(csv.reader(rows))), 7)
        # Not settings: the same results continue with other outputs, which contain all games again.
        self.must(*self.duel("--pairs", "5", "-jsonout", "o.jsonl"))
        lines = read(self.path("o.jsonl")).splitlines()
        self.assertEqual(len(lines), 10)
        self.assertTrue(all("steps" in json.loads(line) for line in lines))

    def test_matches_go_into_a_folder(self):
        self.must(*self.duel("--pairs", "2", "--length", "3", "-matout", "matches"))
        self.assertEqual(sorted(os.listdir(self.path("matches"))),
                         [f"greedy,random,{pair},{leg}.mat" for pair in (0, 1) for leg in (0, 1)])
        error = self.must(*self.duel("--length", "3", "-sgfout", "o.sgf"), status=2)[1]
        self.assertIn("--sgfout: o.sgf: ", error)
        self.assertIn("folder", error)

    def test_an_interrupted_run_writes_what_is_played(self):
        running = self.begin(*self.duel("--pairs", "1000000", "-csvout", "o.csv"))
        self.wait_until(lambda: os.path.exists(self.path("a.db")) and self.run_bgref(
            "export", "a.db", "--format", "csv").stdout.count("\n") > 3, "some games")
        running.send_signal(signal.SIGINT)
        self.assertIn("csvout: ", running.communicate()[1])
        self.assertEqual(running.returncode, 130)
        self.assertEqual(read(self.path("o.csv")), self.exported("csv"))

    def test_an_unwritable_file_is_refused_before_play(self):
        error = self.must(*self.duel("--pairs", "1", "-csvout", "no/such/o.csv", "-jsonout", "o.json"),
                          status=2)[1]
        self.assertIn("--csvout: ", error)
        self.assertEqual(self.kept(), {})
        self.must(*self.duel("--pairs", "1"))
        self.must(*self.duel("--pairs", "2", "-csvout", "o.csv", "--clock", "move=1s"), status=2)
        self.assertFalse(os.path.exists(self.path("o.csv")))

    def test_a_folder_that_may_not_be_written_is_refused_before_play(self):
        os.mkdir(self.path("shut"), 0o555)
        os.chmod(self.folder, 0o777)
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        done = self.run_bgref(*self.duel("--pairs", "1", "-csvout", "shut/o.csv"), **user)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("--csvout: write shut/o.csv: Permission denied; shut is not yours to write", done.stderr)
        self.assertEqual(os.listdir(self.folder), ["shut"])
        done = self.run_bgref("duel", "greedy", "random", "--pairs", "1", "--results", self.path("r.db"), cwd=self.path("shut"), **user)
        self.assertEqual(done.returncode, 0, "nothing is written where it is started: " + done.stderr)

    def kept(self):
        """The folder's files by name and content; without locks and readers' files, which belong to nobody."""
        return {name: read(self.path(name)) for name in os.listdir(self.folder)
                if os.path.isfile(self.path(name)) and not name.endswith((".lock", "-wal", "-shm"))}

    def test_no_output_replaces_results(self):
        duel = ("duel", "greedy", "random", "--results", "a.db", "--quiet")  # a random key, which has a file
        running = self.begin(*duel, "--pairs", "1000000")
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        self.wait_until(lambda: os.path.exists(self.path("a.db.key")) and self.run_bgref(
            "export", "a.db", "--format", "csv").stdout.count("\n") > 3, "some games", 60)
        running.send_signal(signal.SIGINT)
        running.wait(60)
        os.symlink("a.db", self.path("link"))
        before = self.kept()
        for name in ("a.db", "./a.db", "link", "a.db.key", "a.db-wal", "a.db.lock"):
            for words in (("report", "a.db", "--html", "-o", name), ("export", "a.db", "--records", "-o", name),
                          ("export", "a.db", "--format", "csv", "-o", name),
                          ("check", "random", "--json", name),
                          (*duel, "--pairs", "1", "-jsonout", name), (*duel, "--pairs", "1", "--events", name),
                          ("duel", "-engine", "greedy", "-engine", "bot=random", "stderr=" + name, "--results",
                           "b.db", "--pairs", "1")):
                with self.subTest(words):
                    self.assertIn(name, self.must(*words, status=2)[1])
                    self.assertEqual(self.kept(), before)

    def test_devices_and_pipes_are_written_in_place(self):
        self.must(*self.duel("--pairs", "1"))
        os.mkfifo(self.path("pipe"))
        for words in (("--records",), ("--format", "csv")):
            with open(os.open(self.path("pipe"), os.O_RDONLY | os.O_NONBLOCK), encoding="utf-8") as reader:
                self.must("export", "a.db", *words, "-o", "pipe")
                self.assertEqual(reader.read(), self.must("export", "a.db", *words)[0])
            self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))


main()
