"""From the start to Ready."""
import time

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
    "never-ready": NeverReady,
    "exit-start": ExitStart,
}
