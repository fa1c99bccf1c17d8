"""A person at a terminal: what is typed and read goes through a pseudo-terminal."""
import os
import re
import select
import signal
import subprocess
import termios
import time

from harness import BGREF, read

QUESTION = re.compile(r"(roll, double or resign\? |\(\? lists them\)\? |or drop\? |or refuse\? |or reroll\? |yes or no\? "
                      r"|1 to 6: |Which (?:\w+ )?numbers?\? |or what you see: |takes it back: |Closed: [^\n]*\.)\s*\Z")
PATIENCE_S = 60


class Screen:
    """What a person sees and types at a terminal that a seat opens."""
    patience_s = PATIENCE_S

    def __init__(self, case):
        self.case = case
        self.master, end = case.open_terminal()
        modes = termios.tcgetattr(end)
        modes[3] &= ~termios.ECHO  # so that only the seat's words are read back
        termios.tcsetattr(end, termios.TCSANOW, modes)
        self.end = end  # kept open, so that the master never reads an error
        self.seen = ""
        case.addCleanup(self.close)

    def check_alive(self, text):
        """Fails if nothing more can come."""

    def close(self):
        os.close(self.master)
        os.close(self.end)

    def is_canonical(self):
        return bool(termios.tcgetattr(self.end)[3] & termios.ICANON)

    def read_until(self, pattern):
        """Returns all that is shown until the pattern is found in it."""
        text, until = "", time.monotonic() + self.patience_s
        while not re.search(pattern, text):
            left = until - time.monotonic()
            self.case.assertGreater(left, 0, f"no {pattern} in: {text!r}")
            if select.select([self.master], [], [], min(left, 0.2))[0]:
                text += os.read(self.master, 4096).decode().replace("\r", "")
            else:
                self.check_alive(text)
        self.seen += text
        return text

    def question(self):
        """Reads to the next question; returns all that was shown since the last one."""
        return self.read_until(QUESTION)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def type(self, line):
        self.press(line + "\n")
        return self.question()

    def answer(self, line):
        """Types an answer, sees that it was understood, and sends it."""
        text = self.type(line)
        self.case.assertTrue(text.endswith("takes it back: "), f"{line}: {text}")
        return self.type("")

    def to_play(self, text):
        """Takes, and does not double, until a play is asked."""
        while not text.endswith("lists them)? "):
            text = self.answer("take") if text.endswith("or drop? ") else self.type("")
        return text


class Terminal(Screen):
    """The same with a program, whose standard input is the terminal, and so the seat's. Without TERM the lines are
    plain; with it they are edited by libedit, which also echoes them. through: words before the program's name."""

    def __init__(self, case, *words, term=None, through=()):
        super().__init__(case)
        environment = {name: value for name, value in case.environment.items() if name != "TERM"}
        if term:
            environment["TERM"] = term
        self.program = subprocess.Popen([*through, BGREF, *words], cwd=case.folder, env=environment, stdin=self.end,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def check_alive(self, text):
        if self.program.poll() is not None:
            self.case.fail(f"ended: {text!r} {self.program.communicate()}")

    def ignores_ctrl_z(self):
        """A stopped program would leave its seat reading what is typed for the shell, and send it as plays."""
        ignored = re.search(r"SigIgn:\t(\w+)", read(f"/proc/{self.program.pid}/status").decode())[1]
        self.case.assertTrue(int(ignored, 16) >> signal.SIGTSTP - 1 & 1)

    def close(self):
        self.program.kill()
        self.program.communicate()
        super().close()

    def result(self):
        out, error = self.program.communicate(timeout=PATIENCE_S)
        self.case.assertEqual(self.program.returncode, 0, out + error)
        return out


def listed(text):
    return [line.strip() for line in text.splitlines() if re.match(r"  \S+/", line)]
