"""bgref rollout: known equities, the same result again, and what it refuses."""
import re

from harness import Case, main

# One checker on the 6 point each: 27 of 36 rolls bear it off at once, any two rolls do, so that the
# side on roll has 3/4 - 1/4 (3/4 - 1/4) = 0.625.
SIX_EACH = "XGID=------A------------a------:0:0:1:00:0:0:0:0:10"
ROW = re.compile(r"^ *\d+ (.{24}) *([+-]?[\d.]+) +([\d.]+)(?: +([\d.]+) +([\d.]+))? ")


class Rollout(Case):
    def rows(self, *words):
        text = self.must("rollout", *words)[0]
        rows = [(found[1].strip(), float(found[2]), float(found[3]))
                for found in map(ROW.match, text.splitlines()) if found]
        self.assertTrue(rows, text)
        return rows, text

    def test_known_equity_is_within_four_errors(self):
        for reduction in ("on", "off"):
            ((_, equity, error),), text = self.rows(SIX_EACH, "--bot", "greedy",
                                                    "--variance-reduction", reduction)
            self.assertLess(abs(equity - 0.625), 4 * error, text)
            self.assertLess(error, 0.02)
        ((_, chance, error),), text = self.rows("XGID=------A------------a------:0:0:1:00:0:0:0:1:10",
                                                "--bot", "greedy")  # a match to 1
        self.assertLess(abs(chance - 0.8125), 4 * error, text)

    def test_same_seed_gives_the_same_table_with_any_number_of_processes(self):
        words = ("4HPwATDgc/ABMA", "--dice", "31", "--bot", "greedy", "--trials", "72", "--truncate", "4",
                 "--plays", "3")
        rows, text = self.rows(*words, "--jobs", "1")
        self.assertEqual([row[0] for row in rows][:1], ["8/5 6/5"])
        self.assertEqual(len(rows), 3)
        self.assertEqual(self.rows(*words, "--jobs", "3")[1], text)
        self.assertNotEqual(self.rows(*words, "--jobs", "3", "--seed", "2")[0], rows)
        self.assertEqual(self.rows(*words, "option.Style=bold")[0][0][0], "8/5 6/5")

    def test_it_stops_at_an_error(self):
        (row,), text = self.rows(SIX_EACH, "--bot", "greedy", "--until", "0.01", "--trials", "100000")
        self.assertLessEqual(row[2], 0.01)
        trials = int(re.search(r"rollout +(\d+) trials", text)[1])
        self.assertEqual(trials % 36, 0)
        self.assertLess(trials, 3600)

    def test_cube_actions(self):
        rows, text = self.rows(SIX_EACH, "--bot", "greedy", "--cube", "on", "--trials", "72")
        self.assertEqual({row[0] for row in rows}, {"no double", "double, take"})
        self.assertIn("double, pass: +1.0000", text)

    def test_what_it_refuses(self):
        for status, words, message in (
                (2, (SIX_EACH,), "a position and a bot are needed"),
                (2, (SIX_EACH, "x", "--bot", "greedy"), "one position is enough"),
                (2, (SIX_EACH, "--bot", "greedy", "--until", "0"), "expected a standard error"),
                (2, (SIX_EACH.replace(":00:", ":D:"), "--bot", "greedy"), "pose the position before"),
                (3, (SIX_EACH, "--bot", "random"), "evaluates")):
            self.assertIn(message, self.must("rollout", *words, status=status)[1])


main()
