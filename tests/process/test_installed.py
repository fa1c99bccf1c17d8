"""The result of `cmake --install`: pages with valid links, messages that name existing files, completions that
offer every command and option, and a program that runs in its place."""
import os
import re
import subprocess
import tempfile

from harness import BIN, Case, main
from harness import read as read_bytes

BUILD = os.path.dirname(BIN)
OPTION = re.compile(r"^ {2,6}(?:-\w(?: \w+)?, )?(--[a-z][\w-]*)", flags=re.M)  # as a help lists it
NAMED = re.compile(r"[^\s'\"(`\[]*docs/[\w./-]*\w")


def read(*path):
    return read_bytes(os.path.join(*path)).decode()


class Installed(Case):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="bgref-installed-")
        cls.addClassCleanup(holder.cleanup)
        cls.prefix = os.path.join(holder.name, "here")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)
        # With DESTDIR, as for packages: the same tree, under its final prefix.
        cls.stage = os.path.join(holder.name, "stage")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", "/usr"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "DESTDIR": cls.stage})

    def said(self, *words, root=None):
        done = self.run_program(os.path.join(root or self.prefix, "bin/bgref"), *words)
        return done.stdout + done.stderr

    def commands(self):
        return re.findall(r"^  ([a-z][a-z-]*) +", self.said("--help"), flags=re.M)

    def assert_there(self, text, where):
        """Every document that the text names is a file; returns the number of names."""
        named = NAMED.findall(" ".join(text.split()))
        for name in named:
            self.assertTrue(name.startswith("/") and os.path.exists(name), f"{where} names {name}")
        return len(named)

    def test_the_same_tree_in_a_stage(self):
        def files(root):
            return sorted(os.path.relpath(os.path.join(folder, name), root)
                          for folder, _, names in os.walk(root) for name in names)
        self.assertEqual(files(self.prefix), files(os.path.join(self.stage, "usr")))
        for name in ("docs/event.yaml", "docs/events.schema.json", "docs/protocol.md", "docs/bot-guide.md",
                     "docs/running.md", "docs/bots.yaml", "docs/olympiad.yaml", "README.md", "LICENSE", "CHANGELOG.md",
                     "proto/bgref.proto"):
            self.assertTrue(os.path.exists(os.path.join(self.prefix, "share/doc/bgref", name)), name)
        self.assertTrue(os.path.exists(os.path.join(self.prefix, "share/bgref/bgref.proto")))

    def test_links_of_the_pages_hold(self):
        links = 0
        for folder, _, names in os.walk(os.path.join(self.prefix, "share/doc/bgref")):
            for name in names:
                if not name.endswith(".md") or name == "CHANGELOG.md":
                    continue
                for link in re.findall(r"\]\(([^)#\s]+)", read(folder, name)):
                    if "://" not in link:
                        links += 1
                        self.assertTrue(os.path.exists(os.path.join(folder, link)), f"{name}: {link}")
        self.assertGreater(links, 50)

    def test_messages_name_files_that_are_there(self):
        named = 0
        for words in [(name, "--help") for name in self.commands()] + [
                ("rules",), ("rules", "plakoto"), ("rules", "tavli"), ("doctor",)]:
            named += self.assert_there(self.said(*words), " ".join(words))
        self.assertGreater(named, 10)
        self.write("e.yaml", "name: e\nzzzzzzzz: 1\nbots: [random, greedy]\n")
        self.assertEqual(self.assert_there(self.said("tournament", "e.yaml"), "an unknown key"), 1)
        for name in os.listdir(os.path.join(self.prefix, "share/man/man1")):
            self.assert_there(read(self.prefix, "share/man/man1", name), name)
        self.assertIn("/usr/share/doc/bgref/docs/event.yaml",
                      read(self.stage, "usr/share/man/man1/bgref-tournament.1"))

    def test_the_remedy_for_messages_not_made_works(self):
        bot = self.write("mine.py", "#!/usr/bin/python3\nimport bgref_pb2\n")
        os.chmod(bot, 0o755)
        remedy, = set(re.findall(r"'(protoc [^']*)'", self.said("duel", bot, "greedy", "--pairs", "1", "--sandbox",
                                                                "off", "--results", "r.db")))
        subprocess.run(remedy.split(), cwd=self.folder, check=True)
        self.assertTrue(os.path.exists(self.path("bgref_pb2.py")))

    def test_the_program_runs_in_its_stage(self):
        text = self.said("duel", "random", "greedy", "--pairs", "2", "--length", "1", "--sandbox", "off",
                         "--results", "r.db", root=os.path.join(self.stage, "usr"))
        self.assertIn("over 4 matches", text)

    def completed(self, *words):
        """Bash's completions of the last word."""
        script = os.path.join(self.prefix, "share/bash-completion/completions/bgref")
        typed = " ".join(f"'{word}'" for word in [os.path.join(self.prefix, "bin/bgref"), *words])
        done = subprocess.run(["bash", "-c", f'. "{script}"; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; '
                               '_bgref; printf "%s\\n" "${COMPREPLY[@]}"'], cwd=self.folder,
                              env=self.environment, text=True, capture_output=True, timeout=60, check=True)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_bash_completes_commands_options_bots_and_games(self):
        self.assertEqual(self.completed(""), set(self.commands()))
        for name in self.commands():
            listed = set(OPTION.findall(self.said(name, "--help")))
            self.assertEqual(listed - self.completed(name, "-"), set(), name)
        self.assertIn("--jacoby", self.completed("duel", "random", "greedy", "--ja"))
        self.assertLessEqual({"random", "greedy", "gnubg", "python"}, self.completed("duel", ""))
        self.assertEqual(self.completed("duel", "gre"), {"greedy"})
        self.assertLessEqual({"plakoto", "long-nardi"}, self.completed("duel", "--variant", ""))
        self.assertEqual(self.completed("rules", "plak"), {"plakoto"})

    def test_zsh_is_offered_the_same(self):
        text = read(self.prefix, "share/zsh/site-functions/_bgref")
        self.assertTrue(text.startswith("#compdef bgref\n"))
        for name in self.commands():
            self.assertIn(f"        '{name}:", text)
            part = text.split(f"    ({name}) _arguments")[1].split(" ;;")[0]
            for option in OPTION.findall(self.said(name, "--help")):
                self.assertRegex(part, f"'{option}=?\\[")


main()
