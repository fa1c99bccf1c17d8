"""bgref host HOST.yaml reopen: an ended event plays what absent and quarantined bots have left."""
import fcntl
import os
import random
import time

from harness import ROGUE, main, read
from host_case import LONG, SHORT, HostCase

KILLS, LATEST_S = 8, 0.15
WHY = "its plays were mended"


class Reopen(HostCase):
    def rogue(self, does, **plan):
        """An event whose third bot does what the file `does` says; the program stays the same."""
        self.does(does)
        rogue = self.script("rogue", f"#!/bin/sh\n. '{self.path('does')}'\n")
        self.event_file("league.yaml", event="league", bots=["greedy", "random", f'{{name: rogue, cmd: "{rogue}"}}'], length=1,
                        **(plan or {"pairs": 4}), seed=3, quarantine=1, absent="unplayed", instances=1, concurrency=1)

    def does(self, text):
        self.write("does", text + "\n")

    def open(self, *more):
        self.calendar("league, start: always", *more)
        self.start()
        self.wait_for("league", "ended")

    def refused(self, *words, says):
        """A refusal changes neither states nor results."""
        before = read(self.path("hosted/host.state")), self.must("verify", "hosted/league.db")[0]
        self.assertIn(says, self.ask("reopen", *words, status=2))
        self.assertEqual((read(self.path("hosted/host.state")), self.must("verify", "hosted/league.db")[0]), before)

    def ends_again(self):
        self.wait_until(lambda: "league ended" in self.after_reopening(), "league to end again")

    def after_reopening(self):
        return self.text("hosted/host.journal").rpartition("\treopen league")[2]

    def test_games_of_an_absent_bot_are_played_when_it_is_back(self):
        self.rogue("exit 1")
        self.event("final", SHORT)
        self.open("final, start: after league")
        self.assertIn("some games were not played: their bots were absent; 'reopen' plays those that are still open", self.why("league"))
        self.wait_for("final", "ended")
        # Not back yet: it ends as it did.
        self.assertIn("league running: what is open is played if its bots are there", self.ask("reopen", "league"))
        self.ends_again()
        self.assertIn("some games were not played", self.why("league"))
        self.does(f"exec {ROGUE} wrong-die --after 1000000000")
        self.ask("reopen", "league", "--reason", "rogue is back")
        self.ends_again()
        self.assertNotIn("not played", self.status())
        self.assertIn("\treopen league (rogue is back)\tdone\n", self.text("hosted/host.journal"))
        self.assertIn("24 games", self.must("verify", "hosted/league.db")[0])
        self.assertEqual(self.text("hosted/host.journal").count("final running"), 1)
        self.refused("league", says="league has nothing left to play")

    def test_a_bot_is_reinstated_whole_or_not_when_the_host_is_killed(self):
        self.rogue(f"exec {ROGUE} wrong-die --after 12")
        self.open()
        for turn, answered, proof in self.reopen_and_kill("league", "rogue"):
            done = proof.count("reinstated: rogue on ")
            self.assertTrue(answered <= done <= turn, (answered, done, turn))
            self.assertEqual(done, self.must("show", "hosted/league.db")[0].count("opened again: tried"))
        self.does(f"exec {ROGUE} wrong-die --after 1000000000")
        self.ask("reopen", "league", "rogue", "--reason", WHY)
        self.ends_again()
        self.assertIn("24 games", self.must("verify", "hosted/league.db")[0])

    def reopen_and_kill(self, *words):
        """Asks for it and kills the host, again and again. Yields how often it was asked and answered, and the proof."""
        rng = random.Random(3)
        answered = 0
        for turn in range(1, KILLS + 1):
            asking = self.begin("host", "host.yaml", "reopen", *words, "--reason", "tried")
            self.wait_until(lambda: self.journal().count(f"\treopen {' '.join(words)} (tried)\tasked") == turn, "the act to be asked")
            time.sleep(rng.uniform(0, LATEST_S))
            self.end()
            asking.communicate(timeout=60)
            answered += asking.returncode == 0
            self.start()
            self.wait_for("league", "ended")
            yield turn, answered, self.must("verify", "hosted/league.db")[0]

    def journal(self):
        return self.text("hosted/host.journal")

    def test_walkovers_of_a_swiss_are_not_said_to_be_open(self):
        self.rogue("exit 1", schedule="swiss rounds=2 pairs=1")
        self.open()
        self.assertEqual(self.why("league"), "walkovers of absent bots stand; 'replay' of 'bgref desk' has one played, and then 'reopen' is possible")
        self.refused("league", says="has a meeting played again (replay), and then it can be reopened")

    def test_a_quarantined_bot_is_reinstated_and_a_signed_end_is_not_changed_unasked(self):
        self.rogue(f"exec {ROGUE} wrong-die --after 12")
        self.open()
        self.assertIn("they were given up; 'reopen EVENT BOT' lets a bot play its own", self.why("league"))
        self.must("keygen", "--sign", "anna")
        self.must("sign", "hosted/league.db", "--key", "anna.key")
        self.refused("league", says="league has no open games; given up were those of rogue (")
        self.refused("league", "rogue", says="reopen with a bot needs --reason TEXT; it is published")
        self.refused("league", "greedy", "--reason", WHY, "--signed", says="greedy: it takes part")
        self.refused("league", "nobody", "--reason", WHY, "--signed", says="'nobody' is not an entrant")
        self.refused("league", "rogue", "--reason", WHY, says="the end of league is signed by anna on ")
        self.ask("ban", "rogue", "--reason", "x", status=2)
        self.does(f"exec {ROGUE} wrong-die --after 1000000000")
        out = self.ask("reopen", "league", "rogue", "--reason", WHY, "--signed")
        self.assertRegex(out, r"(?s)^league running\n.*reinstate bot=rogue.*\d+ fixtures are open again.*the published root \S+ is withdrawn")
        self.ends_again()
        proof = self.must("verify", "hosted/league.db")[0]
        self.assertIn("reinstated: rogue on ", proof)
        self.assertNotIn("signed: by anna", proof)
        self.must("sign", "hosted/league.db", "--key", "anna.key")
        self.assertIn("signed: by anna", self.must("verify", "hosted/league.db")[0])

    def test_a_reopened_event_that_cannot_go_on_has_ended_as_before(self):
        self.rogue("exit 1")
        self.open()
        whole = self.text("league.yaml")
        self.write("league.yaml", whole.replace("length: 1", "length: 3"))
        self.ask("reopen", "league")
        self.ends_again()
        self.assertEqual(self.why("league"), "it could not go on, league.log says why; 'reopen' tries it again")
        self.write("league.yaml", whole)
        self.does(f"exec {ROGUE} wrong-die --after 1000000000")
        with open(self.path("hosted/league.db.lock"), "a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.refused("league", says="results hosted/league.db: in use by")
        self.ask("reopen", "league")
        self.ends_again()
        self.assertIn("24 games", self.must("verify", "hosted/league.db")[0])

    def test_a_changed_program_waits_for_the_director_who_is_told_what_to_ask(self):
        self.script("mine", f"#!/bin/sh\nexec '{ROGUE}' wrong-die --after 1000000000\n")
        self.event("up", "bots: [{name: mine, cmd: ./mine}, greedy]\nlength: 5\npairs: 4000\nseed: 5\nconcurrency: 1\nschedule: circle\n")
        self.calendar("up, start: always")
        self.start()
        self.wait_begun("up")
        self.ask("pause", "up")
        self.wait_until(lambda: self.pid("up") == 0, "its games to end")
        self.write("mine", f"#!/bin/sh\nexec '{ROGUE}' wrong-die --after 1000000001\n")
        whole = self.text("up.yaml")
        self.write("up.yaml", whole.replace("greedy]", "greedy, greedy]"))
        self.assertIn("up stays paused: ", self.ask("resume", "up", status=2))
        self.assertEqual(self.state("up"), "paused")
        self.write("up.yaml", whole.replace("length: 5", "length: 3"))
        told = "hosted/up.db: begun with length=5, now length=3; set it back"
        self.assertIn(f"up stays paused: {told}", self.ask("resume", "up", status=2))
        self.assertIn(told, self.must("host", "host.yaml", "--check", status=2)[1])
        self.write("up.yaml", whole.replace("schedule: circle\n", ""))
        self.assertIn("up stays paused: hosted/up.db: begun with schedule=circle pairs=4000, now schedule=round-robin; set it back",
                      self.ask("resume", "up", status=2))
        self.write("up.yaml", whole)
        self.must("host", "host.yaml", "--check")
        self.assertEqual(self.ask("resume", "up"), "up running; 'status' says whether its process could go on\n")
        self.wait_until(lambda: "'bgref host HOST.yaml accept up mine --reason TEXT' goes on and marks it" in self.status(),
                        "the way out", 60)
        self.assertIn("not well: events: a running event has no process", self.status())
        self.assertIn("the bot goes on as what it is", self.ask("accept", "up", "mine", "--reason", "it was mended"))
        self.wait_until(lambda: self.pid("up") and self.plays("up"), "it to play on")
        self.assertIn("it was mended", self.must("report", "--sheet", "hosted/up.db", "--section", "decisions")[0])

    def test_only_an_event_that_has_ended_is_reopened(self):
        self.rogue("exit 1")
        self.event("more", LONG)
        self.open("more, start: always")
        self.wait_play("more")
        self.refused("more", says="more is running; only an event that has ended or was cancelled is reopened")
        self.refused("league", "greedy", "random", "--reason", WHY, says="one bot after another")
        pid = self.pid("more")
        self.ask("cancel", "more")
        self.assertEqual(self.state("more"), "cancelled")
        self.wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "its process to end")
        self.assertIn("more running", self.ask("reopen", "more"))
        self.wait_play("more")
        os.rename(self.path("hosted/league.db"), self.path("moved.db"))
        self.assertIn("hosted/league.db", self.ask("reopen", "league", status=2))
        self.assertFalse(os.path.exists(self.path("hosted/league.db")))
        self.assertEqual(self.state("league"), "ended")


main()
