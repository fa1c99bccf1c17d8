"""Games with clocks over a slow line that loses packets and breaks: nothing is lost by it."""
import re
import socket
import threading
import time

from door_case import DoorCase
from harness import main, read

DELAY = 0.15  # seconds each way: 300 ms there and back
LOST = 5  # of 100 pieces: TCP sends them again, after twice the time of a round trip
ROUND_TRIP = 2 * DELAY


class Relay:
    """Passes bytes on to an address, late; cut() ends all connections."""

    def __init__(self, address):
        self.address = address
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lines = []
        self.connections = 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(self.address)
            self.lines += [line, far]
            self.connections += 1
            for source, sink in ((line, far), (far, line)):
                pieces = []
                there = threading.Condition()
                threading.Thread(target=self.read, args=(source, pieces, there), daemon=True).start()
                threading.Thread(target=self.write, args=(sink, pieces, there), daemon=True).start()

    @staticmethod
    def read(source, pieces, there):
        number = 0
        data = b"more"
        while data:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            number += 1
            late = DELAY + (2 * ROUND_TRIP if number * LOST % 100 < LOST else 0)
            with there:
                pieces.append((time.monotonic() + late, data))
                there.notify()

    @staticmethod
    def write(sink, pieces, there):
        data = b"more"
        while data:
            with there:
                there.wait_for(lambda: pieces)
                at, data = pieces.pop(0)
            time.sleep(max(0, at - time.monotonic()))  # the line's delay, not a wait for the other side
            try:
                sink.sendall(data)
            except OSError:
                data = b""
        try:
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        for line in self.lines:
            try:
                line.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.cut()
        for line in [self.listener, *self.lines]:
            line.close()


class Lines(DoorCase):
    def waits_for_count(self, process, text, count):
        self.wait_until(lambda: self.said(process).count(text) >= count, f"{count} times {text}", 30)

    def test_nothing_is_lost_by_the_line(self):
        event = self.event(pairs=2, **{"length: 3": "length: 1\nclock: bank=30s,inc=1s\nconcurrency: 4"})
        relay = Relay(self.address())
        self.addCleanup(relay.close)
        text = read(self.path("host.bgref")).decode()
        self.write("far.bgref", re.sub(r"endpoint: .*", f"endpoint: tcp://127.0.0.1:{relay.port}", text))
        join = self.join(host="far.bgref")
        self.waits_for(join, "game 1 against")
        for number in range(1, 4):
            relay.cut()
            if number == 1:  # cut in the handshake, oftener than a host may fail to prove its key at first
                for _ in range(5):
                    connections = relay.connections
                    self.wait_until(lambda: relay.connections > connections, "another connection", 30)
                    relay.cut()
            self.waits_for_count(join, "welcome: ", number + 1)
        said = self.ends(event, seconds=120)
        self.assertIn("4/4 (100.0%)", said)
        self.assertNotIn("fault", said)
        self.ends(join)
        self.must("verify", "r.db")


if __name__ == "__main__":
    main()
