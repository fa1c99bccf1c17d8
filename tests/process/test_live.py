"""Games in play as pages and streams (`page`, `--browser`): every step once, and what nobody may know before its time. A bot plays as many
answers as a file allows, so no test waits for time."""
import contextlib
import http.client
import json
import os
import re
import signal
import sqlite3
from urllib.parse import quote, urlsplit

import harness
from door_case import DoorCase

GATED = """allowed, asked = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "allowed"), 0
def best_index(ask):
    global asked
    with open(allowed.replace("allowed", "asked"), "w") as out: # how many answers it was asked for
        out.write(str(asked + 1))
    while not os.path.exists(allowed) or int(open(allowed).read() or 0) <= asked:
        time.sleep(0.005)
    asked += 1
    return honest(ask)
"""
ALL = 10**6
KINDS = {"open": "roll", "roll": "roll", "play": "play", "double": "cube", "take": "cube", "pass": "cube"}


class Stream:
    """Server-sent events as they come."""

    def __init__(self, port, query, last=None):
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.line.request("GET", f"/api/v1/stream?{query}", headers={} if last is None else {"Last-Event-ID": last})
        self.answer = self.line.getresponse()
        assert self.answer.status == 200, self.answer.read()

    def next(self):
        """(id, kind, data) of the next event."""
        lines = {}
        while True:
            line = self.answer.readline().decode()
            if line == "":
                raise EOFError
            if line == "\n" and "data" in lines:
                return lines.get("id"), lines["event"], json.loads(lines["data"])
            name, _, value = line.rstrip("\n").partition(": ")
            lines[name] = value

    def close(self):
        self.answer.close()
        self.line.close()


