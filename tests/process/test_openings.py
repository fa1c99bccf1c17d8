"""Duels and tournaments from a file of positions: real programs on loopback."""
import hashlib
import os
import signal

from harness import Case, main

# The set-up with seat 1 on roll, twice; with seat 0; another one with the cube doubled.
POSITIONS = ["4HPwATDgc/ABMA", "4HPwATDgc/ABMA", "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10",
             "XGID=-b----E-D---eD---c-e----B-:1:1:1:00:0:0:0:0:10"]
FILE = "# positions of this test\n\n{}\n{}  # again\n {}\r\n{}\n".format(*POSITIONS)


def starts(records):
    """{(pair, leg, game): (seat on roll, position=, cube, board0, board1)} of full records."""
    found, key, start, board = {}, None, None, {}
    for line in records.splitlines():
        words = line.split(" ")
        if words[0] == "id":
            pair, leg, game = map(int, line.split(" ")[1].split("|")[2:5])
            key, board = (pair, leg, game), {}
        elif words[0] == "start":
            start = dict(word.split("=") for word in words[1:] if "=" in word)
        elif words[0] in ("board0", "board1"):
            board[words[0]] = " ".join(words[1:-1])
        elif words[0] == "steps":
            found[key] = (start["on-roll"], start["position"], start["cube"], board.get("board0"),
                          board.get("board1"))
    return found


