"""bgref check: honest bots reach level 2, and every rogue fails for its own deed.

usage: test_check.py BIN [--gnubg] with --gnubg only the slow check of gnubg
"""
import json
import os
import re
import shlex
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

from harness import BIN, ROGUE, Case, read

# Programs under sanitizers and bots in Python are slower by a factor that differs.
PLAIN = os.path.basename(os.path.dirname(BIN)) == "release"
GNUBG = "--gnubg" in sys.argv and not sys.argv.remove("--gnubg")


WALKER = """
import os, sys
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "data", "weights")) as weights, open(os.path.join(here, "log"), "a") as log:
    log.write(weights.read())
path = "%s"
sys.path.insert(0, path)
with open(path + "bgref_bot.py") as bot:
    exec(compile(bot.read(), path + "bgref_bot.py", "exec"))
"""


def deeds():
    listed = subprocess.run([ROGUE, "--list"], capture_output=True, text=True, timeout=60,
                            check=True).stdout
    return [line.split("\t")[:3] for line in listed.splitlines()]


class Examined(Case):
    def check(self, *words, status):
        out, _ = self.must("check", "--json", "-", *words, status=status)
        return json.loads(out)

    def failing(self, certificate):
        return [f for f in certificate["findings"] if not f["passed"]]


@unittest.skipUnless(GNUBG, "takes 20 seconds")
class Gnubg(Examined):
    def test_gnubg_reaches_level_2(self):
        """Also in games without a cube and with beavers: it learns the rules with its first question."""
        certificate = self.check("gnubg", "--move", "20ms" if PLAIN else "1s", status=0)
        self.assertEqual((certificate["level"], self.failing(certificate)), (2, []))


