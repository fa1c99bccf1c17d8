"""Games are judged during play or afterwards, exactly once, also after interruptions."""
import re
import signal
import sqlite3

from harness import Case, kill, main

NOISY = ("-engine", "gnubg", "name=clean", "-engine", "gnubg", "name=noisy", "option.Noise=0.02")
GAMES = 24


class Judge(Case):
    def duel(self, results, *words, games=GAMES):
        return ("duel", *NOISY, "--games", str(games), "--seed", "3", "--jacoby", "off",
                "--results", results, "--quiet", *words)

    def judgements(self, results):
        return self.rows("select id, luck_a, luck_b, rolls from game join judgement using (hash) order by id", results)

    def test_judging_during_play_and_afterwards_agree(self):
        online, _ = self.must(*self.duel("online.db", "--judge", "gnubg"))
        self.assertEqual(len(self.judgements("online.db")), GAMES)
        self.assertRegex(online, rf"JUDGE gnubg 1\.\d\d\.\d+ plies=0   {GAMES} games")
        self.must(*self.duel("later.db"))
        self.assertEqual(self.judgements("later.db"), [])
        before = self.canonical("later.db")
        later, _ = self.must("judge", "later.db", "--quiet", "--jobs", "2")
        self.assertEqual(self.judgements("later.db"), self.judgements("online.db"))
        self.assertEqual(self.canonical("later.db"), before)
        self.assertEqual(later.split("\n", 1)[1], online[online.index("clean vs noisy   "):
                                                         online.index("trust:")])
        ratio = float(re.search(r"ratio ([0-9.]+)", online).group(1))
        self.assertGreater(ratio, 9, "24 games: no more than the order of magnitude")
        apart = float(re.search(r"= ([0-9.]+) SE", online).group(1))
        self.assertLess(apart, 4)
        cpu = float(re.search(r"games   ([0-9.]+) s of its CPU", online).group(1))
        self.assertLess(cpu, 0.2)  # measured: 0.037 to 0.039 s, and 4 s with one ply more
        _, talk = self.must("judge", "later.db")
        self.assertIn("0 of 0 games judged", talk)

    def test_the_event_stream_has_each_judgement_once(self):
        def judged_events(name, *words):
            self.must(*self.duel("e.db", "--events", name, *words))
            events = self.json_lines(name)
            finished = {e["id"]: e["seq"] for e in events if e["kind"] == "game_finished"}
            judged = [e for e in events if e["kind"] == "judged"]
            for event in judged:
                self.assertGreater(event["seq"], finished[event["id"]])
            rows = {row[0]: row[1:] for row in self.judgements("e.db")}
            self.assertEqual(len(judged), len({e["id"] for e in judged}))
            self.assertEqual({e["id"]: (e["luck"]["a"], e["luck"]["b"]) for e in judged},
                             {game: row[:2] for game, row in rows.items()} if judged else {})
            for event in judged:
                self.assertEqual(sum(event["rolls"].values()), len(rows[event["id"]][2].splitlines()))
            return judged

        self.assertEqual(judged_events("1.jsonl"), [])
        fresh = judged_events("2.jsonl", "--judge", "gnubg")
        self.assertEqual([e["stored"] for e in fresh], [False] * GAMES)
        again = judged_events("3.jsonl", "--judge", "gnubg", "--games", str(GAMES + 2))
        self.assertEqual(sorted(e["stored"] for e in again), [False] * 2 + [True] * GAMES)

    def test_games_from_given_positions_begin_with_no_opening_roll(self):
        """Also from the set-up: gnubg's analysis compared with 21 explicit rolls."""
        self.write("x", "4HPwATDgc/ABMA\nXGID=-b----E-D---eD---c-e----B-:1:1:1:00:0:0:0:0:10\n")
        self.must("duel", "gnubg", "greedy", "-openings", "x", "--pairs", "6", "--seed", "3",
                  "--results", "r.db", "--quiet", "--judge", "gnubg")
        self.must("judge", "r.db", "--judge", "bot:gnubg", "--quiet")
        by_game, delta = {}, {}
        for game, rolls, record in self.rows("select id, rolls, record from game join judgement using (hash)"):
            by_game.setdefault(game, []).append([float(line.split()[2]) for line in rolls.splitlines()])
            delta[game] = 4e-5 * 2 ** len(re.findall("(?m)^[01] (?:take|raise)", record)) + 4e-5  # luck is in points
        self.assertEqual(len(by_game), 12)
        for game, (one, other) in by_game.items():
            self.assertEqual(len(one), len(other), game)
            for number, (luck, explicit) in enumerate(zip(one, other)):
                self.assertAlmostEqual(luck, explicit, delta=delta[game], msg=f"{game} roll {number}")

    def test_the_judges_own_play_has_no_errors(self):
        self.must("duel", *NOISY, "--pairs", "3", "--length", "3", "--seed", "3",
                  "--results", "r.db", "--quiet")
        self.must("judge", "r.db", "--quiet")
        self.assertEqual(self.rows("select count(choices) from judgement"), [(0,)])
        text, _ = self.must("judge", "r.db", "--judge", "gnubg:errors", "--quiet")
        rows = [line.split() for line in text.splitlines() if " checker plays " in line
                or line.strip().startswith(("cube", "all"))]
        clean, noisy = rows[:3], rows[3:]
        for row in clean:
            self.assertEqual(float(row[-3]), 0, row)
        for row in noisy:
            self.assertGreater(float(row[-3]), 0, row)
        self.assertGreater(int(clean[0][-4]), 50)
        text, talk = self.must("judge", "r.db", "--errors")
        self.assertRegex(talk, r"\n0 of \d+ games judged", "--errors says what gnubg:errors says")

    def test_an_interrupted_run_judges_the_rest_later(self):
        words = self.duel("r.db", "--judge", "gnubg", games=60)
        run = self.begin(*words)
        self.wait_until(lambda: self.count("r.db") >= 3, "some games to be judged")
        kill(run)
        run = self.begin(*words)
        self.wait_until(lambda: self.count("r.db") >= 6, "more games to be judged")
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=120)
        kept = self.judgements("r.db")
        self.assertGreaterEqual(len(kept), 6)
        self.must(*words)
        after = self.judgements("r.db")
        self.assertEqual(len(after), 60)
        for row in kept:
            self.assertIn(row, after)
        self.must(*words)

    def count(self, results):
        try:
            return self.rows("select count(*) from judgement", results)[0][0]
        except sqlite3.OperationalError:
            return 0


main()
