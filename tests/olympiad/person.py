"""The person of the day: reads a terminal and types, as somebody who takes the first play that is listed."""
import threading

from terminal import Terminal, listed

ANSWERS = {"roll, double or resign? ": "", "or drop? ": "take", "or refuse? ": "accept", "takes it back: ": "",
           "yes or no? ": "yes"}
TYPED_MOST = 20000


class Over(Exception):
    """The day is over for the person."""


class Seat(Terminal):
    patience_s = 600
    is_over = False

    def check_alive(self, text):
        if self.is_over:
            raise Over
        super().check_alive(text)


class Person(threading.Thread):
    """Plays until leave(). While may_play is not set, the open question waits."""

    def __init__(self, case, *words, through):
        super().__init__(daemon=True)
        self.seat = Seat(case, *words, through=through)
        self.may_play = threading.Event()
        self.is_asked = threading.Event()  # at least once, for an answer
        self.plays = 0
        self.wrong = None

    def run(self):
        try:
            text = self.seat.question()
            for _ in range(TYPED_MOST):
                text = self.go_on(text)
            self.wrong = f"typed {TYPED_MOST} lines, the last answer: {text}"
        except Over:
            pass
        except (AssertionError, OSError) as wrong:
            self.wrong = str(wrong)

    def go_on(self, text):
        """Answers one question; returns the next."""
        if text.rstrip().endswith("."):  # the line is lost: it comes back by itself
            return self.seat.question()
        self.is_asked.set()
        while not self.may_play.wait(0.2):
            self.seat.check_alive(text)
        if not text.endswith("lists them)? "):
            return self.seat.type(next(answer for end, answer in ANSWERS.items() if text.endswith(end)))
        plays = listed(text)
        if not plays or "takes it back" in text:
            return self.seat.type("?")
        self.plays += 1
        return self.seat.type(plays[0])

    def leave(self):
        """Ends the program as Ctrl-C would."""
        self.seat.is_over = True
        self.join(30)
        self.seat.program.terminate()
        return self.seat.program.communicate(timeout=30)
