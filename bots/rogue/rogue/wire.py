"""Bytes, frames and connections: what cannot be read, is too much, or comes another way."""
import os
import random
import socket as sockets
import time

import bgref_pb2 as pb
import zmq

from .base import LONG_S, MESSAGE_BYTES, Rogue

TRANSPORT_BYTES = 4 * MESSAGE_BYTES


class Garbage(Rogue):
    fault, does, in_flight = "garbled", "bytes that are no message: loses the game", 1

    def misdeed(self, ask, out):
        self.socket.send(b"\xff\xff\xff no message")
        return False


class Truncated(Rogue):
    fault, does, in_flight = "garbled", "half an answer: loses the game", 1

    def misdeed(self, ask, out):
        message = pb.ToReferee()
        self.plain(ask, message.answers.answers.add())
        whole = message.SerializeToString()
        self.socket.send(whole[:len(whole) // 2 + 1])
        return False


class Parts(Rogue):
    fault, does, in_flight = "garbled", "an answer in two frames: loses the game", 1

    def misdeed(self, ask, out):
        self.socket.send_multipart([b"", b"x"])
        return False


class Oversized(Rogue):
    fault, in_flight = "oversized", 1
    does = "a message above the limit of the Welcome: loses the game"
    size = MESSAGE_BYTES + 1

    def misdeed(self, ask, out):
        self.socket.send(bytes(self.size))
        return False


class Monstrous(Oversized):
    does = "a message so large that the transport drops the connection: loses the game, starts anew"
    size = TRANSPORT_BYTES + 1


class Flood(Rogue):
    fault, does = "flood", "small messages without end: loses the game, starts anew"

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
    does = "large messages without end: loses the game, starts anew"

    def misdeed(self, ask, out):
        message = pb.ToReferee()
        message.pong.nonce = 1
        whole = message.SerializeToString() + b"\xba\x3e\xc0\xb8\x02" + bytes(40000)
        for _ in range(LONG_S * 10):  # an unknown field makes it large
            self.socket.send(whole)
            self.look()
            time.sleep(0.001)
        return False


class FloodAside(Rogue):
    does = "a second connection that floods: nobody comes in by its door, nothing happens to it"
    aside = None

    def misdeed(self, ask, out):
        if self.aside is None:
            self.aside = zmq.Context.instance().socket(zmq.DEALER)
            self.aside.linger = 0
            self.aside.connect(os.environ["BGREF_ENDPOINT"])
            end = time.monotonic() + self.options.sleep / 4
            while time.monotonic() < end:
                try:
                    self.aside.send(b"\x00", zmq.DONTWAIT)
                except zmq.Again:  # the message is not accepted
                    break
        return self.plain(ask, out)


class Unread(Rogue):
    fault, does = "unread", "says a lot and never receives the replies: loses the game, starts anew"

    def connect(self):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.rcvhwm = 1
        self.socket.rcvbuf = 4096
        self.socket.connect(os.environ["BGREF_ENDPOINT"])

    def misdeed(self, ask, out):
        for _ in range(LONG_S * 900):  # each one is answered, because its content is unknown
            self.socket.send(b"\xfa\xff\xff\xff\x0f\x00")
            time.sleep(0.0016)  # well below the limit of messages a second: a busy referee reads late
        return False


class Reconnect(Rogue):
    fault, does = "crash", "closes its connection and comes back: loses the game, starts anew"

    def misdeed(self, ask, out):
        self.socket.close(0)
        self.connect()
        self.socket.send(self.hello().SerializeToString())
        return False


class SecondHello(Rogue):
    does = "a second connection with its own token: it does not come in, nothing happens to it"

    def welcomed(self):
        self.other = zmq.Context.instance().socket(zmq.DEALER)
        self.other.linger = 0
        self.other.connect(os.environ["BGREF_ENDPOINT"])
        self.other.send(self.hello().SerializeToString())
        self.ready()


class RawBytes(Rogue):
    fault, does = "start", "its first bytes are no ZeroMQ: the connection is ended, a failed start"

    def begin(self):
        self.socket = sockets.socket(sockets.AF_UNIX)
        self.socket.connect(os.environ["BGREF_ENDPOINT"].removeprefix("ipc://"))
        self.socket.sendall(random.Random(1).randbytes(4096))
        time.sleep(LONG_S)


DEEDS = {
    "garbage": Garbage,
    "truncated": Truncated,
    "two-frames": Parts,
    "oversized": Oversized,
    "monstrous": Monstrous,
    "flood": Flood,
    "flood-bytes": FloodBytes,
    "flood-aside": FloodAside,
    "unread": Unread,
    "reconnect": Reconnect,
    "second-hello": SecondHello,
    "raw-bytes": RawBytes,
}
