"""Projects that `bgref new-bot` makes build and play without changes, and nothing is overwritten."""
import glob
import os
import shutil
import subprocess
import sys
import unittest

from harness import BGREF, BIN, Case, main

BUILD_S = 900  # Rust and its packages, beside other tests
COMPILED = "--compiled" in sys.argv and not sys.argv.remove("--compiled")
LANGUAGES = ("c", "python", "go", "rust", "javascript")


class Projects(Case):
    def make(self, language, *words):
        out, talk = self.must("new-bot", "mybot", "--lang", language, *words)
        self.assertEqual(talk, "")
        return out

    def commands(self, project):
        """The first block of commands of the project's README."""
        with open(os.path.join(project, "README.md"), encoding="utf-8") as page:
            return page.read().split("```sh\n")[1].split("```")[0].splitlines()

    def follow(self, commands, project):
        """Runs commands as a user would, with this bgref first in PATH and the tools of the system's packages."""
        environment = {**self.environment, "PATH": BIN + ":/usr/bin:/bin"}
        for command in commands:
            done = subprocess.run(["sh", "-c", command], cwd=project, env=environment, text=True,
                                  capture_output=True, timeout=BUILD_S, check=False)
            self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")

    def plays(self, language):
        """The README's three commands work, and the bot also passes the protocol checks."""
        out = self.make(language)
        commands = self.commands(self.path("mybot"))
        self.assertEqual(len(commands), 3)
        for command in commands:
            self.assertIn("    " + command + "\n", out)
        self.assertIn("bgref check --level 0 ./mybot", commands)
        self.assertIn("bgref duel ./mybot random", commands)
        short = [c + " --pairs 5" if c.startswith("bgref duel") else c for c in commands]
        self.follow(short + ["bgref check ./mybot"], self.path("mybot"))

    def rename(self, folder, name):
        os.rename(os.path.join(folder, "mybot"), os.path.join(folder, name))
        return os.path.join(folder, name)

    def test_c(self):
        self.plays("c")

    def test_python(self):
        self.plays("python")

    def test_python_needs_no_build(self):
        self.make("python")
        self.must("duel", "./mybot/mybot", "random", "--pairs", "2")

    def test_every_language_is_filled_in(self):
        for language in LANGUAGES:
            with self.subTest(language):
                os.mkdir(self.path(language))
                self.make(language, "--dir", self.path(language))
                files = [os.path.join(folder, name)
                         for folder, _, names in os.walk(self.path(language)) for name in names]
                self.assertGreater(len(files), 2)
                for file in files:
                    with open(file, encoding="utf-8") as text:
                        words = text.read()
                    self.assertGreater(len(words), 50, file)
                    self.assertNotIn("@NAME@", words, file)
                    self.assertNotIn("@PKGCONFIG@", words, file)

    def test_tools_of_other_languages_accept_their_files(self):
        """As far as their tools are installed; no packages are downloaded here."""
        for language, tool, words in (("javascript", "node", ["node", "--check", "mybot"]),
                                      ("go", "gofmt", ["gofmt", "-e", "main.go", "dealer.go"]),
                                      ("rust", "rustfmt", ["rustfmt", "--emit", "stdout", "src/main.rs"])):
            if shutil.which(tool) is None:
                continue
            with self.subTest(language):
                os.mkdir(self.path(language))
                self.make(language, "--dir", self.path(language))
                subprocess.run(words, cwd=self.path(language + "/mybot"), check=True,
                               stdout=subprocess.DEVNULL, timeout=BUILD_S)

    @unittest.skipUnless(COMPILED, "with --compiled: takes minutes")
    def test_go(self):
        """With Debian's packages instead of those that `go mod tidy` fetches."""
        source = self.path("go/src")
        os.makedirs(source)
        self.make("go", "--dir", source)
        project = self.rename(source, "bot")  # as go.mod calls it
        build, check, duel = self.commands(project)
        self.environment.update(GOPATH=f"{self.path('go')}:/usr/share/gocode", GO111MODULE="off", GOFLAGS="",
                                GOCACHE=self.path("cache"))
        self.follow([build.replace("go mod tidy && ", ""), check, duel + " --pairs 2", "bgref check ./mybot"], project)

    @unittest.skipUnless(COMPILED, "with --compiled: takes minutes")
    def test_rust(self):
        """With Debian's packages instead of those that cargo fetches."""
        if not glob.glob("/usr/share/cargo/registry/prost-0.11.*") and glob.glob("/usr/share/cargo/registry/prost-*"):
            self.skipTest("this system packages another prost than the template's 0.11")
        self.make("rust")
        os.mkdir(self.path("cargo"))
        self.write("cargo/config.toml", '[source.crates-io]\nreplace-with = "debian"\n'
                                        '[source.debian]\ndirectory = "/usr/share/cargo/registry"\n')
        # Unoptimised it is built in half the time, and its bot plays as well.
        self.environment.update(CARGO_HOME=self.path("cargo"), CARGO_NET_OFFLINE="true", CARGO_PROFILE_RELEASE_OPT_LEVEL="0",
                                CARGO_PROFILE_RELEASE_BUILD_OVERRIDE_OPT_LEVEL="0")
        build, check, duel = self.commands(self.path("mybot"))
        self.follow([build, check, duel + " --pairs 2", "bgref check ./mybot"], self.path("mybot"))

    @unittest.skipUnless(COMPILED, "with --compiled: fetches packages")
    def test_javascript(self):
        """Debian 12 packages neither zeromq nor protobufjs: npm fetches them, as the template's README says."""
        if shutil.which("npm") is None:
            self.skipTest("npm is not installed")
        self.make("javascript")
        fetch, check, duel = self.commands(self.path("mybot"))
        project = self.path("mybot")
        fetched = subprocess.run(fetch.split() + ["--no-audit", "--no-fund"], cwd=project, text=True,
                                 env=self.environment, capture_output=True, timeout=BUILD_S, check=False)
        if any(code in fetched.stderr for code in ("ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT")):
            self.skipTest("npm reaches no registry")
        self.assertEqual(fetched.returncode, 0, fetched.stderr)
        self.follow([check, duel + " --pairs 2", "bgref check ./mybot"], project)

    def test_nothing_is_overwritten(self):
        os.mkdir(self.path("mybot"))
        self.write("mybot/main.c", "mine\n")
        for words in (["mybot", "--lang", "c"], ["mybot", "--lang", "python"]):
            done = self.run_bgref("new-bot", *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("mybot is there already", done.stderr)
        self.assertEqual(os.listdir(self.path("mybot")), ["main.c"])
        self.assertEqual(self.text("mybot/main.c"), "mine\n")

    def test_misuse(self):
        for words, part in (
                ([], "needs a name"),
                (["mybot"], "needs --lang"),
                (["mybot", "--lang", "pyton"], "perhaps python?"),
                (["mybot", "--lang", "cobol"], "none of c, python, go, rust, javascript"),
                (["my bot", "--lang", "c"], "is not a valid bot name"),
                (["../mybot", "--lang", "c"], "is not a valid bot name"),
                (["build", "--lang", "c"], "is not a valid bot name"),
                (["-", "--lang", "c"], "is not a valid bot name"),
                (["x" * 65, "--lang", "c"], "is not a valid bot name"),
                (["mybot", "twice", "--lang", "c"], "one name is enough"),
                (["mybot", "--lang", "c", "--dir", "missing"], "missing/mybot: there is no folder missing")):
            with self.subTest(" ".join(words)):
                done = self.run_bgref("new-bot", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(part, done.stderr)
                self.assertEqual(os.listdir(self.folder), [])

    def test_a_full_disk_leaves_nothing(self):
        """Simulated by a limit on file sizes."""
        limited = f"ulimit -f 1; trap '' XFSZ; exec '{BGREF}' new-bot mybot --lang python"
        done = self.run_program("sh", "-c", limited)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("mybot", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


main()
