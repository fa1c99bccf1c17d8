"""docs/fields.md lists every field of all JSON output exactly once: the programs' output is compared with it."""
import glob
import json
import os
import re

from harness import ROGUE, Case, main

HERE = os.path.dirname(__file__)
FIELDS = os.path.join(HERE, "..", "..", "docs", "fields.md")
SCHEMA = os.path.join(HERE, "..", "..", "docs", "events.schema.json")
IMPORTED = os.path.join(HERE, "..", "vectors", "hand-match5.mat")
QUESTIONS = os.path.join(HERE, "..", "vectors", "ratings", "*.json")

CUP = """event: cup
seed: 5
length: 1
conditions: [{between: [random, greedy], length: 2}]
absent: unplayed
schedule: swiss rounds=2 pairs=1 then ladder take=3 meetings=3 best_of=1
bots: [random, greedy, {name: r2, bot: random}, {name: g2, bot: greedy}, {name: gone, cmd: ./missing}]
"""

# objects whose members are named by bots, sections or settings
NAMED = {"settings", "lost_by_faults", "tables", "notes", "rules", "start", "final"}

def listed():
    """The fields of docs/fields.md, each with the number of its entries."""
    found = {}
    with open(FIELDS, encoding="utf-8") as text:
        for line in text:
            if line.startswith("| `"):
                for name in re.findall(r"`([a-zA-Z0-9_]+)`", line.split(" | ")[0]):
                    found[name] = found.get(name, 0) + 1
    return found


def names(value, at=""):
    """Every member's name in value, except names that are data."""
    if isinstance(value, list):
        return set().union(*(names(item, at) for item in value))
    if not isinstance(value, dict):
        return set()
    if at in NAMED:
        return set().union(*(names(item, at if at == "lost_by_faults" else "") for item in value.values()))
    # in an answer about errors the two sides have names too
    return (set(value) - {"A", "B"}).union(*(names(item, key) for key, item in value.items()))


def of_schema(schema):
    """The names of the members that a schema describes."""
    if isinstance(schema, list):
        return set().union(*map(of_schema, schema))
    if not isinstance(schema, dict):
        return set()
    own = set(schema["properties"]) if isinstance(schema.get("properties"), dict) else set()
    return own.union(*map(of_schema, schema.values()))


class Fields(Case):
    def setUp(self):
        super().setUp()
        self.found = {}  # name: the first command that wrote it

    def take(self, text, *words):
        """Notes a command's output: JSON documents, one or many."""
        at, decoder = 0, json.JSONDecoder()
        while at < len(text.rstrip()):
            value, size = decoder.raw_decode(text[at:].lstrip())
            at += size + len(text[at:]) - len(text[at:].lstrip())
            for name in names(value):
                self.found.setdefault(name, " ".join(words))

    def json_of(self, *words):
        self.take(self.must(*words)[0], *words)

    def everything_of(self, results):
        for words in (("rate", results, "--json", "--bootstrap", "100"), ("report", results, "--json", "--bootstrap", "100"),
                      ("faults", results, "--json"),
                      ("export", results, "--format", "json")):
            self.json_of(*words)

    def play(self, results, *words, status=0):
        self.must("duel", "greedy", *words, "--seed", "4", "--quiet", "--results", results, "--events",
                  results + ".jsonl", status=status)
        self.take(self.text(results + ".jsonl"), "the event stream")

    def written(self):
        judge = ("--judge", "greedy", "--concurrency", "2")
        self.play("money.db", "random", "--pairs", "31", *judge)
        self.play("match.db", "random", "--length", "3", "--pairs", "2", "--clock", "bank=60s", *judge)
        for results in ("money.db", "match.db"):
            self.must("judge", results, "--judge", "greedy", "--errors", "--quiet")
            self.everything_of(results)
            self.json_of("rate", results, "--json", "--adjusted")
        self.play("thinks.db", "td", "--pairs", "2")
        self.everything_of("thinks.db")
        self.write("cup.yaml", CUP)
        self.must("tournament", "cup.yaml", "--results", "cup.db", "--quiet", "--organiser", "x", "--director", "y", status=7)
        self.json_of("rate", "cup.db", "--json")
        self.json_of("report", "--sheet", "cup.db", "--json")
        self.json_of("report", "cup.db", "--json")
        self.must("keygen", "--sign", "director")
        self.must("sign", "money.db", "--key", "director.key")
        self.must("sign", "cup.db", "--key", "director.key")
        self.must("desk", "cup.db", "note", "--reason", "after the signature")
        self.json_of("report", "--sheet", "cup.db", "--json")  # its signature no longer holds
        self.json_of("report", "money.db", "--json")
        self.write("points", "1 10\n2 6\n")
        self.json_of("rate", "money.db", "--points", "points", "--history", "--json")
        self.json_of("kin", "--ask", "greedy", "greedy", "python", "random", "first", "--json")
        self.json_of("plan", "money.db", "--ppg", "0.1", "--json")
        self.play("test.db", "random", "-sprt", "ppg0=0", "ppg1=1", "min_clusters=20", status=0)
        self.json_of("report", "test.db", "--json")
        self.play("fault.db", "-engine", "name=rogue", f"cmd={ROGUE} wrong-die", "--pairs", "1")
        self.everything_of("fault.db")
        self.json_of("desk", "match.db", "replay", "pair=greedy|random|0", "--reason", "to be seen", "--json")
        self.play("match.db", "random", "--length", "3", "--pairs", "2", "--clock", "bank=60s", *judge)
        self.json_of("report", "match.db", "--json")
        self.must("desk", "fault.db", "withdraw", "rogue", "--reason", "to be seen")
        self.json_of("desk", "fault.db", "reinstate", "rogue", "--reason", "to be seen", "--json")
        self.must("desk", "fault.db", "close")
        self.json_of("desk", "fault.db", "--json")
        with open(IMPORTED, encoding="utf-8") as text:
            self.write("hand.mat", text.read().replace("Alice", "Alice of X"))
        self.must("import", "hand.mat", "--results", "imported.db")
        self.everything_of("imported.db")
        self.must("check", "greedy", "--level", "0", "--json", "c.json")
        self.take(self.text("c.json"), "check")
        for path in glob.glob(QUESTIONS):
            self.json_of("rate", path, "--json")
        self.write("table.json", json.dumps({"kind": "ratings", "input": {
            "players": ["x", "y"], "options": {"mode": "table"},
            "results": [{"a": "x", "b": "y", "length": 3, "wins_a": 3, "wins_b": 2}]}}))
        self.json_of("rate", "table.json", "--json")
        with open(SCHEMA, encoding="utf-8") as text:  # process_events compares every line with it
            for name in of_schema(json.load(text)["$defs"]):
                self.found.setdefault(name, "the event stream")
        return self.found

    def test_every_field_is_listed_once_and_every_listed_one_is_written(self):
        fields, found = listed(), self.written()
        self.assertEqual({name: count for name, count in fields.items() if count > 1}, {}, "listed twice")
        self.assertEqual({name: found[name] for name in set(found) - set(fields)}, {}, "written, and not listed")
        self.assertEqual(set(fields) - set(found), set(), "listed, and not written")


main()
