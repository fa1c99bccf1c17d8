"""An Olympiad in one day: twelve entrants, five of them from other machines, one at a board, and what goes wrong on such a day.
A Swiss, a knockout of four, a final that ends level, and its play-off. promises.py has what must hold in the end.

No scene waits for time: each waits for what it needs to see, and the person at the board holds the first two rounds for their scenes."""
import os
import signal
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "process"))

from club import LONG_S  # noqa: E402 (needs the path above)
from harness import main  # noqa: E402
from promises import Promises  # noqa: E402

# The final is a match that nobody can finish: the director ends it level, and then the rules ask for a play-off.
EVENT = """event: day
seeds: entry
bots:
  - {name: person, remote: true}
  - {name: steady, remote: true}
  - {name: stateful, remote: true}
  - {name: cut, remote: true}
  - {name: crash, remote: true}
  - {name: quits, bot: first}
  - first
  - {name: other, bot: random}
  - python
  - {name: flood, remote: true}
  - random
  - {name: late, bot: random, late: yes}
stages:
  - swiss rounds=4 match=5 late=half
  - knockout take=4 best_of=3 length=7
  - circle take=2 match=5000 tie=playoff playoff=3 playoff_length=1
length: 5
cube_limit: 4
clock: bank=3m/pt,delay=5s
ceiling: 5m
quarantine: 1000
concurrency: 8
instances: 1
durable: decision
absent: unplayed
door: {appear: 2m}
"""


class Olympiad(Promises):
    def test_the_day(self):
        self.open_doors()
        ends = [self.first_round(), self.second_round()]
        self.third_round()
        ends.append(self.knockout())
        self.final()
        self.close_doors()
        self.check_all(ends)

    def open_doors(self):
        self.make_authors()
        self.write_event(EVENT)
        self.start_host()
        self.start_authors()

    def first_round(self):
        """The person thinks. Meanwhile the host is killed, one enters late, and the person's opponent withdraws."""
        self.wait_until(lambda: self.course.round() == 1, "the first round", LONG_S)
        with self.promise("a host that was killed goes on when it is started again"):
            steps = self.kill_host_in_mid_game()
        with self.promise("a bot may enter late, and another withdraw, while a round is played"):
            self.wait_until(self.late_enters, "the late bot to enter", LONG_S)
            self.wait_until(self.person.is_asked.is_set, "the person to be asked", LONG_S)
            self.ask_host("withdraw", "day", "quits", "--reason", "its author has to leave")
        return steps

    def late_enters(self):
        """The event refuses while it is just beginning."""
        return self.run_bgref("host", "host.yaml", "enter", "day", "late").returncode == 0

    def second_round(self):
        """The person still thinks, until the host is drained."""
        self.wait_until(lambda: self.course.round() >= 2, "the second round", LONG_S)
        with self.promise("a bot whose line was dead comes back, and a stranger who floods the door meanwhile harms nobody"):
            self.line_dies("stateful", self.strangers_flood)
        with self.promise("a drained host ends in order, and goes on when it is started again"):
            steps = self.drain_host()
        self.person.may_play.set()
        return steps

    def third_round(self):
        self.wait_until(lambda: self.course.round() >= 3, "the third round", LONG_S)
        with self.promise("an author whose machine has crashed comes back to its games"):
            self.crash_author("crash")

    def knockout(self):
        self.wait_until(lambda: self.course.open(2), "the knockout", LONG_S)
        with self.promise("a host that was killed goes on when it is started again"):
            return self.kill_host_in_mid_game()

    def final(self):
        self.wait_until(lambda: self.course.open(3), "the final", LONG_S)
        meeting = self.course.open(3)[0]["meeting"]
        self.must("desk", "hosted/day.db", "adjudicate", f"meeting={meeting}", "score=0.5", "--reason", "the hall closes")
        self.wait_until(lambda: "  day  ended since" in self.ask_host("status"), "the end of the event", LONG_S)

    def close_doors(self):
        self.host.send_signal(signal.SIGTERM)
        self.ends(self.host, seconds=90)
        self.end_authors()
        with self.promise("no process is left"):
            self.wait_until(lambda: not self.living() and not self.net.living(), "every process of the day to be gone", 30)


if __name__ == "__main__":
    main()
