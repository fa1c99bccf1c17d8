#!/usr/bin/python3
"""A bot that plays the first legal result until its `After`th play, and then does what it is told.

rogue.py DEED [AFTER]: plain, illegal, kind, garbled, late, silent, crash, order, exit-start, no-hello,
token, protocol, stateful (and the first process greets late). The schema's module is found by BGREF_SCHEMA.
"""
import os
import sys
import time

sys.path.insert(0, os.environ["BGREF_SCHEMA"])
import bgref_pb2 as pb  # noqa: E402
import zmq  # noqa: E402

DEED = sys.argv[1]
AFTER = int(sys.argv[2]) if len(sys.argv) > 2 else 3


def plain(ask, out):
    out.decision = ask.decision
    if ask.kind == pb.DECISION_PLAY:
        out.index = 0
    elif ask.kind == pb.DECISION_DOUBLE:
        out.action = pb.ACTION_ROLL
    elif ask.kind == pb.DECISION_RESIGNATION:
        out.action = pb.ACTION_ACCEPT
    else:
        out.action = pb.ACTION_TAKE


def misdeed(socket, ask, out):
    """True when `out` is to be sent as the answer."""
    out.decision = ask.decision
    if DEED == "illegal":
        out.moves = bytes([24, 1])
    elif DEED == "kind":
        out.action = pb.ACTION_ACCEPT
    elif DEED == "order":
        out.decision = ask.decision + (1 << 30)
        out.index = 0
    elif DEED == "late":
        time.sleep(1.0)  # longer than its clock; this is the offence itself
        out.index = 0
    elif DEED == "garbled":
        socket.send(b"\xff\xff\xff no message")
        return False
    elif DEED == "crash":
        print("rogue: about to fall over", file=sys.stderr, flush=True)
        os._exit(3)
    elif DEED == "silent":
        return False
    return True


def note_match(ask):
    """One line for each change of match that this process sees."""
    match = ask.game.rpartition("|")[0]
    if DEED == "stateful" and note_match.last != match:
        note_match.last = match
        with open(os.environ["ROGUE_MATCHES"], "a", encoding="ascii") as matches:
            matches.write(f"{os.getpid()} {match}\n")


note_match.last = None


def main():
    with open(os.environ.get("ROGUE_STARTS", os.devnull), "a", encoding="ascii") as starts:
        starts.write(f"{os.getpid()}\n")
    if DEED == "exit-start":
        raise SystemExit("rogue: cannot find my weights")
    if DEED == "no-hello":
        time.sleep(600)
    if DEED == "stateful" and os.environ["BGREF_SLOT"] == "0":
        time.sleep(1.0)  # the other process is known before this one
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["BGREF_ENDPOINT"])
    message = pb.ToReferee()
    message.hello.protocols.append(99 if DEED == "protocol" else 1)
    message.hello.token = "0" * 32 if DEED == "token" else os.environ["BGREF_TOKEN"]
    message.hello.name = "rogue"
    message.hello.want_plays = True
    message.hello.max_in_flight = 1 if DEED == "garbled" else 8
    message.hello.stateful = DEED == "stateful"
    socket.send(message.SerializeToString())
    plays = 0
    while True:
        if not socket.poll(1000):
            if os.getppid() == 1:
                return
            continue
        got = pb.ToBot.FromString(socket.recv())
        content = got.WhichOneof("content")
        out = pb.ToReferee()
        if content == "welcome":
            out.ready.SetInParent()
        elif content == "asks":
            for ask in got.asks.asks:
                note_match(ask)
                answer = pb.Answer()
                plays += ask.kind == pb.DECISION_PLAY
                bad = ask.kind == pb.DECISION_PLAY and plays % AFTER == 0
                if misdeed(socket, ask, answer) if bad else plain(ask, answer) is None:
                    out.answers.answers.append(answer)
            if not out.answers.answers:
                continue
        elif content in ("goodbye", "refusal"):
            return
        else:
            continue
        socket.send(out.SerializeToString())


main()
