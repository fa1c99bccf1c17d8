"""bgref verify, and docs/verify_match.py, on events that were really played; and a director's signature: keygen, sign, verify."""
import hashlib
import os
import random
import re

from harness import Case, main
from seal import seal_again

HEAD = "bgref-record 1 #"


def check_of(lines):
    crc = 0xFFFF
    for byte in "".join(lines).encode():
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return " #%04x" % crc


def forge(record):
    """The record with checks and hash that fit its present text."""
    record = re.sub(r"\nat \S+ #....\n$", "\n", record)
    plain = [line[:-6] for line in record.splitlines()[:-1]]
    body = "".join(line + check_of(plain[:number + 1]) + "\n" for number, line in enumerate(plain))
    return body + "hash " + hashlib.blake2b(body.encode(), digest_size=32).hexdigest() + "\n"


def forge_all(text, change):
    """Every record changed with consistent checks: the hash chain inside each leg, and the root of the head."""
    top, *records = text.split(HEAD)
    covered = "".join(line + "\n" for line in top.splitlines()
                      if line.startswith(("attempt ", "settings ", "unplayed ", "faults ")))
    root = hashlib.blake2b(b"bgref-root 2\n" + covered.encode(), digest_size=32)
    prev, out = {}, []
    for record in records:
        record = change(HEAD + record)
        leg, _, game = re.search(r"^id (\S+) #", record, re.M)[1].rpartition("|")
        before = prev.get(leg, "") if game != "0" else ""
        record = forge(re.sub(r"^prev .*?(?= #)", "prev " + before, record, count=1, flags=re.M))
        prev[leg] = record.split("\nhash ")[1].strip()
        root.update(("%s|%s %s\n" % (leg, game, prev[leg])).encode())
        out.append(record)
    top = re.sub(r"^root .*$", "root " + root.hexdigest(), top, flags=re.M)
    return top + "".join(out)


