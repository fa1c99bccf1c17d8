"""The door of a start beset: connections, handshakes, frames that ZeroMQ's libraries never send."""
import os
import select
import signal
import socket as sockets
import time

import zmq

from .base import LONG_S, Rogue

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"NULL".ljust(20, b"\0") + bytes(32)
MORE, LONG, COMMAND = 1, 2, 4
GIGABYTE = 1 << 30


def frame(body, flags=0):
    if len(body) < 256 and not flags & LONG:
        return bytes([flags, len(body)]) + body
    return bytes([flags | LONG]) + len(body).to_bytes(8, "big") + body


def command(name, body):
    return frame(bytes([len(name)]) + name + body, COMMAND)


READY = command(b"READY", b"\x0bSocket-Type\0\0\0\x06DEALER")


def path_of(endpoint):
    return endpoint.removeprefix("ipc://")


def knock(endpoint, blocking=True):
    """A bare connection, or None."""
    connection = sockets.socket(sockets.AF_UNIX)
    connection.setblocking(blocking)
    try:
        connection.connect(path_of(endpoint))
    except OSError:
        connection.close()
        return None
    return connection


class Bare:
    """Our end of a connection without a library: as much of a socket as a Rogue needs."""

    def __init__(self):
        self.connection = knock(os.environ["BGREF_ENDPOINT"])
        self.come = b""
        self.raw(GREETING + READY)
        self.take(len(GREETING))

    def raw(self, data):
        self.connection.sendall(data)

    def take(self, size):
        while len(self.come) < size:
            more = self.connection.recv(65536)
            if not more:
                raise SystemExit("rogue: the referee has ended the connection")
            self.come += more
        taken, self.come = self.come[:size], self.come[size:]
        return taken

    def send(self, data):
        self.raw(frame(data))

    def recv(self):
        while True:
            flags = self.take(1)[0]
            size = int.from_bytes(self.take(8 if flags & LONG else 1), "big")
            body = self.take(size)
            if not flags & COMMAND:
                return body

    def poll(self, timeout_ms):
        if self.come:
            return True
        return bool(select.select([self.connection], [], [], timeout_ms / 1000)[0])


class Bold(Rogue):
    in_flight = 1

    def connect(self):
        self.socket = Bare()


class Gigabyte(Bold):
    fault, does = "oversized", "announces a frame of a gigabyte: refused at once, starts anew"

    def misdeed(self, ask, out):
        self.socket.raw(bytes([LONG]) + GIGABYTE.to_bytes(8, "big"))
        time.sleep(LONG_S)


class EndlessParts(Bold):
    fault, does = "garbled", "a message of frames without end: cut, starts anew"

    def misdeed(self, ask, out):
        part = frame(bytes(60000), MORE)
        try:
            while True:
                self.socket.raw(part)
        except OSError:
            time.sleep(LONG_S)


class FloodPings(Bold):
    fault, does = "flood", "a child with a session of its own pings without end: starts anew"

    def misdeed(self, ask, out):
        if os.fork() == 0:
            os.setsid()
            try:
                while True:
                    self.socket.raw(command(b"PING", b"\0\1") * 100)
                    self.socket.poll(0) and self.socket.connection.recv(65536)
            except OSError:
                os._exit(0)
        time.sleep(LONG_S)


class OddFlags(Bold):
    fault, does = "garbled", "a frame with flags that ZMTP does not have: starts anew"

    def misdeed(self, ask, out):
        self.socket.raw(b"\x08\x01x")
        time.sleep(LONG_S)


class Drip(Rogue):
    fault, does = "start", "sends its handshake byte by byte, too slowly: not ready in time"

    def begin(self):
        end = time.monotonic() + LONG_S
        while time.monotonic() < end:
            connection = knock(os.environ["BGREF_ENDPOINT"])
            try:
                for byte in GREETING + READY:
                    time.sleep(0.2)
                    connection.sendall(bytes([byte]))
            except (OSError, AttributeError):  # its process was ended, or there is no door
                time.sleep(0.2)