@unittest.skipIf(GNUBG, "only gnubg")
class Check(Examined):
    def test_honest_bots_reach_level_2(self):
        for bot in ("greedy", "random", "first", "python", "bkg", "td"):
            with self.subTest(bot):
                certificate = self.check(bot, "--move", "20ms" if PLAIN else "1s", status=0)
                self.assertEqual((certificate["level"], self.failing(certificate)), (2, []))
                self.assertEqual({f["level"] for f in certificate["findings"]}, {0, 1, 2})
                names = {f["check"].partition(": ")[2] for f in certificate["findings"]}
                self.assertLessEqual({"opening", "bar-1", "must-play-higher-die", "last-checkers",
                                      "double", "take", "raise", "resignation"}, names)
                self.assert_nothing_lives()

    def test_a_bot_that_loads_at_its_first_bear_off_is_found(self):
        """Quick at once, and in the games and clock tests before: only a new process shows it."""
        certificate = self.check("--", ROGUE, "lazy", status=1)
        (failed,) = self.failing(certificate)
        self.assertEqual(failed["check"],
                         "backgammon: the first question of each kind is as quick as the next")
        self.assertIn("play, both sides bearing off", failed["story"])
        self.assertRegex(failed["story"], "position [A-Za-z0-9+/]{14}")
        self.assertIn("bgref ask ", failed["again"])

    def test_what_was_not_examined_is_said(self):
        out, _ = self.must("check", "--level", "2", "--start", "2s", "--", ROGUE, "exit-start", status=1)
        self.assertIn("level 1, knows the rules: not examined\n", out)
        self.assertIn("level 2, keeps the protocol: not examined\n", out)
        self.assertNotIn("0 of 0", out)

    def test_every_game_a_bot_plays(self):
        certificate = self.check("random", "--game", "all", "--level", "0", status=0)
        self.assertGreaterEqual(len(certificate["findings"]), 25)
        certificate = self.check("greedy", "--game", "plakoto", "--level", "1", status=0)
        self.assertEqual(certificate["level"], 1)
        certificate = self.check("first", "--game", "plakoto", status=1)
        self.assertEqual(certificate["level"], -1)
        self.assertIn("refused: game plakoto", self.failing(certificate)[0]["story"])

    def test_rogues_fail_for_the_right_rule(self):
        ruled = [deed for deed in deeds() if deed[2] != "-"]
        self.assertGreaterEqual(len(ruled), 16)
        for deed, _, rule in ruled:
            with self.subTest(deed):
                certificate = self.check("--level", "1", "--", ROGUE, deed, status=1)
                failing = self.failing(certificate)
                self.assertEqual({f["rule"] for f in failing}, {rule})
                self.assertTrue(all(f["rules_say"].startswith("bgref ") for f in failing))
        self.assert_nothing_lives()

    def test_a_failure_can_be_repeated(self):
        certificate = self.check("--level", "1", "--", ROGUE, "lower-die", status=1)
        self.assertIn("bgref ask ", self.failing(certificate)[0]["again"])
        again = shlex.split(self.failing(certificate)[0]["rules_say"])
        out, _ = self.must(*again[1:], status=1)
        self.assertIn("G6.2", out)

    def test_three_failures_of_a_rule_are_shown(self):
        words = ("check", "--level", "1", "--", ROGUE, "lower-die")
        short, _ = self.must(*words, status=1)
        self.assertEqual((short.count("  FAIL  "), short.count(": G6.2, ")), (3, 3))
        more = int(re.search(r"and (\d+) more \(G6\.2\): --all\n", short).group(1))
        full, _ = self.must("check", "--all", *words[1:], status=1)
        self.assertEqual(full.count("  FAIL  "), 3 + more)
        self.assertNotIn("--all", full)
        asked = re.findall("again: (.*)", full)
        self.assertEqual((len(asked), len(set(asked))), (3 + more, 3 + more))

    def test_a_crash_has_its_position_also_where_it_ends_the_examination(self):
        failing = self.failing(self.check("--level", "1", "--", ROGUE, "segfault", status=1))
        self.assertIn("backgammon: it starts and goes on", {f["check"] for f in failing})
        self.assertEqual({f["level"] for f in failing}, {0, 1})
        for finding in failing:
            with self.subTest(finding["check"]):
                self.assertRegex(finding["story"], r"\(SIGSEGV\); position [A-Za-z0-9+/]{14}, dice")
                self.assertIn("bgref ask ", finding["again"])

    def test_other_faults_are_reported(self):
        for deed, expected in (("never-ready", "no Ready in time"), ("exit-start", "the process ended"),
                           ("garbage", "message"), ("segfault", "SIGSEGV")):
            with self.subTest(deed):
                certificate = self.check("--level", "1", "--start", "2s", "--", ROGUE, deed,
                                         status=1)
                self.assertIn(expected, " ".join(f["story"] for f in self.failing(certificate)))
        self.assert_nothing_lives()

    def test_protocol_checks_are_run(self):
        certificate = self.check("--", ROGUE, "ignores-term", status=1)
        self.assertEqual(certificate["level"], 1)
        self.assertEqual([f["check"].partition(": ")[2] for f in self.failing(certificate)],
                         ["it ends at goodbye and starts again"])

    def test_outputs_agree(self):
        text, _ = self.must("check", "greedy", "--json", "c.json", "--junit", "c.xml")
        with open(self.path("c.json"), encoding="utf-8") as written:
            certificate = json.load(written)
        suite = xml.parse(self.path("c.xml")).getroot()
        self.assertEqual(int(suite.get("tests")), len(certificate["findings"]))
        self.assertEqual(int(suite.get("failures")), 0)
        self.assertIn("certificate: " + certificate["certificate"], text)
        again = self.check("greedy", status=0)
        self.assertEqual(again["certificate"], certificate["certificate"])
        other = self.check("gnubg", "option.Noise=0.1", "--level", "0", status=0)
        plain = self.check("gnubg", "--level", "0", status=0)
        self.assertNotEqual(other["certificate"], plain["certificate"])
        self.must("check", "--junit", "bad.xml", "--level", "1", "--", ROGUE, "blocked", status=1)
        failure = xml.parse(self.path("bad.xml")).getroot().find("testcase/failure")
        self.assertEqual(failure.get("type"), "G2")

    def write_walker(self):
        """A bot in a folder of its own: it reads a file below and closes it, and writes a log."""
        os.makedirs(self.path("walker/data"))
        for name, text in (("data/weights", "1 2 3\n"), ("walker.py", WALKER % (BIN + "/bots/python/"))):
            with open(self.path("walker/" + name), "w", encoding="utf-8") as file:
                file.write(text)

    def verify(self, path, *words, status):
        return self.must("check", "--verify", path, *words, status=status)

    def test_a_certificate_says_what_has_changed_since(self):
        self.write_walker()
        self.must("keygen", "--sign", "host")
        self.must("keygen", "--sign", "other")
        self.must("check", "--level", "0", "--out", "bot.cert", "--key", "host.key", "--", "/usr/bin/python3",
                  "walker/walker.py")
        out, _ = self.verify("bot.cert", "--signer", "host.pub", status=0)
        self.assertIn("level: 0 of 0\n", out)
        self.assertRegex(out, r"\nunchanged: \d+ files\n")
        text = self.text("bot.cert")
        self.assertRegex(text, "\nprogram [0-9]+ [0-9a-f]{64} /.*/walker/walker.py\n")
        self.assertRegex(text, "\nfile 6 [0-9a-f]{64} /.*/walker/data/weights\n")
        self.assertRegex(text, "\nfile [0-9]+ [0-9a-f]{64} /.*/libc.so")
        self.assertNotIn("/walker/log", text)
        self.assertIn("not signed by the key of other, but by one with the name host",
                      self.verify("bot.cert", "--signer", "other.pub", status=6)[1])
        with open(self.path("walker/walker.py"), "a", encoding="utf-8") as file:
            file.write("# newer\n")
        os.remove(self.path("walker/data/weights"))
        out, _ = self.verify("bot.cert", status=1)
        self.assertRegex(out, "\nprogram changed: /.*/walker/walker.py\n")
        self.assertRegex(out, "\nfile gone: /.*/walker/data/weights\n")
        self.assertRegex(out, "\nnot proven: whose key signed")
        self.assertRegex(out, "\nnot proven: the level; the signer says so")

    def test_a_bad_certificate_gets_one_error(self):
        self.must("keygen", "--sign", "host")
        self.must("check", "first", "--level", "0", "--out", "bot.cert", "--key", "host.key")
        whole = read(self.path("bot.cert"))
        signed = whole.rindex(b"signed ")
        cases = [(b"", 2), (b"\0", 2), (b"SQLite format 3\0", 2), (whole + b"x", 2), (whole + whole, 2),
                 (whole.replace(b"\n", b"\r\n"), 2)]
        cases += [(whole[:size], 2) for size in (5, 30, len(whole) // 2, signed, signed + 80, len(whole) - 1)]
        for place in (*range(3, signed, signed // 15), *range(signed, len(whole), 12)):
            for bit in (0, 5):
                changed = bytearray(whole)
                changed[place] ^= 1 << bit
                cases.append((bytes(changed), None))
        for data, status in cases:
            with open(self.path("bad.cert"), "wb") as file:
                file.write(data)
            done = self.run_bgref("check", "--verify", "bad.cert")
            self.assertIn(done.returncode, (2, 6) if status is None else (status,), data)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
            self.assertIn("bad.cert: ", done.stderr)
        with open(self.path("huge.cert"), "wb") as file:
            file.truncate(1 << 33)
        os.mkfifo(self.path("fifo.cert"))
        for name in ("huge.cert", "fifo.cert", "host.pub", "none.cert", "."):
            _, err = self.verify(name, status=2)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn(name + ": ", err)

    def test_misuse_is_reported(self):
        for words, expected in (((), "which bot"), (("gredy",), "greedy"),
                            (("greedy", "--level", "7"), "is not a whole number from 0 to 2"),
                            (("greedy", "--game", "ludo"), "ludo"),
                            (("greedy", "--out", "x"), "bgref keygen --sign NAME"),
                            (("greedy", "--key", "x"), "--out FILE"),
                            (("greedy", "--out", "x", "--key", "none.key"), "none.key"),
                            (("greedy", "--signer", "x"), "--verify"),
                            (("greedy", "--verify", "x"), "examines no bot")):
            with self.subTest(words):
                self.assertIn(expected, self.must("check", *words, status=2)[1])


if __name__ == "__main__":
    assert BIN, "usage: test_check.py BIN [--gnubg]"
    unittest.main(argv=sys.argv)
