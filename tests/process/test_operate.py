"""A person plays in an event of another machine: bgref join --seat, typed through a pseudo-terminal, over a real door."""
import re
import signal
import time

from door_case import DoorCase
from harness import kill, main
from page_seat import Seat
from terminal import Terminal, listed



def spelled(play, way):
    """The same play as other people write it."""
    moves = play.split()
    if way == 0:
        return " ".join(reversed(moves))
    if way == 1:
        return play.replace("/", "-").replace("bar", "b").replace("off", "0")
    if way == 2:
        return ", ".join(re.sub(r"\((\d)\)", r"x\1", move.upper()) for move in moves)
    if way == 3:
        return play.replace("bar", "25").replace("*", "x").replace("off", "o")
    return "m " + play.replace("*", "")


class Operate(DoorCase):
    def event(self, opponent="random", length=1, port=0):
        return super().event(pairs=1, port=port, random=opponent, **{"length: 3": f"length: {length}\nceiling: 10m"})

    def operate(self, *words, term=None):
        return Terminal(self, "join", "host.bgref", "--seat", "--key", "anna.key", *words, term=term)

    def simple_play(self, terminal, text):
        """Goes on to a roll of two numbers and a play of two moves that hits nothing."""
        while True:
            text = terminal.to_play(text)
            plays = listed(terminal.type("?"))
            dice = re.findall(r"You rolled (\d)(\d)\.", text)
            simple = [play for play in plays if re.fullmatch(r"\d+/\d+ \d+/\d+", play)]
            if dice and simple:
                return simple[0], dice[-1]
            text = terminal.answer(plays[0])

    def test_whole_matches_are_played_in_usual_notations(self):
        event = self.event(opponent="greedy", length=1)
        terminal, turn = self.operate(), 0
        text = terminal.question()
        while "says goodbye" not in text:
            self.assertFalse(text.endswith("or drop? "), text)  # a match to 1 has no cube
            if text.endswith("lists them)? "):
                plays = listed(terminal.type("plays"))
                play = plays[turn % len(plays)]
                asked = terminal.type(spelled(play, turn % 5))
                self.assertTrue(asked.endswith("takes it back: "), f"{play} as {spelled(play, turn % 5)}: {asked}")
                self.assertIn("*" if "*" in play else "", asked)
                text = terminal.type("y" if turn % 2 else "")
                turn += 1
            else:
                text = terminal.type("")
        self.ends(event)
        out = terminal.result()
        self.assertIn("welcome: anna plays in spring", out)
        self.assertRegex(out, r"fingerprint [0-9a-f ]{39}")
        self.assertIn("\n\ngoodbye: the event has ended", out)  # not behind the question that stands there
        self.assertNotIn("game 1 against", out)  # the seat shows its games
        self.assertGreater(turn, 10)
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(2,)])
        self.assertEqual(self.rows("select count(*) from fault"), [(0,)])
        self.assertRegex(terminal.seen, r"A new game against greedy: backgammon, 0 to 0 in a match to 1")
        self.assertRegex(terminal.seen, r"The opponent rolled \d\S+ and played \S+/\S+")
        self.assertRegex(terminal.seen, r"You (win|lose) \d point")
        self.assertRegex(terminal.seen, r"The match is (yours|the opponent's)\.")
        self.must("verify", "r.db")
        self.assert_nothing_lives()

    def test_a_match_is_played_in_a_browser(self):
        event = self.event()
        terminal = Terminal(self, "join", "host.bgref", "--seat", "--page", "--key", "anna.key")
        seat = Seat(re.search(r"Your seat: (\S+)", terminal.read_until(r"Your seat: \S+\n"))[1])
        self.addCleanup(seat.close)
        _, lines = seat.play_on()
        self.ends(event)
        terminal.result()
        self.assertIn("A new game against random: backgammon, 0 to 0 in a match to 1.", lines)
        self.assertEqual(self.rows("select count(*), (select count(*) from fault) from game where match_over"), [(2, 0)])
        self.must("verify", "r.db")

    def test_mistakes_are_told_and_corrected_and_the_cube_and_resignations_are_typed(self):
        event = self.event(opponent="greedy", length=5)
        terminal = self.operate("--plain", "--quiet")
        text = terminal.question()
        self.assertRegex(text, r"You: 1\d\d pips")
        while not text.endswith("double or resign? "):
            text = terminal.answer("take" if text.endswith("or drop? ") else listed(terminal.type("?"))[0])
        self.assertIn("No play is asked now", terminal.type("13/7 8/7"))
        self.assertIn("does not answer this question", terminal.type("take"))
        self.assertRegex(terminal.type("double"), r"Double to [24]: Enter sends it, undo takes it back: $")
        self.assertIn("Taken back.", terminal.type("undo"))
        text = terminal.answer("redouble")
        self.assertRegex(text, r"The opponent (takes|drops)\.")
        play, dice = self.simple_play(terminal, text)
        self.assertIn(f"Not these dice: you rolled {''.join(dice)}", terminal.type(f"{'66' if '6' not in dice else '11'}: {play}"))
        self.assertIn("this play hits nothing: compare the boards", terminal.type(play + "*"))
        self.assertIn("Not legal (G1)", terminal.type("24/1"))
        self.assertIn('Not a play at "13/x"', terminal.type("13/x"))
        self.assertIn("the dice are rolled".capitalize(), terminal.type("double"))
        self.assertTrue(terminal.type(f"{''.join(dice)}: {play}").endswith("takes it back: "))
        self.assertTrue(terminal.type("24/1").endswith("lists them)? "), "a refused correction must not leave the old play")
        self.assertIn("Nothing to take back", terminal.type("undo"))
        text = terminal.answer(play)
        until = time.monotonic() + 60
        while "says goodbye" not in text:
            self.assertLess(time.monotonic(), until)
            if text.endswith("or drop? "):
                text = terminal.answer("pass")
            elif "refuses your resignation" in text:
                text = terminal.answer("resign backgammon")
            else:
                text = terminal.answer("resign gammon")
        self.ends(event)
        self.assertEqual(terminal.result(), "")
        self.assertEqual(self.rows("select count(*) from fault"), [(0,)])
        for step in ("double", "resign"):
            self.assertIn(step, self.canonical("r.db"))

    def test_lines_are_edited_recalled_and_completed(self):
        self.event()
        terminal = self.operate(term="xterm")
        text = terminal.to_play(terminal.read_until(r"lists them\)\? $"))
        self.wait_until(lambda: not terminal.is_canonical(), "the console to read single keys")
        terminal.press("\t\t")
        group = re.findall(r"\d+/\d+", terminal.read_until(r"\d+/\d+(.|\n)*lists them\)\? $"))[0]
        terminal.press(group[:-1] + "9\b" + group[-1] + "\x01\x0b")  # corrected, then all of it deleted
        terminal.press("hxlp\x02\x02\x02\x1b[C\b\x1b[C\b\x04\x04elp\n")  # arrows and deletions
        terminal.read_until(r"in one line(.|\n)*lists them\)\? $")
        terminal.press("bo\t\n")
        terminal.read_until(r"BAR(.|\n)*lists them\)\? $")
        terminal.press("\x1b[A\n")  # the line before: board
        terminal.read_until(r"board *\n(.|\n)*BAR(.|\n)*lists them\)\? $")
        terminal.program.send_signal(signal.SIGINT)
        terminal.program.communicate(timeout=60)
        self.assertEqual(terminal.program.returncode, 130)
        self.assertTrue(terminal.is_canonical(), "the terminal's modes are not as before")

    def test_leaving_is_asked_and_sends_nothing(self):
        event = self.event()
        terminal = self.operate()
        text = terminal.to_play(terminal.question())
        terminal.ignores_ctrl_z()
        dice = re.findall(r"You rolled (\w+)\.", text)[-1]
        terminal.type(listed(terminal.type("?"))[0])
        terminal.press("\x04")
        self.assertTrue(terminal.question().endswith("yes or no? "))
        self.assertTrue(terminal.type("no").endswith("takes it back: "))
        self.assertIn("you have left.", terminal.type("quit") + terminal.type("yes"))
        self.assertIn("welcome", terminal.result())
        again = self.operate()
        text = again.question()
        self.assertIn(f"You rolled {dice}.", text)  # the same decision: what was typed was not sent
        self.assertNotIn("fault", self.said(event))
        again.answer(listed(again.type("?"))[0])
        kill(event)

    def test_a_lost_line_comes_back_with_the_same_seat(self):
        port = self.free_port()
        event = self.event(port=port)
        terminal = self.operate()
        terminal.to_play(terminal.question())
        kill(event)
        event = self.again(port)
        text = terminal.question()
        while text.rstrip().endswith("Closed: the referee is gone."):
            text = terminal.question()
        while "says goodbye" not in text:
            text = terminal.answer(listed(terminal.type("?"))[0]) if text.endswith("lists them)? ") else terminal.type("")
        self.ends(event)
        self.assertIn("starting again", terminal.result())

    def test_refusals(self):
        error = self.must("join", "host.bgref", "--seat", "--key", "anna.key", status=2)[1]
        self.assertIn("host.bgref", error)
        self.event()
        self.assertIn("is not a terminal", self.must("join", "host.bgref", "--seat", "--key", "anna.key", status=2)[1])
        self.must("keygen", "--join", "mallory")
        stranger = Terminal(self, "join", "host.bgref", "--seat", "--key", "mallory.key")
        self.assertIn("does not know this key", stranger.program.communicate(timeout=30)[1])
        self.assertEqual(stranger.program.returncode, 5)


main()