class ChildAnswers(Bold):
    does = "a child answers, another stands still, it waits for them: nothing happens to it"

    def welcomed(self):
        still = os.fork()
        if still == 0:
            time.sleep(LONG_S)
            os._exit(0)
        os.kill(still, signal.SIGSTOP)
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            os._exit(0)
        self.ready()


class ManyConnections(Rogue):
    fault, does = "start", "opens connections until none is taken, and never greets: not ready in time"

    def begin(self):
        held = []
        while len(held) < 5000:
            connection = knock(os.environ["BGREF_ENDPOINT"], blocking=False)
            if connection is None:
                time.sleep(0.01)
            else:
                held.append(connection)


class HalfHandshake(Rogue):
    fault, does = "start", "half a handshake: not ready in time"

    def begin(self):
        self.socket = knock(os.environ["BGREF_ENDPOINT"])
        self.socket.sendall(GREETING[:10])
        time.sleep(LONG_S)


class LostConnections(Rogue):
    fault, does = "start", "connects and leaves, again and again: after eight times the start has failed"

    def begin(self):
        while True:
            connection = knock(os.environ["BGREF_ENDPOINT"])
            if connection is not None:
                connection.close()
            time.sleep(0.001)


class RequestSocket(Rogue):
    fault, does = "start", "a REQ socket, with its empty frame before the message: refused and named"

    def connect(self):
        self.socket = zmq.Context.instance().socket(zmq.REQ)
        self.socket.linger = 1000
        self.socket.connect(os.environ["BGREF_ENDPOINT"])


class FixedName(Rogue):
    does = "a routing id that a rival may have, too: it has no meaning, nothing happens"

    def connect(self):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.routing_id = b"rival"
        self.socket.set_hwm(0)
        self.socket.linger = 1000
        self.socket.connect(os.environ["BGREF_ENDPOINT"])


class ReconnectStorm(Rogue):
    does = "a child that connects anew without end: the door is gone, nothing happens"

    def welcomed(self):
        if os.fork() == 0:
            os.setsid()
            end = time.monotonic() + LONG_S
            while time.monotonic() < end:
                if knock(os.environ["BGREF_ENDPOINT"]):
                    os._exit(1)
                time.sleep(0.0001)
            os._exit(0)
        self.ready()


class Thief(Rogue):
    fault, does = "order,start", "takes a rival's endpoint and token from /proc: the thief pays"

    def welcomed(self):
        if os.fork() == 0:
            os.setsid()
            self.steal()
        self.ready()

    def steal(self):
        end = time.monotonic() + LONG_S
        while time.monotonic() < end:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                endpoint = self.endpoint_of(pid)
                if endpoint not in (None, os.environ["BGREF_ENDPOINT"]) and knock(endpoint):
                    time.sleep(1)
            time.sleep(0.02)
        os._exit(0)

    @staticmethod
    def endpoint_of(pid):
        """Of a bot of the same referee; whose door it is, it does not care."""
        own = os.path.dirname(os.path.dirname(os.environ["BGREF_ENDPOINT"]))
        try:
            with open(f"/proc/{pid}/environ", "rb") as words:
                for word in words.read().split(b"\0"):
                    if word.startswith(b"BGREF_ENDPOINT=" + own.encode()):
                        return word.decode().partition("=")[2]
        except OSError:
            pass
        return None


DEEDS = {
    "drip": Drip,
    "child-answers": ChildAnswers,
    "gigabyte": Gigabyte,
    "endless-parts": EndlessParts,
    "flood-pings": FloodPings,
    "odd-flags": OddFlags,
    "many-connections": ManyConnections,
    "half-handshake": HalfHandshake,
    "lost-connections": LostConnections,
    "req-socket": RequestSocket,
    "fixed-name": FixedName,
    "reconnect-storm": ReconnectStorm,
    "thief": Thief,
}
