"""bgref host with one door for all of its events: bots that join once and play in several."""
import contextlib
import os
import re
import signal
import subprocess
import time

from door_case import HostedCase
from harness import kill, main, read

EVENT = """event: {name}
bots:
  - {{name: anna, remote: true}}
  - {{name: ben, remote: true}}
length: 3
pairs: {pairs}
{door}
"""

OWN = """event: cup
bots: [{name: anna, remote: true}, random]
length: 3
pairs: 4000
door: {listen: "tcp://127.0.0.1:PORT", key: host.key, allow: allow.yaml, file: cup.bgref, appear: 60s}
"""


class HostDoor(HostedCase):
    def setUp(self):
        super().setUp()
        self.must("keygen", "--join", "ben")
        self.allow("anna", "ben")

    def open(self, door="door: {appear: 60s}", **events):
        """events: name=pairs; all begin at once."""
        for name, pairs in events.items():
            self.write(f"{name}.yaml", EVENT.format(name=name, pairs=pairs, door=door))
        return self.open_host(*events)

    def joins(self, times=2):
        return [self.start("join", "host.bgref", "random", "--key", f"{name}.key", "--times", str(times))
                for name in ("anna", "ben")]

    def wait_both_play(self, *events):
        self.wait_status(*(f"bot: {bot} plays in {event}" for bot in ("anna", "ben") for event in events))

    def standing(self, bot="anna"):
        return self.json("join", "host.bgref", "--key", f"{bot}.key", "--status")

    def wait_ended(self, event):
        self.wait_status(f"  {event}  ended since")
        self.must("verify", f"hosted/{event}.db")

    def test_two_bots_play_in_two_events_at_once_and_an_event_or_a_gateway_that_dies_costs_the_other_nothing(self):
        host = self.open(left=80, right=80)
        joined = self.joins()
        self.wait_both_play("left", "right")
        told = self.standing()
        self.assertEqual(told["host"]["host"], "club")
        self.assertEqual(sorted(event["event"] for event in told["events"]), ["left", "right"])
        killed, other = self.pid("left"), self.pid("right")
        os.kill(killed, signal.SIGKILL)
        self.wait_until(lambda: self.pid("left") not in (0, killed), "another process")
        self.wait_both_play("left", "right")
        gateway = self.child_of(host, "bgref-gateway")
        os.kill(gateway, signal.SIGKILL)
        self.waits_for(host, "the gateway has ended; it is started again")
        for process in joined:
            self.waits_for(process, "the line to the host is lost")
        self.wait_until(lambda: self.children_of(host, "bgref-gateway") not in ([], [gateway]), "another gateway", 20)
        self.wait_both_play("left", "right")
        self.assertEqual(self.pid("right"), other)
        for event in ("left", "right"):
            self.wait_ended(event)
        self.assertEqual(self.said(host).count("door: tcp://"), 1)
        for event in ("left", "right"):
            self.assertIn("no faults", self.must("faults", f"hosted/{event}.db")[0])
        for process in joined:
            self.assertIsNone(process.poll())  # they stay for what comes next

    def test_a_bot_whose_line_is_cut_comes_back_to_its_event_though_another_waits_for_it(self):
        self.open(cup=4000, league=1)
        relay = self.relayed("cut.bgref")
        anna = self.join(host="cut.bgref")
        self.join(key="ben.key")
        self.waits_for(anna, "game 3 against")
        for cuts in (1, 2, 3):
            relay.send_signal(signal.SIGUSR1)
            self.wait_until(lambda: self.said(anna).count("welcome: ") > cuts, "it to be back", 60)  # noqa: B023
        self.assertEqual(set(re.findall("welcome: anna plays (?:on )?in ([a-z]+)", self.said(anna))), {"cup"})
        self.assertNotIn("the host has begun anew", self.said(anna))

    def test_an_author_reads_whether_the_event_is_paused_or_cancelled_or_the_host_goes_away(self):
        host = self.open(cup=4000, league=4000)
        anna, ben = self.joins()
        self.wait_until(lambda: all(self.said(bot).count(" in cup") >= 1 for bot in (anna, ben)), "a welcome; without it none hears why")
        self.must("host", "host.yaml", "pause", "cup", "--reason", "a new disk")
        self.waits_for(anna, "goodbye: cup is paused (a new disk); ")
        self.must("host", "host.yaml", "resume", "cup")
        self.wait_until(lambda: all(self.said(bot).count(" in cup") >= 2 for bot in (anna, ben)), "a welcome; without it none hears why")
        begun = time.monotonic()
        self.must("host", "host.yaml", "cancel", "cup", "--yes", "--reason", "no room")
        self.waits_for(ben, "goodbye: cup is cancelled (no room); ")
        self.wait_until(lambda: self.pid("cup") == 0, "the end of cup", 20)
        self.assertLess(time.monotonic() - begun, 9)  # and was not killed
        self.must("verify", "hosted/cup.db")
        host.send_signal(signal.SIGTERM)
        self.waits_for(anna, "the host restarts")
        self.assertEqual(host.wait(60), 0)
        self.assertNotIn("the referee was interrupted", self.said(anna) + self.said(ben))
        self.assertNotIn("league is", self.said(anna))

    def test_an_author_reads_that_the_event_is_paused(self):
        self.open(cup=4000)
        anna, _ = self.joins(times=1)
        self.waits_for(anna, "game 1 against")
        self.ask("pause", "cup")
        self.waits_for(anna, "no running event waits for anna; next: cup, which is paused")
        self.assertEqual(self.standing()["host"]["next"], "cup, which is paused")
        self.ask("resume", "cup")
        self.wait_until(lambda: self.said(anna).count("welcome: ") == 2, "it to play on")

    def test_an_act_on_who_may_come_is_answered_when_the_door_has_taken_it(self):
        host = self.open(cup=4000)
        self.wait_both_play_with(self.joins(times=1))
        workers = {name: self.child_of(host, name) for name in ("bgref-gateway", "bgref-doorman")}
        for what, stopped in (("anna", "bgref-gateway"), ("127.0.0.0/30", "bgref-doorman")):
            for act in (("ban", what, "--reason", "a test"), ("unban", what)):
                with self.stopped(workers[stopped]):
                    asked = self.start("host", "host.yaml", *act)
                    self.wait_until(lambda act=act: f"host.yaml\0{act[0]}\0" in self.line_of(asked), "the act")
                    with self.assertRaises(subprocess.TimeoutExpired):
                        asked.wait(1)
                self.ends(asked)
            self.assertNotIn("does not know this key", self.after_joining())
        # Its answer is bounded, and says what holds.
        with self.stopped(workers["bgref-gateway"]):
            self.assertIn("it is stored, but the gateway or the doorman has not taken it for 5 s: it holds when they do",
                          self.must("host", "host.yaml", "ban", "anna", "--reason", "a test", status=5)[1])
        self.assertIn("ban: name anna (a test)", self.status())
        self.assertIn("does not know this key", self.ends(self.start("join", "host.bgref", "random", "--key", "anna.key"), status=5))

    def wait_both_play_with(self, joined):
        self.wait_both_play("cup")
        for process in joined:
            kill(process)

    def after_joining(self):
        """What an author reads who joins right after an act."""
        join = self.start("join", "host.bgref", "random", "--key", "anna.key")
        self.wait_until(lambda: "welcome: " in self.said(join) or join.poll() is not None, "an answer")
        kill(join)
        return self.said(join)

    @staticmethod
    def line_of(process):
        return read(f"/proc/{process.pid}/cmdline").decode()

    @contextlib.contextmanager
    def stopped(self, pid):
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def test_an_event_with_a_door_of_its_own_tells_the_same_without_the_reason(self):
        self.write("cup.yaml", OWN.replace("PORT", str(self.free_port())))
        self.write("host.yaml", "host: {name: club, folder: hosted}\nevents:\n  - {file: cup.yaml, start: always}\n")
        self.start("host", "host.yaml")
        self.wait_until(lambda: os.path.exists(self.path("cup.bgref")), "its door")
        anna = self.start("join", "cup.bgref", "random", "--key", "anna.key")
        self.waits_for(anna, "game 3 against")
        self.must("host", "host.yaml", "pause", "cup", "--reason", "a new disk")
        self.waits_for(anna, "goodbye: the event is paused, and goes on when its host says so; ")
        self.must("host", "host.yaml", "resume", "cup")
        self.wait_until(lambda: self.said(anna).count("welcome: ") == 2, "it to play on")
        self.must("host", "host.yaml", "cancel", "cup", "--yes")
        self.assertIn("goodbye: the event is cancelled; ", self.ends(anna))

    def test_a_bot_that_joins_once_plays_one_event_after_the_other_and_is_told_what_comes(self):
        with open(self.path("allow.yaml"), "a", encoding="ascii") as file:  # more than fit into the socket of a gateway that begins
            file.writelines(f"- {{name: guest{i}, key: {i:064x}}}\n" for i in range(1500))
        host = self.open(door="", left=2, right=2)
        anna, ben = self.joins(times=1)
        for event in ("left", "right"):
            self.wait_ended(event)
        for process in (anna, ben):
            self.waits_for(process, "no running event waits for")
            self.assertEqual(len(re.findall("goodbye: ", self.said(process))), 2)
            self.assertIn("it is not entered in any that comes", self.said(process))
        self.assertEqual(self.standing()["events"], [])
        host.send_signal(signal.SIGTERM)
        self.assertEqual(host.wait(60), 0)
        self.assertIsNone(anna.poll())
        kill(anna)


main()
