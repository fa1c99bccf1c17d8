"""Late, or never."""
import hashlib
import os
import signal
import threading
import time

import bgref_pb2 as pb

from .base import LONG_S, Rogue


class Deaf(Rogue):
    fault, does = "silent", "stops receiving and says nothing: the ceiling ends it"

    def misdeed(self, ask, out):
        time.sleep(LONG_S)
        return False


class Stopped(Rogue):
    fault, does = "silent", "stops itself (SIGSTOP): the ceiling ends it"

    def misdeed(self, ask, out):
        os.kill(os.getpid(), signal.SIGSTOP)
        return False


class Late(Rogue):
    fault, does = "late", "sleeps past its clock, then answers: loses the game"

    def misdeed(self, ask, out):
        time.sleep(self.options.sleep)
        return self.plain(ask, out)


def burn(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


class Think(Rogue):
    fault, does = "late", "thinks past its clock, then answers: loses the game"

    def misdeed(self, ask, out):
        end = time.thread_time() + self.options.sleep
        while time.thread_time() < end:  # its own time on a core, however long that takes
            pass
        return self.plain(ask, out)


class ThinkThreads(Rogue):
    fault, does = "late", "thinks in 500 threads (--threads), so that each waits for the others: loses the game"

    def misdeed(self, ask, out):
        over = threading.Event()

        def work():
            while not over.is_set():  # the interpreter's lock is free meanwhile
                hashlib.pbkdf2_hmac("sha256", b"", b"", 2000)

        threads = [threading.Thread(target=work) for _ in range(self.options.threads)]
        for thread in threads:
            thread.start()
        burn(self.options.sleep)
        over.set()
        for thread in threads:
            thread.join()
        return self.plain(ask, out)


class ThinkChildren(Rogue):
    fault, does = "late", "waits for a core behind ten children of its own: loses the game"
    children = 10

    def misdeed(self, ask, out):
        started = []
        for _ in range(self.children):
            child = os.fork()
            if child == 0:
                burn(self.options.sleep)
                os._exit(0)
            started.append(child)
        burn(self.options.sleep)
        for child in started:
            os.waitpid(child, 0)
        return self.plain(ask, out)


class Lazy(Rogue):
    does = "thinks for a second at its first bear-off, as a bot does that computes a table there"
    loaded = False

    def is_due(self, ask):
        return ask.kind == pb.DECISION_PLAY

    def misdeed(self, ask, out):
        sides = (ask.position.own, ask.position.opponent)
        if not self.loaded and all(side and side[0] > 0 and len(side) <= 7 for side in sides):
            time.sleep(1.2)
            self.loaded = True
        return self.plain(ask, out)


class LateEarly(Late):
    fault, does = "late,order", "answers late, then before it is asked: loses two games"
    in_flight = 1

    def asked(self, asks):
        super().asked(asks)
        if self.is_due(asks[-1]):
            early = pb.ToReferee()
            early.answers.answers.add(decision=asks[-1].decision + (100 << 10), index=0)
            self.send(early)


class Silent(Rogue):
    fault, does = "silent", "answers everything but this: the ceiling ends it, and it starts anew"

    def misdeed(self, ask, out):
        return False


def add_options(parser):
    parser.add_argument("--threads", type=int, default=500, metavar="N",
                        help="threads of think-threads (default 500)")


DEEDS = {
    "late": Late,
    "think": Think,
    "think-threads": ThinkThreads,
    "think-children": ThinkChildren,
    "lazy": Lazy,
    "late-early": LateEarly,
    "sleep-forever": Deaf,
    "silent": Silent,
    "stopped": Stopped,
}
