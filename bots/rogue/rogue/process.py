"""Ends, forks, memory, standard error, signals, the keeper and the terminal."""
import fcntl
import mmap
import os
import signal
import sys
import termios
import threading
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
        hog()


def hog(steps=HOG_STEPS):
    held = []
    for _ in range(steps):
        held.append(b"x" * HOG_STEP)
        time.sleep(0.005)
    time.sleep(LONG_S)


class DeepHog(Rogue):
    fault, does = "memory", "its child's child's ... child, 14 forks below, takes a gigabyte"
    depth = 14

    def misdeed(self, ask, out):
        for _ in range(self.depth):
            if os.fork() != 0:
                time.sleep(LONG_S)
        hog()


class ThreadsHog(Rogue):
    fault, does = "memory", "the child of its 80th thread takes a gigabyte"

    def misdeed(self, ask, out):
        for _ in range(79):
            threading.Thread(target=time.sleep, args=(LONG_S,), daemon=True).start()
        threading.Thread(target=self.fork, daemon=True).start()
        time.sleep(LONG_S)

    def fork(self):
        if os.fork() == 0:
            hog()
        time.sleep(LONG_S)


class FileHog(Rogue):
    fault, does = "memory", "takes a gigabyte of a file in memory that it does not map"

    def prepare_file(self):
        return os.memfd_create("hog")

    def misdeed(self, ask, out):
        file = self.prepare_file()
        try:
            for _ in range(HOG_STEPS):
                os.write(file, b"x" * HOG_STEP)
                time.sleep(0.005)
        except OSError:
            pass  # a folder is full at the limit: an end now would be a crash before the memory check
        time.sleep(LONG_S)


class TmpHog(FileHog):
    fault = "-"
    does = "confined, it takes a gigabyte of its /tmp and is over its limit; else it plays properly"

    def prepare_file(self):
        return os.open("/tmp/hog", os.O_CREAT | os.O_WRONLY)

    def is_due(self, ask):
        return os.environ["HOME"] == "/tmp" and super().is_due(ask)


class SharesMemory(Rogue):
    does = "eight workers share 100 MB, which count once: nothing happens to it"
    size, workers = 100 << 20, 8

    def begin(self):
        shared = mmap.mmap(-1, self.size)
        for page in range(0, self.size, mmap.PAGESIZE):
            shared[page] = 1
        for _ in range(self.workers):
            if os.fork() == 0:
                sum(shared[page] for page in range(0, self.size, mmap.PAGESIZE))
                time.sleep(LONG_S)
        super().begin()


class ZombieStorm(Rogue):
    does = "leaves thousands of orphans that end at once: all are reaped"
    pause_s = 0.001

    def begin(self):
        if os.fork() == 0:
            for _ in range(10000):  # fewer than the processes that a machine can have: it may leave them all
                if os.getppid() == 1:
                    break
                if os.fork() == 0:
                    os.fork()
                    os._exit(0)
                os.wait()
                time.sleep(self.pause_s)
            os._exit(0)
        super().begin()


class ForkLoop(Rogue):
    does = "a child that forks and ends, again and again, each in a session of its own: it ends too"

    def begin(self):
        if os.fork() == 0:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                if os.fork() != 0:
                    os._exit(0)
                os.setsid()
                time.sleep(0.002)
        super().begin()


class KillsKeeper(Rogue):
    fault, does = "crash", "kills its keeper, leaves a bare child behind: both end"

    def misdeed(self, ask, out):
        if os.fork() == 0:
            os.setsid()
            # The endpoint as its name: that is how a test finds it.
            os.execve("/bin/sleep", [os.environ["BGREF_ENDPOINT"], str(LONG_S)], {})
        time.sleep(0.05)
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(LONG_S)


class StopsKeeper(Rogue):
    fault, does = "crash", "stops its keeper and ends: found out by its connection"

    def misdeed(self, ask, out):
        os.kill(os.getppid(), signal.SIGSTOP)
        os._exit(0)


class JoinsGroup(Rogue):
    does = "wants to be in the referee's group, and ignores every signal: it ends all the same"

    def begin(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)
        above = os.getppid()
        while above > 1:  # its keeper, then the referee, then the referee's parent
            try:
                os.setpgid(0, os.getpgid(above))
            except OSError:
                pass
            with open(f"/proc/{above}/stat", "rb") as file:
                above = int(file.read().rpartition(b")")[2].split()[1])
        super().begin()

    def goodbye(self):
        time.sleep(LONG_S)


class Terminal(Rogue):
    does = "writes to the operator's terminal and types into it: it has none"
    typed = "touch typed-by-a-bot\n"

    def begin(self):
        for path in ("/dev/tty", "/proc/self/fd/0", "/proc/self/fd/1"):
            try:
                terminal = os.open(path, os.O_RDWR | os.O_NOCTTY)
                os.write(terminal, b"written by a bot\n")
                for letter in self.typed:
                    fcntl.ioctl(terminal, termios.TIOCSTI, letter.encode())
            except OSError as refusal:
                print(f"rogue: {path}: {refusal.strerror}", file=sys.stderr)
        super().begin()


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
            while True:  # it ends with the bot's group
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


class WrongReady(Rogue):
    fault, does = "silent", "says Ready for a game that was not announced: loses the game"
    stateful = True

    def announced(self, begin):
        self.ready(begin.game + "x")


DEEDS = {
    "exit-between": ExitBetween,
    "exit-answered": ExitAnswered,
    "exit-decision": ExitDecision,
    "segfault": Segfault,
    "abort": Abort,
    "fork-bomb": ForkBomb,
    "memory-hog": MemoryHog,
    "deep-hog": DeepHog,
    "threads-hog": ThreadsHog,
    "file-hog": FileHog,
    "tmp-hog": TmpHog,
    "shares-memory": SharesMemory,
    "zombie-storm": ZombieStorm,
    "fork-loop": ForkLoop,
    "kills-keeper": KillsKeeper,
    "stops-keeper": StopsKeeper,
    "joins-group": JoinsGroup,
    "terminal": Terminal,
    "double-fork": DoubleFork,
    "double-fork-bare": DoubleForkBare,
    "closes-stdout": ClosesStdout,
    "chatty": Chatty,
    "chatty-on": ChattyOn,
    "ignores-term": IgnoresTerm,
    "stateful": Stateful,
    "wrong-ready": WrongReady,
}
