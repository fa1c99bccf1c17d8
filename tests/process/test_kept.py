"""A bot that keeps nothing in memory goes on when the line to its host is lost: bgref join keeps its process."""
import os
import re
import shutil
import socket
import threading

from door_case import DoorCase
from harness import BIN, main, read

# Notes its process and each decision before it thinks; a decision waits while the file `stop` is there.
BOT = """#!/usr/bin/python3
import os, sys, time
sys.path.insert(0, {bots!r})
import bgref_bot
honest, welcomed = bgref_bot.answer, bgref_bot.reply
def answer(ask, out):
    with open({log!r}, "a") as log:
        print(os.getpid(), ask.decision, file=log)
    end = time.monotonic() + 60
    while os.path.exists({stop!r}) and time.monotonic() < end:
        time.sleep(0.01)
    honest(ask, out)
bgref_bot.answer = answer
hello = bgref_bot.hello
def stateful():
    message = hello()
    message.hello.stateful = {stateful}
    return message
bgref_bot.hello = stateful
bgref_bot.main()
"""


class Relay:
    """Passes bytes on to an address. cut() ends all connections, at the host's side only if all_of_it; while it is
    held, new ones are closed at once."""

    def __init__(self, address):
        self.address = address
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lines = []
        self.refused = 0
        self.is_held = False
        self.all_of_it = True
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            if self.is_held:
                self.refused += 1
                line.close()
                continue
            far = socket.create_connection(self.address)
            self.lines += [line, far]
            for source, sink in ((line, far), (far, line)):
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for line in (source, sink) if self.all_of_it else ():
            try:
                line.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for line in self.lines if self.all_of_it else self.lines[::2]:
            try:
                line.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.all_of_it = True
        self.listener.shutdown(socket.SHUT_RDWR)
        self.cut()
        for line in [self.listener, *self.lines]:
            line.close()


class Kept(DoorCase):
    def bot(self, stateful=False):
        os.makedirs(self.path("bot"))
        for name in ("bgref_bot.py", "bgref_pb2.py"):
            shutil.copy(os.path.join(BIN, "bots", "python", name), self.path("bot"))
        text = BOT.format(bots=self.path("bot"), log=self.path("log"), stop=self.path("stop"), stateful=stateful)
        os.chmod(self.write("bot/run", text), 0o755)
        return "./bot/run"

    def asked(self):
        """What the bot was asked: (process, decision) in order."""
        return [tuple(map(int, line.split())) for line in read(self.path("log")).decode().splitlines()]

    def relayed(self):
        relay = Relay(self.address())
        self.addCleanup(relay.close)
        text = read(self.path("host.bgref")).decode()
        self.write("far.bgref", re.sub(r"endpoint: .*", f"endpoint: tcp://127.0.0.1:{relay.port}", text))
        return relay

    def begin(self, stateful=False):
        """An event whose bot thinks about a decision; returns event, relay, join."""
        event = self.event(pairs=2, **{"length: 3": "length: 1"})
        relay = self.relayed()
        join = self.join(bot=self.bot(stateful), host="far.bgref")
        self.wait_until(lambda: os.path.exists(self.path("log")) and len(self.asked()) >= 3, "three decisions")
        self.stop()
        return event, relay, join

    def stop(self):
        """Lets the bot think until go()."""
        self.write("stop", "")
        before = -1
        while before != len(self.asked()):  # it thinks when two looks see the same
            before = len(self.asked())
            self.wait_until(self.is_idle, "a bot that thinks")

    def is_idle(self):
        pid = self.asked()[-1][0]
        asked = len(self.asked())
        spent = read(f"/proc/{pid}/schedstat").split()[2]
        self.wait_until(lambda: int(read(f"/proc/{pid}/schedstat").split()[2]) >= int(spent) + 20, "it polls")
        return asked == len(self.asked())

    def go(self):
        os.unlink(self.path("stop"))

    def ends_well(self, event, join):
        said = self.ends(event)
        self.assertIn("4/4 (100.0%)", said)
        self.assertNotIn("fault", said)
        self.must("verify", "r.db")
        return self.ends(join)

    def test_a_bot_that_thinks_is_not_asked_twice(self):
        event, relay, join = self.begin()
        pid, decision = self.asked()[-1]
        relay.cut()
        self.waits_for(join, "the line to the host is lost; the bot is kept")
        self.waits_for(join, "welcome: anna plays on in spring")
        self.go()
        said = self.ends_well(event, join)
        self.assertNotIn("starting again", said)
        asked = self.asked()
        self.assertEqual({each for each, _ in asked}, {pid})
        self.assertEqual(asked.count((pid, decision)), 1, "its thought was lost")

    def test_what_it_answers_without_a_line_is_asked_again(self):
        event, relay, join = self.begin()
        pid, decision = self.asked()[-1]
        relay.is_held = True
        relay.cut()
        self.waits_for(join, "the line to the host is lost; the bot is kept")
        self.wait_until(lambda: relay.refused > 0, "an attempt to connect")
        self.go()
        self.wait_until(lambda: relay.refused > 2, "further attempts")
        relay.is_held = False
        said = self.ends_well(event, join)
        self.assertIn("welcome: anna plays on in spring", said)
        asked = self.asked()
        self.assertEqual({each for each, _ in asked}, {pid})
        self.assertEqual(asked.count((pid, decision)), 2)

    def test_one_program_whose_line_breaks_often_is_not_two(self):
        event, relay, join = self.begin()
        relay.all_of_it = False  # the host believes in its old connection, and the new one replaces it
        for count in range(2, 7):
            relay.cut()
            self.wait_until(lambda: self.said(join).count("welcome: ") >= count, "a return")
        self.go()
        said = self.ends_well(event, join)
        self.assertNotIn("key in use twice", said)

    def test_a_stateful_bot_is_started_again(self):
        event, relay, join = self.begin(stateful=True)
        pid, _ = self.asked()[-1]
        relay.cut()
        self.waits_for(join, "the line to the host is lost; starting again")
        self.waits_for(join, "welcome: anna plays on in spring")
        self.go()
        self.ends_well(event, join)
        self.assertNotEqual(self.asked()[-1][0], pid)

    def test_a_host_that_begins_anew_gets_a_new_process(self):
        event = self.event(pairs=2, port=self.free_port(), **{"length: 3": "length: 1"})
        join = self.join(bot=self.bot())
        self.wait_until(lambda: os.path.exists(self.path("log")) and len(self.asked()) >= 3, "three decisions")
        self.stop()
        pid, _ = self.asked()[-1]
        event.kill()
        event.wait()
        again = self.start("tournament", "e.yaml")
        self.waits_for(join, "; starting again")
        self.go()
        self.ends_well(again, join)
        self.assertNotEqual(self.asked()[-1][0], pid)


if __name__ == "__main__":
    main()
