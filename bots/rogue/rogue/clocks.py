"""Late, or never."""
import os
import signal
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


DEEDS = {
    "late": Late,
    "late-early": LateEarly,
    "sleep-forever": Deaf,
    "silent": Silent,
    "stopped": Stopped,
}
