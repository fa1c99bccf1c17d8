"""bgref desk while the event runs: what is voided leaves tables, ratings and standing at once, what is replayed gets new pair
numbers, and a bot that was out is started again. The running game is held by stopping a bot's process, so no test waits for time."""
import json
import os
import signal
import socket
import subprocess

from harness import ROGUE, Case, main, read


class LiveDesk(Case):
    def tearDown(self):
        for pid in self.held:
            self.resume(pid)

    def setUp(self):
        super().setUp()
        self.held = []
        self.seen, self.read_to = [], 0

    def event(self, schedule, bots="[random, first, greedy]", more=""):
        self.write("cup.yaml", f"event: cup\nbots: {bots}\nseed: 3\nlength: 1\nconcurrency: 1\nceiling: 600s\n{schedule}{more}")

    def start(self, *words):
        """The event runs, and its desk is open."""
        self.seen, self.read_to = [], 0
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
        """The event stream so far; only its new lines are read."""
        try:
            with open(self.path("e.jsonl"), "rb") as stream:
                stream.seek(self.read_to)
                text = stream.read()
        except FileNotFoundError:
            return self.seen
        text = text[:text.rfind(b"\n") + 1]
        self.read_to += len(text)
        self.seen += [json.loads(line) for line in text.splitlines()]
        return self.seen

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

    def hold(self, name=None):
        """Stops the bot's process, and waits for the game that then cannot go on. name: else of the game that runs."""
        name = name or self.running().split("|")[0]
        self.wait_until(lambda: self.processes(f"bgref-{name}"), f"the process of {name}")
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

    def act(self, *words, status=0, reason="a cause"):
        out, talk = self.must("desk", "r.db", *words, *(("--reason", reason) if reason else ()), status=status)
        return talk if status else out

    def games(self, pair):
        a, b, number = pair.split("|")[:3]
        return self.rows(f"select count(*) from game where a='{a}' and b='{b}' and pair={number}")[0][0]

    # ------------------------------------------------------------------ an event with a form

    def test_voids_and_replays_of_a_running_event_count_at_once(self):
        self.event("schedule: circle pairs=120\n")
        self.start()
        self.wait_until(lambda: self.count("pair_finished") > 2, "pairs", 120)
        running = self.hold()
        pair = "|".join(running.split("|")[:3])
        finished = [event for event in self.events() if event["kind"] == "pair_finished"][0]
        other = f"{finished['a']}|{finished['b']}|{finished['pair']}"
        self.assertEqual(self.games(other), 2)
        self.assertIn("2 games of 1 pair are set aside", self.act("void", f"pair={other}"))
        self.assertEqual(self.games(other), 0)
        self.assertIn("is void already", self.act("void", f"pair={other}", status=2))
        self.act("void", f"pair={pair}")
        self.wait_until(lambda: self.running() != running, "another game at the table")
        self.assertNotEqual("|".join(self.running().split("|")[:3]), pair)
        self.assertIn("pairs=120+1", self.act("replay", f"pair={other}"))
        self.let_go()
        out, _ = self.end()
        self.assertEqual(self.games(pair), 0)
        self.assertEqual(self.games("|".join([*other.split("|")[:2], "120"])), 2)
        games, = self.rows("select count(*) from game where match_over")[0]
        self.assertEqual(games, 2 * (3 * 120 - 1))
        self.assertIn(f"cup: 3 bots, {games} matches", out)
        self.assertEqual(len([event for event in self.events() if event["kind"] == "set_aside"]),
                         len(self.rows("select * from attempt")))
        played = sum(row["legs"] for row in self.json("rate", "r.db")["standings"])
        self.assertEqual(played, 2 * games)
        before = self.must("report", "--sheet", "r.db")[0]
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.assertEqual(self.must("report", "--sheet", "r.db")[0], before)

    # ------------------------------------------------------------------ bots that were out

    def rogue(self, deed):
        """A bot whose program stays the same, while its behaviour changes."""
        self.does(deed)
        self.script("rogue", f"#!/bin/sh\n. '{self.path('does')}'\n")
        return f"[greedy, random, {{name: rogue, cmd: '{self.path('rogue')}'}}]"

    def does(self, deed):
        self.write("does", deed + "\n")

    def mend(self):
        self.does(f"exec {ROGUE} plain")

    def wait_for_log(self, kind, **facts):
        self.wait_until(lambda: [e for e in self.events() if e["kind"] == kind and facts.items() <= e.items()],
                        f"{kind} {facts}", 120)

    def reinstated(self, more):
        """A bot is quarantined, its mended program does not start, then it does."""
        self.start()
        self.wait_for_log("quarantined", bot="rogue")
        self.hold("random")
        self.does("exit 3")
        self.assertIn("rogue is being started; if that fails, it is absent", self.act("reinstate", "rogue"))
        self.wait_for_log("absent", bot="rogue")
        self.assertIsNone(self.run_.poll())
        self.mend()
        self.act("reinstate", "rogue")
        self.wait_for_log("bot_restarted", bot="rogue")
        self.let_go()
        out, talk = self.end(**more)
        self.assertIn("bot=rogue does not start", talk)
        return out

    def test_a_quarantined_bot_returns_to_a_plain_round_robin(self):
        self.event("pairs: 60\n", self.rogue(f"exec {ROGUE} wrong-die --after 12"), "quarantine: 1\n")
        out = self.reinstated({})
        self.assertNotIn("NOT PLAYED", out)
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(360,)])
        self.assertEqual(self.rows("select kind, who='bgref' from act where kind<>'note'"),
                         [("absent", 1), ("reinstate", 0), ("absent", 1), ("reinstate", 0)])

    def test_a_quarantined_bot_returns_to_an_event_with_a_schedule(self):
        self.event("schedule: circle pairs=40 cycles=2\n", self.rogue(f"exec {ROGUE} wrong-die --after 12"),
                   "quarantine: 1\n")
        self.reinstated({"status": 7})
        kinds = [kind for kind, in self.rows("select kind from act where subject like '%bot=rogue%' and kind<>'bye'")]
        self.assertEqual([kind for kind in kinds if kind != "walkover"], ["absent", "reinstate", "absent", "reinstate"])
        self.assertGreater(self.rows("select count(*) from game where 'rogue' in (a, b)")[0][0], 80)

    def test_walkovers_of_an_absent_bot_are_told_by_the_exit_status(self):
        self.event("schedule: circle pairs=40\n", self.rogue(f"exec {ROGUE} wrong-die --after 12"), "quarantine: 1\n")
        words = ("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        for _ in range(2):  # the second run has nothing to play, and says the same
            out, _ = self.must(*words, status=7)
            self.assertIn("WALKOVERS: 2 meetings were not played, because a bot was absent\n", out)
            self.assertIn("ABSENT: rogue; 'bgref desk' reinstates or withdraws it\n", out)
        self.must("verify", "r.db")

    def test_an_event_in_which_nobody_can_be_paired_any_more_ends_in_order(self):
        for schedule in "circle pairs=300", "swiss rounds=2 pairs=300", "knockout pairs=300", "league pairs=300":
            with self.subTest(schedule):
                self.remove("r.db", "e.jsonl")
                self.event(f"schedule: {schedule}\n")
                self.start()
                self.act("withdraw", "first")
                self.act("withdraw", "greedy")
                out, _ = self.end()
                self.assertIn("random", out)
                self.assertIn("Rank  Bot", out)
                self.assertNotIn("WALKOVERS", out)
                self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet")

    # ------------------------------------------------------------------ acts tried wrongly

    def refused(self, words, sentence):
        """One sentence, status 2, and not a byte of the results is another."""
        before = self.dump()
        needs = words[0] not in ("enter", "late-enter", "absent", "close")
        done = self.run_bgref("desk", "r.db", *words, *(("--reason", "x") if needs else ()))
        with self.subTest(words):
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertRegex(done.stderr, r"\Abgref desk: [^\n]+\n\Z")
            self.assertIn(sentence, done.stderr)
            self.assertEqual(self.dump(), before)

    def wrong(self, final, pair, other):
        """Acts by kind: tried twice, too late, on the wrong subject; in the second stage, between its two finalists."""
        late = "too late: stage 1 is over, and stage 2 was drawn from it"
        return (
            (("enter", "new"), "the first round is paired"), (("late-enter", "new"), "the first stage is over"),
            (("withdraw", other), "it is withdrawn already"), (("reinstate", final[0]), "it takes part"),
            (("absent", other), "it is withdrawn already"), (("walkover", "meeting=1", "bot=random"), late),
            (("walkover", "meeting=7", f"bot={other}"), "bot= is the winner of meeting 7"),
            (("void", f"pair={pair}"), "is void already"), (("void", "meeting=7"), "a knockout needs a winner"),
            (("adjudicate", "meeting=7", "score=0.5"), "a knockout needs a winner"),
            (("replay", f"pair={pair}"), "was replaced already"), (("replay", "meeting=1"), late),
            (("replay", "meeting=7", "pairs=0+1"), "'pairs=0+1': expected meeting=N"),
            (("condition", f"between={final[0]},{final[1]}", "cube=off"), "are in meeting 7"), (("note", "hello"), "note"),
            (("close",), "the event is not over"), (("sign", "signer=me"), "'bgref sign"), (("play", "meeting=7"), "there is no act"))

    def test_acts_tried_wrongly_change_nothing(self):
        """While the event runs, and when it does not."""
        self.event("schedule: circle pairs=1 then knockout take=2 pairs=3000\n", "[random, first, greedy, {name: r2, bot: random}]")
        self.start()
        self.wait_until(lambda: self.rows("select count(*) from act where subject like 'meeting=7 %'")[0][0], "the final", 120)
        self.wait_until(lambda: int(self.running().split("|")[2]) > 1, "its second pair", 120)
        final = self.hold().split("|")[:2]
        other, = [name for name in ("random", "first", "greedy", "r2") if name not in final][:1]
        pair = f"{final[0]}|{final[1]}|1"
        self.act("replay", f"pair={pair}")
        self.act("withdraw", other)
        for words, sentence in self.wrong(final, pair, other):
            self.refused(words, sentence)
        self.stop()
        self.act("note")  # the first who opens the results after a kill notes that in them
        for words, sentence in self.wrong(final, pair, other):
            self.refused(words, sentence)
        self.must("verify", "r.db")

    # ------------------------------------------------------------------ the socket

    def test_what_a_killed_run_has_left_goes_with_the_next_act_or_run(self):
        self.event("schedule: circle pairs=1\n")
        run = ("tournament", "cup.yaml", "--results", "r.db", "--quiet")
        self.must(*run)
        for words in (run, ("desk", "r.db", "note", "--reason", "x")):
            with socket.socket(socket.AF_UNIX) as left:
                left.bind(self.path("r.db.desk"))
            self.must(*words)
            self.assertFalse(os.path.exists(self.path("r.db.desk")), words)

    def test_another_user_cannot_act(self):
        """Mode 0600, and the peer's user: either alone keeps others out."""
        self.event("schedule: circle pairs=100000\n")
        self.start()
        path = self.path("r.db.desk")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        if os.geteuid() != 0:
            self.skipTest("only root can try as another user")
        notes = "select count(*) from act where kind='note'"
        os.chmod(self.folder, 0o711)
        self.assertEqual(self.as_nobody(path), "PermissionError")
        os.chmod(path, 0o666)
        self.assertEqual(self.as_nobody(path), "closed")
        self.assertEqual(self.rows(notes), [(0,)])
        self.act("note")
        self.assertEqual(self.rows(notes), [(1,)])

    def as_nobody(self, path):
        """What a process of another user gets for a note."""
        script = ("import os, socket, sys\nos.setgroups([])\nos.setgid(65534)\nos.setuid(65534)\n"
                  "it = socket.socket(socket.AF_UNIX)\n"
                  "try:\n    it.connect(sys.argv[1])\n"
                  "    it.sendall(b'bgref-desk-1\\t-\\tnote\\t-\\tx\\n')\n"
                  "    print(it.recv(1000).decode() or 'closed')\n"
                  "except PermissionError:\n    print('PermissionError')\n"
                  "except (BrokenPipeError, ConnectionResetError):\n    print('closed')\n")
        done = subprocess.run(["/usr/bin/python3", "-c", script, path], capture_output=True, text=True, timeout=120, check=True)
        return done.stdout.strip()

    # ------------------------------------------------------------------ a plain round robin

    def test_acts_on_a_running_plain_round_robin(self):
        self.event("pairs: 120\n")
        self.start()
        running = self.hold("greedy")
        pair = "|".join(running.split("|")[:3])
        self.assertIn("event: open", self.must("desk", "r.db")[0])
        self.act("void", f"pair={pair}")
        self.wait_until(lambda: self.running().split("|")[:3] != running.split("|")[:3], "another pair at the table")
        for words, sentence in ((("void", f"pair={pair}"), "is void already"), (("replay", f"pair={pair}"), "it is not played again"),
                                (("reinstate", "greedy"), "it takes part"), (("walkover", "meeting=1", "bot=greedy"), "no meetings")):
            with self.subTest(words):
                self.assertIn(sentence, self.act(*words, status=2))
        self.assertIn("the event is running", self.act("close", "--dry-run", status=2, reason=None))
        self.assertIn("would be act", self.act("withdraw", "greedy", "--dry-run"))
        before = self.running()
        self.assertIn("marked unplayed", self.act("withdraw", "greedy"))
        self.wait_until(lambda: self.running() != before, "a game without greedy")
        self.assertNotIn("greedy", self.running().split("|")[:2])
        self.act("reinstate", "greedy")
        self.let_go()
        out, _ = self.end(status=7)
        self.assertIn("NOT PLAYED: 2 of 720 ", out)
        self.assertEqual(self.games(pair), 0)
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(718,)])
        before = self.must("report", "--sheet", "r.db")[0]
        self.must("tournament", "cup.yaml", "--results", "r.db", "--quiet", status=7)
        self.assertEqual(self.must("report", "--sheet", "r.db")[0], before)

    def test_a_replayed_pair_of_a_running_plain_round_robin_gets_other_dice(self):
        """One leg is over, and the other one at its table: this game is stopped, and both are played again."""
        self.event("pairs: 120\n")
        self.start()
        pair = "|".join(self.hold_second_leg()[:3])
        self.assertIn("1 game of 1 pair is set aside and counts no longer", self.act("replay", f"pair={pair}"))
        self.let_go()
        self.end()
        self.assertEqual(self.games(pair), 2)
        self.assertEqual(self.rows("select id from game where record like '%\nattempt 1 #%' order by id"),
                         [(f"{pair}|0|0",), (f"{pair}|1|0",)])
        self.assertEqual(self.rows("select count(*) from game where match_over"), [(720,)])

    def hold_second_leg(self):
        """A game of greedy's is held whose pair has its other leg behind it."""
        while (running := self.hold("greedy").split("|"))[3] != "1":
            self.let_go()
            self.wait_until(lambda: self.running().split("|") != running, "another game")
        return running

    def test_a_pair_that_is_half_played_when_a_bot_returns_keeps_its_points(self):
        self.event("pairs: 60\n")
        self.start()
        running = self.hold_second_leg()
        other, = {"random", "first"} - set(running)
        self.act("withdraw", other)
        self.act("reinstate", other)
        self.let_go()
        self.end()
        points = {}
        for event in self.events():
            pair = event.get("a"), event.get("b"), event.get("pair")
            if event["kind"] == "match_finished":
                points[pair] = points.get(pair, 0) + event["score"]["a"] - event["score"]["b"]
            elif event["kind"] == "pair_finished":
                self.assertEqual(event["points_a"], points[pair], event)


main()
