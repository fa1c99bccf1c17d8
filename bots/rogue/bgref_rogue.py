#!/usr/bin/python3
"""A bot that misbehaves on request, to try referees: one deed per word of the command line.

Until its deed is due it plays the first legal result, rolls, takes and accepts. `--list` prints
every deed with what must happen to it, by tabs: deed, fault ("-": none; two by a comma: either),
rule ("-": none), and a line for people.
"""
import argparse
import os
import random
import signal
import socket as sockets
import sys
import time

import bgref_pb2 as pb
import zmq

PROTOCOL = 1
BAR, OFF = 25, 0
HOME = range(1, 7)
POINTS = range(1, 25)
LONG_S = 600
MESSAGE_BYTES = 65536    # the referee's limit, as its Welcome tells
TRANSPORT_BYTES = 4 * MESSAGE_BYTES
HOG_STEP, HOG_STEPS = 16 << 20, 64
FORKS = 60


class Roll:
    """The board and numbers of an Ask, and what may move: enough rules to break them on purpose."""

    def __init__(self, ask):
        self.own = list(ask.position.own) + [0] * 26
        self.foe = list(ask.position.foe) + [0] * 26
        self.numbers = [n.number for n in ask.numbers for _ in range(n.times)]
        self.plays = [bytes(result.moves) for result in ask.results]

    def is_double(self):
        return len(set(self.numbers)) < len(self.numbers)

    def foes_on(self, slot):
        return self.foe[25 - slot] if slot in POINTS else 0

    def has(self, slot):
        return self.own[slot] > 0

    def all_home(self):
        return not any(self.own[7:])

    def may_stand(self, slot):
        return slot in POINTS and self.foes_on(slot) < 2

    def may_move(self, slot, number):
        """One number, one checker, nothing else considered."""
        if not self.has(slot) or (self.has(BAR) and slot != BAR):
            return False
        if slot - number > 0:
            return self.may_stand(slot - number)
        return self.all_home() and (slot == number or not any(self.own[slot + 1:7]))

    def movers(self):
        """Occupied points; none while a checker is on the bar."""
        return [] if self.has(BAR) else [slot for slot in POINTS if self.has(slot)]


def sums(numbers):
    reach = {0}
    for number in numbers:
        reach |= {number + before for before in reach}
    return reach


def wrong_die(roll):
    for slot in roll.movers():
        for target in POINTS:
            far = slot - target
            if far > 0 and far not in sums(roll.numbers) and roll.may_stand(target):
                return [slot, target]
    return None


def no_checker(roll):
    for slot in POINTS:
        if not roll.has(BAR) and not roll.has(slot) and roll.may_stand(slot - roll.numbers[0]):
            return [slot, slot - roll.numbers[0]]
    return None


def no_slot(_roll):
    return [40, 38]


def one_die(roll):
    longer = [play for play in roll.plays if len(play) == 4]
    return list(longer[0][:2]) if longer and not roll.is_double() else None


def lower_die(roll):
    """Each number alone can be played, both cannot."""
    if roll.is_double() or not roll.plays or any(len(play) != 2 for play in roll.plays):
        return None
    high, low = max(roll.numbers), min(roll.numbers)
    slots = [BAR, *POINTS]
    if any(roll.may_move(slot, high) for slot in slots):
        for slot in slots:
            if roll.may_move(slot, low):
                return [slot, max(slot - low, OFF)]
    return None


def past_bar(roll):
    for slot in POINTS if roll.has(BAR) else ():
        for number in roll.numbers:
            if roll.has(slot) and roll.may_stand(slot - number):
                return [slot, slot - number]
    return None


def bear_early(roll):
    for slot in HOME:
        if slot in roll.movers() and not roll.all_home() and slot in roll.numbers:
            return [slot, OFF]
    return None


def bear_higher(roll):
    for slot in HOME:
        if slot in roll.movers() and roll.all_home() and any(roll.own[slot + 1:7]):
            if max(roll.numbers) > slot and slot not in sums(roll.numbers):
                return [slot, OFF]
    return None