class Openings(Case):
    def duel(self, results, *words, status=0):
        return self.must("duel", "greedy", "random", "--results", results, "--seed", "5", "--quiet",
                         "--pairs", "6", *words, status=status)

    def starts_of(self, results):
        return starts(self.must("export", results, "--records")[0])

    def test_both_legs_of_a_pair_begin_from_the_position_of_its_number(self):
        self.write("x.xgid", FILE)
        self.duel("a.db", "-openings", "file=x.xgid", "start=1")
        found = self.starts_of("a.db")
        self.assertEqual(len(found), 12)
        for pair in range(6):
            self.assertEqual(found[pair, 0, 0], found[pair, 1, 0])
            on_roll, position, cube, board0, _ = found[pair, 0, 0]
            number = (1 + pair) % 4
            self.assertEqual(position, "given")
            self.assertEqual(on_roll, "0" if number == 2 else "1")
            self.assertEqual(cube, "2" if number == 3 else "1")
            self.assertEqual(board0 is None, number != 3)
        self.assertNotIn("\nopen ", self.must("export", "a.db", "--records")[0])
        self.must("verify", "a.db")

    def test_random_order_is_a_permutation_that_the_seed_repeats(self):
        board = "-b----E-C---eE---c-e----B-"
        cubes = "".join(f"XGID={board}:{cube}:1:1:00:0:0:0:0:10\n" for cube in range(1, 7))
        self.write("x.xgid", cubes)
        self.duel("a.db", "-openings", "file=x.xgid", "order=random")
        self.duel("b.db", "-openings", "file=x.xgid", "order=random", "-concurrency", "1")
        first, again = self.starts_of("a.db"), self.starts_of("b.db")
        self.assertEqual(first, again)
        order = [int(first[pair, 0, 0][2]) for pair in range(6)]
        key = hashlib.blake2b(b"bgref-seed-1|5", digest_size=32).digest()
        expected = sorted(range(6), key=lambda i: hashlib.blake2b(
            f"bgref-openings-1|{i}".encode(), digest_size=32, key=key).digest())
        self.assertEqual(order, [2 ** (i + 1) for i in expected])

    def test_only_the_first_game_of_a_match_begins_there(self):
        self.write("x.xgid", POSITIONS[0] + "\n")
        self.duel("a.db", "-openings", "x.xgid", "--length", "3")
        for (_, _, game), (on_roll, position, *_) in self.starts_of("a.db").items():
            self.assertEqual((on_roll, position), ("1", "given") if game == 0 else ("-", "set-up"))
        self.must("verify", "a.db")

    def test_an_interrupted_event_continues_with_the_same_games(self):
        self.write("x.xgid", FILE)
        words = ("-openings", "file=x.xgid", "order=random", "--length", "3", "--pairs", "40")
        self.duel("whole.db", *words, "--event", "e")
        running = self.begin("duel", "greedy", "random", "--results", "cut.db", "--seed", "5",
                             "--quiet", "--event", "e", *words)
        self.wait_until(lambda: os.path.exists(self.path("cut.db")) and "|1|0|0" in self.run_bgref(
            "export", "cut.db", "--records").stdout, "the first games")
        running.send_signal(signal.SIGKILL)
        running.communicate()
        self.duel("cut.db", *words, "--event", "e")
        self.assertEqual(self.canonical("cut.db"), self.canonical("whole.db"))

    def test_a_changed_file_or_order_is_refused_by_name(self):
        self.write("x.xgid", FILE)
        self.duel("a.db", "-openings", "file=x.xgid")
        os.rename(self.path("x.xgid"), self.path("y.xgid"))
        self.duel("a.db", "-openings", "file=y.xgid")  # the same positions
        for words, name in ((("file=y.xgid", "order=random"), "openings=order=sequential"),
                            (("file=y.xgid", "start=1"), "start=0"), (("off",), "openings=")):
            self.assertIn(name, self.duel("a.db", "-openings", *words, status=2)[1])
        self.write("y.xgid", FILE + "# more\n")
        error = self.duel("a.db", "-openings", "file=y.xgid", status=2)[1]
        self.assertIn("openings.digest=", error)
        self.assertIn(hashlib.blake2b(FILE.encode(), digest_size=32).hexdigest(), error)

    def test_every_line_is_checked_before_anything_starts(self):
        bad = (("nonsense", "nonsense"), ("4HPwATDgc/ABMA 31", "position"),
               ("4HPwATDgc/ABMA\0", "zero byte"), ("x" * 2000, "2000"))
        for line, what in bad:
            self.write("x.xgid", POSITIONS[0] + "\n#\n" + line + "\n")
            error = self.duel("a.db", "-openings", "file=x.xgid", status=2)[1]
            self.assertIn("x.xgid:3: ", error)
            self.assertIn(what, error)
            self.assertIn("bad=skip", error)
            self.assertFalse(os.path.exists(self.path("a.db")))
        for text, what in (("", "no position"), ("# nothing\n", "no position")):
            self.write("x.xgid", text)
            self.assertIn(what, self.duel("a.db", "-openings", "x.xgid", status=2)[1])
        self.assertIn("no.xgid", self.duel("a.db", "-openings", "no.xgid", status=2)[1])
        self.write("x.xgid", FILE)
        for words, what in ((("file=x.xgid", "plies=8"), "plies"), (("order=random",), "which file"),
                            (("file=x.xgid", "format=xgid"), "x.xgid:3"),
                            (("file=x.xgid", "format=epd"), "epd"),
                            (("file=x.xgid", "start=4"), "skips all of its 4"),
                            (("file=x.xgid", "bad=maybe"), "maybe")):
            self.assertIn(what, self.duel("a.db", "-openings", *words, status=2)[1])
        self.assertIn("duplicate", self.duel("a.db", "-openings", "x.xgid", "--duplicate", "off",
                                             status=2)[1])

    def test_of_problems_the_position_is_used_and_the_rest_counted(self):
        board = "XGID=-b----E-C---eE---c-e----B-"
        self.write("x.xgid", f"{board}:0:0:1:63:0:0:0:0:10\n{board}:0:0:1:00:2:0:0:7:10\nnonsense\n"
                             f"{board}:0:0:1:D:0:0:0:0:10\n{board}:1:1:-1:21:3:4:0:5:10\n")
        error = self.duel("a.db", "-openings", "file=x.xgid", "bad=skip", "--pairs", "4")[1]
        self.assertIn("of 4 positions dice are left out of 2, length or score of 2, a pending "
                      "double or resignation of 1", error)
        self.assertIn("1 lines are left out, the first is x.xgid:3: ", error)
        self.must("verify", "a.db")
        error = self.duel("a.db", "-openings", "file=x.xgid", "--pairs", "4", status=2)[1]
        self.assertIn("x.xgid:3: ", error)
        # A line that is left out is not also one of the positions.
        over = "XGID=-a------------------------:0:0:1:31:2:1:0:7:10"
        self.write("y.xgid", f"{board}:0:0:1:63:0:0:0:0:10\n{over}\n{over}\n")
        error = self.duel("b.db", "-openings", "file=y.xgid", "bad=skip", "--pairs", "1")[1]
        self.assertIn("of 1 positions dice are left out of 1, length or score of 0", error)
        self.assertIn("2 lines are left out, the first is y.xgid:2: ", error)

    def test_other_games_begin_from_the_notation_of_every_game(self):
        self.write("x.txt", "b1+w1b13----/------/------/w2w12---b1|0,0|0,0|0,0|w|-\n")
        self.must("duel", "random", "random", "--variant", "plakoto", "-openings", "x.txt", "--pairs",
                  "2", "--quiet", "--results", "p.db")
        self.must("verify", "p.db")
        self.assertEqual({start[:2] for start in self.starts_of("p.db").values()}, {("0", "given")})
        self.write("x.txt", POSITIONS[0] + "\n")
        self.assertIn("plakoto", self.must(
            "duel", "random", "random", "--variant", "plakoto", "-openings", "x.txt", "--quiet",
            "--results", "q.db", status=2)[1])

    def test_tournaments_set_positions_in_their_file(self):
        self.write("x.xgid", FILE)
        self.write("e.yaml", "bots: [greedy, random, {name: r2, bot: random}]\nlength: 0\npairs: 2\n"
                   "openings: file=x.xgid order=random start=2\nseed: 3\n")
        self.must("tournament", "e.yaml", "--quiet", "--results", "t.db")
        found = self.starts_of("t.db")
        self.assertTrue(found and all(start[1] == "given" for start in found.values()))
        self.must("verify", "t.db")
        self.write("e.yaml", "bots: [greedy, random]\nopenings: order=random\n")
        self.assertIn("e.yaml:2: openings: which file", self.must("tournament", "e.yaml", status=2)[1])
        self.write("e.yaml", "bots: [greedy, random]\n\nopenings: no.xgid\n")
        self.assertIn("e.yaml:3: openings: no.xgid: ", self.must("tournament", "e.yaml", status=2)[1])


main()
