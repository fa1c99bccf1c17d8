"""What strangers do at the door: half closed and garbled handshakes, many connections, large Hellos; and a known bot that floods."""
import os
import re
import signal
import socket
import subprocess
import time

import zmq

from curve_client import CurveClients
from harness import BGREF, kill, main, read

HEAD = b"\xff" + bytes(8) + b"\x7f\x03\x00"  # of a greeting, up to the mechanism
CURVE = HEAD + b"CURVE".ljust(20, b"\0") + bytes(32)
CAMPAIGN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "campaign-handshakes")


class Strangers(CurveClients):
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

    def test_the_campaign_of_garbled_handshakes_sees_that_all_is_well(self):
        done = subprocess.run([CAMPAIGN, "--count", "1000", "--bin", os.path.dirname(BGREF)], capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertRegex(done.stdout, r"\n +1000 +\d+ ", done.stderr)
        grown = re.search(r"gateway: the same process, grown by (\d+) KiB", done.stdout)
        self.assertLess(int(grown[1]), 200, "350 bytes that each handshake leaves behind make 315")
        self.assertIn("the known bot: played the event", done.stdout)

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
        self.script("flooder", f"#!/bin/sh\nexec {os.path.dirname(BGREF)}/bots/bgref-rogue flood\n")
        join = self.join(bot="./flooder")
        said = self.ends(event, status=None)
        self.assertIn("bot=anna fault=flood", said)
        self.assertNotIn("bot=random fault", said)
        self.assertNotIn("bot=greedy fault", said)
        self.assertIn("leader greedy", said)
        join.send_signal(signal.SIGTERM)
        self.ends(join, status=None)


main()
