"""What all deeds share: the board of an Ask, and a bot that plays properly."""
import os

import bgref_pb2 as pb
import zmq

PROTOCOL = 2
BAR, OFF = 25, 0
HOME = range(1, 7)
POINTS = range(1, 25)
LONG_S = 600
MESSAGE_BYTES = 65536    # the referee's limit, as in its Welcome


class Roll:
    """The board and numbers of an Ask, and what may move: enough rules to break them on purpose."""

    def __init__(self, ask):
        self.own = list(ask.position.own) + [0] * 26
        self.opponent = list(ask.position.opponent) + [0] * 26
        self.numbers = [n.number for n in ask.numbers for _ in range(n.times)]
        self.plays = [bytes(result.moves) for result in ask.results]

    def is_double(self):
        return len(set(self.numbers)) < len(self.numbers)

    def opponents_on(self, slot):
        return self.opponent[25 - slot] if slot in POINTS else 0

    def has(self, slot):
        return self.own[slot] > 0

    def all_home(self):
        return not any(self.own[7:])

    def may_stand(self, slot):
        return slot in POINTS and self.opponents_on(slot) < 2

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


class Rogue:
    """What all deeds share. A deed overrides what it does otherwise."""
    fault, rule, does = "-", "-", "plays properly: nothing happens to it"
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

    def announced(self, begin):
        """A game begins."""
        self.ready(begin.game)

    def ready(self, game=""):
        message = pb.ToReferee()
        message.ready.SetInParent()
        message.ready.game = game
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
        if self.options.matches and ask.game != self.last_game:
            with open(self.options.matches, "a", encoding="ascii") as matches:
                matches.write(f"{os.getpid()} {ask.game}\n")
        self.last_game = ask.game

    def send(self, message):
        self.socket.send(message.SerializeToString())

    def goodbye(self):
        raise SystemExit(0)

    def look_for_opponent(self, received):
        """What it was started with and what it is sent may not have the opponent's name."""
        opponent = self.options.opponent
        known = " ".join([*os.environ, *os.environ.values()]).encode() + received
        if opponent and opponent.encode() in known:
            raise SystemExit(f"rogue: {opponent} is named in {known!r}")

    # ---- the loop
    def run(self):
        self.begin()
        while True:
            if not self.socket.poll(1000):
                if os.getppid() == 1 and os.getpid() != 2:  # in a sandbox the parent is 1
                    raise SystemExit("rogue: the referee is gone")
                continue
            received = self.socket.recv()
            self.look_for_opponent(received)
            message = pb.ToBot.FromString(received)
            content = message.WhichOneof("content")
            if content == "welcome":
                self.welcomed()
            elif content == "asks":
                self.asked(message.asks.asks)
            elif content == "new_game":
                self.announced(message.new_game.begin)
            elif content in ("goodbye", "refusal"):
                self.goodbye()


class Answers(Rogue):
    """Instead of an answer."""

    def kind(self):
        return pb.DECISION_PLAY

    def is_due(self, ask):
        return ask.kind == self.kind() and self.plays >= self.options.after


DEEDS = {
    "plain": Rogue,
}
