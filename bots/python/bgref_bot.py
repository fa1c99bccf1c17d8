#!/usr/bin/python3
"""A bot from the schema alone: bgref_pb2 (made from bgref.proto by protoc) and pyzmq.

It asks the referee to list the legal results of every roll and picks one by counting; so it needs
no rules of its own. docs/protocol.md describes every message used here.
"""
import hashlib
import math
import os
import sys

import bgref_pb2 as pb
import zmq
import zmq.utils.monitor
import zmq.utils.z85

PROTOCOL = 2
BAR = 25
WAIT_MS = 1000
SLOTS = range(39)
wanted = []  # "thoughts", if the referee stores them
SECRET = os.urandom(32)  # the bot's nonces for committed dice are derived from it
# Value of holding a point with two checkers or more, slots 0 to 24.
POINTS = (0, 1, 2, 4, 6, 7, 7, 5, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 4, 3, 6, 6, 3, 2, 2)


def count(side, slot):
    """Checkers on a slot; trailing zeros of a position are left out."""
    return side[slot] if slot < len(side) else 0


def pips(side):
    return sum(map(int.__mul__, side, SLOTS))


def worth(position):
    """Higher is better for us: the pips of both, our points and blots, the opponent's bar."""
    own, opponent = position.own, position.opponent
    opponent_back = len(opponent) - 1  # trailing zeros are left out, so this is the opponent's rearmost slot
    value = 2 * count(opponent, BAR) * 5 + pips(opponent) - pips(own) + 2 * own[0]
    for slot, checkers in enumerate(own[1:25], 1):
        if checkers == 0:
            continue
        if checkers == 1 and opponent_back > 25 - slot:
            value -= 2 + (25 - slot) * 0.3  # an opposing checker may still come by
        elif checkers >= 2:
            value += POINTS[slot] - (checkers - 4 if checkers > 4 else 0)
    return value


def best_index(ask):
    """Index of the best listed result; a list too long to be sent still has its first."""
    values = [worth(result.position) for result in ask.results]
    return values.index(max(values)) if values else 0


def lead(position):
    """Our lead in pips, in parts of our own count."""
    own = pips(position.own)
    return (pips(position.opponent) - own) / max(own, 1)


def gammon_is_near(position):
    """True when the opponent has no checker off: losing now would cost two games' worth."""
    return count(position.opponent, 0) == 0


def answer(ask, out):
    """Fills one Answer."""
    out.decision = ask.decision
    kind = ask.kind
    if kind == pb.DECISION_PLAY:
        out.index = best_index(ask)
        if wanted and ask.results:  # what it thought, for people
            out.thought.chances.win = chance(ask.results[out.index].position)
    elif kind == pb.DECISION_DOUBLE:
        ahead = lead(ask.position) >= 0.15 and ask.cube_log2 < 3
        out.action = pb.ACTION_DOUBLE if ahead else pb.ACTION_ROLL
    elif kind in (pb.DECISION_TAKE, pb.DECISION_RAISE):
        out.action = pb.ACTION_TAKE if lead(ask.position) >= -0.25 else pb.ACTION_PASS
    elif kind == pb.DECISION_KEEP:
        out.action = pb.ACTION_KEEP
    elif kind == pb.DECISION_NAME:
        out.name = 6
    elif kind == pb.DECISION_RESIGNATION:
        enough = ask.resign_level >= (2 if gammon_is_near(ask.position) else 1)
        out.action = pb.ACTION_ACCEPT if enough else pb.ACTION_REFUSE


def chance(position):
    """Our chance to win after our play: 30 pips ahead win about three games of four."""
    return 1 / (1 + math.exp(-worth(position) / 27))


def equity(item, position):
    """What a position after our play is worth: money points, or the chance to win a match of one."""
    if count(position.own, 0) == 15:
        gammon = count(position.opponent, 0) == 0
        jacoby = item.rules.jacoby and item.rules.cube and item.cube_owner == pb.CUBE_CENTRED
        points = 2 if gammon and not jacoby else 1
    else:
        points = 2 * chance(position) - 1
    return (min(points, 1) + 1) / 2 if item.rules.length else points


def value(item, out):
    """Fills one EvaluatedItem: the referee lists what each of 21 rolls can lead to."""
    if not item.all_rolls or item.rules.length > 1:
        out.error = "only rolls are valued here, of money games and matches of one point"
        return
    for roll in item.legal:
        best = max(roll.results, key=lambda result: equity(item, result.position))
        out.rolls.add(dice=roll.dice, moves=best.moves, equity=equity(item, best.position))
    if item.HasField("played"):
        out.played.equity = equity(item, item.played.position)


def hello():
    message = pb.ToReferee()
    greeting = message.hello
    greeting.protocols.append(PROTOCOL)
    greeting.token = "" if "BGREF_SERVER_KEY" in os.environ else os.environ["BGREF_TOKEN"]
    greeting.pid = os.getpid()
    greeting.name = "python"
    greeting.version = "0.1.0"
    greeting.variants.append("*")  # the referee lists the legal results, whatever the game
    greeting.max_in_flight = 64
    greeting.want_plays = True
    greeting.evaluates = True
    return message


def nonce(subject):
    return hashlib.blake2b(subject.encode(), key=SECRET, digest_size=32).digest()


