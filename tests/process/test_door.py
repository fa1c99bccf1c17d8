"""Bots of other machines join an event by a key: the door, the doorman and the gateway behind it, and bgref join."""
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time

from door_case import EVENT, DoorCase
from harness import BGREF, kill, lives, main, read

# Connects from so many other addresses as often as it can, and keeps a hundred connections open, for three seconds at
# least, and until it has made a thousand: tests/bench/bench_flood.py makes 17,000 a second, a busy machine 250.
FLOOD = """
import socket, sys, time
kept, made, until = [], 0, time.monotonic() + 3
while made < 1000 or time.monotonic() < until:
    line = socket.socket()
    line.bind(("127.0.2.%d" % (made % int(sys.argv[3]) + 1), 0))
    line.settimeout(1)
    try:
        line.connect((sys.argv[1], int(sys.argv[2])))
        made += 1
        kept.append(line)
        if len(kept) > 100:
            kept.pop(0).close()
    except OSError:
        line.close()
"""


class Door(DoorCase):
    def test_a_remote_bot_plays_a_whole_event(self):
        event = self.event()
        gateway = self.child_of(event, "bgref-gateway")
        join = self.join()
        table, told = self.ends(event), self.ends(join)
        self.assertIn("10/10 (100.0%)", table)  # 5 pairs are 10 single matches
        self.assertRegex(table, r"dice: remote bots see theirs, .* about 9 % wider than in pairs .*: bgref judge r.db\n")
        self.assertIn("own dice: error bars of nearly equal bots are about 9 % wider than in duplicate pairs",
                      " ".join(self.must("report", "r.db", "--json")[0].split()))
        self.assertNotIn("bot=anna", table)  # nothing of it is a warning
        self.assertIn("welcome: anna plays in spring", told)
        self.assertRegex(told, r"game 1 against random, \d-\d to 3\n")
        self.assertRegex(told, r"goodbye: the event has ended; \d+ games, \d+ decisions\n")
        fingerprint = re.search(r"fingerprint ([0-9a-f ]{39})", table)[1]
        self.assertIn(fingerprint, told)
        proof, _ = self.must("verify", "r.db")
        self.assertIn("results are proved", proof)
        self.assertFalse(os.path.exists(f"/proc/{gateway}"))
        self.assertNotIn("Sanitizer", table)
        self.assert_nothing_lives()
        everything = table + told + proof + "".join(read(self.path(n)).decode("latin-1") for n in ("r.db", "host.bgref"))
        for name in ("host", "anna"):
            secret = read(self.path(f"{name}.key")).split()[3]
            self.assertEqual(len(secret), 64)
            self.assertNotIn(secret.decode(), everything)
            self.assertNotIn(bytes.fromhex(secret.decode()).decode("latin-1"), everything)

    def test_gateway_and_doorman_are_confined(self):
        if b"__asan_init" in read(BGREF):
            self.skipTest("the sanitizer has to trace the gateway")
        event = self.event()
        for name in ("bgref-gateway", "bgref-doorman"):
            pid = self.child_of(event, name)
            status = read(f"/proc/{pid}/status").decode()
            self.assertRegex(status, r"NoNewPrivs:\t1\n")
            self.assertRegex(status, r"Seccomp:\t2\n")
            # a failure is seen by ordinary users only; unit_stranger_process sees it always
            self.assertEqual(os.stat(f"/proc/{pid}/fd").st_uid, 0, "others of this user can read its memory")
            self.assertRegex(read(f"/proc/{pid}/limits").decode(), r"Max core file size +0 +0 ")
            if name == "bgref-gateway":
                self.assertGreater(int(re.search(r"VmLck:\s+(\d+) kB", status)[1]), 0, "its key can be swapped out")
            for thread in os.listdir(f"/proc/{pid}/task"):
                self.assertEqual(os.sched_getscheduler(int(thread)), os.SCHED_BATCH, "it interrupts the referee")

    def test_a_bot_that_never_comes_is_absent_and_the_next_run_waits_again(self):
        event = self.event(appear="300ms", **{"  - random\n": "  - random\n  - greedy\n"})
        said = self.ends(event, status=7)
        self.assertIn("bot=anna absent", said)
        self.assertIn("it has not joined in time", said)
        self.assertIn("10/30", said)
        event = self.event(**{"  - random\n": "  - random\n  - greedy\n"})
        join = self.join()
        self.assertIn("30/30", self.ends(event))
        self.ends(join)

    def test_who_is_absent_at_the_call_gives_a_walkover_or_a_fixture_less(self):
        schedules = (("circle pairs=1", 7, "walkover"), ("knockout pairs=1", 7, "walkover"),
                     ("league meetings=2 pairs=1", None, "void"))
        for number, (schedule, status, act) in enumerate(schedules):
            results = f"s{number}.db"
            self.event(appear="1s", **{"pairs: 5": f"schedule: {schedule}", "length: 3": "length: 1", "r.db": results,
                                       "  - random\n": "  - random\n  - greedy\n"})
            event = self.running[-1]
            said = self.ends(event, status)
            self.assertIn("bot=anna absent: it does not start (it has not joined in time)", said)
            acts = [tuple(row) for row in self.rows("select kind, subject from act", results)]
            played = self.rows("select count(*) from game where a = 'anna' or b = 'anna'", results)[0][0]
            self.assertEqual(played, 0)  # nothing of it is in a rating
            self.assertEqual(any(kind == "walkover" for kind, _ in acts), act == "walkover", (schedule, acts))
            if act == "walkover":
                self.assertIn("w/o" if "circle" in schedule else "walkover", self.must("report", "--sheet", results)[0])
                rows = self.json("rate", results)["standings"]
                self.assertEqual([(row["rating"], row["legs"]) for row in rows if row["bot"] == "anna"], [(None, 0)])

    def test_unknown_keys_and_stolen_names_are_refused_and_the_known_bot_plays(self):
        event = self.event()
        os.mkdir(self.path("thief"))
        for folder, name in ((".", "mallory"), ("thief", "anna")):
            self.must("keygen", "--join", name, "--folder", folder)
            stranger = self.join(key=f"{folder}/{name}.key")
            told = self.ends(stranger, status=5, seconds=15)
            self.assertIn(f"does not know this key: send {name}.pub", told)
            self.assertNotIn("welcome", told)
        join = self.join()
        self.assertIn("a connection from 127.0.0.1 was refused", self.ends(event))
        self.ends(join)

    def test_another_host_is_named_within_ten_seconds(self):
        event = self.event()
        self.must("keygen", "--join", "other")
        text = self.text("host.bgref")
        self.write("wrong.bgref", re.sub("key: '.*'", f"key: '{self.public('other')}'", text))
        begun = time.monotonic()
        told = self.ends(self.join(host="wrong.bgref"), status=5, seconds=15)
        self.assertLess(time.monotonic() - begun, 10)
        self.assertIn("does not prove that it is spring: the key in the host file is not its key", told)
        join = self.join()
        self.ends(event)
        self.ends(join)

    def test_a_bot_that_connects_by_itself_says_what_it_waits_for(self):
        port = self.free_port()
        for program in ("bgref-random", "bgref-first", "bgref-python"):
            kill(self.event(port=port, **{"r.db": f"none-{program}.db"}))  # the host file is there
            self.assertIn("no game has begun", self.must("desk", f"none-{program}.db")[0])
            self.assertIsNone(self.json("desk", f"none-{program}.db")["schedule"])
            bot = self.start_alone(program)
            name, place = program.removeprefix("bgref-"), f"tcp://127.0.0.1:{port}"
            waits = (f"{name} waits for {place}, where no host answers yet; check the address, the port and the "
                     "firewalls between here and there\n")
            up = f"{name} is connected to {place}; it plays when the host calls it\n"
            self.waits_for(bot, waits)
            event = self.event(pairs=1000, port=port, **{"r.db": f"{program}.db"})
            self.waits_for(bot, up)
            self.waits_for_games(f"{program}.db")
            kill(event)
            self.assertIn(f"the line to {place} is lost; start the bot again\n", self.ends(bot, status=1))
            said = self.said(bot)
            self.assertEqual((said.count(waits), said.count(up), len(said.splitlines())), (1, 1, 3), said)

    def test_a_bot_that_connects_by_itself_with_wrong_keys_says_so(self):
        self.event()
        self.must("keygen", "--join", "mallory")
        os.chmod(self.write("wide.key", self.text("anna.key")), 0o644)
        os.chmod(self.path("host.bgref"), 0o600)
        random, python = "bgref-random", "bgref-python"
        for program, name, value, text in ((random, "BGREF_SERVER_KEY", self.public("anna"), "does not prove its key"),
                                           (random, "BGREF_SERVER_KEY", "0123", "is not a key of 64 digits"),
                                           (random, "BGREF_SERVER_KEY", "", "BGREF_SERVER_KEY is not set: with BGREF_KEY_FILE"),
                                           (random, "BGREF_KEY_FILE", "host.bgref", "not a secret key of"),
                                           (random, "BGREF_KEY_FILE", "none.key", "No such file"),
                                           (random, "BGREF_KEY_FILE", "", "BGREF_KEY_FILE is not set"),
                                           (python, "BGREF_SERVER_KEY", self.public("anna"), "it does not prove its key; BGREF_SERVER_KEY"),
                                           (python, "BGREF_KEY_FILE", "mallory.key", "it does not know our key"),
                                           *((bot, "BGREF_KEY_FILE", file, said) for bot in (random, python) for file, said in (
                                               ("anna.pub", "anna.pub: a public key; needs the secret one"),
                                               ("wide.key", "others may read this key: chmod 600 wide.key")))):
            with self.subTest(program, name=name, value=value):
                begun = time.monotonic()
                self.assertIn(text, self.ends(self.start_alone(program, **{name: value}), status=1, seconds=15))
                self.assertLess(time.monotonic() - begun, 10)
        self.assertIn("chmod 600 wide.key", self.ends(self.join(key="wide.key"), status=2))

    def test_clients_without_curve_are_closed(self):
        self.event()
        for said in *(b"\xff" + bytes(8) + b"\x7f\x03\0" + name.ljust(20, b"\0") + bytes(32) +
                      b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER" for name in (b"NULL", b"PLAIN")), b"GET / HTTP/1.0\r\n\r\n":
            with socket.create_connection(self.address(), timeout=10) as line:
                line.sendall(said)
                self.assertLessEqual(len(self.until_closed(line)), 64)  # its greeting

    def test_a_host_starts_no_program_of_the_author(self):
        self.script("evil", f"#!/bin/sh\ntouch {self.path('started')}\n")
        options = f"remote: true, options: {{Program: {self.path('evil')}}}"
        self.event(appear="5m", **{"remote: true": options})
        self.assertIn("sets option Program of the bot", self.ends(self.join(bot="gnubg"), status=3))
        said = self.ends(self.start_alone("bgref-gnubg"), status=1)
        self.assertIn("option Program: a host on another machine may not set another text", said)
        self.assertFalse(os.path.exists(self.path("started")))

    def test_a_host_sets_options_that_are_no_texts(self):
        event = self.event(**{"remote: true": "remote: true, options: {Style: bold}"})
        join = self.join(bot="greedy")
        self.assertIn("10/10 (100.0%)", self.ends(event))
        self.ends(join)

    def test_a_bot_whose_texts_stay_as_they_are_plays(self):
        for number, start in enumerate((lambda: self.join(bot="gnubg"), lambda: self.start_alone("bgref-gnubg"),
                                        lambda: self.start_alone("bgref-python"))):
            event = self.event(pairs=1, **{"r.db": f"{number}.db", "length: 3": "length: 1"})
            bot = start()
            self.assertIn("2/2 (100.0%)", self.ends(event))
            self.ends(bot)

    def test_a_line_that_is_cut_decides_nothing(self):
        event = self.event(pairs=40)
        for game in range(3):
            join = self.join()
            self.waits_for(join, "game 1 against" if game == 0 else "welcome: ")
            kill(join)
        last = self.join()
        said = self.ends(event)
        self.assertIn("80/80 (100.0%)", said)
        self.assertNotIn("fault=", said)
        self.assertIn("goodbye: the event has ended", self.ends(last))
        self.must("verify", "r.db")

    def test_one_absence_is_counted_once_however_many_games_it_costs(self):
        settings = "length: 3\nconcurrency: 8\nquarantine: 2"
        event = self.event(pairs=40, appear="1s", **{"length: 3": settings})
        join = self.join()
        self.waits_for(join, "game 3 against")
        kill(join)
        said = self.ends(event, status=7)
        self.assertGreater(said.count("bot=anna fault=silent count=1 costs the game: it was away for more than 1 s"), 2)
        self.assertIn("(the same absence: it is counted once)", said)
        self.assertNotIn("count=2", said)
        self.assertNotIn("quarantined", said)
        again = self.start("tournament", "e.yaml")
        self.waits_for(again, "door: tcp://")
        join = self.join()
        self.waits_for(join, "game 3 against")
        kill(join)  # the second absence
        said = self.ends(again, status=None)
        self.assertIn("bot=anna fault=silent count=2 costs the game: it was away for more than 1 s\n", said)
        self.assertIn("bot=anna quarantined after 2 faults", said)

    def test_a_killed_gateway_or_doorman_is_started_again_and_nobody_is_charged(self):
        for name in ("gateway", "doorman"):
            event = self.event(pairs=40, **{"r.db": f"{name}.db"})
            join = self.join()
            self.waits_for(join, "game 3 against")
            os.kill(self.child_of(event, f"bgref-{name}"), signal.SIGKILL)
            said = self.ends(event)
            self.assertIn(f"the {name} has ended; it is started again", said)
            self.assertIn("80/80 (100.0%)", said)
            self.assertNotIn("fault=", said)
            told = self.ends(join)
            self.assertIn("the line to the host is lost; the bot is kept", told)
            numbers = [int(number) for number in re.findall(r"^game (\d+) against", told, re.M)]
            self.assertEqual(numbers[:20], list(range(1, 21)))
            self.assertLess(len(numbers), 40)  # then one a minute has a line; the end counts all
            self.assertGreaterEqual(int(re.search(r"(\d+) games, ", told)[1]), 80)
            self.must("verify", f"{name}.db")

    def silent_lines(self, count, addresses=1):
        """Connections that say nothing; one that is refused at once is left out."""
        lines = []
        for i in range(count):
            own = (f"127.0.0.{1 + i % addresses}", 0)
            try:
                lines.append(socket.create_connection(self.address(), timeout=10, source_address=own))
            except ConnectionResetError:
                pass
        return lines

    @staticmethod
    def greeted(line):
        try:
            return b"ERROR" not in (line.recv(512, socket.MSG_PEEK) or b"ERROR")
        except ConnectionResetError:
            return False

    def test_a_gateway_that_stands_still_takes_nobody_s_time(self):
        """It stops for longer than the ceiling and the whole bank; tools/campaign-stops does it more often."""
        event = self.event(pairs=100000, **{"length: 3": "length: 1\nceiling: 800ms\nclock: bank=800ms"})
        self.join()
        self.waits_for_games(games=2)
        gateway = self.child_of(event, "bgref-gateway")
        os.kill(gateway, signal.SIGSTOP)
        over = time.monotonic() + 2
        self.wait_until(lambda: time.monotonic() > over, "more than its time")
        os.kill(gateway, signal.SIGCONT)
        self.waits_for_games(games=3)
        self.assertEqual(self.rows("select bot, fault, story from fault"), [])

    def test_an_address_has_only_so_many_connections(self):
        event = self.event(**{"appear: 20s": "appear: 20s, per_address: 3"})
        silent = self.silent_lines(9)
        self.waits_for(event, "a connection from 127.0.0.1 was refused: more than 3 connections of its address")
        open_ones = [line for line in silent if not select.select([line], [], [], 0.5)[0] or self.greeted(line)]
        self.assertEqual(len(open_ones), 3)
        join = self.join()
        self.waits_for(join, "spring does not let the bot in now: more than 3 connections of its address (per_address) "
                             "(said before the host has proved its key); trying again")
        for line in silent:
            line.close()
        self.ends(event)
        self.ends(join)

    def test_a_flood_of_connections_ends_at_the_doorman(self):
        for addresses, most in ((1, 80), (50, 300)):
            with self.subTest(addresses):
                self.flood(addresses, most)

    def flood(self, addresses, most):
        results = f"r{addresses}.db"
        event = self.event(pairs=4000, **{"r.db": results})
        join = self.join()
        self.waits_for(join, "game 3 against")
        gateway = self.child_of(event, "bgref-gateway")
        flood = self.start_program(sys.executable, "-c", FLOOD, *map(str, self.address()), str(addresses))
        held = []
        while flood.poll() is None:
            held.append(len(os.listdir(f"/proc/{gateway}/fd")))
            self.ended_within(flood, 0.02)
        self.assertEqual(flood.returncode, 0, self.said(flood))
        self.assertLess(max(held), most, "the gateway holds few of the connections")
        self.waits_for_games(results, games=10)
        self.assertEqual(self.said(join).count("connected to"), 1, self.said(join))  # its line was never lost
        event.send_signal(signal.SIGTERM)
        said = self.ends(event, 143)
        self.assertRegex(said, r"a connection from 127\.0\.2\.\d+ was refused: ")
        self.assertNotIn("fault=", said)
        kill(join)

    @staticmethod
    def ended_within(process, seconds):
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass

    def test_a_doorman_with_few_descriptors_holds_few_connections(self):
        self.descriptors = 92
        event = self.event(**{"appear: 20s": "appear: 20s, per_address: 100"})
        self.descriptors = 0
        self.waits_for(event, "at most 30 connections at once, not 256: raise the limit of open files")
        silent = self.silent_lines(36, addresses=9)
        self.waits_for(event, "was refused: more than ")
        for line in silent:
            line.close()
        join = self.join()
        self.ends(event)
        self.ends(join)

    def test_the_newest_connection_of_a_key_counts(self):
        event = self.event(pairs=40)
        first = self.join()
        self.waits_for(first, "game 3 against")
        second = self.join()
        said = self.ends(first, status=8, seconds=20)
        self.assertIn("goodbye: replaced: this key has connected again", said)
        self.assertIn("replaced: another program has joined with the key of anna and taken its place", said)
        self.assertIn("80/80", self.ends(event))
        self.ends(second)

    def test_programs_that_fight_for_a_key_are_told_so_and_wait(self):
        event = self.event(pairs=40, appear="2s", **{"length: 3": "length: 3\nquarantine: 1000"})
        joins = [self.join()]
        self.waits_for(joins[0], "game 3 against")
        for i in range(3):
            joins.append(self.join())
            if i < 2:
                self.assertIn("goodbye: replaced: this key has connected again", self.ends(joins[i], 8, seconds=20))
                self.waits_for(joins[-1], "welcome: anna plays on")
        for join in joins[-2:]:
            self.waits_for(join, "key in use twice: connections of several programs took each other's place three "
                                 "times within a minute; use this key in one place only; trying again in 300 s")
            self.assertIsNone(join.poll(), "it comes back by itself")
        self.assertRegex(self.said(event), r"bot=anna key in use twice: .*, the last one from 127\.0\.0\.1; both are "
                                           r"dropped, and the key waits 300 s")
        late = self.join()
        self.waits_for(late, "key in use twice: ")
        self.assertNotIn("welcome", self.said(late))
        self.assertIn("says goodbye: key in use twice", self.ends(self.start_alone("bgref-random"), status=1))
        os.kill(self.child_of(event, "bgref-gateway"), signal.SIGKILL)  # the next one knows of it
        self.waits_for(event, "it is started again")
        again = self.join()
        self.waits_for(again, "key in use twice: ")
        self.assertRegex(self.said(again), r"trying again in (2\d\d|300) s")
        self.assertNotIn("welcome", self.said(again))
        said = self.ends(event, status=7)
        self.assertEqual(said.count("key in use twice"), 1)
        for join in (*joins[-2:], late, again):
            self.assertEqual(self.said(join).count("key in use twice"), 1)

    def test_a_killed_referee_leaves_nothing_and_the_next_run_goes_on(self):
        event = self.event(pairs=40, port=self.free_port())
        join = self.join()
        self.waits_for(join, "game 3 against")
        gateway = self.child_of(event, "bgref-gateway")
        kill(event)
        self.wait_until(lambda: not lives(gateway), "the gateway to be gone")
        self.wait_until(lambda: re.search("; starting again|; the bot is kept", self.said(join)), "the end of the line")
        again = self.start("tournament", "e.yaml")
        self.assertIn("80/80", self.ends(again))
        self.ends(join)
        self.must("verify", "r.db")

    def test_nohup_keeps_a_join_and_an_event(self):
        self.write("host.bgref", f"host: spring\nendpoint: tcp://127.0.0.1:{self.free_port()}\n"
                                 f"key: '{self.public('host')}'\n")
        for times in ("1", "2"):
            join = self.start_program("nohup", BGREF, "join", "host.bgref", "random", "--key", "anna.key", "--times", times)
            self.waits_for(join, "nobody listens at")
            join.send_signal(signal.SIGHUP)
            join.send_signal(signal.SIGTERM)
            self.ends(join, status=143, seconds=10)
        self.write("home.yaml", "bots: [greedy, random]\nlength: 25\npairs: 4000\nresults: home.db\n")
        event = self.start_program("nohup", BGREF, "tournament", "home.yaml")
        self.wait_until(lambda: os.path.exists(self.path("home.db")), "the event's results", 20)
        event.send_signal(signal.SIGHUP)
        event.send_signal(signal.SIGTERM)
        self.ends(event, status=143, seconds=30)
        self.assert_nothing_lives()

    def test_a_bot_is_checked_first(self):
        event = self.event(appear="3m")
        self.script("cheat", f"#!/bin/sh\nexec {os.path.dirname(BGREF)}/bots/bgref-rogue wrong-die\n")
        told = self.ends(self.start("join", "host.bgref", "./cheat", "--key", "anna.key", "--check"), status=None)
        self.assertIn("the bot does not pass 'bgref check', so it does not join", told)
        self.assertNotIn("welcome", told)
        join = self.start("join", "host.bgref", "random", "--key", "anna.key", "--check")
        self.ends(event)
        self.assertIn("welcome: anna plays in spring", self.ends(join))

    def test_a_bot_that_does_not_start_ends_the_join(self):
        self.event()
        self.script("broken", "#!/bin/sh\necho no licence >&2\nexit 3\n")
        told = self.ends(self.join(bot="./broken"), status=3, seconds=20)
        self.assertIn("no licence", told)
        self.assertIn("the bot has ended: exit 3", told)

    def test_settings_that_contradict_remote_bots_are_refused(self):
        base = EVENT.format(pairs=1, appear="1s", port=0)
        for old, new, want in (
                ("length: 3", "length: 3\nduplicate: on", "leave duplicate out"),
                ("length: 3", "length: 3\nseed: 3", "leave seed out"),
                ("length: 3", "length: 3\nkey_file: dice.key", "leave key_file out"),
                (", remote: true", "", "no bot is called 'anna'"),
                ("remote: true", "remote: true, cmd: ./x", "a remote bot has a name, and no bot or cmd"),
                ("remote: true", "remote: true, instances: 2", "leave instances out"),
                ("key: host.key, ", "", "missing is key"),
                ("tcp://127.0.0.1:0", "127.0.0.1", "is not an address like tcp://"),
                ("appear", "apear", "perhaps appear"),
                ("tcp://127.0.0.1:0", "tcp://256.0.0.1:0", "door: tcp://256.0.0.1:0: ")):
            with self.subTest(new):
                self.write("e.yaml", base.replace(old, new))
                self.assertIn(want, self.must("tournament", "e.yaml", status=2)[1])
        self.write("e.yaml", base)
        self.write("allow.yaml", "[]\n")
        self.assertIn("has no key of the remote bot anna", self.must("tournament", "e.yaml", status=2)[1])
        os.remove(self.path("allow.yaml"))
        self.assertIn("allow.yaml: No such file or directory; make it, with one '- {name",
                      self.must("tournament", "e.yaml", status=2)[1])


main()