class Verify(Case):
    def played(self, name, *words):
        out, _ = self.must("duel", *words, "--results", name + ".db")
        self.root = re.search(r"^root: (\S+)$", out, re.M)[1]
        self.must("export", name + ".db", "--records", "-o", name + ".txt")
        return self.text(name + ".txt")

    def test_records_of_an_event_that_has_not_ended_have_no_key_of_the_dice(self):
        text = self.played("early", "greedy", "random", "--pairs", "1")
        head, first, records = text.partition(HEAD)
        self.write("early.txt", re.sub(r"(?m)^(digest|key) .*\n", "", head) + first + records)
        refused = self.verify_beside("early.txt")
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, r"^id \S+: its dice cannot be verified: the key is published when the event ends\n$")

    def test_damaged_records_get_one_clean_line(self):
        text = self.played("damaged", "greedy", "random", "--pairs", "1")
        choose, found = random.Random(1), []
        cases = ["", HEAD, text[:len(text) // 2], text.replace("greedy", "\x1b[31mgreedy"), text.replace("steps", "st\x1beps", 1)]
        for _ in range(8):
            at = choose.randrange(len(text))
            other = choose.choice([byte for byte in "\x1b\n\x00\u009b =|" if byte != text[at]])
            cases.append(text[:at] + other + text[at + 1:])
        for case in cases:
            self.write("damaged.txt", case)
            done = self.verify_beside("damaged.txt")
            told = done.stdout + done.stderr
            self.assertNotEqual(done.returncode, 0)
            self.assertNotIn("Traceback", told)
            found.append(told)
            self.assertRegex(told, r"\A[^\x00-\x09\x0b-\x1f\x7f-\x9f]+\n\Z")
        self.assertRegex("".join(found), r"line \d+: does not fit its check")

    def test_played_events_verify(self):
        for name, words in {
                "money": ("bkg", "random", "--pairs", "3"),  # bkg tells what it thinks
                "match": ("greedy", "random", "--pairs", "2", "--length", "5", "--clock",
                          "bank=20s/pt,delay=1s"),
                "tavli": ("greedy", "random", "--pairs", "2", "--variant", "tavli", "--clock",
                          "bank=60s,inc=5ms"),
                "tabula": ("random", "random", "--pairs", "2", "--variant", "tabula")}.items():
            with self.subTest(name):
                text = self.played(name, *words)
                games = text.count(HEAD)
                for source in (name + ".db", name + ".txt"):
                    out, _ = self.must("verify", source, "--root", self.root)
                    self.assertIn("%d games" % games, out)
                    self.assertRegex(out, r"all \d+ rolls follow from the key")
                    clocked = games if "--clock" in words else 0
                    self.assertIn("counted again in %d games" % clocked, out)
                done = self.verify_beside(name + ".txt", self.root)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("%d games hold" % games, done.stdout)

    def test_a_forged_event_fails_against_the_root(self):
        text = self.played("money", "greedy", "random", "--pairs", "2")
        forged = forge_all(text, lambda record: record.replace("\nhost ", "\nhost better ", 1))
        self.write("forged.txt", forged)
        self.must("verify", "forged.txt")
        self.assertEqual(self.verify_beside("forged.txt").returncode, 0)
        _, printed = self.must("verify", "forged.txt", "--root", self.root, status=6)
        self.assertIn(self.root, printed)
        self.assertIn(self.root, self.verify_beside("forged.txt", self.root).stderr)

    def test_a_false_record_header_is_found(self):
        text = self.played("money", "greedy", "random", "--pairs", "2")
        self.must("verify", "money.txt")
        for line, lie in ((r"games \d+", "games 40"), (r"event .*", "event winter"), (r"dice keyed", "dice reproducible"),
                          (r"settings \d+", "settings 12"), (r"unplayed 0", "unplayed 1"), (r"faults 0 .", "faults 0 x")):
            with self.subTest(lie):
                changed, count = re.subn("^" + line, lie, text, count=1, flags=re.M)
                self.assertEqual(count, 1)
                self.write("lie.txt", changed)
                self.must("verify", "lie.txt", status=6)

    def test_false_columns_are_found(self):
        """Also with a seal made for them, and where no sum of games shows it."""
        self.played("money", "greedy", "random", "--pairs", "2")
        self.change("money.db", "UPDATE game SET turns = turns + 1 WHERE pair = 1 AND leg = 1")
        seal_again(self.path("money.db"))
        _, printed = self.must("verify", "money.db", status=6)
        self.assertIn("game greedy|random|1|1|0: the columns beside the record", printed)

    def test_another_key_is_refused(self):
        self.played("money", "greedy", "random", "--pairs", "1")
        _, printed = self.must("verify", "money.db", "--key", "00" * 32, status=6)
        self.assertIn("digest", printed)

    def test_an_imported_match_has_dice_of_its_file(self):
        self.played("match", "greedy", "random", "--pairs", "1", "--length", "3")
        self.must("export", "match.db", "greedy|random|0|0", "-f", "mat", "-o", "match.mat")
        self.must("import", "match.mat", "-r", "back.db")
        out, _ = self.must("verify", "back.db")
        self.assertRegex(out, r"\d+ rolls of imported games \(dice=file\)")
        self.assertNotIn("published after", out)

    def test_an_imported_match_begins_where_its_file_begins(self):
        turns = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n  2)                              Wins 1 point\n"
        for length, scores in ((7, ((4, 2), (4, 3))), (5, ((4, 0), (4, 1))), (3, ((0, 0), (2, 1)))):
            games = [f"\n Game {i}\n ann : {a}                       bob : {b}\n" + turns.replace("42: 8/4 6/4", ("42: 8/4 6/4", "61: 13/7 8/7")[i])
                     for i, (a, b) in enumerate(scores)]
            with self.subTest(length):
                self.write("part.mat", f" {length} point match\n" + "".join(games))
                self.must("import", "part.mat", "-r", f"part-{length}.db")
                self.must("verify", f"part-{length}.db")
                text, _ = self.must("export", f"part-{length}.db", "--records")
                self.write("part.txt", text)
                self.must("verify", "part.txt")
                self.write("moved.txt", forge_all(text, lambda record: record.replace("cube=1 ", "cube=2 ", 1)))
                _, printed = self.must("verify", "moved.txt", status=6)
                self.assertIn("start is", printed)

    def test_unreadable_results_are_reported(self):
        for words, status, expected in (
                (("verify",), 2, "missing"), (("verify", "nowhere.db"), 2, "nowhere.db"),
                (("verify", "x.db", "--root", "12"), 2, "64 digits"),
                (("verify", self.write("notes.txt", "hello\n")), 2, "line 1"),
                (("verify", self.write("cut.txt", "bgref-records 1\n")), 6, "cut short")):
            with self.subTest(words):
                _, error = self.must(*words, status=status)
                self.assertIn(expected, error)
        done = self.run_bgref("verify", "-", stdin="")
        self.assertEqual(done.returncode, 6, done.stdout)
        self.assertIn("no records", done.stderr)

    def test_chosen_dice_fail_at_their_roll(self):
        text = self.played("money", "greedy", "random", "--pairs", "1")

        def luckier(record):
            return re.sub(r"^(\d roll )\d\d", lambda roll: roll[1] + "66", record, flags=re.M)

        self.write("lucky.txt", forge_all(text, luckier))
        _, printed = self.must("verify", "lucky.txt", status=6)
        self.assertRegex(printed, r"\(step \d+\) '\d roll 66': the key gives the dice")
        self.assertIn("other dice", self.verify_beside("lucky.txt").stderr)

    def test_a_game_without_its_end_is_found(self):
        text = self.played("money", "greedy", "random", "--pairs", "1")
        last = re.compile(r"^.*\nend .* (?=left)", re.M)
        self.write("cut.txt", forge_all(text, lambda record: last.sub("end none winner=- level=0 points=0 ", record)))
        self.assertIn("its steps do not end it", self.must("verify", "cut.txt", status=6)[1])

    def test_a_forged_dice_source_is_found(self):
        text = self.played("money", "greedy", "random", "--pairs", "1")

        def from_a_file(record):
            return re.sub(r"^dice keyed", "dice file", record, count=1, flags=re.M)

        self.write("filed.txt", forge_all(text, from_a_file))
        _, printed = self.must("verify", "filed.txt", status=6)
        self.assertIn("dice is 'file', expected 'keyed'", printed)


class Sign(Case):
    def setUp(self):
        super().setUp()
        self.must("duel", "random", "greedy", "--pairs", "2", "--results", "r.db", "--quiet")
        for name in ("anna", "bert"):
            self.must("keygen", "--sign", name)

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
        self.assertIn(f"fingerprint {fingerprint}", self.text("r.html"))
        self.must("export", "r.db", "--records", "-o", "r.txt")
        self.assertIn("signed: by anna", self.must("verify", "r.txt", "--signer", "bert.pub")[0])
        beside = self.verify_beside("r.txt")
        self.assertEqual(beside.returncode, 0, beside.stderr)
        self.assertEqual(len(re.findall(r"^signed by (?:anna|bert) on \S+ with the key [0-9a-f]{64}$", beside.stdout,
                                        re.M)), 2)

    @staticmethod
    def other_digit(line, word):
        words = line.split(" ")
        words[word] = words[word][:-1] + ("0" if words[word][-1] != "0" else "1")
        return " ".join(words)

    def test_a_signature_states_journal_event_standing_and_dates(self):
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("export", "r.db", "--records", "-o", "r.txt")
        text = self.text("r.txt")
        line = re.search(r"^signed .*$", text, re.M)[0]
        digest, date = "[0-9a-f]{64}", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
        self.assertRegex(line, f"^signed anna {date} {digest} [0-9a-f]{{128}} 0 {'0' * 64} {digest} {digest} {date} {date}$")
        for word in range(5, 9):  # acts, journal, event, standing
            self.write("forged.txt", text.replace(line, self.other_digit(line, word)))
            _, talk = self.must("verify", "forged.txt", status=6)
            self.assertIn("the signature of anna, on ", talk)
            self.assertNotEqual(self.verify_beside("forged.txt").returncode, 0)
        self.write("forged.txt", text.replace(line, line[:-2]))
        self.assertIn("not a line of the head", self.must("verify", "forged.txt", status=6)[1])

    def test_a_signature_does_not_cover_another_root_that_is_given(self):
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("duel", "random", "greedy", "--pairs", "2", "--results", "other.db", "--quiet")
        for name in ("r", "other"):
            self.must("export", name + ".db", "--records", "-o", name + ".txt")
        signed = re.search(r"^root .*\nsigned .*\n(games .*\n)", self.text("r.txt"), re.M)
        theirs = re.search(r"^root (.*)\n(games .*\n)", self.text("other.txt"), re.M)
        self.assertEqual(signed[1], theirs[2], "the numbers of games do not tell the two apart")
        self.write("forged.txt", self.text("other.txt").replace(theirs[0], signed[0]))
        _, talk = self.must("verify", "forged.txt", "--root", theirs[1], "--signer", "anna.pub", status=6)
        self.assertIn("the signature of anna, on ", talk)
        self.assertIn("does not fit these results", talk)
        self.assertIn("does not fit", self.verify_beside("forged.txt", theirs[1]).stderr)

    def test_an_extended_event_needs_another_signature(self):
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("duel", "random", "greedy", "--pairs", "3", "--results", "r.db", "--quiet")
        self.assertNotIn("signed:", self.must("verify", "r.db")[0])
        _, talk = self.must("verify", "r.db", "--signer", "anna.pub", status=6)
        self.assertIn("not signed by the key of anna", talk)
        self.must("sign", "r.db", "--key", "anna.key")
        self.must("verify", "r.db", "--signer", "anna.pub")

    def test_another_key_and_a_changed_head_are_found(self):
        self.must("sign", "r.db", "--key", "anna.key")
        self.assertIn("not signed by the key of bert, fingerprint ", self.must("verify", "r.db", "--signer", "bert.pub", status=6)[1])
        self.must("export", "r.db", "--records", "-o", "r.txt")
        text = self.text("r.txt")
        line = re.search(r"^signed .*\n", text, re.M)[0]
        for forged, said in ((text.replace(line, line.replace("anna", "bert")), "the signature of bert, on "),
                             (text.replace(line, line[:-3] + "\n"), "not a line of the head"),
                             (text.replace(line, "").replace(HEAD, line + HEAD, 1), "not a line of the head")):
            self.write("forged.txt", forged)
            self.assertIn(said, self.must("verify", "forged.txt", status=6)[1])

    def test_a_key_that_cannot_be_used_signs_nothing(self):
        before = self.dump()
        os.chmod(self.path("anna.key"), 0o644)
        for key, said in (("anna.key", "chmod 600 anna.key"), ("bert.pub", "a public key; needs"), ("r.db", "not a key file"),
                          ("none.key", "none.key: No such file")):
            self.assertIn(said, self.must("sign", "r.db", "--key", key, status=2)[1])
        self.assertIn("a name has 1 to 64 characters", self.must("keygen", "--sign", "a/b", status=2)[1])
        self.assertEqual(self.dump(), before)
        self.assertFalse(os.path.exists(self.path("r.db-wal")))


main()
