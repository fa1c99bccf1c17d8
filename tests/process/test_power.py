"""Power cuts in the first steps of an event with a random key (tests/support/kill_at.c): nothing that was stored is lost, and
above all not the key of its dice, without which no game can go on.

`test_power.py BIN --cuts N` cuts at N steps instead of a few."""
import contextlib
import os
import shutil
import sys

from gallery import SANITIZED
from harness import BGREF, BIN, Case, main, read

CUTS = 8
if "--cuts" in sys.argv:
    at = sys.argv.index("--cuts")
    CUTS = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]


class Power(Case):
    def play_until(self, step):
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self.path("event"))
        os.mkdir(self.path("event"))
        return self.run_program(BGREF, "tournament", "event.yaml", "--results", "event/r.db", "--log", "none", "--quiet",
                                env={**self.environment, "LD_PRELOAD": os.path.join(BIN, "kill_at.so"), "BGREF_KILL_POWER": "1", "BGREF_KILL_AT": str(step), "BGREF_KILL_COUNT": self.path("count")})

    def records(self):
        if not os.path.exists(self.path("event/r.db")):
            return []
        has_games = self.rows("select 1 from sqlite_master where name='game'", "event/r.db")
        return self.rows("select record from game order by id", "event/r.db") if has_games else []

    def test_no_cut_takes_a_key_or_a_game(self):
        if SANITIZED:
            self.skipTest("the sanitizer has to be loaded first")
        first = os.path.join(BIN, "bots", "bgref-first")
        self.event_file(event="cut", bots=[f'{{name: {name}, cmd: "{first}"}}' for name in ("one", "two")],
                        pairs=max(4, CUTS // 8), concurrency=2, metrics=self.path("metrics"), sandbox='"off"')
        done = self.play_until(0)
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = int(read(self.path("count")))
        self.assertGreater(steps, CUTS)
        for number in range(CUTS):
            step = 1 + number * steps // CUTS
            with self.subTest(step=step):
                done = self.play_until(step)
                self.assertIn(done.returncode, (-9, 0), done.stderr)  # 0: this run made fewer steps
                self.assert_nothing_lives()
                kept = self.records()
                self.must("tournament", "event.yaml", "--results", "event/r.db", "--log", "none", "--quiet")
                self.assertLessEqual(set(kept), set(self.records()))
                self.must("verify", "event/r.db")
                self.assertFalse([name for name in os.listdir(self.path("event")) if ".key" in name])


main()