def blocked(roll):
    for slot in roll.movers():
        for number in roll.numbers:
            if roll.foes_on(slot - number) >= 2:
                return [slot, slot - number]
    return None


def extra_move(roll):
    """A whole legal play, and one of its numbers once more by another checker."""
    for play in roll.plays:
        if roll.is_double() or len(play) != 4:
            continue
        for slot in roll.movers():
            for number in roll.numbers:
                if slot not in play and roll.may_stand(slot - number):
                    return [*play, slot, slot - number]
    return None


def no_move(_roll):
    return []


def two_ways(roll):
    """A merged move over a blot on one of its two ways."""
    if roll.is_double() or len(roll.numbers) != 2:
        return None
    first, second = roll.numbers
    for slot in roll.movers():
        ways = [slot - first, slot - second]
        if (all(map(roll.may_stand, ways)) and roll.may_stand(slot - first - second)
                and sum(map(roll.foes_on, ways)) == 1):
            return [slot, slot - first - second]
    return None


def wrong_result(_roll):
    return pb.Position(own=bytes([14, 1]), foe=bytes([14, 1]))


class Rogue:
    """What all deeds share. A deed overrides what it does otherwise."""
    fault, rule, told = "-", "-", "plays properly: nothing happens to it"
    in_flight, stateful = 8, False

    def __init__(self, options):
        self.options = options
        self.plays = 0
        self.socket = None
        self.last_game = None

    # ---- greeting
    def begin(self):
        self.connect()
        self.socket.send(self.hello().SerializeToString())

    def connect(self):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.set_hwm(0)
        self.socket.linger = 1000
        self.socket.connect(os.environ["BGREF_ENDPOINT"])

    def hello(self):
        message = pb.ToReferee()
        message.hello.protocols.append(PROTOCOL)
        message.hello.token = os.environ["BGREF_TOKEN"]
        message.hello.pid = os.getpid()
        message.hello.name = "rogue"
        message.hello.variants.append("*")
        message.hello.want_plays = True
        message.hello.max_in_flight = self.in_flight
        message.hello.stateful = self.stateful
        return message

    def welcomed(self):
        self.ready()

    def ready(self):
        message = pb.ToReferee()
        message.ready.SetInParent()
        self.socket.send(message.SerializeToString())

    # ---- decisions
    def plain(self, ask, out):
        out.decision = ask.decision
        if ask.kind == pb.DECISION_PLAY:
            out.index = 0
        elif ask.kind == pb.DECISION_DOUBLE:
            out.action = pb.ACTION_ROLL
        elif ask.kind == pb.DECISION_RESIGNATION:
            out.action = pb.ACTION_ACCEPT
        else:
            out.action = pb.ACTION_TAKE
        return True

    def is_due(self, ask):
        """Every so many plays."""
        return ask.kind == pb.DECISION_PLAY and self.plays % self.options.after == 0

    def misdeed(self, ask, out):
        """Fills `out`, or does its worst; True when `out` is to be sent."""
        return self.plain(ask, out)

    def asked(self, asks):
        message = pb.ToReferee()
        for ask in asks:
            self.plays += ask.kind == pb.DECISION_PLAY
            self.note_match(ask)
            answer = pb.Answer(decision=ask.decision)
            if (self.misdeed if self.is_due(ask) else self.plain)(ask, answer):
                message.answers.answers.append(answer)
        if message.answers.answers:
            self.send(message)

    def note_match(self, ask):
        match = ask.game.rpartition("|")[0]
        if self.options.matches and match != self.last_game:
            with open(self.options.matches, "a", encoding="ascii") as matches:
                matches.write(f"{os.getpid()} {match}\n")
        self.last_game = match

    def send(self, message):
        self.socket.send(message.SerializeToString())

    def goodbye(self):
        raise SystemExit(0)

    # ---- the loop
    def run(self):
        self.begin()
        while True:
            if not self.socket.poll(1000):
                if os.getppid() == 1 and os.getpid() != 2:  # in a sandbox the parent is 1
                    raise SystemExit("rogue: the referee is gone")
                continue
            message = pb.ToBot.FromString(self.socket.recv())
            content = message.WhichOneof("content")
            if content == "welcome":
                self.welcomed()
            elif content == "asks":
                self.asked(message.asks.asks)
            elif content in ("goodbye", "refusal"):
                self.goodbye()


