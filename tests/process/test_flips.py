"""After any outside change of a results database no table, report or export shows a different figure, unless it
refuses the database or bgref verify reports the change.

Changes from a seed: every table and column, rows that are removed or inserted, and single bytes of the file.
`test_flips.py BIN --flips N` tries N of each kind in each event, `--seed S` uses other changes."""
import os
import random
import re
import shutil
import sqlite3
import sys

from harness import BIN, ROGUE, Case, main
from seal import seal_again

VIEWS = (("rate",), ("rate", "--json"), ("report", "--text"), ("report", "--json"),
         ("report", "--html", "-o", "-"), ("export", "--canonical"), ("export", "--records"),
         ("export", "-f", "csv"), ("export", "-f", "json"), ("export", "-f", "xgid"),
         ("export", "--set-aside", "-f", "csv"), ("show",), ("faults",))


def option(name, default):
    if name not in sys.argv:
        return default
    at = sys.argv.index(name)
    value = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]
    return value


FLIPS = option("--flips", 20)
SEED = option("--seed", 1)


def other(value, chance, column):
    """Another value of this kind: the next one, one with a digit or letter changed, or another row's."""
    if isinstance(value, int):
        return chance.choice([value + 1, value - 1, 1 - value, value + 1000])
    if isinstance(value, float):
        return chance.choice([-value, value + 0.5, 0.0])
    if value is None or chance.random() < 0.2:
        return chance.choice([one for one in column if one != value] or ["1"])
    if not value:
        return b"\x01" if isinstance(value, bytes) else "1"
    at = chance.randrange(len(value))
    if isinstance(value, bytes):
        return value[:at] + bytes([value[at] ^ (1 << chance.randrange(8))]) + value[at + 1:]
    digits = [i for i, letter in enumerate(value) if letter.isdigit()]
    at = chance.choice(digits) if digits else at
    return value[:at] + str((int(value[at]) + 1) % 10 if digits else "x") + value[at + 1:]


