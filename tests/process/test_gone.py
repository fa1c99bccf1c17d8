"""A match of several games that a bot of another machine leaves: it is lost, if the bot is not back in time; not when it is."""

import os
import signal
import time

from door_case import HostedCase
from harness import kill, main, read

LEFT = "bot=anna fault=silent count=1 costs the game: it was away for more than "
LOST = "bot=anna fault=gone count={} costs the match: it has left this match, and was not back within {}: the match is lost"


class Gone(HostedCase):
    def fast(self):
        return self.slow(rest=0)

    def slow(self, rest=0.004):
        """A match of it lasts for many seconds."""
        return self.python_bot(f"rests-{rest}", f"def best_index(ask):\n    time.sleep({rest})\n    return honest(ask)\n")

    def matches(self, grace="1s", appear="1s", pairs=1, more="", length=30):
        """Two matches a pair, one after the other."""
        return self.event(pairs=pairs, appear=f"{appear}, grace: {grace}",
                          **{"length: 3": f"length: {length}\nconcurrency: 1\n{more}"})

    def gone(self):
        """(pair, game, winner) of the games that ended so; bot a is anna."""
        return self.rows("select pair, game, winner from game where fault = 'gone' order by pair, leg, game")

    def games(self, pair):
        return self.rows(f"select count(*) from game where pair = {pair}")[0][0]

    def leaves(self, join, games=2):
        """The author ends its bot in the middle of the first match."""
        self.wait_until(lambda: self.count() >= games, "games")
        kill(join)

    def is_proved(self, is_over=False):
        self.must("verify", "r.db")
        self.must("backup", "r.db", "copy.db")
        self.must("verify", "copy.db")
        os.unlink(self.path("copy.db"))
        if is_over:
            self.must("export", "r.db", "--records", "--output", "r.txt")
            checked = self.verify_beside("r.txt")
            self.assertEqual(checked.returncode, 0, checked.stderr)

    # ---- it stays away

    def test_who_stays_away_loses_the_match_that_it_has_begun_and_no_other_one(self):
        event = self.matches()
        self.leaves(self.join(self.slow()))
        said = self.ends(event, 7)
        self.assertIn(LEFT + "1 s\n", said)
        self.assertIn(LOST.format(1, "1s"), said)
        (pair, game, winner), = self.gone()
        self.assertEqual((pair, winner, game), (0, 1, self.games(0) - 1))
        self.assertEqual(self.games(1), 0)  # it had not begun
        record, = self.rows("select record from game where fault = 'gone'")[0]
        self.assertRegex(record, r"\nsteps #\w+\n\d fault gone #")
        self.assertIn(" python 0.1.0 #", record)
        self.is_proved()
        self.assertIn("the match is lost", self.must("faults", "r.db", "anna")[0])
        
        # the next run plays what has not begun
        played = self.games(0)
        again = self.matches()
        self.join(self.fast())
        self.ends(again)
        self.assertEqual((self.games(0), len(self.gone())), (played, 1))
        self.is_proved(is_over=True)

    def test_the_lost_match_counts(self):
        event = self.matches(pairs=1)
        self.leaves(self.join(self.slow()))
        self.ends(event, 7)
        table = self.must("show", "r.db")[0]
        self.assertRegex(table, r"random +.*1")
        for form in ("mat", "sgf", "csv", "json"):
            self.must("export", "r.db", "--format", form, "--output", f"out-{form}")
        self.must("rate", "r.db")
        self.must("report", "r.db", "--text")

    # ---- it comes back

    def comes_back(self, **more):
        event = self.matches(grace="4s", appear="4s", **more)
        self.leaves(self.join(self.slow()))
        self.waits_for(event, LEFT, 30)
        self.join(self.fast())
        said = self.ends(event)
        self.assertIn("bot=anna is back", said)
        self.assertEqual(self.gone(), [])
        self.assertEqual(self.rows("select count(*) from game where fault is not null"), [(1,)])
        self.must("verify", "r.db")

    def test_who_is_back_in_time_plays_the_match_to_its_end(self):
        self.comes_back()

    def test_also_among_strangers_it_plays_on_in_the_same_run(self):
        self.needs_confinement()  # its opponent plays on this machine
        self.comes_back(more="trust: strangers\nsandbox: on\n")

    # ---- the end of the referee

    def dies_with_the_referee(self, durable, bot, games):
        event = self.matches(appear="30s", more=f"durable: {durable}\n")  # it may come late on a busy machine
        join = self.join(bot)
        self.wait_until(lambda: self.count() >= games, "games", 100)
        kill(event)
        kill(join)
        again = self.matches(more=f"durable: {durable}\n")
        self.assertIn(LOST.format(0, "1s"), self.ends(again, 7))
        self.assertEqual([winner for _, _, winner in self.gone()], [1])
        self.is_proved()

    def test_who_does_not_come_to_the_next_run_loses_it(self):
        self.dies_with_the_referee("game", self.slow(), 2)

    def test_a_game_that_was_kept_is_lost_where_it_stood(self):
        self.dies_with_the_referee("decision", self.fast(), 1)

    # ---- a host

    @staticmethod
    def words_of_process(pid):
        try:
            return read(f"/proc/{pid}/cmdline")
        except OSError:
            return b""

    def test_who_is_lent_to_another_event_loses_nothing_by_that(self):
        for name in ("aa", "bb"):
            self.write(f"{name}.yaml", f"event: {name}\nbots:\n  - {{name: anna, remote: true}}\n  - random\nlength: 60\npairs: 50\n"
                                       "concurrency: 1\ndoor: {appear: 2s, grace: 1s}\n")
        host = self.open_host("aa", "bb", port=self.free_port())
        twice = self.start("join", "host.bgref", self.slow(), "--key", "anna.key", "--times", "2")
        for name in ("aa", "bb"):
            self.wait_until(lambda name=name: self.count(results=f"hosted/{name}.db") >= 1, f"games of {name}")
        kill(host)
        kill(twice)
        self.wait_until(lambda: not [pid for pid in self.descendants() if b"tournament" in self.words_of_process(pid)], "the end of the events")
        host = self.open_host()
        once = self.join(self.slow())
        log = self.path("hosted/bb.log")
        self.wait_until(lambda: b"bot=anna absent" in read(log), "the absence")
        before, looked = self.count(results="hosted/aa.db"), time.monotonic() + 9  # bb tries again after 5 s, for 2 s and the grace
        self.wait_until(lambda: time.monotonic() > looked and self.count(results="hosted/aa.db") >= before + 10,
                        "games of the event that has it", 120)
        self.assertEqual(self.rows("select count(*) from game where fault = 'gone'", "hosted/bb.db"), [(0,)])
        self.assertNotIn(b"fault=gone", read(log))
        kill(once)  # now it is its own choice
        self.wait_until(lambda: b"fault=gone" in read(self.path("hosted/aa.log")), "the lost match")

    def test_a_kill_between_the_game_and_the_match_loses_it_once(self):
        event = self.matches(grace="4s", appear="4s")
        self.leaves(self.join(self.slow()))
        self.wait_until(lambda: self.rows("select 1 from game where fault = 'silent'"), "the lost game", 30)
        kill(event)
        self.assertEqual(self.gone(), [])
        again = self.matches()
        self.assertIn(LOST.format(1, "1s"), self.ends(again, 7))
        self.assertEqual(len(self.gone()), 1)
        last = self.matches()
        self.assertNotIn("fault=gone", self.ends(last, 3))
        self.assertEqual(len(self.gone()), 1)
        self.is_proved()

    def test_a_referee_that_stands_still_takes_nobody_s_time(self):
        event = self.matches(grace="4s", appear="4s")
        self.leaves(self.join(self.slow()))
        self.waits_for(event, LEFT, 30)
        tries = time.monotonic() + 1.2  # it is waited for again after 1 s
        self.wait_until(lambda: time.monotonic() > tries, "a try")
        event.send_signal(signal.SIGSTOP)
        self.join(self.fast())
        over = time.monotonic() + 4.5
        self.wait_until(lambda: time.monotonic() > over, "more than its time")
        event.send_signal(signal.SIGCONT)
        self.assertIn("bot=anna is back", self.ends(event))
        self.assertEqual(self.gone(), [])

    def test_an_interruption_while_it_is_waited_for_takes_nothing(self):
        event = self.matches(grace="2s", appear="2s")
        self.leaves(self.join(self.slow()))
        self.waits_for(event, LEFT, 30)
        event.send_signal(signal.SIGTERM)
        self.ends(event, None)
        again = self.matches(grace="20s", appear="20s")
        self.join(self.fast())
        self.ends(again)
        self.assertEqual(self.gone(), [])


main()
