"""What strangers do at the door: replayed, garbled, oversized, silent handshakes, and a known bot that floods."""
import os
import random
import signal
import socket
import subprocess
import time

import zmq

from curve_client import CurveClients
from harness import BGREF, kill, main, read

HEAD = b"\xff" + bytes(8) + b"\x7f\x03\x00"  # of a greeting, up to the mechanism
CURVE = HEAD + b"CURVE".ljust(20, b"\0") + bytes(32)
GARBLED = 1500  # handshakes; tools/campaign-handshakes tries 100,000
CAMPAIGN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "campaign-handshakes")
SEED = 16


class Strangers(CurveClients):
    def gateway_path(self, event):
        words = read(f"/proc/{self.child_of(event, 'bgref-gateway')}/cmdline").split(b"\0")
        return words[1].decode().removeprefix("ipc://")

    def memory(self, event, name):
        status = read(f"/proc/{self.child_of(event, name)}/status").decode()
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))

    def test_a_recorded_session_sent_again_is_closed_in_its_handshake(self):
        self.environment = {**self.environment, "BGREF_LOG": "info"}
        event = self.event(pairs=20)
        recorded = []
        address = self.address()
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        text = read(self.path("host.bgref")).decode()
        self.write("near.bgref", text.replace(f":{address[1]}", f":{listener.getsockname()[1]}"))
        join = self.join(host="near.bgref")
        line, _ = listener.accept()
        far = socket.create_connection(address)
        self.relay(line, far, recorded)
        said = self.said(event)
        self.assertIn("bot=anna has connected", said)
        self.assertGreater(sum(map(len, recorded)), 2000)
        self.ends(event)
        self.ends(join)
        event = self.event(pairs=1, **{"r.db": "other.db"})
        with socket.create_connection(self.address(), timeout=20) as again:
            try:
                for piece in recorded:
                    again.sendall(piece)
            except OSError:  # it is closed already
                pass
            self.assertLessEqual(len(self.until_closed(again)), 300)  # a greeting and a WELCOME
        self.assertNotIn("has connected", self.said(event))
        join = self.join()
        self.assertNotIn("fault=", self.ends(event))
        self.ends(join)

    def test_a_line_that_is_half_closed_is_closed_at_once_at_every_stage_of_the_handshake(self):
        event = self.event(pairs=4000)
        join = self.join()
        self.waits_for_games(games=2)
        hello = b"\x04\xc8\x05HELLO\1\0" + bytes(72)
        for said in (b"", b"\xff", HEAD, CURVE[:-1], CURVE, CURVE + hello[:1], CURVE + hello[:8], CURVE + hello):
            with socket.create_connection(self.address(), timeout=4) as line:  # a handshake may last 5 s
                line.sendall(said)
                line.shutdown(socket.SHUT_WR)
                self.assertLessEqual(len(self.until_closed(line)), len(CURVE), said)
        self.waits_for_games(games=2)
        self.assertIsNone(event.poll())
        self.assertIsNone(join.poll())

    @staticmethod
    def relay(line, far, recorded):
        """Passes bytes on until one side has ended; recorded gets what line said."""
        line.setblocking(False)
        far.setblocking(False)
        is_over = False
        until = time.monotonic() + 60
        while not is_over and time.monotonic() < until:
            for source, sink in ((line, far), (far, line)):
                try:
                    data = source.recv(65536)
                    is_over = is_over or not data
                    if source is line:
                        recorded.append(data)
                    sink.setblocking(True)
                    sink.sendall(data)
                    sink.setblocking(False)
                except BlockingIOError:
                    time.sleep(0.0005)
                except OSError:
                    is_over = True
        line.close()
        far.close()

    def test_oversized_and_empty_commands_are_closed_at_once(self):
        event = self.event()
        for command in (b"\x06" + (1 << 40).to_bytes(8, "big"), b"\x04\x00", b"\x04\x06\x05HELLO", b"\x02" + bytes(8),
                        b"\x04\xc8\x05HELLO" + bytes(194)):
            begun = time.monotonic()
            with socket.create_connection(self.address(), timeout=20) as line:
                line.sendall(CURVE + command)
                self.assertLessEqual(len(self.until_closed(line)), 300, command[:12])
            self.assertLess(time.monotonic() - begun, 4, "the time for a handshake, 5 s, has ended it")
        join = self.join()
        self.assertNotIn("fault=", self.ends(event))
        self.ends(join)

    def test_silent_connections_are_gone_after_the_time_for_a_handshake(self):
        event = self.event(**{"appear: 20s": "appear: 60s, per_address: 20"})
        lines = [socket.create_connection(self.address(), timeout=20, source_address=(f"127.0.1.{i % 8 + 1}", 0))
                 for i in range(64)]
        begun = time.monotonic()
        for number, line in enumerate(lines):
            if number % 2 == 0:
                line.sendall(CURVE[:number])  # some begin, slowly
            self.until_closed(line)
            line.close()
        self.assertLess(time.monotonic() - begun, 15)
        join = self.join()
        self.assertNotIn("fault=", self.ends(event))
        self.ends(join)

    def test_garbled_handshakes_leave_the_gateway_as_it_was(self):
        event = self.event(pairs=60, **{"appear: 20s": "appear: 10m"})
        path = self.gateway_path(event)  # past the doorman, which would let only some in
        dice = random.Random(SEED)
        base = CURVE + b"\x04\xc8\x05HELLO\x01\x00" + bytes(192)
        self.garble(path, dice, base, GARBLED // 10)
        before = self.memory(event, "bgref-gateway")
        self.garble(path, dice, base, GARBLED)
        if b"__asan_init" not in read(BGREF):  # it keeps freed memory for a while
            self.assertLess(self.memory(event, "bgref-gateway") - before, 512, "KiB: 350 bytes a handshake")
        join = self.join()
        self.assertNotIn("fault=", self.ends(event))
        self.ends(join)

    def test_the_campaign_of_garbled_handshakes_sees_that_all_is_well(self):
        done = subprocess.run([CAMPAIGN, "--count", "200", "--bin", os.path.dirname(BGREF)], capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertRegex(done.stdout, r"\n +200 +\d+ ", done.stderr)
        self.assertIn("gateway: the same process, grown by", done.stdout)
        self.assertIn("the known bot: played the event", done.stdout)

    @staticmethod
    def garble(path, dice, base, count):
        doorman = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        doorman.connect(path)
        for _ in range(count):
            text = bytearray(base[:dice.randrange(1, len(base) + 1)])
            for _ in range(dice.randrange(4)):
                text[dice.randrange(len(text))] = dice.randrange(256)
            text += dice.randbytes(dice.choice((0, 0, 1, 9, 300)))
            line, far = socket.socketpair()
            socket.send_fds(doorman, [b"192.0.2.1"], [far.fileno()])
            far.close()
            try:
                line.sendall(text)
                line.shutdown(socket.SHUT_WR)
                while line.recv(4096):
                    pass
            except OSError:
                pass
            line.close()
        doorman.close()

    def test_a_key_that_comes_more_than_ten_times_a_minute_is_sent_away_and_plays_later(self):
        event = self.event(**{"appear: 20s": "appear: 60s, per_address: 30"})
        context = self.context()
        for i in range(30):
            dealer, monitor = self.stranger(context, own=f"127.0.1.{i % 4 + 1}")
            self.assertEqual(self.next_event(monitor), zmq.EVENT_HANDSHAKE_SUCCEEDED, i)
            if i >= 10:
                dealer.send(b"\x0a\x00")  # would be a Hello
                self.assertTrue(dealer.poll(20000), i)
                self.assertIn(b"too many connections of this key in a minute", dealer.recv())
                self.assertTrue(dealer.poll(20000), i)
                self.assertEqual(dealer.recv(), b"")
            self.close_all(dealer, monitor)
        self.waits_for(event, "was refused: too many connections of its key in a minute")
        join = self.join()
        self.assertIn("10/10 (100.0%)", self.ends(event))
        self.assertIn("too many connections of this key in a minute; the host takes it again", self.ends(join))

    def test_a_key_holds_twelve_connections_and_the_oldest_idle_one_ends(self):
        self.event(**{"appear: 20s": "appear: 5m, per_address: 30"})
        context = self.context()
        first = self.stranger(context)[1]
        self.assertEqual(self.next_event(first), zmq.EVENT_HANDSHAKE_SUCCEEDED)
        last, held, until = None, 1, time.monotonic() + 60
        while held < 13 and time.monotonic() < until:
            self.assertEqual(self.next_event(first, 0), 0, f"with {held} connections")
            last = self.stranger(context, own=f"127.0.1.{held}")[1]
            held += self.next_event(last) == zmq.EVENT_HANDSHAKE_SUCCEEDED
        self.assertEqual(held, 13)
        self.assertEqual(self.next_event(first), zmq.EVENT_DISCONNECTED)
        self.assertEqual(self.next_event(last, 1), 0)

    def test_a_connection_that_does_not_begin_with_a_hello_ends(self):
        event = self.event()
        dealer, monitor = self.stranger(self.context())
        dealer.send(b"\x12\x00")
        self.assertEqual(self.next_event(monitor), zmq.EVENT_HANDSHAKE_SUCCEEDED)
        self.assertEqual(self.next_event(monitor), zmq.EVENT_DISCONNECTED)
        join = self.join()
        self.assertNotIn("fault=", self.ends(event))
        self.ends(join)

    def test_a_bot_reads_no_option_of_a_host_that_join_has_not_read(self):
        """Two Welcomes in one message: the last one counts for some readers, others put them together."""
        router = self.context().socket(zmq.ROUTER)
        router.curve_server, router.linger = True, 0
        router.curve_secretkey = zmq.utils.z85.encode(bytes.fromhex(read(self.path("host.key")).split()[3].decode()))
        port = router.bind_to_random_port("tcp://127.0.0.1")
        self.addCleanup(router.close)
        self.write("host.bgref", f"host: evil\nendpoint: tcp://127.0.0.1:{port}\nkey: '{self.public('host')}'\n")
        self.join(bot="python")
        self.assertTrue(router.poll(20000))
        peer, hello = router.recv_multipart()
        self.assertEqual(hello[:1], b"\x0a")
        option = b"\x12\x09\x0a\x01X\x1a\x04evil"
        router.send_multipart([peer, b"\x0a" + bytes([len(option)]) + option + b"\x0a\x02\x08\x02"])
        self.assertTrue(router.poll(20000), "no Ready")
        self.assertEqual(router.recv_multipart()[1][:1], b"\x12")  # it has read no option

    def test_a_large_hello_names_no_address_in_a_log_without_addresses(self):
        self.environment["BGREF_LOG_ADDRESSES"] = "no"
        event = self.event(appear="5m")
        dealer, _ = self.stranger(self.context())
        dealer.send(b"\x0a\xfe\x1f" + bytes(4094))
        self.waits_for(event, "bot=anna a Hello of 4097 bytes from an address was refused")

    def test_a_hello_above_four_kibibytes_is_refused_with_a_reason_and_counted(self):
        event = self.event(pairs=5)
        join = self.join()
        self.waits_for(join, "welcome: anna plays")
        context = self.context()
        for _ in range(3):  # while the bot plays: it keeps its place
            dealer, _ = self.stranger(context)
            dealer.send(b"\x0a\xfe\x1f" + bytes(4094))  # a byte too long
            self.assertTrue(dealer.poll(20000))
            self.assertIn(b"hello\x12{the Hello of a bot of another machine may have at most 4096 bytes; shorten",
                          dealer.recv())
        said = self.ends(event)
        self.assertIn("10/10 (100.0%)", said)
        self.assertNotIn("fault=", said)
        self.assertEqual(said.count("bot=anna a Hello of 4097 bytes from 127.0.0.1 was refused"), 1)
        self.ends(join)

    def test_a_bot_starts_so_often_in_an_hour_and_then_has_to_wait(self):
        self.write("allow.yaml", f"- {{name: anna, key: {self.public('anna')}, starts_an_hour: 4}}\n")
        event = self.event(pairs=40)
        for _ in range(3):  # killed while it is asked: what cannot be sent is no end by the host, which would not count
            early = self.join()
            self.waits_for(early, "limits: 4 starts an hour, 1000 messages, 1048576 bytes a second that answer "
                                  "nothing, 65536 bytes a message, 4096 bytes of a Hello\n")
            self.waits_for(early, "game 1 against")
            kill(early)
        join = self.join()
        self.waits_for(join, "game 3 against")
        late = self.join()
        self.waits_for(late, "more than 4 starts of this bot in an hour; trying again in ")
        wait = int(self.said(late).split("trying again in ")[1].split()[0])
        self.assertIn(wait, range(850, 901))
        self.assertIsNone(late.poll())
        self.assertIn("80/80", self.ends(event))  # the one before it has kept its place
        self.ends(join)

    def test_a_known_bot_that_floods_harms_only_itself(self):
        event = self.event(pairs=5, **{"  - random\n": "  - random\n  - greedy\n"})
        self.write("flooder", f"#!/bin/sh\nexec {os.path.dirname(BGREF)}/bots/bgref-rogue flood\n")
        os.chmod(self.path("flooder"), 0o755)
        join = self.join(bot="./flooder")
        said = self.ends(event, status=None)
        self.assertIn("bot=anna fault=flood", said)
        self.assertNotIn("bot=random fault", said)
        self.assertNotIn("bot=greedy fault", said)
        self.assertIn("leader greedy", said)
        join.send_signal(signal.SIGTERM)
        self.ends(join, status=None)


if __name__ == "__main__":
    main()
