#!/usr/bin/python3
"""A judge that misbehaves on request (option Mode), for test_judges.c.

It knows no rules, so its best answer is that it cannot value a position.
"""
import os
import sys

import bgref_pb2 as pb
import zmq


def rolls(out, equity=0.5, moves=b"", backwards=False):
    """Values of 21 rolls, all equal."""
    dice = [bytes([high, low]) for high in range(1, 7) for low in range(1, high + 1)]
    for pair in reversed(dice) if backwards else dice:
        out.rolls.add(dice=pair, equity=equity, moves=moves)


def item(mode, out):
    if mode == "nan":
        rolls(out, equity=float("nan"))
    elif mode == "order":
        rolls(out, backwards=True)
    elif mode == "illegal":
        rolls(out, moves=bytes([24, 1]))
    elif mode == "chance":
        rolls(out, equity=1.5)
    else:
        out.error = "too hard"


def hello(evaluates):
    message = pb.ToReferee()
    greeting = message.hello
    greeting.protocols.append(2)
    greeting.token = os.environ["BGREF_TOKEN"]
    greeting.pid = os.getpid()
    greeting.name = "judge-rogue"
    greeting.options.add(name="Mode", value="error")
    greeting.evaluates = evaluates
    return message


def main():
    mode = "error"
    socket = zmq.Context().socket(zmq.DEALER)
    socket.connect(os.environ["BGREF_ENDPOINT"])
    # Modes come with Welcome, which is too late for the Hello; so the Hello depends on the program's name.
    socket.send(hello(not sys.argv[0].endswith("/deaf.py")).SerializeToString())
    while True:
        message = pb.ToBot.FromString(socket.recv())
        content = message.WhichOneof("content")
        out = pb.ToReferee()
        if content == "welcome":
            mode = message.welcome.options[0].value
            out.ready.SetInParent()
        elif content == "evaluate":
            if mode == "dies":
                sys.exit("no more")
            out.evaluation.number = message.evaluate.number + (mode == "number")
            for _ in message.evaluate.items[mode == "short":]:
                item(mode, out.evaluation.items.add())
        else:
            sys.exit(0)
        socket.send(out.SerializeToString())
        if content == "evaluate" and mode == "mortal":
            sys.exit(0)


if __name__ == "__main__":
    main()
