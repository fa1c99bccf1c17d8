"""From the start to Ready."""
import time

import bgref_pb2 as pb

from .base import LONG_S, Rogue


class SilentStart(Rogue):
    fault, does = "start", "never says Hello: not ready in time"

    def begin(self):
        time.sleep(LONG_S)


class SlowStart(Rogue):
    does = "greets late, but in time: nothing happens to it"

    def begin(self):
        time.sleep(self.options.sleep)
        super().begin()


class Mumble(Rogue):
    fault, does = "start", "its first message is no message at all: refused at once"

    def begin(self):
        self.connect()
        self.socket.send(b"\xff\xff")


class WrongVersion(Rogue):
    fault, does = "start", "speaks protocol 99 only: refused"

    def hello(self):
        message = super().hello()
        message.hello.protocols[:] = [99]
        return message


class WrongToken(Rogue):
    fault, does = "start", "brings a token that nobody was given: refused"

    def hello(self):
        message = super().hello()
        message.hello.token = "0" * 32
        return message


class WrongGame(Rogue):
    fault, does = "start", "plays another game: refused"

    def hello(self):
        message = super().hello()
        message.hello.variants[:] = ["no-such-game"]
        return message


class OddOptions(Rogue):
    fault, does = "start", "offers an option whose value is no number: refused"

    def hello(self):
        message = super().hello()
        message.hello.options.add(name="Noise", type=pb.OPTION_REAL, value="nan", min="0", max="1")
        return message


class ManyOptions(Rogue):
    fault, does = "start", "offers 30,000 options without a name: refused"

    def hello(self):
        message = super().hello()
        for _ in range(30000):
            message.hello.options.add()
        return message


class NeverReady(Rogue):
    fault, does = "start", "greets and is never ready: not ready in time"

    def welcomed(self):
        pass


class ExitStart(Rogue):
    fault, does = "start", "ends before its greeting: its last words are shown"

    def begin(self):
        raise SystemExit("rogue: cannot find my weights")


DEEDS = {
    "silent-start": SilentStart,
    "slow-start": SlowStart,
    "mumble": Mumble,
    "wrong-version": WrongVersion,
    "wrong-token": WrongToken,
    "wrong-game": WrongGame,
    "odd-options": OddOptions,
    "many-options": ManyOptions,
    "never-ready": NeverReady,
    "exit-start": ExitStart,
}
