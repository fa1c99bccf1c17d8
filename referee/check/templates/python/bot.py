#!/usr/bin/python3
"""@NAME@ - a bot for the backgammon referee bgref.

The referee lists the legal results of every roll and the bot picks one, so it needs no rules of its
own. bgref.proto says what is in every message, docs/protocol.md of bgref how they are used.
"""
import hashlib
import os
import sys

import zmq

import bgref_pb2 as pb

PROTOCOL = 2
WAIT_MS = 1000
SECRET = os.urandom(32)  # what our part in committed dice is made from


def worth(position):
    """What a result is worth to us: make this yours. Here: the rearmost checker should be far on
    its way.

    position.own and position.opponent hold checkers by slot, each counted from its own side: slot 25 is
    the bar, 24 to 1 are the points on the way home, 0 is borne off. Trailing zeros are left out.
    """
    return -len(position.own.rstrip(b"\0"))


def answer(ask, out):
    """Fills the Answer to one Ask."""
    out.decision = ask.decision
    if ask.kind == pb.DECISION_PLAY:
        values = [worth(result.position) for result in ask.results]
        out.index = values.index(max(values)) if values else 0
        # out.thought.chances.win = 0.62  # what it thought, for people who look at the game later
    elif ask.kind == pb.DECISION_DOUBLE:
        out.action = pb.ACTION_ROLL
    elif ask.kind in (pb.DECISION_TAKE, pb.DECISION_RAISE):
        out.action = pb.ACTION_TAKE
    elif ask.kind == pb.DECISION_KEEP:
        out.action = pb.ACTION_KEEP
    elif ask.kind == pb.DECISION_NAME:
        out.name = 6
    elif ask.kind == pb.DECISION_RESIGNATION:
        out.action = pb.ACTION_ACCEPT


def hello():
    message = pb.ToReferee()
    greeting = message.hello
    greeting.protocols.append(PROTOCOL)
    greeting.token = os.environ["BGREF_TOKEN"]
    greeting.pid = os.getpid()
    greeting.name = "@NAME@"
    greeting.version = "0.1"
    greeting.max_in_flight = 64  # with a slow engine: 1
    greeting.want_plays = True
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
    elif content == "welcome":
        if message.welcome.protocol != PROTOCOL or message.welcome.options:
            raise SystemExit("@NAME@: this bot speaks protocol 2 and has no options")
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
        raise SystemExit(f"@NAME@: refused: {message.refusal.what}: {message.refusal.why}")
    elif content == "goodbye":
        raise SystemExit(0)
    elif content in ("tells", "not_understood"):
        return None
    else:
        out.not_understood.field = content_number(message, content)
    return out


def main():
    try:
        endpoint = os.environ["BGREF_ENDPOINT"]
        first = hello()
    except KeyError as missing:
        raise SystemExit(f"@NAME@: {missing.args[0]} is not set: the referee starts this program, "
                         "for instance with `bgref duel ./@NAME@ random`") from None
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.set_hwm(0)
        socket.linger = 2000
        lost = socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        socket.connect(endpoint)
        socket.send(first.SerializeToString())
        while socket.poll(WAIT_MS) or not lost.poll(0):
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
    sys.exit("@NAME@: the referee is gone")


if __name__ == "__main__":
    main()
