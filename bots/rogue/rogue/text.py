"""What it says is meant for the terminal, the log or the page of whoever reads it."""
import os
import sys

from .base import Rogue

HIDDEN = "\u202e\u2066\u200b\u00ad\ufeff\ufe0f\u2028\u3164\U000e0041"
MARKS = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;"
CONTROLS = "\x1b[2J\x1b[31m\x1b]0;mine\x07\x9b1m\b\b\x7f\r"
BYTES = b"\x1b[2J\x1b[31m\x1b]0;mine\x07\x9b1m\xff\xc0\xaf\xed\xa0\x80\x00\b\x7f\r"


class Terminal(Rogue):
    """Hidden characters or marks in every string of its Hello, and anything on standard error."""
    fault, does = "crash", "writes to the reader's terminal wherever it may, then ends"

    def begin(self):
        self.say()
        super().begin()

    def say(self):
        os.write(2, BYTES + (HIDDEN + MARKS).encode() + b"\nlast words " + BYTES + b"\n")

    def hello(self):
        message = super().hello()
        message.hello.name = "rogue<b>" + HIDDEN
        message.hello.version = MARKS
        message.hello.author = MARKS + HIDDEN
        message.hello.variants.append("*" + HIDDEN)
        for name, of_type in (("Text<b>", 0), ("Choice<i>'", 4)):  # hidden characters are refused there
            option = message.hello.options.add(name=name, type=of_type, value=MARKS)
            option.help = MARKS
            if of_type == 4:
                option.choices.append(MARKS)
        return message

    def misdeed(self, ask, out):
        self.say()
        sys.stderr.flush()
        os._exit(3)


class TerminalHello(Terminal):
    """Controls are refused by the decoder, and the refusal must not repeat them."""
    fault, does = "start", "an escape sequence in the name of its Hello: refused"

    def hello(self):
        message = super().hello()
        message.hello.name = "rogue" + CONTROLS
        return message


class TerminalRefused(Terminal):
    fault, does = "start", "plays games whose names are hidden characters: refused"

    def hello(self):
        message = super().hello()
        message.hello.variants[:] = ["gammon" + HIDDEN, "<i>"]
        return message


DEEDS = {
    "writes-escapes": Terminal,
    "escapes-hello": TerminalHello,
    "escapes-refused": TerminalRefused,
}
