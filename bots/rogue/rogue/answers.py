"""Messages that can be read and do not fit what was asked."""
import bgref_pb2 as pb

from .base import Answers, Rogue


class WrongKind(Rogue):
    fault, does = "garbled", "accepts a resignation when asked for a play: loses the game"

    def misdeed(self, ask, out):
        out.action = pb.ACTION_ACCEPT
        return True


class CubeInPlay(Rogue):
    fault, does = "garbled", "doubles when asked for a play: loses the game"

    def misdeed(self, ask, out):
        out.action = pb.ACTION_DOUBLE
        return True


class CubeTake(Answers):
    fault, does = "garbled", "takes when asked to double or roll: loses the game"

    def kind(self):
        return pb.DECISION_DOUBLE

    def misdeed(self, ask, out):
        out.action = pb.ACTION_TAKE
        return True


class CubeRaise(Answers):
    fault, rule, does = "illegal", "C7", "beavers where there are none: loses the game"

    def kind(self):
        return pb.DECISION_TAKE

    def misdeed(self, ask, out):
        if ask.may_raise:
            return self.plain(ask, out)
        out.action = pb.ACTION_RAISE
        return True


class ResignLevel(Rogue):
    fault, rule, does = "illegal", "R1", "resigns at a level that does not exist: loses the game"

    def misdeed(self, ask, out):
        out.resign = 7
        return True


class ResignAgain(Answers):
    fault, rule, does = "illegal", "R2", "offers what was refused once more: loses the game"

    def misdeed(self, ask, out):
        out.resign = ask.refused_level or 1
        return True


class NoIndex(Rogue):
    fault, rule, does = "illegal", "N1", "an index behind the last result: loses the game"

    def misdeed(self, ask, out):
        out.index = 100000
        return True


class HalfMove(Rogue):
    fault, does = "garbled", "moves of an odd number of bytes: loses the game"

    def misdeed(self, ask, out):
        out.moves = bytes([8, 5, 6])
        return True


class NoContent(Rogue):
    fault, does = "garbled", "an answer with a number and nothing else: loses the game"

    def misdeed(self, ask, out):
        return True


class OddThoughts(Rogue):
    does = "tells thoughts that cannot be: they are dropped, and its answers count"

    def misdeed(self, ask, out):
        self.plain(ask, out)
        number, thought = self.plays // self.options.after % 5, out.thought
        if number < 2:
            thought.chances.win = (float("nan"), 1.7)[number]
        elif number == 2:
            for _ in range(9):
                thought.candidates.add(action=pb.ACTION_ROLL)
        elif number == 3:
            thought.candidates.add(moves=bytes([200, 1]))
        else:  # kept, and cleaned
            thought.text = "\x1b[31m0 roll 66 @1\n1 fault late" + "\u202e" * 300
        return True


class WrongNumber(Rogue):
    fault, does = "order", "answers a number that was never asked: loses the game"
    in_flight = 1  # of several such answers in one message one alone is charged

    def misdeed(self, ask, out):
        out.decision = ask.decision + (1 << 30)
        out.index = 0
        return True


class OldNumber(Rogue):
    fault = "silent"
    does = "answers an old number: dropped, and the open decision ends at the ceiling"
    in_flight, old = 1, 0

    def plain(self, ask, out):
        self.old = ask.decision
        return super().plain(ask, out)

    def misdeed(self, ask, out):
        out.decision = self.old
        out.index = 0
        return True


class Duplicate(Rogue):
    does = "answers twice: the second answer is dropped"

    def asked(self, asks):
        super().asked(asks)
        for ask in asks:
            if self.is_due(ask) and self.plays % 30 == 0:
                message = pb.ToReferee()
                self.plain(ask, message.answers.answers.add())
                self.send(message)


class Unasked(Rogue):
    does = "says what nobody asked for (pong, ready, evaluation, hello): counted"

    def misdeed(self, ask, out):
        if self.plays % 30 == 0:
            for fill in (lambda m: m.ready.SetInParent(), lambda m: setattr(m.pong, "nonce", 7),
                         lambda m: setattr(m.evaluation, "number", 7),
                         lambda m: m.CopyFrom(self.hello())):
                message = pb.ToReferee()
                fill(message)
                self.send(message)
        return self.plain(ask, out)


class FloodAnswers(Rogue):
    fault, does = "order", "a thousand answers to nothing in one message: loses one game"
    in_flight = 1

    def misdeed(self, ask, out):
        message = pb.ToReferee()
        for i in range(1000):
            message.answers.answers.add(decision=ask.decision + ((i + 1) << 20), index=0)
        self.send(message)
        return False


DEEDS = {
    "cube-raise": CubeRaise,
    "cube-take": CubeTake,
    "cube-in-play": CubeInPlay,
    "resign-level": ResignLevel,
    "resign-again": ResignAgain,
    "wrong-kind": WrongKind,
    "no-index": NoIndex,
    "half-move": HalfMove,
    "no-content": NoContent,
    "odd-thoughts": OddThoughts,
    "wrong-number": WrongNumber,
    "old-number": OldNumber,
    "duplicate": Duplicate,
    "unasked": Unasked,
    "flood-answers": FloodAnswers,
}
