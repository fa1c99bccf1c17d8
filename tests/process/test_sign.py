"""A director signs a result: keygen, sign, verify, exported records, and the Python reader."""
import os
import re
import sqlite3
import subprocess
import unittest

from harness import Case, main

VERIFY_MATCH = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "verify_match.py")


class Sign(Case):
    def setUp(self):
        super().setUp()
        self.must("duel", "random", "greedy", "--pairs", "2", "--results", "r.db", "--quiet")
        for name in ("anna", "bert"):
            self.must("keygen", "--sign", name)

    def python(self, path, *root):
        return subprocess.run(["/usr/bin/python3", VERIFY_MATCH, self.path(path), *root], capture_output=True, text=True,
                              timeout=120, check=False)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_signed_result_is_shown_and_proved(self):
        out, _ = self.must("sign", "r.db", "--key", "anna.key")
        fingerprint = re.search(r"^fingerprint: ((?:[0-9a-f]{4} ?){8})$", out, re.M)[1]
        self.must("sign", "r.db", "--key", "bert.key")
        proof, _ = self.must("verify", "r.db", "--signer", "anna.pub")
        self.assertRegex(proof, rf"signed: by anna on \S+Z, fingerprint {fingerprint}\n")
        self.assertIn("signed: by bert on ", proof)
        self.assertNotIn("not proven: that this is the root", proof)
        self.assertNotIn("not proven: whose keys", proof)
        self.assertIn("not proven: whose keys", self.must("verify", "r.db")[0])
        self.must("report", "r.db", "-o", "r.html")
        self.assertIn(f"fingerprint {fingerprint}", self.read("r.html"))
        self.must("export", "r.db", "--records", "-o", "r.txt")
        self.assertIn("signed: by anna", self.must("verify", "r.txt", "--signer", "bert.pub")[0])
        beside = self.python("r.txt")
        self.assertEqual(beside.returncode, 0, beside.stderr)
        self.assertEqual(len(re.findall(r"^signed by (?:anna|bert) on \S+ with the key [0-9a-f]{64}$", beside.stdout,
                                        re.M)), 2)

    def test_another_key_and_a_changed_signature_are_found(self):
        self.must("sign", "r.db", "--key", "anna.key")
        _, talk = self.must("verify", "r.db", "--signer", "bert.pub", status=6)
        self.assertIn("not signed by the key of bert, fingerprint ", talk)
        self.must("export", "r.db", "--records", "-o", "r.txt")
        text = self.read("r.txt")
        line = re.search(r"^signed .*$", text, re.M)[0]
        for changed in (line.replace("anna", "bert"), re.sub(r"\d\d:\d\d:\d\dZ", "99:99:99Z", line),
                        line[:-2] + ("0" if line[-2] != "0" else "1") + "Z", self.other_digit(line, 4)):
            self.write("forged.txt", text.replace(line, changed))
            _, talk = self.must("verify", "forged.txt", status=6)
            self.assertIn("does not fit these results", talk)
            self.assertIn("the signature does not fit", self.python("forged.txt").stderr)
        self.write("forged.txt", text.replace(line, line[:-2]))
        self.assertIn("not a line of the head", self.must("verify", "forged.txt", status=6)[1])

    @staticmethod
    def other_digit(line, word):
        words = line.split(" ")
        words[word] = words[word][:-1] + ("0" if words[word][-1] != "0" else "1")
        return " ".join(words)

    def test_a_signature_states_journal_event_standing_and_dates(self):
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        text = self.read("r.txt")
        line = re.search(r"^signed .*$", text, re.M)[0]
        digest, date = "[0-9a-f]{64}", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
        self.assertRegex(line, f"^signed anna {date} {digest} [0-9a-f]{{128}} 0 {'0' * 64} {digest} {digest} {date} {date}$")
        for word in range(5, 9):  # acts, journal, event, standing
            self.write("forged.txt", text.replace(line, self.other_digit(line, word)))
            _, talk = self.must("verify", "forged.txt", status=6)
            self.assertIn("the signature of anna, on ", talk)
            self.assertNotEqual(self.python("forged.txt").returncode, 0)

    def test_a_signature_of_another_event_is_invalid(self):
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("duel", "random", "greedy", "--pairs", "2", "--results", "other.db", "--quiet")
        for name in ("r", "other"):
            self.must("export", name + ".db", "--records", "-o", name + ".txt")
        line = re.search(r"^signed .*\n", self.read("r.txt"), re.M)[0]
        other = self.read("other.txt")
        self.write("other.txt", re.sub(r"^games ", line + "games ", other, count=1, flags=re.M))
        self.assertIn("does not fit these results", self.must("verify", "other.txt", status=6)[1])
        self.assertNotEqual(self.python("other.txt").returncode, 0)

    def test_a_signature_does_not_cover_another_root_that_is_given(self):
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("duel", "random", "greedy", "--pairs", "2", "--results", "other.db", "--quiet")
        for name in ("r", "other"):
            self.must("export", name + ".db", "--records", "-o", name + ".txt")
        signed = re.search(r"^root .*\nsigned .*\n(games .*\n)", self.read("r.txt"), re.M)
        theirs = re.search(r"^root (.*)\n(games .*\n)", self.read("other.txt"), re.M)
        self.assertEqual(signed[1], theirs[2], "the numbers of games do not tell the two apart")
        self.write("forged.txt", self.read("other.txt").replace(theirs[0], signed[0]))
        _, talk = self.must("verify", "forged.txt", "--root", theirs[1], "--signer", "anna.pub", status=6)
        self.assertIn("the signature of anna, on ", talk)
        self.assertIn("does not fit these results", talk)
        self.assertIn("does not fit", self.python("forged.txt", theirs[1]).stderr)

    def test_an_extended_event_needs_another_signature(self):
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("duel", "random", "greedy", "--pairs", "3", "--results", "r.db", "--quiet")
        self.assertNotIn("signed:", self.must("verify", "r.db")[0])
        _, talk = self.must("verify", "r.db", "--signer", "anna.pub", status=6)
        self.assertIn("not signed by the key of anna", talk)
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("verify", "r.db", "--signer", "anna.pub")

    def test_a_refused_signature_changes_nothing(self):
        with sqlite3.connect(self.path("r.db")) as database:
            before = list(database.iterdump())
        os.chmod(self.path("anna.key"), 0o644)
        for words, want in ((("--key", "anna.key"), "chmod 600 anna.key"), (("--key", "bert.pub"), "a public key; needs"),
                            (("--key", "r.db"), "not a key file"), (("--key", "none.key"), "No such file")):
            self.assertIn(want, self.must("sign", "r.db", *words, status=2)[1])
        self.assertIn("anna.pub is there already", self.must("keygen", "--sign", "anna", status=2)[1])
        self.assertIn("a name has 1 to 64 characters", self.must("keygen", "--sign", "a/b", status=2)[1])
        with sqlite3.connect(self.path("r.db")) as database:
            self.assertEqual(list(database.iterdump()), before)


if __name__ == "__main__":
    main()