class Flips(Case):
    def flip_value(self, path, chance):
        with sqlite3.connect(path) as database:
            table, columns = chance.choice(self.columns(database))
            column = chance.choice(columns)
            every = database.execute(f"SELECT {','.join(columns)} FROM {table}").fetchall()
            row, at = chance.choice(every), columns.index(column)
            value = other(row[at], chance, [one[at] for one in every])
            database.execute(f"UPDATE {table} SET {column}=? WHERE {' AND '.join(f'{name} IS ?' for name in columns)}",
                             (value, *row))
            where = dict(zip(columns, row))
        database.close()
        name = {key: where[key] for key in where if key in ("key", "a", "b", "pair", "leg", "bot", "judge")}
        return f"UPDATE {table} {name}: {column} {str(row[at])[:60]!r} -> {str(value)[:60]!r}"

    def flip_row(self, path, chance):
        with sqlite3.connect(path) as database:
            table, columns = chance.choice(self.columns(database))
            every = database.execute(f"SELECT {','.join(columns)} FROM {table}").fetchall()
            row = chance.choice(every)
            if chance.random() < 0.5:
                database.execute(f"DELETE FROM {table} WHERE {' AND '.join(f'{name} IS ?' for name in columns)}", row)
                said = f"DELETE FROM {table} {str(row)[:100]}"
            else:
                new = list(row)
                while tuple(new) in every:
                    at = chance.randrange(len(columns))
                    new[at] = other(new[at], chance, [one[at] for one in every])
                database.execute(f"INSERT OR REPLACE INTO {table}({','.join(columns)}) VALUES({','.join('?' * len(new))})", new)
                said = f"INSERT INTO {table} {str(new)[:100]}"
        database.close()
        return said

    def flip_byte(self, path, chance):
        with open(path, "r+b") as file:
            at = chance.randrange(os.path.getsize(path))
            file.seek(at)
            byte = file.read(1)[0] ^ (1 << chance.randrange(8))
            file.seek(at)
            file.write(bytes([byte]))
        return f"byte {at} becomes {byte}"

    @staticmethod
    def columns(database):
        """Tables with rows, with the columns that can be written."""
        names = [name for name, in database.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        return [(name, [column[1] for column in database.execute(f"PRAGMA table_info({name})")])
                for name in sorted(names) if database.execute(f"SELECT 1 FROM {name}").fetchone()]

    def views(self):
        """The output of each view of flipped/r.db, or None if it refuses."""
        shown = []
        for words in VIEWS:
            done = self.run_bgref(words[0], "r.db", *words[1:])
            shown.append(done.stdout if done.returncode == 0 else None)
        return shown

    def flip(self):
        """Changes r.db in every way in turn."""
        original, missed, refused = self.path("r.db"), [], 0
        with sqlite3.connect(original) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        kept = self.path("kept")
        shutil.copy(original, kept)
        clean = self.views()
        self.assertEqual(clean, self.views())
        self.assertGreater(sum(one is not None for one in clean), 10)
        self.must("verify", "r.db")
        for kind in (self.flip_value, self.flip_row, self.flip_byte):
            for number in range(FLIPS):
                for end in ("", "-wal", "-shm"):
                    if os.path.exists(original + end):
                        os.unlink(original + end)
                shutil.copy(kept, original)
                try:
                    said = kind(original, random.Random(f"{SEED} {kind.__name__} {number}"))
                except sqlite3.IntegrityError:
                    continue
                if self.run_bgref("verify", "r.db").returncode != 0:
                    refused += 1
                    continue
                for words, before, now in zip(VIEWS, clean, self.views()):
                    if now is not None and now != before:
                        missed.append(f"{said}: {' '.join(words)} shows another figure")
                        break
        print(f"{self.id()}: {3 * FLIPS} changes, {refused} refused by verify, {len(missed)} missed")
        self.assertEqual(missed, [], "\n" + "\n".join(missed))

    def play_money(self):
        """Returns the root."""
        self.event_file(event="flips", results="r.db", bots=["greedy", "random", f'{{name: rogue, cmd: "{ROGUE} --after 40 wrong-die"}}'],
                        pairs=4, length=0, quarantine=3, seed=5)
        out, _ = self.must("tournament", "event.yaml", "--quiet", status=7)  # fixtures were not played
        self.must("judge", "r.db", "--judge", "greedy", "--errors", "--quiet")
        for table in ("unplayed", "fault", "judgement", "lost"):
            self.assertTrue(self.rows(f"SELECT 1 FROM {table}"), table)
        return re.search(r"^root: (\S+)$", out, re.M)[1]

    def test_money_event_with_faults_and_judgements(self):
        self.play_money()
        self.flip()

    def test_a_recomputed_seal_does_not_match_the_root(self):
        """If someone changes rows and makes a new seal for them, the other rows detect it, or the root."""
        root = self.play_money()
        seal_again(self.path("r.db"))
        self.must("verify", "r.db", "--root", root)  # without a deed nothing has changed
        shutil.copy(self.path("r.db"), self.path("kept"))
        for deed, message in (
                ("DELETE FROM unplayed WHERE a='greedy'", "the root of"),
                ("INSERT INTO unplayed(a,b,pair,leg,bot,why) VALUES('greedy','random',9,0,'random','quarantined')", "the root of"),
                ("UPDATE unplayed SET bot=a", "the root of"), ("UPDATE unplayed SET why='ill'", "the root of"),
                ("DELETE FROM fault WHERE number=1", "the evidence of the fault is missing"),
                ("UPDATE fault SET bot='greedy'", "was lost by another fault"),
                ("UPDATE fault SET fault='late'", "was lost by another fault"),
                ("UPDATE fault SET story='it was late', reply=NULL", "the root of"),
                ("UPDATE game SET fault='late' WHERE fault IS NOT NULL", "the columns beside the record"),
                ("INSERT INTO fault(bot,fault,story) VALUES('random','start','it did not start')", "the root of"),
                ("UPDATE meta SET value='bank=60s' WHERE key='event.clock'", "setting event.clock of the event is"),
                ("UPDATE meta SET value='nackgammon' WHERE key='event.variant'", "setting event.variant of the event is"),
                ("UPDATE meta SET value='2' WHERE key='event.pairs'", "the root of"),
                ("UPDATE meta SET value='strangers' WHERE key='event.trust'", "setting event.trust of the event is"),
                ("UPDATE meta SET value='winter' WHERE key='event.event'", "setting event.event of the event is"),
                ("UPDATE meta SET value=replace(value,'greedy 0','greedy 9') WHERE key='program.greedy'", "the root of"),
                ("UPDATE meta SET value='0000'||substr(value,5) WHERE key='program.greedy'", "which the results do not list for it"),
                ("DELETE FROM meta WHERE key='program.greedy'", "the root of"),
                ("INSERT INTO meta VALUES('results.counted','1')", "the root of"),
                ("INSERT INTO attempt VALUES('greedy','random',0,1,'shown','2026-01-01T00:00:00Z',0)", "the root of"),
                ("UPDATE judgement SET choices=replace(choices,' 0 play',' 1 play')", "no choice by that bot"),
                ("UPDATE judgement SET rolls=replace(rolls,char(10)||'2 0 ',char(10)||'2 1 ')", "no roll by that bot"),
                ("UPDATE encounter SET total=(SELECT total FROM encounter WHERE b='random')", "is not what their games give"),
                ("DELETE FROM encounter", "the tally lacks the games of"),
                ("UPDATE lost SET games=9", "the tally has 9 games that rogue lost by a fault, which the games do not give"),
                ("DELETE FROM lost", "the tally lacks games that were lost by a fault"),
                ("DELETE FROM game WHERE b='rogue'", "is not what their games give"),
                ("DELETE FROM game WHERE pair=3", "is not what their games give")):
            with self.subTest(deed):
                shutil.copy(self.path("kept"), self.path("r.db"))
                self.change("r.db", deed)
                seal_again(self.path("r.db"))
                _, printed = self.must("verify", "r.db", "--root", root, status=6)
                self.assertIn(message, printed)

    def test_unproven_columns_are_named(self):
        root = self.play_money()
        printed, _ = self.must("verify", "r.db")
        counts = [self.rows(f"SELECT count(*) FROM {table}")[0][0]
                  for table in ("fault", "unplayed", "judgement")]
        for line in ("faults: %d with evidence", "unplayed: %d fixtures", "not proven: that %d judgements are right"):
            self.assertIn(line % counts.pop(0), printed)
        for line in ("not proven: that this is the root that was published", "not proven: what only the referee saw"):
            self.assertIn(line, printed)
        self.assertNotIn("that this is the root", self.must("verify", "r.db", "--root", root)[0])

    def test_a_changed_tally_is_not_trusted(self):
        self.play_money()
        clean = self.must("rate", "r.db")[0]
        for deed in ("UPDATE encounter SET total=(SELECT total FROM encounter WHERE b='random')",
                     "DELETE FROM encounter", "UPDATE lost SET games=9"):
            self.change("r.db", deed)
            self.assertEqual(self.must("rate", "r.db")[0], clean)
            self.must("verify", "r.db", status=6)
        self.must("judge", "r.db", "--judge", "greedy", "--quiet")  # a writer counts it again
        self.must("verify", "r.db")

    def test_runs_with_a_seal_made_for_them_are_counted_again(self):
        """If someone changes the tables' sources and seals them, comparing with the games detects it."""
        self.play_money()
        shutil.copy(self.path("r.db"), self.path("kept"))
        clean = self.must("rate", "r.db")[0]
        for column in ("games", "sums"):
            with self.subTest(column):
                shutil.copy(self.path("kept"), self.path("r.db"))
                (value,), *_ = self.rows(f"SELECT {column} FROM run")
                self.change("r.db", (f"UPDATE run SET {column}=? WHERE {column}=?", (value[:-1] + bytes([value[-1] ^ 1]), value)))
                seal_again(self.path("r.db"), "run")
                self.assertIn("the summary of the games", self.must("verify", "r.db", status=6)[1])
                self.change("r.db", "UPDATE run SET games=x'00'")  # not sealed: not trusted
                self.assertEqual(self.must("rate", "r.db")[0], clean)
                self.assertIn("table run", self.must("verify", "r.db", status=6)[1])

    def test_decided_matches_with_a_restarted_pair(self):
        duel = ("duel", "greedy", "random", "--results", "r.db", "--quiet", "--length", "3", "--pairs", "30",
                "--clock", "bank=60s,inc=1s", "--seed", "3", "-sprt", "elo0=0", "elo1=400", "min_clusters=4", "-concurrency", "2")
        self.must(*duel)
        self.must("desk", "r.db", "replay", "pair=greedy|random|1", "--reason", "it was shown")
        self.must(*duel)
        self.must("judge", "r.db", "--judge", "greedy", "--quiet")
        self.flip()


if __name__ == "__main__":
    assert BIN, "usage: test_flips.py BIN"
    main()
