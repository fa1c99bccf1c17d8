"""The output of a running event: JSON lines, lines of chess harnesses, sequential tests.

The stream must suffice: it has every game that the database has, and the same tables.
"""
import csv
import fcntl
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import termios
from collections import defaultdict

from harness import BGREF, BIN, LONGEST_S, ROGUE, Case, kill, main

SCHEMA = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "events.schema.json")


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def holds(path, what):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as text:
        return what in text.read()


def of_kind(events, kind):
    return [event for event in events if event["kind"] == kind]


def points(event):
    return 0 if event["winner"] is None else event["points"] * (1 if event["winner"] == event["a"] else -1)


class Stream(Case):
    def same_as_rate(self, events, results):
        """Each game once, as the results have it, and the last table as `bgref rate` has it."""
        told = [(e["id"], points(e), int(e["match_over"])) for e in of_kind(events, "game_finished")]
        self.assertEqual(sorted(told), sorted(self.rows(
            "select id, iif(winner < 0, 0, iif(winner, -points, points)), match_over from game", results)))
        rated = self.json("rate", results)
        self.assertGreater(len(rated["encounters"]), 0)
        for event in of_kind(events, "standings")[-1:]:
            # rate also examines the legs one by one; the results of that are not in a stream
            for row, mine in zip(rated["standings"], event["standings"]):
                self.assertLessEqual(set(mine), set(row))
                self.assertLessEqual({"median", "largest_cube", "heavy_tails"}, set(row))
                for key in set(row) - set(mine):
                    del row[key]
            self.assertIn("bootstrap_draws", rated["model"])
            del rated["model"]["bootstrap_draws"]
            self.assert_same(event["standings"], rated["standings"])
            self.assert_same(event["model"], rated["model"])

    def assert_same(self, one, other):
        """Equal except for the last bits of numbers: bots are entered in another order."""
        self.assertEqual(type(one), type(other))
        if isinstance(one, list):
            self.assertEqual(len(one), len(other))
            for mine, theirs in zip(one, other):
                self.assert_same(mine, theirs)
        elif isinstance(one, dict):
            self.assertEqual(list(one), list(other))
            for key in one:
                self.assert_same(one[key], other[key])
        elif isinstance(one, float):
            self.assertLessEqual(abs(one - other), 1e-9 * max(1, abs(one)))
        else:
            self.assertEqual(one, other)

    def check_shape(self, events):
        with open(SCHEMA, encoding="utf-8") as text:
            schema = json.load(text)
        kinds = {}
        for kind in schema["oneOf"]:
            kind = schema["$defs"][kind["$ref"].rpartition("/")[2]]
            kinds[kind["properties"]["kind"]["const"]] = kind
        mono = -1
        for number, event in enumerate(events):
            self.assertEqual((event["schema"], event["version"], event["seq"]),
                             ("bgref-events", 2, number))
            self.assertGreaterEqual(event["mono_ns"], mono)
            mono = event["mono_ns"]
            self.assertRegex(event["wall"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            kind = kinds[event["kind"]]
            head = schema["$defs"]["head"]
            self.assertEqual(set(event), set(head["required"]) | set(kind["required"]), event["kind"])
            for name, value in event.items():
                rule = kind["properties"].get(name) or head["properties"][name]
                self.assertTrue(fits(value, rule, schema), f"{event['kind']}.{name}: {value!r}")
        self.assertEqual(events[0]["kind"], "event_started")
        self.assertEqual(events[-1]["kind"], "event_ended")

    def test_money_duel(self):
        self.must("duel", "greedy", "random", "--pairs", "15", "--seed", "3", "--results", "r.db",
                  "--events", "e.jsonl", "--quiet", "-concurrency", "5")
        events = read(self.path("e.jsonl"))
        self.check_shape(events)
        self.same_as_rate(events, "r.db")
        self.assertEqual(len(of_kind(events, "game_started")), 30)
        self.assertEqual(len(of_kind(events, "pair_finished")), 15)
        self.assertEqual(sum(pair["points_a"] for pair in of_kind(events, "pair_finished")),
                         sum(map(points, of_kind(events, "game_finished"))))
        self.assertEqual(events[-1]["outcome"], "complete")
        begun = [event["id"] for event in of_kind(events, "game_started")]
        for event in of_kind(events, "game_finished"):
            self.assertIn(event["id"], begun)
            self.assertGreater(event["decisions"]["a"] + event["decisions"]["b"], 10)
            self.assertGreater(event["thought_ns"]["a"], 0)

    def test_matches_of_three_with_a_kill_between(self):
        event = self.write("event.yaml", "bots: [greedy, random, first]\nlength: 3\npairs: 12\nseed: 5\n")
        words = ("tournament", event, "--results", "r.db", "--quiet", "--events")
        run = self.begin(*words, "killed.jsonl")
        path = self.path("killed.jsonl")
        self.wait_until(lambda: holds(path, b"match_finished"), "a match to be over")
        kill(run)
        self.must(*words, "e.jsonl")
        events = read(self.path("e.jsonl"))
        self.check_shape(events)
        self.same_as_rate(events, "r.db")
        self.assertGreater(sum(event["stored"] for event in of_kind(events, "game_finished")), 0)
        self.assertEqual(len(of_kind(events, "match_finished")), 3 * 24)
        self.assertEqual(len(of_kind(events, "pair_finished")), 3 * 12)
        standings = of_kind(events, "standings")[-1]
        self.assertTrue(standings["final"])
        self.assertEqual({row["bot"]: row["won"] for row in standings["standings"]},
                         {bot: sum(event["winner"] == bot for event in of_kind(events, "match_finished"))
                          for bot in ("greedy", "random", "first")})

    def test_faults_and_quarantine(self):
        out, _ = self.must("duel", "greedy", "-engine", "name=rogue", f"cmd={ROGUE} wrong-die",
                           "--pairs", "4", "--seed", "1", "--quarantine", "3", "-concurrency", "1",
                           "--results", "r.db", "--events", "e.jsonl", "--chess-lines", status=7)
        events = read(self.path("e.jsonl"))
        self.check_shape(events)
        faults = of_kind(events, "fault")
        self.assertEqual([fault["faults"] for fault in faults], [1, 2, 3])
        for fault in faults:
            self.assertEqual((fault["bot"], fault["fault"]), ("rogue", "illegal"))
            self.assertTrue(fault["rule"] and fault["reply"] and fault["game"])
        lost = [event for event in of_kind(events, "game_finished") if event["cause"] == "fault"]
        self.assertEqual([event["culprit"] for event in lost], ["rogue"] * len(lost))
        self.assertEqual([event["bot"] for event in of_kind(events, "quarantined")], ["rogue"])
        self.assertGreater(len(of_kind(events, "unplayed")), 0)
        self.assertIn("Warning; Illegal move ", out)
        self.assertIn("{rogue makes an illegal move, ", out)

    def test_standard_output_holds_only_events(self):
        out, err = self.must("duel", "greedy", "random", "--pairs", "3", "--seed", "1", "--results",
                             "r.db", "--events", "-", "--quiet")
        self.check_shape([json.loads(line) for line in out.splitlines()])
        self.assertIn("Score of greedy vs random", err)

    def test_a_descriptor(self):
        reader, writer = os.pipe()
        with os.fdopen(reader) as lines:
            done = subprocess.Popen([BGREF, "duel", "greedy", "random", "--pairs", "3", "--seed", "1",
                                     "--results", "r.db", "--events", f"fd:{writer}", "--quiet"],
                                    cwd=self.folder, env=self.environment, pass_fds=[writer],
                                    stdout=subprocess.DEVNULL)
            os.close(writer)
            events = [json.loads(line) for line in lines]
        self.assertEqual(done.wait(LONGEST_S), 0)
        self.check_shape(events)

    def test_a_full_disk_leaves_whole_lines(self):
        done = self.run_bgref("duel", "greedy", "random", "--pairs", "3", "--seed", "1", "--results",
                              "r.db", "--events", "/dev/full")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("No space left on device", done.stderr)

    def test_invalid_targets_are_refused(self):
        self.write("other.txt", "my thesis\n")
        for target, part in (("other.txt", "holds something else"), ("fd:99", "no such descriptor"),
                             ("fd:x", "fd:3"), ("none/e.jsonl", "there is no folder none; mend its name"), (".", "directory")):
            with self.subTest(target):
                done = self.run_bgref("duel", "greedy", "random", "--events", target)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(part, done.stderr)
                self.assertFalse(os.path.exists(self.path("bgref-results")))
        self.assertEqual(self.text("other.txt"), "my thesis\n")

    def test_closed_or_blocked_readers_do_not_delay_the_referee(self):
        for name in ("gone", "asleep"):
            with self.subTest(name):
                reader, writer = os.pipe()
                if name == "gone":
                    os.close(reader)
                done = subprocess.run([BGREF, "duel", "greedy", "random", "--pairs", "80", "--seed",
                                       "1", "--results", name + ".db", "--events", f"fd:{writer}"],
                                      cwd=self.folder, env=self.environment, pass_fds=[writer],
                                      capture_output=True, text=True, timeout=LONGEST_S, check=False)
                os.close(writer)
                if name == "asleep":
                    os.close(reader)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("warn events to=fd:", done.stderr)
                self.assertEqual(done.stderr.count("the event goes on without"), 1)
                self.assertIn("over 160 games", done.stdout)


def fits(value, rule, schema):
    """The part of JSON Schema that docs/events.schema.json uses."""
    if "$ref" in rule:
        return fits(value, schema["$defs"][rule["$ref"].rpartition("/")[2]], schema)
    if "const" in rule:
        return value == rule["const"]
    if "enum" in rule:
        return value in rule["enum"]
    types = rule.get("type", [])
    names = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None),
             "array": list, "object": dict}
    for name in [types] if isinstance(types, str) else types:
        if isinstance(value, names[name]) and (name == "boolean" or not isinstance(value, bool)):
            break
    else:
        return not types
    if isinstance(value, list) and "items" in rule:
        return all(fits(item, rule["items"], schema) for item in value)
    if isinstance(value, dict) and "properties" in rule:
        return set(rule.get("required", [])) <= set(value) and all(
            fits(item, rule["properties"][name], schema) if name in rule["properties"]
            else rule.get("additionalProperties", True) for name, item in value.items())
    return True


