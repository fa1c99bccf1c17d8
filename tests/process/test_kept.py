"""A bot that keeps nothing in memory goes on when the line to its host is lost: bgref join keeps its process."""
import os
import signal

from door_case import DoorCase
from harness import kill, main, read

# Notes its process and each decision before it thinks; a decision waits while the file `stop` is there.
BOT = """
own, best_index = bgref_bot.answer, honest
def answer(ask, out):
    with open({log!r}, "a") as log:
        print(os.getpid(), ask.decision, file=log)
    end = time.monotonic() + 60
    while os.path.exists({stop!r}) and time.monotonic() < end:
        time.sleep(0.01)
    own(ask, out)
bgref_bot.answer = answer
hello = bgref_bot.hello
def stateful():
    message = hello()
    message.hello.stateful = {stateful}
    return message
bgref_bot.hello = stateful
"""


class Kept(DoorCase):
    def bot(self, stateful=False):
        return self.python_bot("run", BOT.format(log=self.path("log"), stop=self.path("stop"), stateful=stateful))

    def asked(self):
        """What the bot was asked: (process, decision) in order."""
        return [tuple(map(int, line.split())) for line in self.text("log").splitlines()]

    def begin(self, *cuts, stateful=False, pairs=2, port=0):
        """An event whose bot thinks about a decision; returns event, relay, join."""
        event = self.event(pairs=pairs, port=port, **{"length: 3": "length: 1"})
        relay = self.relayed("far.bgref", "127.0.0.1", *cuts)
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

    def ends_well(self, event, join, games="4/4"):
        said = self.ends(event)
        self.assertIn(f"{games} (100.0%)", said)
        self.assertNotIn("fault", said)
        self.must("verify", "r.db")
        return self.ends(join)

    def test_a_bot_that_thinks_is_not_asked_twice(self):
        event, relay, join = self.begin()
        pid, decision = self.asked()[-1]
        relay.send_signal(signal.SIGUSR1)
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
        relay.send_signal(signal.SIGUSR2)
        relay.send_signal(signal.SIGUSR1)
        self.waits_for(join, "the line to the host is lost; the bot is kept")
        self.wait_until(lambda: "refused" in self.said(relay), "an attempt to connect")
        self.go()
        self.wait_until(lambda: self.said(relay).count("refused") > 2, "further attempts")
        relay.send_signal(signal.SIGUSR2)
        said = self.ends_well(event, join)
        self.assertIn("welcome: anna plays on in spring", said)
        asked = self.asked()
        self.assertEqual({each for each, _ in asked}, {pid})
        self.assertEqual(asked.count((pid, decision)), 2)

    def test_one_program_whose_line_breaks_often_is_not_two(self):
        event, relay, join = self.begin("near")  # the host believes in its old connection, and the new one replaces it
        for count in range(2, 7):
            relay.send_signal(signal.SIGUSR1)
            self.wait_until(lambda: self.said(join).count("welcome: ") >= count, "a return")
        self.go()
        said = self.ends_well(event, join)
        self.assertNotIn("key in use twice", said)

    def test_a_stateful_bot_is_started_again(self):
        event, relay, join = self.begin(stateful=True)
        pid, _ = self.asked()[-1]
        relay.send_signal(signal.SIGUSR1)
        self.waits_for(join, "the line to the host is lost; starting again")
        self.go()
        self.assertIn("welcome: anna plays on in spring", self.ends_well(event, join))
        self.assertNotEqual(self.asked()[-1][0], pid)

    def test_a_host_that_begins_anew_gets_a_new_process(self):
        # The line is cut first: a killed event's sockets close in any order, and its gateway may still end the session.
        event, relay, join = self.begin(pairs=1, port=self.free_port())
        (_, port), (pid, _) = self.address(), self.asked()[-1]
        relay.send_signal(signal.SIGUSR2)
        relay.send_signal(signal.SIGUSR1)
        self.waits_for(join, "the line to the host is lost; the bot is kept")
        kill(event)
        again = self.again(port)
        relay.send_signal(signal.SIGUSR2)
        self.waits_for(join, "the host has begun anew; starting again")
        self.go()
        self.ends_well(again, join, "2/2")
        self.assertNotEqual(self.asked()[-1][0], pid)


main()
