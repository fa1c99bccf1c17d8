"""Bots that are told what happens in their games: the follower keeps every game in memory from that alone, and ends
with a message when an Ask differs. So a fault of the follower is a wrong or missing tell."""
import os
import signal

from harness import BIN, ROGUE, Case, main

FOLLOWER = os.path.join(BIN, "follower")


class Told(Case):
    def event(self, bots, **settings):
        self.event_file(**{"event": "told", "pairs": 4, "length": 3, "concurrency": 8, "instances": 1, **settings}, bots=bots)

    def play(self, *words, status=0):
        return self.must("tournament", "event.yaml", "--results", "r.db", *words, status=status)

    def check(self, legs):
        """Everything was played, and nobody was at fault."""
        self.assertEqual(self.rows("select bot, fault, story from fault"), [])
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(legs,)])
        self.must("verify", "r.db")

    def follower(self, name, words="", more=""):
        return f'{{name: {name}, cmd: "{FOLLOWER} {words}"{more}}}'

    def test_tells_lead_to_every_ask(self):
        self.event([self.follower("one", "paired"), self.follower("two", "stateful paired", ", instances: 3"), "greedy"])
        self.play()
        self.check(3 * 2 * 4)

    def test_among_strangers_and_in_another_game(self):
        self.needs_confinement()
        for game in ("plakoto", "acey-deucey", "gulbara"):
            self.event([self.follower("one"), self.follower("two", "stateful")], variant=game, pairs=2, trust="strangers",
                       sandbox="on", length=0)
            self.play()
            self.check(2 * 2)
            os.unlink(self.path("r.db"))

    def test_a_new_process_is_told_the_games_as_they_are(self):
        """It ends by itself in the middle of a game, again and again: only that is a fault, not a tell."""
        self.event([self.follower("one", "die=300"), self.follower("two", "stateful die=500"), "random"],
                   quarantine=1000)
        self.play()
        faults = self.rows("select bot, fault, story, stderr_tail from fault")
        self.assertGreater(len(faults), 1)
        for bot, fault, story, said in faults:
            self.assertIn((fault, story), {("crash", "the process ended: exit 0"),
                                           ("crash", "it closed its connection")}, bot)
            self.assertNotIn("follower:", said or "")

    def test_a_resumed_event_tells_the_games_from_their_begin(self):
        self.event([self.follower("one"), self.follower("two", "stateful"), "random"], pairs=40)
        referee = self.begin("tournament", "event.yaml", "--results", "r.db", "--quiet")
        self.wait_until(lambda: os.path.exists(self.path("r.db")) and self.count() > 5, "games are stored")
        referee.send_signal(signal.SIGKILL)
        referee.communicate()
        self.play()
        self.check(3 * 2 * 40)

    def test_ready_for_another_game_costs_the_game(self):
        self.event([f'{{name: rogue, cmd: "{ROGUE} wrong-ready"}}', "random"], pairs=1, length=0, new_game="300ms")
        self.play()
        faults = self.rows("select bot, fault, story from fault")
        self.assertEqual([(bot, fault) for bot, fault, _ in faults], [("rogue", "silent")] * 2)
        self.assertRegex(faults[0][2], r"^no Ready for the new game in [0-9.]+ s; 0\.300 s were allowed$")
        self.assertEqual(self.rows("select turns, ended, points from game"), [(0, "fault", 1)] * 2)
        self.must("verify", "r.db")

    def test_check_begins_a_game_at_each_position(self):
        for words in ([], ["stateful"]):
            self.must("check", "--level", "1", "--", FOLLOWER, *words)

    def tearDown(self):
        self.assert_nothing_lives()


main()