class Illegal(Rogue):
    """Answers with moves that break one rule, as soon as a position allows it."""
    fault = "illegal"
    moves = None

    def is_due(self, ask):
        return ask.kind == pb.DECISION_PLAY and self.plays >= self.options.after

    def misdeed(self, ask, out):
        wrong = type(self).moves(Roll(ask))
        if wrong is None:
            return self.plain(ask, out)
        if isinstance(wrong, pb.Position):
            out.result.CopyFrom(wrong)
        else:
            out.moves = bytes(wrong)
        return True


class Stuck(Illegal):
    """Keeps its last checkers back, so that soon little can move."""

    def plain(self, ask, out):
        super().plain(ask, out)
        if ask.kind == pb.DECISION_PLAY and ask.results:
            held = [sum(slot * slot * count for slot, count in enumerate(result.position.own))
                    for result in ask.results]
            out.index = held.index(max(held))
        return True


def breaks(rule, moves, told, fault="illegal", base=Illegal):
    return type("Illegal", (base,), {"fault": fault, "rule": rule, "moves": staticmethod(moves),
                                        "told": told})


class Answers(Rogue):
    """Instead of an answer."""

    def kind(self):
        return pb.DECISION_PLAY

    def is_due(self, ask):
        return ask.kind == self.kind() and self.plays >= self.options.after


class WrongKind(Rogue):
    fault, told = "garbled", "accepts a resignation when asked for a play: loses the game"

    def misdeed(self, ask, out):
        out.action = pb.ACTION_ACCEPT
        return True


class CubeInPlay(Rogue):
    fault, told = "garbled", "doubles when asked for a play: loses the game"

    def misdeed(self, ask, out):
        out.action = pb.ACTION_DOUBLE
        return True


class CubeTake(Answers):
    fault, told = "garbled", "takes when asked to double or roll: loses the game"

    def kind(self):
        return pb.DECISION_DOUBLE

    def misdeed(self, ask, out):
        out.action = pb.ACTION_TAKE
        return True


class CubeRaise(Answers):
    fault, rule, told = "illegal", "C7", "beavers where there are none: loses the game"

    def kind(self):
        return pb.DECISION_TAKE

    def misdeed(self, ask, out):
        if ask.may_raise:
            return self.plain(ask, out)
        out.action = pb.ACTION_RAISE
        return True


class ResignLevel(Rogue):
    fault, rule, told = "illegal", "R1", "resigns at a level that does not exist: loses the game"

    def misdeed(self, ask, out):
        out.resign = 7
        return True


class ResignAgain(Answers):
    fault, rule, told = "illegal", "R2", "offers what was refused once more: loses the game"

    def misdeed(self, ask, out):
        out.resign = ask.refused_level or 1
        return True


class NoContent(Rogue):
    fault, told = "garbled", "an answer with a number and nothing else: loses the game"

    def misdeed(self, ask, out):
        return True


class WrongNumber(Rogue):
    fault, told = "order", "answers a number that was never asked: loses the game"

    def misdeed(self, ask, out):
        out.decision = ask.decision + (1 << 30)
        out.index = 0
        return True


class OldNumber(Rogue):
    fault = "silent"
    told = "answers an old number: dropped, and the open decision ends at the ceiling"
    in_flight, old = 1, 0

    def plain(self, ask, out):
        self.old = ask.decision
        return super().plain(ask, out)

    def misdeed(self, ask, out):
        out.decision = self.old
        out.index = 0
        return True


