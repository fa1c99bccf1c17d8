"""A person plays in a terminal: every line is typed and read through a pseudo-terminal."""
import fcntl
import os
import re
import select
import signal
import struct
import termios
import time

from harness import Case, main, read
from terminal import PATIENCE_S, QUESTION, Screen, Terminal, listed


class Human(Case):
    def play_on(self, terminal, text):
        """Plays to the end: takes, never doubles, always the first play listed."""
        while "says goodbye" not in text:
            if text.endswith("lists them)? "):
                text = terminal.answer(listed(terminal.type("?"))[0])
            elif text.endswith("or drop? "):
                text = terminal.answer("take")
            elif text.endswith("or refuse? "):
                text = terminal.answer("accept")
            elif text.endswith("or reroll? "):
                text = terminal.answer("keep")
            elif text.endswith("1 to 6: "):
                text = terminal.answer("6")
            else:
                text = terminal.type("")

    def test_slips_are_told_and_cost_nothing(self):
        terminal = Terminal(self, "duel", "human", "random", "--length", "3", "--seed", "5", "--results", "r.db")
        terminal.to_play(terminal.question())
        play = next(text for text in listed(terminal.type("?")) if re.fullmatch(r"\d+/\d+ \d+/\d+", text))
        first, second = play.split()
        self.assertIn("no legal play has that", terminal.type("? 99/"))
        self.assertIn(f"So far {first}", terminal.type(first))
        self.assertTrue(terminal.type(second).endswith("takes it back: "))
        self.assertIn(f"So far {first}", terminal.type("undo"))
        self.assertTrue(terminal.type("undo").endswith("lists them)? "))
        self.assertTrue(terminal.type("resign gammon").endswith("takes it back: "))
        self.assertIn("Taken back", terminal.type("undo"))
        terminal.answer(play)
        self.assertEqual(self.rows("select count(*) from fault"), [(0,)])

    def test_a_line_is_the_answer_without_confirmation(self):
        terminal = Terminal(self, "duel", "-engine", "bot=human", "option.Board=plain", "option.Confirm=false",
                            "-engine", "greedy", "--length", "2", "--seed", "7", "--results", "r.db")
        text = terminal.question()
        while not text.endswith("double or resign? "):
            text = terminal.type(listed(terminal.type("?"))[0])
            self.assertNotIn("takes it back", text)
        self.assertIn("Cube 1, in the middle", text)
        self.assertRegex(terminal.type("double"), r"The opponent (takes|drops)\.")

    def test_two_persons_play_each_other(self):
        screen = Screen(self)
        terminal = Terminal(self, "duel", "-engine", "bot=human", "name=one", "-engine", "bot=human", "name=two",
                            f"option.Terminal={os.ttyname(screen.end)}", "option.Board=plain", "--length", "1", "--results", "r.db")
        first = select.select([terminal.master, screen.master], [], [], PATIENCE_S)[0]
        self.assertTrue(first)
        seats = [terminal, screen]
        while not any(QUESTION.search(seat.seen) for seat in seats):  # who begins?
            seats.sort(key=lambda seat: not select.select([seat.master], [], [], 0.2)[0])
            seats[0].read_until(rf"\n|{QUESTION.pattern}")  # a question has no end of line
        mover, other = sorted(seats, key=lambda seat: not QUESTION.search(seat.seen))
        other.press("13/7\nhelp\n")
        self.assertIn("It is not your turn; nothing was sent.", other.read_until("in one line"))
        play = listed(mover.type("?"))[0]
        self.assertTrue(mover.type(play).endswith("takes it back: "))
        mover.press("\n")
        told = other.question()
        self.assertRegex(told, r"The opponent rolled \d+ and played " + re.escape(play))
        ids = other.type("id")
        self.assertRegex(ids, r"XGID=[-a-oA-O]{26}:0:0:1:\d\d:0:0:0:1:10\nGNU Backgammon ID: [A-Za-z0-9/+]{14}:[A-Za-z0-9/+]{12}\n")
        xgid, gnubg = re.search(r"(XGID=\S+)\nGNU Backgammon ID: (\S+)", ids).groups()
        self.assertIn(gnubg.split(":")[0], self.must("plays", "--board", xgid)[0])
        other.press("quit\nyes\n")
        other.read_until("you have left")
        self.assertIn("goodbye", mover.question())

    def test_an_interrupted_game_is_played_anew(self):
        words = ("duel", "human", "greedy", "--length", "1", "--seed", "5", "--results", "r.db")
        terminal = Terminal(self, *words)
        terminal.to_play(terminal.question())
        until = time.monotonic() + PATIENCE_S
        while terminal.program.poll() is None:  # the first lets the game end, the second does not
            self.assertLess(time.monotonic(), until)
            terminal.program.send_signal(signal.SIGINT)
            select.select([], [], [], 0.05)
        self.assert_nothing_lives()
        again = Terminal(self, *words)
        self.play_on(again, again.question())
        again.result()
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(1,)])
        self.assertEqual(self.rows("select count(*) from fault"), [(0,)])

    def test_the_board_fits_the_terminal(self):
        terminal = Terminal(self, "duel", "human", "greedy", "--length", "1", "--seed", "5", "--results", "r.db")
        terminal.to_play(terminal.question())
        for columns in (80, 60, 44):
            fcntl.ioctl(terminal.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            shown = terminal.type("board")
            self.assertIn("+13-14-15-16-17-18------19-20-21-22-23-24-+", shown)
            self.assertLessEqual(max(len(line) for line in shown.splitlines()), columns)
            self.assertRegex(shown, r"X seat 1: \d+ pips, 0 off\n(.|\n)*1 point match(.|\n)*O seat 0: \d+ pips")
        fcntl.ioctl(terminal.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 43, 0, 0))
        shown = terminal.type("board")
        self.assertIn("The board needs 44 columns; this terminal has 43.\nYou: ", shown)
        self.assertNotIn("+13-14", shown)

    def test_the_referee_says_that_there_is_no_terminal(self):
        error = self.must("duel", "human", "greedy", "--results", "r.db", status=3)[1]
        self.assertIn("no terminal: start the referee in one", error)

    def test_a_killed_seat_leaves_the_terminal_as_it_was(self):
        terminal = Terminal(self, "duel", "human", "greedy", "--length", "1", "--results", "r.db", term="xterm")
        terminal.read_until(r"\? \Z")
        self.wait_until(lambda: not terminal.is_canonical(), "the seat to read single keys")
        seat, = [pid for pid in self.descendants() if read(f"/proc/{pid}/comm") == b"bgref-human\n"]
        os.kill(seat, signal.SIGKILL)
        terminal.program.communicate(timeout=PATIENCE_S)
        self.assertTrue(terminal.is_canonical(), "lines are not edited by the terminal again")

    def test_a_lost_terminal_ends_the_run(self):
        terminal = Terminal(self, "duel", "human", "greedy", "--length", "1", "--seed", "5", "--results", "r.db")
        terminal.question()
        terminal.press("\x04")  # Ctrl-D
        terminal.question()
        self.assertIn("You stay.", terminal.type("no"))
        terminal.press("\x04")
        self.assertIn("yes or no?", terminal.question())
        terminal.press("\x04")
        self.assertIn("you have left.", terminal.question())
        terminal.program.communicate(timeout=PATIENCE_S)
        self.assertNotEqual(self.rows("select count(*) from fault where bot = 'human'"), [(0,)])
        self.assert_nothing_lives()


main()