class ChessLines(Case):
    """The same regular expressions as in scripts of chess harnesses."""

    def test_lines(self):
        out, _ = self.must("duel", "gnubg", "greedy", "--pairs", "10", "--seed", "2", "--results", "r.db",
                           "-ratinginterval", "8", "-outcomeinterval", "10", "--chess-lines")
        started = re.findall(r"(?m)^Started game (\d+) of (\d+) \((\S+) vs (\S+)\)$", out)
        self.assertEqual(sorted(int(number) for number, *_ in started), list(range(1, 21)))
        finished = re.findall(r"(?m)^Finished game (\d+) \((\S+) vs (\S+)\): (\S+) \{(.+)\}$", out)
        wins = {"gnubg": 0, "greedy": 0}
        for number, white, black, result, reason in finished:
            self.assertIn((number, "20", white, black), started)
            winner = {"1-0": white, "0-1": black}[result]
            wins[winner] += 1
            self.assertRegex(reason, winner + r" wins (single game|gammon|backgammon), \d+ points?$")
        scores = re.findall(r"(?m)^Score of gnubg vs greedy: (\d+) - (\d+) - (\d+)  \[([\d.]+)\] (\d+)$", out)
        self.assertEqual(len(scores), 20 + 1, "after every game, and in the report")
        for won, lost, drawn, share, games in scores:
            self.assertEqual(int(won) + int(lost) + int(drawn), int(games))
            self.assertAlmostEqual(float(share), (int(won) + int(drawn) / 2) / int(games), 3)
        self.assertEqual([int(scores[-1][0]), int(scores[-1][1])], [wins["gnubg"], wins["greedy"]])
        self.assertEqual(len(re.findall(r"(?m)^Elo: ", out)), 3, "after 8 and 16 games, and at the end")
        ptnml = re.findall(r"(?m)^Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\]$", out)
        self.assertEqual(sum(map(int, ptnml[-1])), 10)
        self.assertEqual(sum(int(n) * k for k, n in enumerate(ptnml[-1])), 2 * wins["gnubg"])
        self.assertEqual(len(re.findall(r"(?m)^Outcomes of ", out)), 2)
        self.assertNotRegex(out, r"\b(nan|inf)\b")

    def test_games_of_earlier_runs_count_in_the_lines(self):
        for length in ("money", "3"):
            words = ["duel", "greedy", "random", "--length", length, "--seed", "2", "--chess-lines"]
            whole = self.must(*words, "--pairs", "12", "--results", f"whole{length}.db")[0]
            self.must(*words, "--pairs", "7", "--results", f"part{length}.db")
            rest = self.must(*words, "--pairs", "12", "--results", f"part{length}.db")[0]
            self.assertEqual(len(re.findall(r"(?m)^Finished game ", rest)), 2 * (12 - 7))
            for kind in ["Score of", "Elo:", "LOS:", "Ptnml"] + ["Ppg:"] * (length == "money"):
                last = re.findall(rf"(?m)^{kind}.*$", whole)[-1]
                self.assertEqual(re.findall(rf"(?m)^{kind}.*$", rest)[-1], last)

    def test_no_test_lines_without_a_test(self):
        out, _ = self.must("duel", "greedy", "random", "--pairs", "3", "--seed", "2", "--results", "r.db")
        self.assertNotRegex(out, "Started game|Finished game|Elo: ")
        self.assertEqual(len(re.findall("Score of ", out)), 1)

    def test_lopsided_and_even_results_print_no_infinity(self):
        for words in (["greedy", "random"], ["first", "first"]):
            with self.subTest(words):
                out, _ = self.must("duel", *words, "--pairs", "3", "--seed", "2", "--results",
                                   words[1] + ".db", "-ratinginterval", "2")
                self.assertNotRegex(out, r"\b(nan|inf)\b")
                self.assertIn("Elo: ", out)
                self.assertNotRegex(out, r"\+/- 0\.0+\b", "an interval without width")
                self.assertNotRegex(out, r"LOS: (100|0)\.00 %", "certainty")