class Duplicate(Rogue):
    told = "answers twice: the second answer is dropped"

    def asked(self, asks):
        super().asked(asks)
        for ask in asks:
            if self.is_due(ask) and self.plays % 30 == 0:
                message = pb.ToReferee()
                self.plain(ask, message.answers.answers.add())
                self.send(message)


class Unasked(Rogue):
    told = "says what nobody asked for (pong, ready, evaluation, hello): counted"

    def misdeed(self, ask, out):
        if self.plays % 30 == 0:
            for fill in (lambda m: m.ready.SetInParent(), lambda m: setattr(m.pong, "nonce", 7),
                         lambda m: setattr(m.evaluation, "number", 7),
                         lambda m: m.CopyFrom(self.hello())):
                message = pb.ToReferee()
                fill(message)
                self.send(message)
        return self.plain(ask, out)


class Garbage(Rogue):
    fault, told, in_flight = "garbled", "bytes that are no message: loses the game", 1

    def misdeed(self, ask, out):
        self.socket.send(b"\xff\xff\xff no message")
        return False


class Truncated(Rogue):
    fault, told, in_flight = "garbled", "half an answer: loses the game", 1

    def misdeed(self, ask, out):
        message = pb.ToReferee()
        self.plain(ask, message.answers.answers.add())
        whole = message.SerializeToString()
        self.socket.send(whole[:len(whole) // 2 + 1])
        return False


class Parts(Rogue):
    fault, told, in_flight = "garbled", "an answer in two frames: loses the game", 1

    def misdeed(self, ask, out):
        self.socket.send_multipart([b"", b"x"])
        return False


class Oversized(Rogue):
    fault, told, in_flight = "oversized", "a message above the limit of the Welcome: loses the game", 1
    size = MESSAGE_BYTES + 1

    def misdeed(self, ask, out):
        self.socket.send(bytes(self.size))
        return False


class Monstrous(Oversized):
    told = "a message so large that the transport drops the connection: loses the game, starts anew"
    size = TRANSPORT_BYTES + 1


class Flood(Rogue):
    fault, told = "flood", "small messages without end: loses the game, starts anew"

    def misdeed(self, ask, out):
        message = pb.ToReferee()
        message.pong.nonce = 1
        whole = message.SerializeToString()
        end = time.monotonic() + LONG_S
        while time.monotonic() < end:
            self.socket.send(whole)
            self.look()
        return False

    def look(self):
        """Reads what comes, so that being unread is not the offence."""
        while self.socket.poll(0):
            self.socket.recv()


class FloodBytes(Flood):
    told = "large messages without end: loses the game, starts anew"

    def misdeed(self, ask, out):
        message = pb.ToReferee()
        message.pong.nonce = 1
        whole = message.SerializeToString() + b"\xba\x3e\xc0\xb8\x02" + bytes(40000)
        for _ in range(LONG_S * 10):  # a field that nobody knows makes it large
            self.socket.send(whole)
            self.look()
            time.sleep(0.001)
        return False


class FloodAside(Flood):
    told = "a second connection that floods: loses the game, starts anew"

    def misdeed(self, ask, out):
        self.aside = zmq.Context.instance().socket(zmq.DEALER)
        self.aside.connect(os.environ["BGREF_ENDPOINT"])
        end = time.monotonic() + LONG_S
        while time.monotonic() < end:
            self.aside.send(b"\x00")
            self.look()
        return False


class FloodAnswers(Flood):
    fault, told = "order", "a thousand answers to nothing in one message: loses one game"
    in_flight = 1

    def misdeed(self, ask, out):
        message = pb.ToReferee()
        for i in range(1000):
            message.answers.answers.add(decision=ask.decision + ((i + 1) << 20), index=0)
        self.send(message)
        return False


class Unread(Rogue):
    fault, told = "unread", "says a lot and never receives the replies: loses the game, starts anew"

    def connect(self):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.rcvhwm = 1
        self.socket.rcvbuf = 4096
        self.socket.connect(os.environ["BGREF_ENDPOINT"])

    def misdeed(self, ask, out):
        for _ in range(LONG_S * 900):  # each is answered: its content is not known
            self.socket.send(b"\xfa\xff\xff\xff\x0f\x00")
            time.sleep(0.0011)  # under the limit of messages a second
        return False


class Deaf(Rogue):
    fault, told = "silent", "stops receiving and says nothing: the ceiling ends it"

    def misdeed(self, ask, out):
        time.sleep(LONG_S)
        return False


class Stopped(Rogue):
    fault, told = "silent", "stops itself (SIGSTOP): the ceiling ends it"

    def misdeed(self, ask, out):
        os.kill(os.getpid(), signal.SIGSTOP)
        return False


class Late(Rogue):
    fault, told = "late", "sleeps past its clock, then answers: loses the game"

    def misdeed(self, ask, out):
        time.sleep(self.options.sleep)
        return self.plain(ask, out)


class LateEarly(Late):
    fault, told = "late,order", "answers late, then before it is asked: loses two games"
    in_flight = 1

    def asked(self, asks):
        super().asked(asks)
        if self.is_due(asks[-1]):
            early = pb.ToReferee()
            early.answers.answers.add(decision=asks[-1].decision + (100 << 10), index=0)
            self.send(early)


class Silent(Rogue):
    fault, told = "silent", "answers everything but this: the ceiling ends it, and it starts anew"

    def misdeed(self, ask, out):
        return False


class SilentStart(Rogue):
    fault, told = "start", "never says Hello: not ready in time"

    def begin(self):
        time.sleep(LONG_S)


class SlowStart(Rogue):
    told = "greets late, but in time: nothing happens to it"

    def begin(self):
        time.sleep(self.options.sleep)
        super().begin()


class Mumble(Rogue):
    fault, told = "start", "its first message is no message at all: told at once"

    def begin(self):
        self.connect()
        self.socket.send(b"\xff\xff")


class WrongVersion(Rogue):
    fault, told = "start", "speaks protocol 99 only: refused"

    def hello(self):
        message = super().hello()
        message.hello.protocols[:] = [99]
        return message


class WrongToken(Rogue):
    fault, told = "start", "brings a token that nobody was given: not ready in time"

    def hello(self):
        message = super().hello()
        message.hello.token = "0" * 32
        return message


class WrongGame(Rogue):
    fault, told = "start", "plays another game: refused"

    def hello(self):
        message = super().hello()
        message.hello.variants[:] = ["no-such-game"]
        return message


class NeverReady(Rogue):
    fault, told = "start", "greets and is never ready: not ready in time"

    def welcomed(self):
        pass


class ExitStart(Rogue):
    fault, told = "start", "ends before its greeting: its last words are told"

    def begin(self):
        raise SystemExit("rogue: cannot find my weights")


class ExitBetween(Rogue):
    fault, told = "crash", "ends when a new game begins: starts anew"
    in_flight, seen = 1, None

    def is_due(self, ask):
        before, self.seen = self.seen, ask.game
        return before not in (None, ask.game)

    def misdeed(self, ask, out):
        os._exit(0)


class ExitAnswered(Rogue):
    fault, told = "crash", "answers and ends: starts anew"

    def asked(self, asks):
        super().asked(asks)
        if any(map(self.is_due, asks)):
            self.socket.close()
            zmq.Context.instance().term()
            os._exit(0)


class ExitDecision(Rogue):
    fault, told = "crash", "ends in the middle of a decision: loses the game, starts anew"

    def misdeed(self, ask, out):
        print("rogue: about to fall over", file=sys.stderr, flush=True)
        os._exit(3)


class Segfault(Rogue):
    fault, told = "crash", "SIGSEGV: loses the game, starts anew"
    signal = signal.SIGSEGV

    def misdeed(self, ask, out):
        os.kill(os.getpid(), self.signal)
        time.sleep(LONG_S)


class Abort(Segfault):
    told, signal = "SIGABRT: loses the game, starts anew", signal.SIGABRT


class Reconnect(Rogue):
    fault, told = "crash", "closes its connection and comes back: loses the game, starts anew"

    def misdeed(self, ask, out):
        self.socket.close(0)
        self.connect()
        self.socket.send(self.hello().SerializeToString())
        return False


class SecondHello(Rogue):
    told = "a second connection with its own token, used up: counted as a stranger"

    def welcomed(self):
        self.other = zmq.Context.instance().socket(zmq.DEALER)
        self.other.connect(os.environ["BGREF_ENDPOINT"])
        self.other.send(self.hello().SerializeToString())
        self.ready()


class RawBytes(Rogue):
    told = "a second connection that speaks no ZeroMQ at all: the transport drops it"

    def welcomed(self):
        self.other = sockets.socket(sockets.AF_UNIX)
        self.other.connect(os.environ["BGREF_ENDPOINT"].removeprefix("ipc://"))
        self.other.send(random.Random(1).randbytes(4096))
        self.ready()


def sleeper():
    """Our environment goes with it, so it can be found."""
    os.execvp("sleep", ["sleep", str(LONG_S)])


class ForkBomb(Rogue):
    told = "forks until it is told to stop: all of them end with it"

    def begin(self):
        for count in range(self.options.forks):
            try:
                if os.fork() == 0:
                    sleeper()
            except OSError:
                raise SystemExit(f"rogue: held after {count} forks")
        super().begin()


class DoubleFork(Rogue):
    told = "leaves a grandchild in a session of its own: it ends with the bot"

    def begin(self):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                sleeper()
            os._exit(0)
        os.wait()
        super().begin()


class DoubleForkBare(Rogue):
    told = "leaves a grandchild with nothing of ours in its environment: it ends with the referee"

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
    fault, told = "memory", "takes a gigabyte: over its limit it loses the game and starts anew"

    def misdeed(self, ask, out):
        held = []
        for _ in range(HOG_STEPS):
            held.append(b"x" * HOG_STEP)
            time.sleep(0.02)
        time.sleep(LONG_S)


class ClosesStdout(Rogue):
    told = "closes its standard output and error: nothing happens to it"

    def begin(self):
        super().begin()
        for fd in (0, 1, 2):
            os.close(fd)


class Chatty(Rogue):
    told = "writes megabytes to standard error: the last 64 KiB are kept"

    def begin(self):
        super().begin()
        for _ in range(64):
            sys.stderr.write("rogue: " + "blah " * 10000 + "\n")


class ChattyOn(Rogue):
    told = "writes to standard error without end: it waits for its reader, nobody else does"

    def begin(self):
        if os.fork() == 0:
            while True:  # it ends with our group
                os.write(2, b"blah " * 13000)
        super().begin()


class IgnoresTerm(Rogue):
    told = "ignores SIGTERM and Goodbye: killed"

    def begin(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().begin()

    def goodbye(self):
        time.sleep(LONG_S)


class Stateful(Rogue):
    told = "one match at a time a process; its first process greets late"
    stateful = True

    def begin(self):
        if os.environ["BGREF_SLOT"] == "0":
            time.sleep(self.options.sleep)
        super().begin()


DEEDS = {
    "plain": Rogue,
    "silent-start": SilentStart,
    "slow-start": SlowStart,
    "mumble": Mumble,
    "wrong-version": WrongVersion,
    "wrong-token": WrongToken,
    "wrong-game": WrongGame,
    "never-ready": NeverReady,
    "exit-start": ExitStart,
    "late": Late,
    "late-early": LateEarly,
    "sleep-forever": Deaf,
    "silent": Silent,
    "stopped": Stopped,
    "wrong-die": breaks("G1", wrong_die, "moves by no number of the roll: loses the game"),
    "no-checker": breaks("G1", no_checker, "moves from an empty point: loses the game"),
    "no-slot": breaks("N1", no_slot, "moves from a point that does not exist: loses the game"),
    "blocked": breaks("G2", blocked, "moves to a closed point: loses the game"),
    "past-bar": breaks("G3", past_bar, "moves while a checker is on the bar: loses the game"),
    "bear-early": breaks("G4", bear_early, "bears off before all are home: loses the game"),
    "bear-higher": breaks("G4", bear_higher, "bears off below a higher checker: loses the game"),
    "extra-move": breaks("G5", extra_move, "plays a number too often: loses the game"),
    "one-die": breaks("G6.1", one_die, "plays one number where both go: loses the game"),
    "no-move": breaks("G6.1", no_move, "plays nothing where something goes: loses the game"),
    "lower-die": breaks("G6.2", lower_die, "plays the lower of two numbers: loses the game",
                        base=Stuck),
    "wrong-result": breaks("G6", wrong_result, "a position no play leads to: loses the game"),
    "two-ways": breaks("N2", two_ways, "a merged move with two outcomes: loses the game",
                       "ambiguous"),
    "cube-raise": CubeRaise,
    "cube-take": CubeTake,
    "cube-in-play": CubeInPlay,
    "resign-level": ResignLevel,
    "resign-again": ResignAgain,
    "wrong-kind": WrongKind,
    "no-content": NoContent,
    "wrong-number": WrongNumber,
    "old-number": OldNumber,
    "duplicate": Duplicate,
    "unasked": Unasked,
    "garbage": Garbage,
    "truncated": Truncated,
    "two-frames": Parts,
    "oversized": Oversized,
    "monstrous": Monstrous,
    "flood": Flood,
    "flood-bytes": FloodBytes,
    "flood-aside": FloodAside,
    "flood-answers": FloodAnswers,
    "unread": Unread,
    "reconnect": Reconnect,
    "second-hello": SecondHello,
    "raw-bytes": RawBytes,
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


def spy(path):
    """Ends at once when more can be seen than a confined bot should see."""
    seen = [path] if os.path.exists(path) else []
    seen += [name for _, name in sockets.if_nameindex() if name != "lo"]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with open(f"/proc/{pid}/cmdline", "rb") as words:
            seen += [words.read().decode()] if int(pid) != os.getpid() and int(pid) > 2 else []
    if os.access("/etc", os.W_OK) or os.access(__file__, os.W_OK):
        seen.append("what can be written")
    if seen:
        raise SystemExit(f"rogue: it can see {seen}")


def main():
    parser = argparse.ArgumentParser(prog="bgref-rogue", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deed", nargs="?", choices=DEEDS, metavar="DEED")
    parser.add_argument("--list", action="store_true", help="every deed and what must happen to it")
    parser.add_argument("--after", type=int, default=3, metavar="N",
                        help="the deed comes with every Nth play (default 3)")
    parser.add_argument("--sleep", type=float, default=1.0, metavar="SECONDS",
                        help="how long the late deeds sleep (default 1)")
    parser.add_argument("--forks", type=int, default=FORKS, metavar="N",
                        help=f"how often fork-bomb forks (default {FORKS})")
    parser.add_argument("--starts", metavar="FILE", help="append a line for every start")
    parser.add_argument("--matches", metavar="FILE", help="append a line for every change of match")
    parser.add_argument("--unseen", metavar="PATH", help="end when this, a network or a stranger's "
                        "process can be seen")
    options = parser.parse_args()
    if options.list:
        for name, deed in DEEDS.items():
            print(name, deed.fault, deed.rule, deed.told, sep="\t")
        return
    if options.deed is None:
        parser.error("a deed is needed; --list shows them")
    if "BGREF_ENDPOINT" not in os.environ:
        parser.error("the referee starts this program, as in bgref duel greedy "
                     "-engine cmd=\"bgref-rogue late\"")
    if options.starts:
        with open(options.starts, "a", encoding="ascii") as starts:
            starts.write(f"{os.getpid()}\n")
    if options.unseen:
        spy(options.unseen)
    DEEDS[options.deed](options).run()


if __name__ == "__main__":
    main()