def content_number(message, content):
    """Field number of content that this bot does not serve, or that its schema does not have."""
    if content is not None:
        return message.DESCRIPTOR.fields_by_name[content].number
    unknown = message.UnknownFields()
    return unknown[0].field_number if len(unknown) else 0


def reply(message):
    """The ToReferee that answers a ToBot, or None. Raises SystemExit when the bot should end."""
    out = pb.ToReferee()
    content = message.WhichOneof("content")
    if content == "asks":
        for ask in message.asks.asks:
            answer(ask, out.answers.answers.add())
    elif content == "evaluate":
        out.evaluation.number = message.evaluate.number
        for item in message.evaluate.items:
            value(item, out.evaluation.items.add())
    elif content == "welcome":
        if message.welcome.protocol != PROTOCOL or message.welcome.options:
            raise SystemExit("python: this bot speaks protocol 2 and has no options")
        wanted.extend(["thoughts"] * message.welcome.want_thoughts)
        out.ready.SetInParent()
    elif content == "new_game":
        out.ready.game = message.new_game.begin.game
    elif content == "ping":
        out.pong.nonce = message.ping.nonce
    elif content == "commitment":
        subject = out.commitment.subject = message.commitment.subject
        out.commitment.digest = hashlib.blake2b(nonce(subject), digest_size=32).digest()
    elif content == "reveal":
        subject = out.reveal.subject = message.reveal.subject
        out.reveal.value = nonce(subject)
    elif content == "refusal":
        raise SystemExit(f"python: refused: {message.refusal.what}: {message.refusal.why}")
    elif content == "goodbye":
        raise SystemExit(0)
    elif content in ("tells", "not_understood"):
        return None
    else:
        out.not_understood.field = content_number(message, content)
    return out


def seal(socket):
    """On a line to another machine: the host's key, and our own from its file (docs/remote.md)."""
    path = os.environ["BGREF_KEY_FILE"]
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    if "join-public" in words:
        raise SystemExit(f"python: {path}: a public key; needs the secret one, NAME.key")
    if os.stat(path).st_mode & 0o77:
        raise SystemExit(f"python: {path}: others may read this key: chmod 600 {path}")
    secret = zmq.utils.z85.encode(bytes.fromhex(words[3]))
    socket.curve_serverkey = bytes.fromhex(os.environ["BGREF_SERVER_KEY"])
    socket.curve_secretkey = secret
    socket.curve_publickey = zmq.curve_public(secret)


def look(lost, seen):
    """seen gets all events of the line."""
    while lost.poll(0):
        seen.append(zmq.utils.monitor.recv_monitor_message(lost)["event"])


def notice(endpoint, seen, said):
    """Says on a line to another machine, once each, that it waits for the host, and that it is connected."""
    if zmq.EVENT_HANDSHAKE_SUCCEEDED in seen:
        said.append("up")
        print(f"python is connected to {endpoint}; it plays when the host calls it", file=sys.stderr, flush=True)
    elif not seen and not said:
        said.append("waits")
        print(f"python waits for {endpoint}, where no host answers yet; check the address, the port and the "
              "firewalls between here and there", file=sys.stderr, flush=True)


def has_ended(lost, seen):
    """Whether the line has ended."""
    look(lost, seen)
    return bool(seen) and seen[-1] != zmq.EVENT_HANDSHAKE_SUCCEEDED


def why_ended(endpoint, seen):
    if "BGREF_SERVER_KEY" not in os.environ:
        return "the referee is gone"
    if zmq.EVENT_HANDSHAKE_SUCCEEDED in seen:
        return f"the line to {endpoint} is lost; start the bot again"
    if zmq.EVENT_HANDSHAKE_FAILED_AUTH in seen:
        return f"{endpoint}: it does not know our key; send the .pub file to its operator"
    return f"{endpoint}: it does not prove its key; BGREF_SERVER_KEY is not the key of this host"


def main():
    try:
        endpoint = os.environ["BGREF_ENDPOINT"]
        if "BGREF_KEY_FILE" in os.environ and "BGREF_SERVER_KEY" not in os.environ:
            raise SystemExit("python: BGREF_SERVER_KEY is not set: with BGREF_KEY_FILE it is the `key` of the host's file")
        first = hello()
    except KeyError as missing:
        raise SystemExit(f"python: {missing.args[0]} is not set: the referee starts this program, "
                         "for instance with `bgref duel python random`") from None
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.set_hwm(0)
        socket.linger = 2000
        lost = socket.get_monitor_socket(zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_AUTH
                                         | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
                                         | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_SUCCEEDED)
        seen, said = [], []
        if "BGREF_SERVER_KEY" in os.environ:
            seal(socket)
        socket.connect(endpoint)
        socket.send(first.SerializeToString())
        while socket.poll(WAIT_MS) or not has_ended(lost, seen):
            if "BGREF_SERVER_KEY" in os.environ and "up" not in said:
                look(lost, seen)
                notice(endpoint, seen, said)
            while True:
                try:
                    frame = socket.recv(zmq.DONTWAIT)
                except zmq.Again:
                    break
                out = reply(pb.ToBot.FromString(frame))
                if out is not None:
                    socket.send(out.SerializeToString())
        socket.disable_monitor()
        socket.linger = 0
    sys.exit(f"python: {why_ended(endpoint, seen)}")


if __name__ == "__main__":
    main()
