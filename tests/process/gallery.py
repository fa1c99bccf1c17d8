"""The gallery of rogues together with honest bots: events with them, and the checks of each event."""
import os
import re
import subprocess
import threading
import time

from harness import BGREF, LONGEST_S, ROGUE, Case, kill, read

HONEST = ("random", "greedy", "python")
# Deeds that need a position which does not occur in every event.
RARE = {"lower-die", "two-ways", "bear-higher", "past-bar", "resign-again", "cube-raise",
        "thief"}  # needs a rival that is just starting
SILENT = {"silent", "sleep-forever", "stopped", "old-number"}
CLOCKED = {"late", "late-early", "think", "think-threads", "think-children"}
DOORS = {"drip", "gigabyte", "endless-parts", "flood-pings", "odd-flags", "many-connections",
         "half-handshake", "lost-connections", "req-socket", "fixed-name", "reconnect-storm"}
MEMORY_KIB = 64 * 1024  # the referee's memory limit, whatever bots do
SANITIZED = b"__asan_init" in read(BGREF)
ORDINARY_USER = 65534
GNUBG = next((path for path in ("/usr/games/gnubg", "/usr/bin/gnubg") if os.path.exists(path)), None)


def deeds():
    """name -> (allowed faults, rule)."""
    listed = subprocess.run([ROGUE, "--list"], check=True, capture_output=True, text=True).stdout
    table = {}
    for line in listed.splitlines():
        name, fault, rule, does = line.split("\t")
        assert does, name
        table[name] = (set() if fault == "-" else set(fault.split(",")), rule)
    return table


DEEDS = deeds()


def those(wanted):
    return [name for name, (faults, rule) in DEEDS.items() if wanted(name, faults, rule)]


class Gallery(Case):
    most_kib = 0
    secrets = frozenset()  # tokens of the bots' processes, and the key of the dice, while it is secret

    def event(self, names, honest=HONEST, also="", **settings):
        lines = ["event: rogues", "bots:", *(f"  - {bot}" for bot in honest)]
        for name in names:
            more = ', clock: "move=500ms"' if name in CLOCKED else ""
            lines.append(f'  - {{name: {name}, cmd: "{ROGUE} {name}{also}"{more}}}')
        keys = {"length": 0, "pairs": 1, "seed": 5, "ceiling": "20s", "quarantine": 2,
                "concurrency": 8, "instances": 1, "absent": "unplayed", "start": "20s",
                "memory": "600M", **settings}
        lines += [f"{key}: {value}" for key, value in keys.items() if value is not None]
        self.write("event.yaml", "\n".join(lines) + "\n")
        self.play()
        self.assert_nothing_lives()
        self.check(names, honest, 2 * keys["pairs"])

    def play(self):
        """Runs the event to its end; watches the referee's memory and collects secrets meanwhile."""
        words = ("tournament", "event.yaml", "--results", "r.db", "--quiet")
        referee = self.begin(*words)
        watch = threading.Thread(target=self.watch, args=(referee,))
        watch.start()
        try:
            out, talk = referee.communicate(timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            kill(referee)
            self.fail("the event does not end")
        finally:
            watch.join()
        self.assertIn(referee.returncode, (0, 7), talk)  # 7: rogues were left out or given up
        if not SANITIZED:
            self.assertLess(self.most_kib, MEMORY_KIB, "the referee's memory in KiB")
        self.check_secrets(out + talk)

    def check_secrets(self, said):
        """What was printed, the faults with their evidence, and the records have no token and no key that was secret."""
        self.assertTrue(any(len(secret) < 64 for secret in self.secrets), "no process with a token was seen")
        said += "".join(map(str, self.rows("select * from fault"))) + "".join(
            record for record, in self.rows("select record from game"))
        for secret in self.secrets:
            self.assertNotIn(secret, said)

    def look_for_secrets(self):
        environments = []
        for pid in self.descendants():
            try:
                environments.append(read(f"/proc/{pid}/environ").decode("latin-1"))
            except OSError:
                continue
        found = {token for text in environments for token in re.findall(r"BGREF_TOKEN=(\w+)", text)}
        try:
            found.add(read(self.path("r.db.key")).decode().split()[-1])
        except OSError:  # with a seed there is none; at the end there is none any more
            pass
        self.secrets |= found

    def watch(self, referee):
        """The largest memory of the referee (the kernel's high-water mark), in KiB."""
        rounds = 0
        while referee.poll() is None:
            if rounds % 25 == 0:
                self.look_for_secrets()
            rounds += 1
            try:
                status = read(f"/proc/{referee.pid}/status").decode()
            except OSError:
                return
            held = re.search(r"VmHWM:\s+(\d+) kB", status)
            self.most_kib = int(held[1]) if held else self.most_kib
            time.sleep(0.02)

    def check(self, names, honest, games):
        found = {}
        for bot, fault, rule, message in self.rows("select bot, fault, rule, story from fault"):
            found.setdefault(bot, []).append((fault, rule or "-", message))
        for name in names:
            faults, rule = DEEDS[name]
            seen = found.pop(name, [])
            self.assertLessEqual({fault for fault, _, _ in seen}, faults, f"{name}: {seen}")
            self.assertLessEqual({number for _, number, _ in seen}, {rule}, f"{name}: {seen}")
            if faults and not (name in RARE and games < 4):
                self.assertTrue(seen, f"{name} was never found out")
        self.assertEqual(found, {}, "honest bots are blamed")
        good = [*honest, *(name for name in names if not DEEDS[name][0])]
        played = {(a, b): n for a, b, n in self.rows(
            "select a, b, count(*) from game where match_over group by a, b")}
        for a in good:
            for b in good:
                if a < b:
                    self.assertEqual(played.get((a, b)), games, f"{a} against {b}")

    def honest_games(self, honest):
        """The canonical records of games between honest bots, by their ids."""
        games = {}
        for text in self.canonical("r.db").split("\n\n"):
            words = text.split("\n", 1)[0].split(" ", 1)
            if words[0] == "id" and set(words[1].split("|")[:2]) <= set(honest):
                games[words[1]] = text
        return games

    def all_at_once(self, deeds):
        """Deeds together with honest bots; the honest bots' games must equal those of a run without rogues.
        Those that only wait for the ceiling are left out: so many others keep the cores busy that one which
        has to be found out otherwise, like a hog of memory, needs a long ceiling."""
        honest = [*HONEST, *(["gnubg"] if GNUBG else [])]
        self.event([name for name in deeds if name not in SILENT], honest, ceiling="60s", start="20s",
                   concurrency=40)
        beside = self.honest_games(honest)
        print(f"referee beside {len(deeds)} rogues: {self.most_kib} KiB,", self.lag())
        self.forget()
        self.event([], honest)
        quiet = self.honest_games(honest)
        self.assertEqual(len(quiet), len(honest) * (len(honest) - 1))
        self.assertEqual(beside, quiet, "rogues beside them change the games of honest bots")

    def forget(self):
        """Removes the results before the next event."""
        for name in os.listdir(self.folder):
            if name.startswith("r.db"):
                os.remove(self.path(name))

    def lag(self):
        return " ".join(word for value, in self.rows("select value from meta where key like 'run.%'")
                        for word in value.split() if word.startswith("lag_"))
