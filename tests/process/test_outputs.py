"""Files of games at the end of a run: -matout, -sgfout, -jsonout, -csvout."""
import csv
import json
import os
import signal

from harness import Case, main, read


class Outputs(Case):
    def duel(self, *words):
        return ("duel", "greedy", "random", "--results", "a.db", "--seed", "4", "--quiet", *words)

    def exported(self, form, *words):
        self.must("export", "a.db", "--format", form, "--output", "x." + form, *words)
        return read(self.path("x." + form))

    def test_the_files_are_what_export_writes(self):
        said = self.must(*self.duel("--pairs", "3", "-matout", "o.mat", "-sgfout", "o.sgf", "-jsonout",
                                    "o.json", "--csvout=o.csv"))[1]
        for form in ("mat", "sgf", "json", "csv"):
            self.assertEqual(read(self.path("o." + form)), self.exported(form), form)
            self.assertIn(f"{form}out: 6 games in o.{form}\n", said)
        with open(self.path("o.csv"), encoding="utf-8") as rows:
            self.assertEqual(len(list(csv.reader(rows))), 7)
        # Not settings: the same results go on with others, and hold all games again.
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

    def test_a_file_that_cannot_be_written_is_told_and_loses_nothing(self):
        error = self.must(*self.duel("--pairs", "1", "-csvout", "no/such/o.csv", "-jsonout", "o.json"),
                          status=5)[1]
        self.assertIn("--csvout: ", error)
        self.assertTrue(os.path.exists(self.path("o.json")))
        self.must("verify", "a.db")
        self.must(*self.duel("--pairs", "2", "-csvout", "o.csv", "--clock", "move=1s"), status=2)
        self.assertFalse(os.path.exists(self.path("o.csv")))


if __name__ == "__main__":
    main()
