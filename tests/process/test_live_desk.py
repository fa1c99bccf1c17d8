"""bgref desk while the event runs: what is voided leaves tables, ratings and standing at once, what is replayed gets new pair
numbers, and a bot that was out is started again. The running game is held by stopping a bot's process, so no test waits for time."""
import json
import os
import signal
import sqlite3

from harness import ROGUE, Case, main, read

PLAIN = "pairs: 40\n"


class LiveDesk(Case):
    def tearDown(self):
        for pid in self.held:
            self.resume(pid)

    def setUp(self):
        super().setUp()
        self.held = []

    def event(self, schedule, bots="[random, first, greedy]", more=""):
        self.write("cup.yaml", f"event: cup\nbots: {bots}\nseed: 3\nlength: 1\nconcurrency: 1\nceiling: 600s\n{schedule}{more}")

    def start(self, *words):
        """The event runs, and its desk is open."""
        self.run_ = self.begin("tournament", "cup.yaml", "--results", "r.db", "--quiet", "--events", "e.jsonl", *words)
        self.addCleanup(self.stop)
        self.wait_until(lambda: self.run_.poll() is not None or os.path.exists(self.path("r.db.desk")), "the desk's socket", 120)
        self.wait_until(lambda: self.run_.poll() is not None or self.count("game_started") > 0, "the first game", 120)
        self.assertIsNone(self.run_.poll())

    def stop(self):
        if self.run_.poll() is None:
            self.run_.kill()
        self.run_.communicate()

    def end(self, status=0):
        out, talk = self.run_.communicate(timeout=600)
        self.assertEqual(self.run_.returncode, status, out + talk)
        self.must("verify", "r.db")
        return out, talk

    def events(self):
        try:
            with open(self.path("e.jsonl"), encoding="utf-8") as lines:
                return [json.loads(line) for line in lines if line.endswith("\n")]
        except FileNotFoundError:
            return []

    def count(self, kind):
        return sum(event["kind"] == kind for event in self.events())

    def running(self):
        """The id of the game that began last; the bot at its table is stopped."""
        return [event["id"] for event in self.events() if event["kind"] == "game_started"][-1]

    def processes(self, program):
        found = []
        for pid in self.descendants():
            try:
                if read(f"/proc/{pid}/cmdline").split(b"\0")[0].endswith(program.encode()):
                    found.append(pid)
            except OSError:
                continue
        return found

    def hold(self, name):
        """Stops the bot's process, and waits for the game that then cannot go on."""
        self.wait_until(lambda: self.processes(f"bgref-{name}"), f"the process of {name}", 60)
        for pid in self.processes(f"bgref-{name}"):
            os.kill(pid, signal.SIGSTOP)
            self.held.append(pid)
        seen = None
        while seen is None or seen != self.running():
            self.wait_until(lambda: name in self.running().split("|")[:2], f"a game of {name}", 120)
            seen = self.running()
            self.act("note")  # answered behind all that the bot had sent before
        return seen

    def resume(self, pid):
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass
        self.held = [other for other in self.held if other != pid]

    def let_go(self):
        for pid in list(self.held):
            self.resume(pid)

    def rows(self, question):
        database = sqlite3.connect(self.path("r.db"))
        rows = database.execute(question).fetchall()
        database.close()
        return rows

    def act(self, *words, status=0, reason="a cause"):
        out, talk = self.must("desk", "r.db", *words, *(("--reason", reason) if reason else ()), status=status)
        return talk if status else out

    def games(self, pair):
        a, b, number = pair.split("|")[:3]
        return self.rows(f"select count(*) from game where a='{a}' and b='{b}' and pair={number}")[0][0]

    # ------------------------------------------------------------------ an event with a form

    def test_voids_and_replays_of_a_running_event_count_at_once(self):
        self.event("schedule: circle pairs=300\n")
        self.start()
        self.wait_until(lambda: self.count("pair_finished") > 2, "pairs", 120)
        running = self.hold("greedy")
        pair = "|".join(running.split("|")[:3])
        finished = [event for event in self.events() if event["kind"] == "pair_finished"][0]
        other = f"{finished['a']}|{finished['b']}|{finished['pair']}"
        self.assertEqual(self.games(other), 2)
        self.assertIn("2 games of 1 pair are set aside", self.act("void", f"pair={other}"))
        self.assertEqual(self.games(other), 0)
        self.assertIn("is void already", self.act("void", f"pair={other}", status=2))
        self.act("void", f"pair={pair}")
        self.wait_until(lambda: self.running() != running, "another game at the table", 60)
        self.assertNotEqual("|".join(self.running().split("|")[:3]), pair)
        self.assertIn("pairs=300+1", self.act("replay", f"pair={other}"))
        self.let_go()
        out, _ = self.end()
        self.assertEqual(self.games(pair), 0)
        self.assertEqual(self.games("|".join([*other.split("|")[:2], "300"])), 2)
        games, = self.rows("select count(*) from game where match_over")[0]
        self.assertEqual(games, 2 * (3 * 300 - 1))
        self.assertIn(f"cup: 3 bots, {games} matches", out)
        self.assertEqual(len([event for event in self.events() if event["kind"] == "set_aside"]),
                         len(self.rows("select * from attempt")))
        played = sum(row["legs"] for row in json.loads(self.must("rate", "r.db", "--json")[0])["standings"])
        self.assertEqual(played, 2 * games)
        before = self.must("sheet", "r.db")[0]
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.assertEqual(self.must("sheet", "r.db")[0], before)


if __name__ == "__main__":
    main()
