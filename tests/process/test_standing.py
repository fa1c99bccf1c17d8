"""How a bot stands at its host, for its author: bgref join --status, and the screen of bgref join on a terminal."""
import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import termios

from door_case import DoorCase
from harness import BGREF, ROGUE, kill, main, read
from terminal import Screen

ESCAPES = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")


class JoinTerminal(Screen):
    """bgref join with a terminal for input and output."""

    def __init__(self, case, *words, columns=100, **variables):
        super().__init__(case)
        self.set_echo()
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.program = subprocess.Popen([BGREF, "join", *words], cwd=case.folder, stdin=self.end, stdout=self.end,
                                        stderr=self.end, env={**case.environment, "TERM": "xterm", **variables},
                                        start_new_session=True, preexec_fn=self.take_terminal)

    @staticmethod
    def take_terminal():
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def set_echo(self):
        modes = termios.tcgetattr(self.end)
        modes[3] |= termios.ECHO
        termios.tcsetattr(self.end, termios.TCSANOW, modes)

    def echoes(self):
        return bool(termios.tcgetattr(self.end)[3] & termios.ECHO)

    def close(self):
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()
        super().close()

    def ends(self, status):
        self.case.assertEqual(self.program.wait(30), status)
        return self.read_until(r"\Z")


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
        event = self.event(pairs=2000, **{"length: 3": "length: 3\nquarantine: 4", "  - random\n": "  - random\n  - greedy\n"})
        os.chmod(self.write("cheat", f"#!/bin/sh\nexec {ROGUE} wrong-die\n"), 0o755)
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

    def screen(self, *words, **more):
        return JoinTerminal(self, "host.bgref", "random", "--key", "anna.key", *words, **more)

    def test_a_terminal_shows_one_screen(self):
        event = self.event(pairs=2000)
        terminal = self.screen()
        shown = ESCAPES.sub("", terminal.read_until(r"rank \d.*points"))
        for text in (r"bot        anna at spring, tcp://127\.0\.0\.1:\d+\n", r"host key   [0-9a-f]{4}( [0-9a-f]{4}){7}\n",
                     r"line       connected, and in an event, for 0:0\d", r"ping \d+\.\d ms\n",
                     r"plays      spring: game \d+ against random, \d-\d to 3\n", r"\d+ decisions; ",
                     r"standing   spring: rank [12]=? of 2; matches \d+ won, \d+ lost; games \d+ won",
                     r"faults     spring: 0 of 5\n", r"\d\d:\d\d:\d\d   welcome: anna plays in spring"):
            self.assertRegex(shown, text)
        self.assertIn("\x1b[2m", terminal.seen)
        again = terminal.read_until(r"\x1b\[\d+A(.|\n)*\x1b\[J")
        self.assertNotIn("\x1b[?1049h", terminal.seen + again, "it stays on the usual screen")
        self.assertFalse(terminal.echoes())
        terminal.press("\x03")
        terminal.ends(130)
        self.assertTrue(terminal.echoes())
        kill(event)

    def test_a_screen_that_was_stopped_is_drawn_anew(self):
        """What a shell has written meanwhile is not drawn over, and its modes of the terminal are not kept."""
        event = self.event(pairs=4000)
        terminal = self.screen()
        terminal.read_until(r"\x1b\[\d+A(.|\n)*\x1b\[J")
        terminal.program.send_signal(signal.SIGSTOP)
        self.wait_until(lambda: read(f"/proc/{terminal.program.pid}/stat").rpartition(b")")[2].split()[0] == b"T", "it to stop")
        terminal.set_echo()
        while select.select([terminal.master], [], [], 0)[0]:
            os.read(terminal.master, 4096)
        terminal.program.send_signal(signal.SIGCONT)
        self.assertRegex(terminal.read_until(r"bot  "), r"\A\r?\x1b\[\?7l")
        self.assertFalse(terminal.echoes())
        terminal.press("\x03")
        terminal.ends(130)
        self.assertTrue(terminal.echoes())
        kill(event)

    def test_the_screen_ends_with_the_event_and_says_how(self):
        event = self.event(pairs=5)
        terminal = self.screen(columns=60, NO_COLOR="1")
        shown = terminal.read_until("goodbye: the event has ended")
        self.ends(event)
        terminal.ends(0)
        self.assertTrue(terminal.echoes())
        self.assertNotRegex(shown, r"\x1b\[[0-9;]*m")
        for line in ESCAPES.sub("", shown.replace("\x1b[K", "\n")).split("\n"):
            self.assertLessEqual(len(line), 60)

    def test_plain_lines_on_a_terminal_and_elsewhere(self):
        for words, variables in ((("--plain",), {}), ((), {"TERM": "dumb"}), (("--times", "2"), {})):
            event = self.event(pairs=5, **{"r.db": f"r{len(words)}{len(variables)}.db"})
            terminal = self.screen(*words, **variables)
            shown = terminal.read_until("goodbye: the event has ended")
            self.assertRegex(shown, r"host: spring at tcp://\S+, fingerprint [0-9a-f ]{39}\n")
            self.assertRegex(shown, r"\ngame 1 against random, 0-0 to 3\n")
            self.assertNotIn("\x1b", shown)
            self.ends(event)
            terminal.program.send_signal(signal.SIGTERM)
            terminal.program.wait(30)


if __name__ == "__main__":
    main()
