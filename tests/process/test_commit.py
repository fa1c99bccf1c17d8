"""Committed dice: both bots take part in making them, and whoever does not keep to it has not started."""
import hashlib
import os
import re
import sqlite3
import stat
import sys
import unittest

from harness import BIN, Case

# The Python bot, but for what it does about committed dice.
BOT = """#!/bin/sh
exec /usr/bin/python3 - <<'END'
import os, sys
sys.path[:0] = [{lib!r}]
import bgref_bot as bot
proper = bot.reply
def reply(message):
    content = message.WhichOneof("content")
    out = proper(message)
{deed}
    return out
bot.reply = reply
bot.main()
END
"""
DEEDS = {
    "mute": ('    if content == "commitment":\n        return None', "in time"),
    "coy": ('    if content == "reveal":\n        return None', "show its nonce in time"),
    "liar": ('    if content == "reveal":\n        out.reveal.value = os.urandom(32)',
             "not the one it had bound itself to"),
    "rash": ('    if content == "commitment":\n'
             '        out.Clear()\n'
             '        out.reveal.subject = message.commitment.subject\n'
             '        out.reveal.value = bytes(32)', "before it was asked to"),
    "old": ('    if content in ("commitment", "reveal"):\n'
            '        out.Clear()\n'
            '        out.not_understood.field = 6', "does not know"),
}

# Keeps to it, two seconds after it was asked.
LATE = '    if content == "reveal":\n        import time; time.sleep(2)'


class Commit(Case):
    def nonces(self, results):
        with sqlite3.connect(self.path(results)) as database:
            return dict(database.execute("SELECT key, value FROM meta WHERE key LIKE 'nonces.%'"))

    def rogue(self, name):
        deed = LATE if name == "late" else DEEDS[name][0]
        path = self.write(name, BOT.format(lib=os.path.join(BIN, "bots", "python"), deed=deed))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def test_nonces_make_the_dice_and_stay(self):
        first = ("duel", "greedy", "python", "--length", "3", "--commit", "--trust", "own", "--results", "k.db")
        self.must(*first, "--pairs", "3")
        early = self.nonces("k.db")
        self.assertEqual(len(early), 3)
        self.assertEqual(len(set(" ".join(early.values()).split())), 6, "a nonce came twice")
        games = self.canonical("k.db")
        self.must(*first, "--pairs", "5")
        late = self.nonces("k.db")
        self.assertEqual({key: late[key] for key in early}, early)
        self.assertIn(games.split("\nunplayed")[0].rstrip("\n"), self.canonical("k.db"))
        out, _ = self.must("verify", "k.db")
        self.assertRegex(out, r"all \d+ rolls follow from the key")
        self.must("export", "k.db", "--records", "-o", "k.txt")
        with open(self.path("k.txt"), encoding="utf-8") as text:
            told = set(re.findall(r"^dice committed (\S+ \S+) #", text.read(), re.M))
        self.assertEqual(told, set(late.values()))

    def test_dice_that_are_drawn_again_are_recorded(self):
        flag = self.path("crashed")
        DEEDS["frail"] = (f'    if content == "reveal" and not os.path.exists({flag!r}):\n'
                          f'        open({flag!r}, "w").close()\n        os._exit(3)', "")
        self.addCleanup(DEEDS.pop, "frail")
        self.must("duel", "greedy", self.rogue("frail"), "--pairs", "3", "--commit", "--trust", "own", "-j", "1",
                  "--length", "1", "--results", "k.db")
        with sqlite3.connect(self.path("k.db")) as database:
            bound = dict(database.execute("SELECT key, value FROM meta WHERE key LIKE 'bound.%'"))
        again = [key for key, value in bound.items() if len(set(value.split("\n"))) == 2]
        self.assertEqual((len(bound), len(again)), (3, 1), bound)
        for key, value in self.nonces("k.db").items():
            digests = [hashlib.blake2b(bytes.fromhex(nonce), digest_size=32).hexdigest() for nonce in value.split()]
            self.assertEqual(bound[key.replace("nonces.", "bound.")].split("\n")[-1].split(), digests)
        out, _ = self.must("verify", "k.db")
        self.assertEqual(out.count("were drawn again"), 1, out)
        self.assertIn(f"dice of the pair {again[0].removeprefix('bound.')} were drawn again, 1 time:", out)

    def test_same_key_other_nonces_other_dice(self):
        self.must("duel", "random", "random", "--pairs", "1", "--commit", "--trust", "own", "--results", "one.db")
        with sqlite3.connect(self.path("one.db")) as database:
            database.execute("UPDATE meta SET value = replace(value, substr(value, 1, 1), '0') "
                             "WHERE key LIKE 'nonces.%'")
            database.execute("UPDATE game SET record = replace(record, 'dice committed ', "
                             "'dice committed 0')")
        self.must("verify", "one.db", status=6)

    def test_who_does_not_keep_to_it_has_not_started(self):
        for name, (_, story) in DEEDS.items():
            with self.subTest(name):
                results = name + ".db"
                self.must("duel", "greedy", self.rogue(name), "--pairs", "2", "--commit", "--trust", "own",
                          "--new-game", "2s", "--quarantine", "2", "--results", results, status=7)
                with sqlite3.connect(self.path(results)) as database:
                    faults = database.execute("SELECT bot, fault, story FROM fault").fetchall()
                    self.assertEqual({fault[:2] for fault in faults}, {(name, "start")}, faults)
                    self.assertTrue(all(story in fault[2] for fault in faults), faults)
                    played = database.execute("SELECT count(*) FROM game").fetchone()[0]
                    unplayed = database.execute("SELECT count(*) FROM unplayed").fetchone()[0]
                self.assertEqual((played, unplayed), (0, 4))
                self.assert_nothing_lives()

    def test_an_answer_to_an_earlier_question_is_no_offence(self):
        """The liar is found out and starts again before the other one has answered."""
        self.must("duel", self.rogue("late"), self.rogue("liar"), "--pairs", "1", "--commit", "--trust", "own",
                  "--new-game", "20s", "--quarantine", "2", "--results", "late.db", status=7)
        with sqlite3.connect(self.path("late.db")) as database:
            faults = database.execute("SELECT bot, fault FROM fault").fetchall()
        self.assertEqual(faults, [("liar", "start")] * 2)

    def test_strangers_commit_only_where_they_are_confined(self):
        _, told = self.must("duel", "greedy", "random", "--commit", "--results", "s.db", status=2)
        self.assertIn("committed dice mean trust=strangers", told)
        self.assertIn("sandbox=on", told)

    def test_a_seed_that_anybody_knows_is_refused(self):
        _, told = self.must("duel", "greedy", "random", "--commit", "--seed", "3", status=2)
        self.assertIn("seed", told)


if __name__ == "__main__":
    assert BIN, "usage: test_commit.py BIN"
    unittest.main(argv=sys.argv)
