"""A person plays in a terminal: every line is typed and read through a pseudo-terminal."""
import os
import pty
import re
import select
import signal
import sqlite3
import subprocess
import termios
import time

from harness import BGREF, Case, main

QUESTION = re.compile(r"(roll, double or resign\? |\(\? lists them\)\? |or drop\? |or refuse\? |or reroll\? "
                      r"|1 to 6: |takes it back: |no more games for you\.)\s*\Z")
PATIENCE_S = 60


class Terminal:
    """What a person sees and types. The referee's standard input is the terminal, and so is the seat's."""

    def __init__(self, case, *words):
        self.case = case
        self.master, end = pty.openpty()
        modes = termios.tcgetattr(end)
        modes[3] &= ~termios.ECHO  # so that only the seat's words are read back
        termios.tcsetattr(end, termios.TCSANOW, modes)
        self.program = subprocess.Popen([BGREF, *words], cwd=case.folder, env=case.environment, stdin=end,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.end = end  # kept open, so that the master never reads an error
        self.seen = ""
        case.addCleanup(self.close)

    def close(self):
        self.program.kill()
        self.program.communicate()
        os.close(self.master)
        os.close(self.end)

    def question(self):
        """Reads to the next question; returns all that was shown since the last one."""
        text, until = "", time.monotonic() + PATIENCE_S
        while not QUESTION.search(text):
            left = until - time.monotonic()
            self.case.assertGreater(left, 0, f"no question after: {text!r}")
            if select.select([self.master], [], [], min(left, 0.2))[0]:
                text += os.read(self.master, 4096).decode().replace("\r", "")
            elif self.program.poll() is not None:
                self.case.fail(f"ended: {text!r} {self.program.communicate()}")
        self.seen += text
        return text

    def type(self, line):
        os.write(self.master, (line + "\n").encode())
        return self.question()

    def result(self):
        out, error = self.program.communicate(timeout=PATIENCE_S)
        self.case.assertEqual(self.program.returncode, 0, out + error)
        return out


def listed(text):
    return [line.strip() for line in text.splitlines() if re.match(r"  \S+/", line)]


class Human(Case):
    def play_on(self, terminal, text):
        """Plays to the end: takes, never doubles, always the first play listed."""
        while "no more games" not in text:
            if text.endswith("lists them)? "):
                text = terminal.type(listed(terminal.type("?"))[0])
                self.assertTrue(text.endswith("takes it back: "), text)
                text = terminal.type("")
            elif text.endswith("or drop? "):
                text = terminal.type("take")
            elif text.endswith("or refuse? "):
                text = terminal.type("accept")
            elif text.endswith("or reroll? "):
                text = terminal.type("keep")
            elif text.endswith("1 to 6: "):
                text = terminal.type("6")
            else:
                text = terminal.type("")

    def rows(self, question, results):
        with sqlite3.connect(self.path(results)) as database:
            return database.execute(question).fetchall()

    def to_play(self, terminal, text):
        while not text.endswith("lists them)? "):
            text = terminal.type("take" if text.endswith("or drop? ") else "")
        return text

    def test_a_match_is_played_to_its_end_without_faults(self):
        terminal = Terminal(self, "duel", "human", "greedy", "--length", "1", "--seed", "5", "--results", "r.db")
        self.play_on(terminal, terminal.question())
        terminal.result()
        self.assertEqual(self.rows("select count(*) from game where match_over", "r.db"), [(1,)])
        self.assertEqual(self.rows("select count(*) from fault", "r.db"), [(0,)])
        self.assertIn("+13-14-15-16-17-18------19-20-21-22-23-24-+", terminal.seen)
        self.assertRegex(terminal.seen, r"The opponent rolled \d\S+ and played \S+/\S+")
        self.assert_nothing_lives()

    def test_slips_are_told_and_cost_nothing(self):
        terminal = Terminal(self, "duel", "human", "random", "--length", "3", "--seed", "5", "--results", "r.db")
        self.to_play(terminal, terminal.question())
        play = next(text for text in listed(terminal.type("?")) if re.fullmatch(r"\d+/\d+ \d+/\d+", text))
        first, second = play.split()
        self.assertIn("Not legal (G1)", terminal.type("2/1"))
        self.assertIn("does not answer", terminal.type("take"))
        self.assertIn("Not understood", terminal.type("hello"))
        self.assertIn("Nothing to take back", terminal.type("undo"))
        self.assertIn("no legal play has that", terminal.type("? 99/"))
        self.assertIn("more than was refused", terminal.type("resign 9"))
        self.assertIn(f"So far {first}", terminal.type(first))
        self.assertTrue(terminal.type(second).endswith("takes it back: "))
        self.assertIn(f"So far {first}", terminal.type("undo"))
        self.assertTrue(terminal.type("undo").endswith("lists them)? "))
        self.assertTrue(terminal.type("resign gammon").endswith("takes it back: "))
        self.assertIn("Taken back", terminal.type("undo"))
        self.assertTrue(terminal.type(play).endswith("takes it back: "))
        terminal.type("")
        self.assertEqual(self.rows("select count(*) from fault", "r.db"), [(0,)])

    def test_cube_and_resignation_reach_the_game(self):
        terminal = Terminal(self, "duel", "-engine", "bot=human", "option.Board=plain", "option.Confirm=false",
                            "-engine", "greedy", "--length", "2", "--seed", "7", "--results", "r.db")
        text = terminal.question()
        while not text.endswith("double or resign? "):
            text = terminal.type(listed(terminal.type("?"))[0])
        self.assertRegex(text, r"You: \d+ pips\.(.|\n)*Opponent: \d+ pips\.(.|\n)*Cube 1, in the middle")
        self.assertNotIn("+13-14", terminal.seen)
        text = terminal.type("double")
        while "no more games" not in text:
            text = terminal.type("resign backgammon" if not text.endswith("or drop? ") else "take")
        terminal.result()
        self.assertEqual(self.rows("select count(*) from fault", "r.db"), [(0,)])
        self.assertRegex(self.canonical("r.db"), "double")
        self.assert_nothing_lives()

    def test_an_interrupted_game_is_played_anew(self):
        words = ("duel", "human", "greedy", "--length", "1", "--seed", "5", "--results", "r.db")
        terminal = Terminal(self, *words)
        self.to_play(terminal, terminal.question())
        until = time.monotonic() + PATIENCE_S
        while terminal.program.poll() is None:  # the first lets the game end, the second does not
            self.assertLess(time.monotonic(), until)
            terminal.program.send_signal(signal.SIGINT)
            select.select([], [], [], 0.05)
        self.assert_nothing_lives()
        again = Terminal(self, *words)
        self.play_on(again, again.question())
        again.result()
        self.assertEqual(self.rows("select count(*) from game where match_over", "r.db"), [(1,)])
        self.assertEqual(self.rows("select count(*) from fault", "r.db"), [(0,)])

    def test_the_referee_says_that_there_is_no_terminal(self):
        error = self.must("duel", "human", "greedy", "--results", "r.db", status=3)[1]
        self.assertIn("no terminal: start the referee in one", error)

    def test_a_lost_terminal_ends_the_run(self):
        terminal = Terminal(self, "duel", "human", "greedy", "--length", "1", "--seed", "5", "--results", "r.db")
        terminal.question()
        os.write(terminal.master, b"\x04")  # Ctrl-D
        terminal.program.communicate(timeout=PATIENCE_S)
        self.assertNotEqual(self.rows("select count(*) from fault where bot = 'human'", "r.db"), [(0,)])
        self.assert_nothing_lives()


if __name__ == "__main__":
    main()