class Sequential(Case):
    TEST = ("--seed", "4", "--quiet", "-sprt", "ppg0=0", "ppg1=1", "min_clusters=20")

    def test_a_better_bot_is_found_early(self):
        out, _ = self.must("duel", "greedy", "random", *self.TEST, "--results", "r.db",
                           "--exit-verdict", "--events", "e.jsonl", status=10)
        self.assertIn("H1 was accepted", out)
        self.assertRegex(out, r"(?m)^LLR: [\d.]+ \([\d.]+%\) \(-2\.94, 2\.94\) \[0\.00, 1\.00\] points per game$")
        events = read(self.path("e.jsonl"))
        self.assertEqual((events[-1]["outcome"], events[-1]["sprt"]["state"]), ("decided", "H1"))
        self.assertEqual(of_kind(events, "sprt")[-1]["state"], "H1")
        out, _ = self.must("duel", "random", "greedy", *self.TEST, "--results", "h0.db",
                           "--exit-verdict", status=11)
        self.assertIn("H0 was accepted", out)
        self.must("duel", "greedy", "random", *self.TEST, "--results", "plain.db")

    def test_the_verdict_is_a_function_of_the_games(self):
        expected = self.verdict("one.db", "-concurrency", "1")
        self.assertEqual(self.verdict("many.db", "-concurrency", "64"), expected)
        self.assertIn("not counted", self.must("rate", "many.db")[0])
        self.assertGreater(len(of_kind(read(self.path("many.db.jsonl")), "game_finished")), 2 * expected[1])
        run = self.begin("duel", "greedy", "random", *self.TEST, "--results", "killed.db")
        self.wait_until(lambda: os.path.exists(self.path("killed.db")), "results")
        try:
            run.wait(timeout=0.4)
        except subprocess.TimeoutExpired:
            pass
        kill(run)
        self.assertEqual(self.verdict("killed.db", "-concurrency", "3"), expected)
        self.assertEqual(self.verdict("killed.db"), expected, "once more, without a game")

    def verdict(self, results, *words):
        out, _ = self.must("duel", "greedy", "random", *self.TEST, "--results", results, "--exit-verdict",
                           "--events", results + ".jsonl", *words, status=10)
        events = read(self.path(results + ".jsonl"))
        test = events[-1]["sprt"]
        return (test["llr"], test["clusters"], test["mean"], of_kind(events, "standings")[-1]["standings"],
                *self.tables(results, out))

    def tables(self, results, out):
        """The output for a decided duel: by the run itself, by rate and by the report."""
        report = self.json("report", results)["tables"]
        return ([line for line in out.splitlines() if re.match(r" *(RESULT|STATS|CLASS|SIDES|Score)", line)],
                self.json("rate", results)["standings"],
                *(report.get(name, {}).get("rows") for name in ("standings", "encounters", "fibs", "luck")))

    def test_the_last_lines_of_a_decided_test_are_the_same_at_any_concurrency(self):
        """Chess lines, progress and the end of the stream: only for the counted pairs."""
        def last_lines(results, *words):
            words = ("duel", "greedy", "random", *self.TEST[:2], *self.TEST[3:], "--results", results, "--events",
                     results + ".jsonl", "--chess-lines", "-outcomeinterval", "10", *words)
            out, err = self.must(*words)
            lines = out.splitlines()
            first = max(i for i, line in enumerate(lines) if line.startswith("Score of ") and "vs" in line
                        and any("Results of" in later for later in lines[i:]))
            end = read(self.path(results + ".jsonl"))[-1]
            progress = re.findall(r"(?m)^(\d+)  (LLR .*? pairs) .* the test is decided .*(leader .*)$", err)[-1]
            shown = [line for line in lines[first:] if not re.match("results:|root:|  - Surplus| +TIME", line)]
            return (shown[:shown.index([line for line in shown if line.startswith("LLR: ")][0])], progress,
                    end["settled"], end["games"]), end.get("surplus"), lines
        expected, _, lines = last_lines("one.db", "-concurrency", "1")
        games = expected[3]
        self.assertEqual(int(re.search(r"\] (\d+)$", expected[0][0])[1]), games)
        self.assertEqual(expected[0][1].split(" of ")[0], "Outcomes")
        self.assertIn(f"Games: {games}, Wins: ", "\n".join(expected[0]))
        self.assertEqual((int(expected[1][0]), expected[2]), (games, games))
        again, surplus, lines = last_lines("many.db", "-concurrency", "64")
        self.assertEqual(again, expected)
        self.assertEqual(surplus, len([line for line in lines if line.startswith("Finished game ")]) - games)
        self.assertGreater(surplus, games)
        self.assertEqual(last_lines("many.db")[:2], (expected, surplus), "once more, without a game")

    def test_faults_in_surplus_games_are_marked_and_counted_nowhere(self):
        self.must("duel", "-engine", "greedy", "-engine", f"cmd={ROGUE} wrong-die --after 5", "name=rogue",
                  "--quarantine", "100000", "-concurrency", "32", *self.TEST, "--results", "r.db")
        (pairs,), = self.rows("select value from meta where key = 'results.counted'")
        listed = [json.loads(line) for line in self.must("faults", "r.db", "--json")[0].splitlines()]
        surplus = [fault for fault in listed if int(fault["game"].split("|")[2]) >= int(pairs)]
        self.assertTrue(0 < len(surplus) < len(listed), "both kinds are there")
        self.assertEqual([fault for fault in listed if fault.get("surplus")], surplus)
        self.assertEqual(self.must("faults", "r.db")[0].count("surplus   yes"), len(surplus))
        for game in map(json.loads, self.must("export", "r.db", "--format", "jsonl")[0].splitlines()):
            self.assertEqual(game["surplus"], game["pair"] >= int(pairs))
        for game in csv.DictReader(self.must("export", "r.db", "--format", "csv")[0].splitlines()):
            self.assertEqual(game["surplus"], str(int(int(game["pair"]) >= int(pairs))))
        report = self.json("report", "r.db")["tables"]["faults"]["rows"]
        self.assertEqual(sum(row["count"] for row in report), len(listed) - len(surplus))
        self.assertIn("Faults in surplus games are not listed", self.must("report", "r.db", "--text")[0])
        out, _ = self.must("show", "r.db")
        self.assertIn(f"\nFaults: {len(listed) - len(surplus)} (and {len(surplus)} in surplus games)\n", out)
        for line in out[out.index("\nLast games\n"):].splitlines()[2:12]:
            self.assertEqual(line.endswith(", surplus"), int(line.split("|")[2]) >= int(pairs), line)

    HELD = """
import os, sys
sys.path.insert(0, {bots!r})
import bgref_bot, zmq

pb, asks, seen, late = bgref_bot.pb, [], [], set()

def has(name):
    return os.path.exists(os.path.join({folder!r}, name))

def may_answer(game):
    return has("end") or (game in late or game == seen[0] if has("go") else game != seen[0])

with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
    socket.connect(os.environ["BGREF_ENDPOINT"])
    socket.send(bgref_bot.hello().SerializeToString())
    while True:
        out = None
        if socket.poll(50):
            message = pb.ToBot.FromString(socket.recv())
            if message.WhichOneof("content") == "asks":
                asks.extend(message.asks.asks)
                new = [ask.game for ask in message.asks.asks if ask.game not in seen]
                late.update(new if has("go") else [])
                seen.extend(new)
            else:
                out = bgref_bot.reply(message)
        ready, asks = [a for a in asks if may_answer(a.game)], [a for a in asks if not may_answer(a.game)]
        if ready:
            out = pb.ToReferee()
            for ask in ready:
                bgref_bot.answer(ask, out.answers.answers.add())
        if out is not None:
            socket.send(out.SerializeToString())
"""

    def test_tables_leave_out_surplus_games_while_the_last_games_end(self):
        """The first game waits until many others are over: it decides the test. Then the running games wait."""
        bot = self.write("held.py", self.HELD.format(bots=os.path.join(BIN, "bots", "python"), folder=self.folder))
        screen, terminal = self.open_terminal()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 40, 200, 0, 0))
        self.addCleanup(os.close, screen)
        os.set_blocking(screen, False)
        with open(self.path("out.txt"), "wb") as out:
            run = subprocess.Popen(
                [BGREF, "duel", "-engine", "first", "-engine", f"cmd={sys.executable} {bot}", "name=held",
                 "--seed", "4", "-sprt", "ppg0=-1", "ppg1=0", "min_clusters=10", "-concurrency", "6",
                 "--sandbox", "off", "--ceiling", "10m", "--rating-interval", "1s", "--results", "r.db",
                 "--events", "e.jsonl"],
                cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=terminal)
        os.close(terminal)
        self.addCleanup(lambda: run.poll() is None and (run.kill(), run.wait()))
        shown = []

        def until(condition, what):
            def check():
                try:
                    shown.append(os.read(screen, 65536).decode(errors="replace"))
                except OSError:  # nothing new, or the referee has ended
                    pass
                return condition() or run.poll() is not None
            self.wait_until(check, what, seconds=120)
            self.assertTrue(condition(), what + "".join(shown))

        until(lambda: holds(self.path("e.jsonl"), b'"pair":40,'), "pairs that wait for the first")
        self.write("go", "")
        until(lambda: holds(self.path("out.txt"), b"Surplus: "), "a table without surplus games")
        until(lambda: re.search("the test is decided", "".join(shown)), "a line of progress")
        meanwhile = self.must("rate", "r.db")[0]
        self.write("end", "")
        until(lambda: run.poll() == 0, "the end")
        tables = re.sub("(?m)^ +RATE .*$", "", self.text("out.txt")).split("ENGINES ")
        until(lambda: True, "what was shown last")
        decided = [table for table in tables if "Surplus: " in table]
        self.assertGreater(len(decided), 1, "one while the last games ended, one at the end")
        figures = {table[:table.index("Surplus: ")] for table in decided}
        self.assertEqual(len(figures), 1, figures)
        self.assertIn("Surplus: ", meanwhile)
        ended = self.must("rate", "r.db")[0]
        self.assertEqual(meanwhile[:meanwhile.index("Surplus: ")], ended[:ended.index("Surplus: ")])
        events = read(self.path("e.jsonl"))
        standings = [event["standings"] for event in of_kind(events, "standings")]
        self.assertEqual(standings[-2], standings[-1])
        counts = set(re.findall(r"(\d+)  LLR [^\r\n]*the test is decided", "".join(shown)))
        self.assertEqual(counts, {str(events[-1]["settled"])})

    def test_equal_bots_play_to_the_end(self):
        out, _ = self.must("duel", "first", "first", *self.TEST, "--pairs", "30", "--results", "r.db",
                           "--exit-verdict", status=12)
        self.assertIn("undecided", out)
        self.assertIn("over 60 games", out)

    def test_matches(self):
        words = ("duel", "greedy", "random", "--length", "3", "--seed", "4", "--quiet", "-sprt", "elo0=0",
                 "elo1=200", "min_clusters=10", "--exit-verdict")
        self.assertIn("multinomial model", self.must(*words, "--results", "m.db", status=10)[0])
        self.assertIn("binomial model", self.must(*words, "--duplicate", "off", "--results", "b.db",
                                                  status=10)[0])

    def test_invalid_tests_are_refused(self):
        duel = ["duel", "greedy", "random"]
        for words, part in (
                (["-sprt", "ppg0=0"], "ppg0=0 ppg1=0.05"),
                (["-sprt", "ppg0=1", "ppg1=0"], "smaller"),
                (["-sprt", "ppg0=0", "ppg1=0.05", "alpha=0.6", "beta=0.5"], "sum below 1"),
                (["-sprt", "elo0=0", "elo1=5"], "ppg0=0 ppg1=0.05"),
                (["-sprt", "ppg0=0", "ppg1=0.05", "--length", "3"], "elo0=0 elo1=50"),
                (["-sprt", "ppg0=0", "ppg1=0.05", "aplha=1"], "alpha"),
                (["-sprt", "ppg0=0", "ppg1=nan"], "not a number"),
                (["-sprt", "ppg0=0", "ppg1=0.05", "model=binomial"], "plain dice"),
                (["-sprt"], "sprt"),
                (["--exit-verdict"], "sprt")):
            with self.subTest(words):
                done = self.run_bgref(*duel, *words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(part, done.stderr)

    def test_a_changed_test_is_refused_by_name(self):
        self.must("duel", "greedy", "random", *self.TEST, "--pairs", "20", "--results", "r.db")
        done = self.run_bgref("duel", "greedy", "random", "--seed", "4", "-sprt", "ppg0=0", "ppg1=2",
                              "min_clusters=20", "--pairs", "20", "--results", "r.db")
        self.assertEqual(done.returncode, 2)
        self.assertIn("sprt=", done.stderr)

    LUCK = ("duel", "-engine", "greedy", "name=one", "-engine", "greedy", "name=two", "option.Style=bold",
            "--seed", "3", "--quiet", "--exit-verdict", "-sprt", "ppg0=0", "ppg1=0.3", "min_clusters=40",
            "statistic=luck")

    def luck(self, results, *words, status=11):
        out, _ = self.must(*self.LUCK, "--judge", "greedy", "--results", results, "--events",
                           results + ".jsonl", *words, status=status)
        self.assertIn("luck-adjusted results", out)
        test = read(self.path(results + ".jsonl"))[-1]["sprt"]
        self.assertEqual(test["statistic"], "luck")
        return (test["llr"], test["clusters"], test["mean"], test["variance"],
                *self.tables(results, out[:out.index("JUDGE")]), out[out.index("  PLAIN"):out.index("* From the view")])

    def test_a_luck_adjusted_test_stops_at_the_same_pair(self):
        expected = self.luck("one.db", "-concurrency", "1")
        self.assertEqual(self.luck("many.db", "-concurrency", "64"), expected)
        events = read(self.path("one.db.jsonl"))
        won = {e["id"]: points(e) for e in of_kind(events, "game_finished")}
        pairs = defaultdict(float)
        for e in of_kind(events, "judged"):
            pairs[int(e["id"].split("|")[2])] += won[e["id"]] - e["luck"]["a"] + e["luck"]["b"]
        scores = [pairs[n] / 2 for n in range(expected[1])]
        self.assertAlmostEqual(sum(scores) / len(scores), expected[2], places=9)
        played = len(of_kind(read(self.path("many.db.jsonl")), "game_finished"))
        self.assertLessEqual(played, 2 * expected[1] + 2 * 128, "the judge is no further behind than that")
        run = self.begin(*self.LUCK, "--judge", "greedy", "--results", "killed.db")
        self.wait_until(lambda: os.path.exists(self.path("killed.db")), "results")
        try:
            run.wait(timeout=0.7)
        except subprocess.TimeoutExpired:
            pass
        kill(run)
        self.assertEqual(self.luck("killed.db", "-concurrency", "3"), expected)
        self.assertEqual(self.luck("killed.db"), expected, "once more, without a game")
        tables = self.json("report", "killed.db")["tables"]
        self.assertEqual((tables["sprt"]["state"], tables["sprt"]["clusters"]), ("H0", expected[1]))
        self.assertEqual(tables["sprt"]["judge"].split()[0], "bot:greedy")
        self.assertIn("points per game", tables["sprt"]["hypotheses"])
        self.assertGreater(tables["event"]["dice_rolls"], 1000)
        self.assertIn("on 20 degrees of freedom", tables["event"]["dice_chi2"])

    def test_only_a_judge_that_the_games_wait_for_has_their_priority(self):
        for results, test, nicest in (("luck.db", "statistic=luck", 0), ("plain.db", "statistic=plain", 19)):
            run = self.begin(*self.LUCK[:-1], test, "--judge", "greedy", "--results", results, "--events", results + ".jsonl")
            self.wait_until(lambda: holds(self.path(results + ".jsonl"), b'"judged"'), "a judgement")
            self.assertEqual(max(os.getpriority(os.PRIO_PROCESS, pid) for pid in self.descendants()), max(nicest, os.nice(0)))
            kill(run)
            self.assert_nothing_lives()

    def test_a_luck_adjusted_test_has_one_judge(self):
        words = (*self.LUCK, "--pairs", "45", "--results", "r.db", "--judge")
        self.must(*words, "greedy", status=12)
        before = self.canonical("r.db")
        self.must(*words, "greedy", status=12)
        self.assertEqual(self.canonical("r.db"), before)
        _, talk = self.must(*words, "bot:greedy,Style=bold", status=2)
        self.assertIn("cannot go on with it", talk)
        _, talk = self.must(*self.LUCK, "--results", "s.db", status=2)
        self.assertIn("statistic=luck needs a judge", talk)

    def test_a_luck_adjusted_test_stops_when_its_judge_fails(self):
        shutil.copy(os.path.join(os.path.dirname(__file__), "judge_rogue.py"), self.path("rogue.py"))
        shutil.copy(os.path.join(BIN, "bots", "python", "bgref_pb2.py"), self.folder)
        os.mkdir(self.path("results"))  # a confined judge cannot see their folder
        for mode, expected in (("error", "too hard"), ("dies", "the process ended: exit 1")):
            done = self.run_bgref(*self.LUCK, "--judge", f"bot:{self.path('rogue.py')},Mode={mode}",
                                  "--results", os.path.join("results", mode + ".db"))
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertIn(expected, done.stderr)
            self.assertIn("needs a judgement of every game", done.stderr)
            self.assertIn("to go on: bgref duel", done.stderr)
            self.assertIn("SPRT goes on: 0 clusters", done.stdout)


main()
