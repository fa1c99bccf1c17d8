"""Committed dice: both bots take part in making them, and a bot that breaks its commitment fails to start."""
import hashlib
import os
import re
import stat
import subprocess
import sys
import unittest

from gallery import SANITIZED
from harness import BGREF, BIN, LONGEST_S, Case, read

# The Python bot with a changed behaviour for committed dice.
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
             "does not match its commitment"),
    "rash": ('    if content == "commitment":\n'
             '        out.Clear()\n'
             '        out.reveal.subject = message.commitment.subject\n'
             '        out.reveal.value = bytes(32)', "before it was asked to"),
    "old": ('    if content in ("commitment", "reveal"):\n'
            '        out.Clear()\n'
            '        out.not_understood.field = 6', "does not support committed dice"),
}

# Follows the protocol, but answers two seconds after the question.
LATE = '    if content == "reveal":\n        import time; time.sleep(2)'


# Follows the protocol, and notes that it has shown its nonce.
SHOWS = ('    if content == "reveal":\n        with open({shown!r}, "a") as shown:\n'
         '            print(os.getpid(), file=shown)')


class Commit(Case):
    def nonces(self, results):
        return dict(self.rows("SELECT key, value FROM meta WHERE key LIKE 'nonces.%'", results))

    def rogue(self, name):
        deed = LATE if name == "late" else DEEDS[name][0]
        path = self.write(name, BOT.format(lib=os.path.join(BIN, "bots", "python"), deed=deed))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def test_nonces_determine_the_dice_and_are_kept(self):
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
        recorded = set(re.findall(r"^dice committed (\S+ \S+) #", self.text("k.txt"), re.M))
        self.assertEqual(recorded, set(late.values()))

    def test_dice_that_are_drawn_again_are_recorded(self):
        flag = self.path("crashed")
        DEEDS["frail"] = (f'    if content == "reveal" and not os.path.exists({flag!r}):\n'
                          f'        open({flag!r}, "w").close()\n        os._exit(3)', "")
        self.addCleanup(DEEDS.pop, "frail")
        self.must("duel", "greedy", self.rogue("frail"), "--pairs", "3", "--commit", "--trust", "own", "-j", "1",
                  "--length", "1", "--results", "k.db")
        bound = dict(self.rows("SELECT key, value FROM meta WHERE key LIKE 'bound.%'", "k.db"))
        again = [key for key, value in bound.items() if len(set(value.split("\n"))) == 2]
        self.assertEqual((len(bound), len(again)), (3, 1), bound)
        for key, value in self.nonces("k.db").items():
            digests = [hashlib.blake2b(bytes.fromhex(nonce), digest_size=32).hexdigest() for nonce in value.split()]
            self.assertEqual(bound[key.replace("nonces.", "bound.")].split("\n")[-1].split(), digests)
        out, _ = self.must("verify", "k.db")
        self.assertEqual(out.count("were drawn again"), 1, out)
        self.assertIn(f"dice of the pair {again[0].removeprefix('bound.')} were drawn again, 1 time:", out)

    def test_a_kill_between_showing_nonces_and_storing_them_is_recorded(self):
        """The referee is killed before the last write that would store the nonces (tests/support/kill_at.c).
        Both bots have shown them by then; the next run asks again, and verify names the dice that were drawn
        again."""
        if SANITIZED:
            self.skipTest("the sanitizer has to be loaded first")
        shown = self.path("shown")
        path = self.write("shows", BOT.format(lib=os.path.join(BIN, "bots", "python"), deed=SHOWS.format(shown=shown)))
        os.chmod(path, 0o755)
        words = ("duel", path, "-engine", f"cmd={path}", "name=other", "--length", "1", "--commit", "--trust", "own",
                 "--instances", "1", "-concurrency", "1", "--quiet", "--results", "r.db", "--pairs")
        self.must(*words, "1")
        whole = {name: read(self.path(name)) for name in os.listdir(self.folder) if name.startswith("r.db")}

        def run_at(step):
            """Starts after the first pair has ended; returns the second pair's stored nonces, and the bots that
            have shown theirs."""
            for name in os.listdir(self.folder):
                if name.startswith("r.db") or name == "shown":
                    os.unlink(self.path(name))
            for name, content in whole.items():
                with open(self.path(name), "wb") as out:
                    out.write(content)
            subprocess.run([BGREF, *words, "2"], cwd=self.folder, timeout=LONGEST_S, capture_output=True, check=False,
                           env={**self.environment, "LD_PRELOAD": os.path.join(BIN, "kill_at.so"),
                                "BGREF_KILL_AT": f"pwrite64:{step}"})
            self.assert_nothing_lives()
            return sum("|1" in key for key in self.nonces("r.db"))

        first, last = 1, 1024  # at `first` the nonces are not stored, at `last` they are
        self.assertEqual((run_at(first), run_at(last)), (0, 1))
        while last - first > 1:
            middle = (first + last) // 2
            first, last = (first, middle) if run_at(middle) else (middle, last)
        self.assertEqual(run_at(first), 0)
        self.assertEqual(len(read(shown).splitlines()), 2, "both have shown their nonces")
        self.must(*words, "2")
        self.assertEqual(sum("|1" in key for key in self.nonces("r.db")), 1)
        out, _ = self.must("verify", "r.db")
        self.assertRegex(out, r"all \d+ rolls follow from the keys?\n")
        self.assertRegex(out, r"dice of the pair other\|shows\|1\S* were drawn again, 1 time:")

    def test_same_key_other_nonces_other_dice(self):
        self.must("duel", "random", "random", "--pairs", "1", "--commit", "--trust", "own", "--results", "one.db")
        self.change("one.db", "UPDATE meta SET value = replace(value, substr(value, 1, 1), '0') " "WHERE key LIKE 'nonces.%'",
                    "UPDATE game SET record = replace(record, 'dice committed ', " "'dice committed 0')")
        self.must("verify", "one.db", status=6)

    def test_a_bot_that_breaks_its_commitment_fails_to_start(self):
        for name, (_, message) in DEEDS.items():
            with self.subTest(name):
                results = name + ".db"
                self.must("duel", "greedy", self.rogue(name), "--pairs", "2", "--commit", "--trust", "own",
                          "--new-game", "2s", "--quarantine", "2", "--results", results, status=7)
                faults = self.rows("SELECT bot, fault, story FROM fault", results)
                self.assertEqual({fault[:2] for fault in faults}, {(name, "start")}, faults)
                self.assertTrue(all(message in fault[2] for fault in faults), faults)
                self.assertEqual((self.count(results=results), self.count("unplayed", results=results)), (0, 4))
                self.assert_nothing_lives()

    def test_an_answer_to_an_earlier_question_is_not_a_fault(self):
        """The bot that breaks its commitment is detected and restarted before the other one has answered."""
        self.must("duel", self.rogue("late"), self.rogue("liar"), "--pairs", "1", "--commit", "--trust", "own",
                  "--new-game", "20s", "--quarantine", "2", "--results", "late.db", status=7)
        self.assertEqual(self.rows("SELECT bot, fault FROM fault", "late.db"), [("liar", "start")] * 2)

    def test_strangers_commit_only_if_they_are_confined(self):
        _, printed = self.must("duel", "greedy", "random", "--commit", "--results", "s.db", status=2)
        self.assertIn("committed dice mean trust=strangers", printed)
        self.assertIn("sandbox=on", printed)

    def test_seed_and_commit_exclude_each_other(self):
        _, printed = self.must("duel", "greedy", "random", "--commit", "--seed", "3", status=2)
        self.assertIn("seed", printed)


if __name__ == "__main__":
    assert BIN, "usage: test_commit.py BIN"
    unittest.main(argv=sys.argv)
