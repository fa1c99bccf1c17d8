"""How a bot stands at its host, for its author: bgref join --status, and what bgref join prints on a terminal."""
import json
import signal
import subprocess

from door_case import DoorCase
from harness import BGREF, ROGUE, kill, main
from terminal import Screen


class Standing(DoorCase):
    def status(self, *words, key="anna.key", status=0):
        return self.must("join", "host.bgref", "--key", key, "--status", *words, status=status)[0]

    def numbers(self):
        told = json.loads(self.status("--json"))
        self.assertEqual((told["schema"], told["bot"], told["host"]["host"]), (1, "anna", "spring"))
        self.assertEqual(told["host"]["events"], len(told["events"]))
        return told["events"][0]

    def test_a_bot_that_plays_is_asked_for_and_plays_on(self):
        event = self.event(pairs=2000)  # it is not over before it was asked
        before = self.numbers()
        self.assertEqual((before["games"], before["rank"], before["state"]), (0, 0, "awaited"))
        join = self.join()
        self.waits_for(join, "game 9 against")
        told = self.numbers()
        self.assertEqual(told["games_won"] + told["games_lost"], told["games"])
        self.assertEqual(told["matches_won"] + told["matches_lost"], told["matches"])
        self.assertIn(told["rank"], (1, 2))
        self.assertEqual((told["of"], told["faults"], told["lost_by"], told["money"]), (2, 0, {}, False))
        self.assertEqual(told["state"], "plays")
        table, games = self.status(), self.stored_games()
        while "line: " not in table and games < 200:  # it is measured soon; each question is one of ten a minute
            games += 60
            self.wait_until(lambda: self.stored_games() >= games, "it to play on")  # noqa: B023
            table = self.status()
        self.assertIn("\nlimit: 240 starts an hour\n", table)
        self.assertRegex(table, r"anna at spring\nline: \d+\.\d ms to the bot and back\n(.*\n)*spring +plays +[12]=? of 2 +\d+-\d+ +\d+-\d+ +[+-]\d+ +0\n")
        self.waits_for_games()
        event.send_signal(signal.SIGINT)
        said = self.ends(event, status=None)
        self.assertNotIn("fault=", said)
        self.assertNotIn("key in use twice", said)
        self.waits_for(join, "goodbye: the referee was interrupted")
        self.assertEqual(self.said(join).count("welcome: "), 1)
        kill(join)  # it would wait for the event to go on

    def test_faults_are_told_with_their_reason(self):
        # Of several games, a match that was begun would be lost at the quarantine, and be the last fault.
        event = self.event(pairs=2000, **{"length: 3": "length: 1\nquarantine: 4", "  - random\n": "  - random\n  - greedy\n"})
        self.script("cheat", f"#!/bin/sh\nexec {ROGUE} wrong-die\n")
        join = self.join(bot="./cheat")
        self.waits_for(event, "bot=anna quarantined after 4 faults")
        told = self.numbers()
        self.assertEqual(told["state"], "quarantined")
        self.assertEqual(told["faults_most"], 4)
        self.assertGreaterEqual(told["faults"], 4)  # games that ran at the same time can have more
        self.assertRegex(told["last_fault"], "^illegal: ")
        self.assertRegex(self.status(), r"  faults: \d+ of 4(; games lost by illegal \d+)?\n  last fault: illegal: ")
        kill(join)
        kill(event)

    def test_who_cannot_be_asked_is_told_why(self):
        event = self.event()
        self.must("keygen", "--join", "mallory")
        said = self.must("join", "host.bgref", "--key", "mallory.key", "--status", status=5)[1]
        self.assertIn("spring does not know this key: send mallory.pub to its operator", said)
        kill(event)
        self.assertIn("nobody listens at tcp://", self.must("join", "host.bgref", "--key", "anna.key", "--status",
                                                            status=5)[1])
        for words in (("host.bgref", "--status"), ("host.bgref", "random", "--key", "anna.key", "--json")):
            self.must("join", *words, status=2)
        for option in ("--plain", "-p"):
            said = self.must("join", "host.bgref", "random", "--key", "anna.key", option, status=2)[1]
            self.assertIn("--plain needs --seat", said)

    def test_a_terminal_gets_plain_lines(self):
        event = self.event(pairs=5)
        terminal = Screen(self)
        join = subprocess.Popen([BGREF, "join", "host.bgref", "random", "--key", "anna.key"], cwd=self.folder,
                                env={**self.environment, "TERM": "xterm"}, stdin=terminal.end, stdout=terminal.end,
                                stderr=terminal.end)
        self.addCleanup(kill, join)
        shown = terminal.read_until("goodbye: the event has ended")
        self.assertRegex(shown, r"host: spring at tcp://\S+, fingerprint [0-9a-f ]{39}\n")
        self.assertRegex(shown, r"\nwelcome: anna plays in spring .*\n(.*\n)*game 1 against random, 0-0 to 3\n")
        self.assertNotIn("\x1b", shown)
        self.ends(event)
        self.assertEqual(join.wait(30), 0)


main()
