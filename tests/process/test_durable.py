"""`durable: decision`: after kill -9 of the referee every game goes on at its open decision, and nothing that a bot saw or
answered is forgotten. The followers keep their games from what they are told, and log what they are asked and answer."""
import os
import random

import decisions
from harness import BIN, Case, kill, main

FOLLOWER = os.path.join(BIN, "follower")
KILLS = 6


class Durable(Case):
    def logged(self):
        """Whole lines so far."""
        return decisions.logged(self.path("decisions"))

    def play_with_kills(self, durable, pairs=8):
        """Kills the referee after chosen numbers of decisions, and plays to the end. Returns the log."""
        bots = [f'{{name: {name}, cmd: "{FOLLOWER} {how}log={self.folder}"}}' for name, how in (("one", ""), ("two", "stateful "))]
        self.event_file(event="durable", bots=bots, clock="bank=20s,inc=50ms", length=3, pairs=pairs, concurrency=4,
                        durable=durable, sandbox='"off"')
        chance = random.Random(durable)
        for _ in range(KILLS):
            before = len(self.logged())
            run = self.begin("tournament", "event.yaml", "--results", "r.db", "--quiet")
            self.addCleanup(kill, run)
            most = before + chance.randint(1, 400)
            self.wait_until(lambda: len(self.logged()) > most or run.poll() is not None, "decisions")
            if run.poll() is not None:
                print(self.rows("select bot, fault, game_id, story, stderr_tail from fault"), flush=True)
                self.fail(f"the event is over, or has failed, before it was killed: {run.communicate()}")
            kill(run)
            self.assert_nothing_lives()
        self.must("tournament", "event.yaml", "--results", "r.db", "--quiet")
        self.assertEqual(self.rows("select bot, fault, story, stderr_tail from fault"), [])
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(2 * pairs,)])
        self.must("verify", "r.db")
        return self.logged()

    def differences(self, lines):
        return decisions.differences(lines, decisions.by_alias(text for text, in self.rows("select record from game")))

    def test_games_go_on_at_their_open_decision(self):
        lines = self.play_with_kills("decision")
        self.assertGreater(len(lines), 1000)
        self.assertEqual(self.differences(lines), [])
        self.assertEqual(self.rows("select count(*) from step"), [(0,)])

    def test_without_it_the_games_that_were_cut_off_are_replayed(self):
        wrong = self.differences(self.play_with_kills("game"))
        self.assertTrue(any("is asked after turn" in line for line in wrong), "turns are seen twice")

    def tearDown(self):
        self.assert_nothing_lives()


main()
