"""An event as a service: what its manager hears while it runs."""
import os
import select
import socket

from harness import BIN, Case, kill, main

EVENT = "event: kept\nbots: [random, greedy]\nlength: 1\npairs: {pairs}\nseed: 1\n"
LONG, SHORT = 100000, 2


class Service(Case):
    def setUp(self):
        super().setUp()
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.manager.close)
        self.manager.bind(self.path("notify"))
        self.environment["NOTIFY_SOCKET"] = self.path("notify")

    def next(self):
        """The next message that is not a sign of life."""
        while select.select([self.manager], [], [], 20)[0]:
            message = self.manager.recv(4096).decode()
            if message != "WATCHDOG=1":
                return message
        self.fail("no message in 20 s")

    def test_ready_when_the_bots_are_and_stopping_after_a_signal(self):
        self.environment["WATCHDOG_USEC"] = "300000"
        run = self.begin("tournament", self.write("event.yaml", EVENT.format(pairs=LONG)), "--results", "r.db", "--quiet")
        self.addCleanup(kill, run)
        self.assertEqual(self.next(), "READY=1\nSTATUS=the event is played")
        for _ in range(3):
            self.assertEqual(self.manager.recv(4096), b"WATCHDOG=1")
        run.terminate()
        self.assertEqual(self.next(), "STOPPING=1\nSTATUS=running games are finished")
        self.assertEqual(self.next(), "STOPPING=1\nSTATUS=the bots are dismissed")
        self.assertEqual(run.wait(timeout=60), 143)

    def test_a_complete_event_is_ready_too(self):
        event = self.write("event.yaml", EVENT.format(pairs=SHORT))
        for _ in range(2):
            self.must("tournament", event, "--results", "r.db", "--quiet")
            heard = [self.next()]
            while heard[-1] != "READY=1\nSTATUS=the event is complete":
                heard.append(self.next())
        self.assertEqual(len(heard), 1, heard)

    def test_no_bot_speaks_for_the_referee(self):
        bot = self.write("bot.sh", f"#!/bin/sh\nenv > {self.path('bot.env')}\nexec {BIN}/bots/bgref-random\n")
        os.chmod(bot, 0o755)
        self.must("tournament", self.write("event.yaml", f"bots: [{{name: a, cmd: {bot}}}, random]\nlength: 1\npairs: 1\n"),
                  "--results", "r.db", "--quiet")
        with open(self.path("bot.env"), encoding="utf-8") as file:
            self.assertNotRegex(file.read(), "NOTIFY_SOCKET|WATCHDOG")


if __name__ == "__main__":
    main()
