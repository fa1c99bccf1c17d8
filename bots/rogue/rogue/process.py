"""Ends, forks, memory, standard error, signals."""
import os
import signal
import sys
import time

import zmq

from .base import LONG_S, Rogue

HOG_STEP, HOG_STEPS = 16 << 20, 64
FORKS = 60


def add_options(parser):
    parser.add_argument("--forks", type=int, default=FORKS, metavar="N",
                        help=f"how often fork-bomb forks (default {FORKS})")


class ExitBetween(Rogue):
    fault, does = "crash", "ends when a new game begins: starts anew"
    in_flight, seen = 1, None

    def is_due(self, ask):
        before, self.seen = self.seen, ask.game
        return before not in (None, ask.game)

    def misdeed(self, ask, out):
        os._exit(0)


class ExitAnswered(Rogue):
    fault, does = "crash", "answers and ends: starts anew"

    def asked(self, asks):
        super().asked(asks)
        if any(map(self.is_due, asks)):
            self.socket.close()
            zmq.Context.instance().term()
            os._exit(0)


class ExitDecision(Rogue):
    fault, does = "crash", "ends in the middle of a decision: loses the game, starts anew"

    def misdeed(self, ask, out):
        print("rogue: about to fall over", file=sys.stderr, flush=True)
        os._exit(3)


class Segfault(Rogue):
    fault, does = "crash", "SIGSEGV: loses the game, starts anew"
    signal = signal.SIGSEGV

    def misdeed(self, ask, out):
        os.kill(os.getpid(), self.signal)
        time.sleep(LONG_S)


class Abort(Segfault):
    does, signal = "SIGABRT: loses the game, starts anew", signal.SIGABRT


def sleeper():
    """Our environment goes with it, so it can be found."""
    os.execvp("sleep", ["sleep", str(LONG_S)])


class ForkBomb(Rogue):
    does = "forks as often as --forks asks: all of them end with it"

    def begin(self):
        for count in range(self.options.forks):
            try:
                if os.fork() == 0:
                    sleeper()
            except OSError:
                raise SystemExit(f"rogue: held after {count} forks")
        super().begin()


class DoubleFork(Rogue):
    does = "leaves a grandchild in a session of its own: it ends with the bot"

    def begin(self):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                sleeper()
            os._exit(0)
        os.wait()
        super().begin()


class DoubleForkBare(Rogue):
    does = "leaves a grandchild with nothing of ours in its environment: it ends with the referee"

    def begin(self):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                # The endpoint as its name: that is how a test finds it.
                os.execve("/bin/sleep", [os.environ["BGREF_ENDPOINT"], str(LONG_S)], {})
            os._exit(0)
        os.wait()
        super().begin()


class MemoryHog(Rogue):
    fault, does = "memory", "takes a gigabyte: over its limit it loses the game and starts anew"

    def misdeed(self, ask, out):
        held = []
        for _ in range(HOG_STEPS):
            held.append(b"x" * HOG_STEP)
            time.sleep(0.02)
        time.sleep(LONG_S)


class ClosesStdout(Rogue):
    does = "closes its standard output and error: nothing happens to it"

    def begin(self):
        super().begin()
        for fd in (0, 1, 2):
            os.close(fd)


class Chatty(Rogue):
    does = "writes megabytes to standard error: the last 64 KiB are kept"

    def begin(self):
        super().begin()
        for _ in range(64):
            sys.stderr.write("rogue: " + "blah " * 10000 + "\n")


class ChattyOn(Rogue):
    does = "writes to standard error without end: it waits for its reader, nobody else does"

    def begin(self):
        if os.fork() == 0:
            while True:  # it ends with our group
                os.write(2, b"blah " * 13000)
        super().begin()


class IgnoresTerm(Rogue):
    does = "ignores SIGTERM and Goodbye: killed"

    def begin(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().begin()

    def goodbye(self):
        time.sleep(LONG_S)


class Stateful(Rogue):
    does = "one match at a time a process; its first process greets late"
    stateful = True

    def begin(self):
        if os.environ["BGREF_SLOT"] == "0":
            time.sleep(self.options.sleep)
        super().begin()


DEEDS = {
    "exit-between": ExitBetween,
    "exit-answered": ExitAnswered,
    "exit-decision": ExitDecision,
    "segfault": Segfault,
    "abort": Abort,
    "fork-bomb": ForkBomb,
    "memory-hog": MemoryHog,
    "double-fork": DoubleFork,
    "double-fork-bare": DoubleForkBare,
    "closes-stdout": ClosesStdout,
    "chatty": Chatty,
    "chatty-on": ChattyOn,
    "ignores-term": IgnoresTerm,
    "stateful": Stateful,
}