class LiveCase(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("fonts.supp", "leak:libfontconfig\nleak:libpango\n")  # what librsvg's libraries keep until the end
        self.environment["LSAN_OPTIONS"] = f"suppressions={self.path('fonts.supp')}:print_suppressions=0"

    def let(self, answers):
        self.write("allowed.new", str(answers))
        os.replace(self.path("allowed.new"), self.path("allowed"))

    def play(self, *words):
        """Starts a duel with a page; the gated bot plays what is allowed."""
        bot = self.python_bot("gated", GATED)
        self.follow(self.begin("duel", "-engine", "name=gated", f"cmd={bot}", "-engine", "greedy", "--results", "r.db", "--concurrency", "1",
                                  "--seed", "5", "--page", "tcp://127.0.0.1:0", "--quiet", *words))

    def follow(self, process):
        """Of a program with pages."""
        self.process = process
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(harness.kill, self.process)
        self.port = urlsplit(self.process.stderr.readline().split()[1]).port

    def get(self, path):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read().decode()

    def games(self):
        status, text = self.get("/api/v1/live.json")
        self.assertEqual(status, 200, text)
        return json.loads(text)["games"]

    def first_game(self):
        self.wait_until(self.games, "a game in play")
        game = self.games()[0]
        return game, f"event={quote(game['event'])}&game={quote(game['game'])}"

    def recorded(self, game):
        """What `show` says of the steps."""
        shown = self.must("show", "r.db", game)[0]
        return [re.sub(r"   \(\d+\.\d+ s\)$", "", line[5:]) for line in shown.splitlines() if re.match(r"( *\d+\. |     )\w", line)]

    def end(self):
        self.assertEqual(self.process.wait(60), 0)

    def gallery(self):
        """The process that shows the pages."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
            return [int(pid) for pid in file.read().split() if b"--fed" in harness.read(f"/proc/{pid}/cmdline")]


class Live(LiveCase):
    def test_an_event_is_told_when_its_standing_has_changed(self):
        self.play("--duplicate", "off", "--pairs", "2")
        game, _ = self.first_game()
        event = {"event": game["event"]}
        stream = Stream(self.port, f"event={quote(game['event'])}")
        self.addCleanup(stream.close)
        self.assertEqual(stream.next()[1:], ("snapshot", event))
        self.assertIn("live.js", self.get(f"/e/{quote(game['event'])}/")[1])
        self.let(ALL)
        self.assertEqual(stream.next()[1:], ("standings", event | {"within_s": 3}))
        self.assertEqual(self.get(self.page(game))[0], 200, "who is told finds the game in the results")
        self.end()

    def test_a_game_has_ended_when_its_results_have_it(self):
        """While the test has the results' lock, nothing can be stored: the game is over, and stays in play."""
        self.play("--duplicate", "off", "--pairs", "1")
        game, query = self.first_game()
        stream = Stream(self.port, query)
        self.addCleanup(stream.close)
        with contextlib.closing(sqlite3.connect(self.path("r.db"), isolation_level=None)) as results:
            results.execute("BEGIN IMMEDIATE")
            step = None
            while step is None or step["result"] is None:
                self.let(self.asked() + 1)
                _, kind, data = stream.next()
                step = data["steps"][-1] if kind == "snapshot" and data["steps"] else data if "n" in data else step
            self.assertEqual([one["state"] for one in self.games() if one["game"] == game["game"]], ["playing"])
            self.assertIn("is in play", self.get(self.page(game))[1])
            results.execute("ROLLBACK")
        self.let(ALL)
        self.assertEqual(stream.next()[1], "end")
        self.assertNotIn("is in play", self.get(self.page(game))[1])
        self.end()

    def test_the_pages_are_others_when_a_delay_is_over(self):
        """Nothing is written then: only the tag of a page tells a browser that there is more."""
        self.play("--duplicate", "off", "--pairs", "2", "--broadcast-delay", "2s")
        game, _ = self.first_game()
        stream = Stream(self.port, f"event={quote(game['event'])}")
        self.addCleanup(stream.close)
        self.assertEqual(stream.next()[1], "snapshot")
        self.play_to_a_result()
        tags = []
        for kind in ("stored", "standings"):
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            line.request("GET", f"/e/{quote(game['event'])}/games")
            tags.append(line.getresponse().getheader("ETag"))
            line.close()
            if kind == "stored":
                self.assertEqual(stream.next()[1], "standings")
        self.assertNotEqual(tags[0], tags[1])
        self.assertEqual(self.get(self.page(game))[0], 200)
        self.let(ALL)
        self.end()

    def play_to_a_result(self):
        """Until the first game is stored."""
        answers = 0
        while self.count() == 0:
            answers += 1
            self.let(answers)
            self.wait_until(lambda: self.asked() > answers or self.count() > 0, "the next answer")

    def page(self, game):
        return f"/e/{quote(game['event'])}/g/{game['game'].replace('|', '/')}"

    def test_spectators_are_limited_by_the_event_file(self):
        self.write("e.yaml", "event: e\nbots: [greedy, random]\npage: tcp://127.0.0.1:0\nbroadcast: {proxy: nginx}\n")
        self.assertIn("broadcast_proxy: ", self.must("tournament", "e.yaml", status=2)[1])
        self.write("e.yaml", "event: e\nbots: [greedy, random]\npage: tcp://127.0.0.1:0\nbroadcast: {proxy: 127.0.0.1, spectators: 0}\npairs: 100000\n")
        self.process = self.begin("tournament", "e.yaml", "--quiet")
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(harness.kill, self.process)
        self.port = urlsplit(next(line for line in self.process.stderr if "http" in line).split()[1]).port
        with self.assertRaises(AssertionError) as refused:
            Stream(self.port, "")
        self.assertIn("Service Unavailable", str(refused.exception))
        self.wait_until(self.gallery, "the pages' process")
        self.assertIn(b"--trusted-proxy=127.0.0.1", harness.read(f"/proc/{self.gallery()[0]}/cmdline"))

    def test_a_stream_has_every_step_once_also_after_a_cut(self):
        self.play("--games", "1", "--duplicate", "off")
        game, query = self.first_game()
        steps = {}

        def take(data):
            self.assertNotIn(data["n"], steps)
            steps[data["n"]] = data

        stream = Stream(self.port, query)
        last, kind, data = stream.next()
        self.assertEqual(kind, "snapshot")
        self.assertEqual((data["game"], data["state"], data["begin"]["names"]), (game["game"], "playing", ["gated", "greedy"]))
        for step in data["steps"]:
            take(step)
        self.let(3)
        while len(steps) < 6:
            last, kind, data = stream.next()
            self.assertEqual(kind, KINDS.get(data["kind"], "notice"))
            take(data)
        stream.close()
        self.let(7)
        self.wait_until(lambda: self.games()[0]["last"]["n"] > len(steps) + 4, "steps that the cut stream has not seen")
        stream = Stream(self.port, query, last)
        while True:  # a reader that is 64 events behind is closed, so the bot plays no faster than we read
            self.let(7 + len(steps))
            last, kind, data = stream.next()
            if kind == "end":
                break
            self.assertEqual(kind, KINDS.get(data["kind"], "notice"))
            take(data)
        self.assertEqual(kind, "end")
        self.end()
        self.assertEqual(list(steps), list(range(1, len(steps) + 1)))
        self.assertEqual([step["did"] for step in steps.values()], self.recorded(game["game"]))
        self.assertIsNotNone(steps[len(steps)]["result"])
        self.assertEqual({name for step in steps.values() for name in step},
                         {"game", "n", "kind", "seat", "did", "dice", "turn", "pos", "xgid", "to_play", "score", "cube", "cube_owner", "spent_s",
                          "left_s", "result"}, "a white list")

    def test_a_gallery_that_is_killed_is_back_and_the_games_are_the_same(self):
        self.play("--games", "2", "--duplicate", "off")
        game, query = self.first_game()
        self.let(2)
        self.wait_until(lambda: self.games()[0]["last"]["n"] > 4, "some steps")
        before = self.games()[0]["last"]
        [pid] = self.gallery()
        os.kill(pid, signal.SIGKILL)
        self.wait_until(lambda: self.gallery() not in ([], [pid]), "another gallery")
        steps = Stream(self.port, query).next()[2]["steps"]
        self.assertEqual([step["n"] for step in steps], list(range(1, len(steps) + 1)))
        self.assertEqual(steps[before["n"] - 1], before)
        status, text = self.get(f"/e/{game['event']}/g/{game['game'].replace('|', '/')}")
        self.assertEqual((status, before["did"] in text), (200, True), text)
        self.let(ALL)
        self.end()
        played = self.canonical("r.db")
        self.remove("r.db")
        self.must("duel", "-engine", "name=gated", f"cmd={self.path('gated')}", "-engine", "greedy", "--results", "r.db", "--seed", "5", "--games", "2",
                  "--duplicate", "off", "--quiet")
        self.assertEqual(self.canonical("r.db"), played)

    def test_a_gallery_that_reads_nothing_holds_up_no_game(self):
        self.play("--games", "2", "--duplicate", "off")
        self.first_game()
        [pid] = self.gallery()
        os.kill(pid, signal.SIGSTOP)
        self.let(ALL)
        self.end()
        self.assertEqual(self.count(), 2)
        self.assertFalse(os.path.exists(f"/proc/{pid}"))

    def test_a_gallery_that_falls_behind_is_told_anew(self):
        """What waits for it (8 MiB) is dropped. The game in play is whole all the same."""
        self.play("--games", "1000", "--duplicate", "off", "--cube", "off")
        self.first_game()
        [pid] = self.gallery()
        os.kill(pid, signal.SIGSTOP)
        self.let(ALL)
        while "do not keep up" not in self.process.stderr.readline():
            self.assertIsNone(self.process.poll())
        self.let(0)
        os.kill(pid, signal.SIGCONT)
        self.wait_until(lambda: [game for game in self.games() if self.count(where=f"id = '{game['game']}'") == 0], "the game that is not over")
        game, query = self.first_game()
        stream = Stream(self.port, query)
        data = stream.next()[2]
        steps, kind = data["steps"], "end" if data["state"] == "ended" else ""
        while kind != "end":
            self.let(self.asked() + 2)
            _, kind, data = stream.next()
            steps += [data] if "n" in data else []
        self.assertEqual([step["n"] for step in steps], list(range(1, len(steps) + 1)))
        self.wait_until(lambda: self.count(where=f"id = '{game['game']}'"), "the game's record")
        self.assertEqual([step["did"] for step in steps], self.recorded(game["game"]))

    def test_a_host_shows_the_games_of_all_its_events(self):
        bot = self.python_bot("gated", GATED)
        for name, form in (("one", "stages: [knockout pairs=1]"), ("two", "pairs: 1")):
            self.write(f"{name}.yaml", f"event: {name}\nduplicate: off\n{form}\nseed: 3\nbots: [greedy, {{name: gated, cmd: {bot}}}]\n")
        self.write("host.yaml", "host: {folder: hosted}\npage: {listen: 'tcp://127.0.0.1:0'}\nevents:\n"
                   "  - {file: one.yaml, start: always}\n  - {file: two.yaml, start: always}\n"
                   "  - {file: cup.yaml, start: 2099-01-18T12:00Z, repeat: weekly}\n")
        self.write("cup.yaml", "event: cup\nbots: [greedy, random]\n")
        self.follow(self.begin("host", "host.yaml", "--allow-root", "--quiet"))
        self.wait_until(lambda: sorted(game["event"] for game in self.games()) == ["one", "two"], "both events")
        [pid] = self.gallery()
        os.kill(pid, signal.SIGKILL)
        self.wait_until(lambda: self.gallery() not in ([], [pid]), "another gallery")
        self.wait_until(lambda: sorted(game["event"] for game in self.games()) == ["one", "two"], "both events again")
        self.assertRegex(self.get("/")[1], r"(?s)/e/one/g/.*Final: .*/e/two/g/")  # with most at stake first
        self.assertEqual({game["event"]: (game["final"], game["ranks"]) for game in self.games()}, {"one": (True, [1, 1]), "two": (False, [1, 1])})
        calendar = self.get("/calendar.ics")[1]
        self.assertEqual(len(re.findall("UID:cup@2099-0[123]-[0-9]+@bgref\r\n", calendar)), 8)
        self.assertIn("DTSTART:20990118T120000Z\r\nSTATUS:CONFIRMED\r\nSUMMARY:cup@2099-01-18\r\n", calendar)
        self.assertIn("Next: cup@2099-01-18, 2099-01-18 12:00 UTC.", self.get("/")[1])
        self.must("host", "host.yaml", "cancel", "cup", "--yes", "--reason", "ice")
        self.wait_until(lambda: "STATUS:CANCELLED\r\nSUMMARY:cup@2099-01-18\r\n" in self.get("/calendar.ics")[1], "what was called off")
        self.assertIn("Next: cup@2099-01-25", self.get("/")[1])
        self.assertNotIn("ice", self.get("/calendar.ics")[1])
        self.let(ALL)
        self.wait_until(lambda: self.games() == [], "the end of both")
        self.assertIn("No game is in play.", self.get("/")[1])
        for name in ("one", "two"):
            self.wait_until(lambda: self.get(f"/e/{name}/g/gated/greedy/0/0/0")[0] == 200, "a game that is stored")
            self.wait_until(lambda: f"{name}.db --root" in self.get("/archive")[1], "the archive")
            self.assertEqual(self.get(f"/e/{name}/{name}.db")[0], 404)  # it has what bots wrote before a fault
        self.process.terminate()
        self.end()

    def test_nothing_is_shown_before_the_delay(self):
        self.write("cup.yaml", f"broadcast: {{delay: 1000s, release: moves}}\nevent: cup\nbots: [greedy, {{name: gated, cmd: {self.python_bot('gated', GATED)}}}]\n")
        self.must("tournament", "cup.yaml", "--broadcast-release", "nothing", status=2)
        self.play("--games", "1", "--duplicate", "off", "--broadcast-delay", "1000s")
        self.let(4)
        self.wait_until(self.gallery, "the gallery")
        for _ in range(20):
            self.assertEqual(self.games(), [])
        self.let(ALL)
        self.end()

    def test_who_records_all_pages_and_streams_knows_no_roll_of_an_open_pair(self):
        """The bot stops in the second leg, which has the dice of the first: nothing of the first is shown until both are over."""
        self.play("--pairs", "1")
        self.wait_until(self.games, "the pair")
        [pair] = self.games()
        self.assertEqual((pair["game"], pair["begin"]["hidden"], pair["last"]), ("gated|greedy|0", "the pair is in play", None))
        stream, told = Stream(self.port, ""), []
        self.play_to_a_result()
        base, legs = f"/e/{pair['event']}/", [f"g/gated/greedy/0/{leg}/0" for leg in (0, 1)]
        for path in ("/", "/api/v1/live.json", "/api/v1/index.json", base, base + "games", base + "b/gated", base + "m/gated-vs-greedy",
                     f"/api/v1{base}games.json", f"/api/v1{base}index.json"):
            status, text = self.get(path)
            self.assertEqual(status, 200, path + text)
            told.append(text)
        for path in legs + [f"{legs[0]}.{ending}" for ending in ("mat", "sgf", "txt", "json")]:
            self.assertEqual(self.get(base + path)[0], 404, path)
        self.assertEqual(self.get(f"/api/v1/stream?event={pair['event']}&game={quote('gated|greedy|0|0|0')}")[0], 404)
        self.assertEqual([text for text in told if re.search('"starter"|"decisions"', text)], [], "who began, and how long it was")
        self.must("publish", "r.db", "pages", "--databases")  # for everybody, too
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.path("pages")) for name in names]
        self.assertEqual([path for path in files if "/g/" in path or path.endswith(".db")], [])
        told += [harness.read(path).decode(errors="replace") for path in files if "/rules/" not in path and not path.endswith(".js")]
        self.assertEqual([text for text in told if re.search(r"from seed 5\b|--seed 5\b|dice_digest", text)], [], "the dice follow from the seed")
        self.let(ALL)
        with self.assertRaises(EOFError):
            while True:
                told.append(json.dumps(stream.next()[2]))
        self.end()
        for game in ("gated|greedy|0|0|0", "gated|greedy|0|1|0"):
            rolls = [words for words in self.recorded(game) if " rolls " in words or words.startswith("opening")]
            self.assertGreater(len(rolls), 10)
            self.assertEqual([words for words in rolls if any(words in text for text in told)], [])
            self.assertFalse(any("XGID" in text for text in told))

    def asked(self):
        """How many answers the bot was asked for."""
        try:
            return int(self.text("asked") or 0)
        except FileNotFoundError:
            return 0

    def test_results_alone_have_no_games(self):
        self.play("--games", "2", "--duplicate", "off", "--broadcast-release", "results")
        self.wait_until(self.games, "a game")
        [game] = self.games()
        self.assertEqual((game["begin"]["hidden"], game["last"]), ("the game is in play", None))
        self.play_to_a_result()
        path = f"/e/{game['event']}/"
        self.assertEqual(self.get(path + "g/" + game["game"].replace("|", "/"))[0], 404)
        self.assertNotIn("/g/", self.get(path + "games")[1])
        self.assertIn("1 game", self.get(path)[1])
        self.let(ALL)
        self.end()

    def test_the_key_of_the_dice_is_nowhere_in_the_gallery(self):
        self.play("--games", "1", "--duplicate", "off", "--seed", "random")
        self.first_game()
        self.let(3)
        self.wait_until(lambda: self.games()[0]["last"]["n"] > 4, "some steps")
        key = bytes.fromhex(self.text("r.db.key"))
        [pid] = self.gallery()
        self.assertFalse(self.has(pid, key) or self.has(pid, key.hex().encode()))
        self.assertTrue(self.has(pid, b"gated rolls"), "this is what its memory has")
        self.let(ALL)
        self.end()

    def has(self, pid, wanted):
        with open(f"/proc/{pid}/maps", encoding="ascii") as maps, open(f"/proc/{pid}/mem", "rb") as memory:
            for line in maps:
                begin, end = (int(word, 16) for word in line.split()[0].split("-"))
                if "rw" in line.split()[1]:
                    memory.seek(begin)
                    try:
                        if wanted in memory.read(end - begin):
                            return True
                    except (OSError, ValueError, OverflowError, MemoryError):  # no file, or a sanitizer's shadow
                        continue
        return False


class Away(DoorCase, LiveCase):
    def test_a_bot_whose_line_is_lost_is_away_in_words(self):
        event = self.event(**{"- random": f"- {{name: gated, cmd: {self.python_bot('gated', GATED)}}}", "length: 3": "length: 3\npage: tcp://127.0.0.1:0"})
        line = self.join()
        self.wait_until(lambda: "http://" in self.said(event), "the pages")
        self.port = urlsplit(re.search("http://[^ ]+/", self.said(event))[0]).port
        game, query = self.first_game()
        seat = game["begin"]["names"].index("anna")
        stream = Stream(self.port, query)
        harness.kill(line)
        kind = None
        while kind != "away":
            _, kind, data = stream.next()
        self.assertEqual(data, {"game": game["game"], "seat": seat, "bot": "anna", "away": True})
        self.assertEqual(self.games()[0]["away"], [seat == 0, seat == 1])
        for path in ("/", f"/e/spring/g/{game['game'].replace('|', '/')}"):
            self.assertIn("anna is away and waited for.", self.get(path)[1])
        self.join()
        while data.get("away") is not False:
            data = stream.next()[2]
        self.assertEqual(self.games()[0]["away"], [False, False])


if __name__ == "__main__":
    harness.main()
