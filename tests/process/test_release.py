"""tools/release: what it refuses changes nothing; what it makes is the tag, an archive that repeats, and digests."""
import hashlib
import os
import shutil
import subprocess

from harness import Case, main, read

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = {
    "CMakeLists.txt": "project(bgref VERSION 1.2.3 LANGUAGES C)\n",
    "CITATION.cff": "version: 1.2.3\n",
    "CHANGELOG.md": "# Changes\n\n## 1.2.3 (2026-01-02)\n",
    "tools/package": "#!/bin/sh\necho package > \"$1/bgref.deb\"\n",
}


class Release(Case):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("r/tools"))
        shutil.copy(os.path.join(SOURCE, "tools", "release"), self.path("r/tools"))
        for name, text in FILES.items():
            self.change(name, text)
        os.chmod(self.path("r/tools/package"), 0o755)
        self.git("init", "-q")
        self.commit()

    def change(self, name, text):
        with open(self.path("r/" + name), "w", encoding="utf-8") as out:
            out.write(text)

    def git(self, *words):
        done = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.path("r"), check=True,
                              stdout=subprocess.PIPE, text=True)
        return done.stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a change")

    def release(self, *words):
        return subprocess.run(["tools/release", *words], cwd=self.path("r"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False,
                              env={**os.environ, "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"})

    def test_a_release_is_a_tag_and_an_archive_that_repeats(self):
        digests = set()
        for folder in ("one", "two"):
            done = self.release("1.2.3", self.path(folder))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.git("tag"), "v1.2.3\n")
            digest = hashlib.sha256(read(self.path(folder + "/bgref-1.2.3.tar.gz"))).hexdigest()
            self.assertIn(f"{digest}  bgref-1.2.3.tar.gz\n", done.stdout)
            self.assertIn("./bgref.deb\n", done.stdout)
            digests.add(digest)
            self.git("tag", "-d", "v1.2.3")
        self.assertEqual(len(digests), 1)

    def test_what_it_refuses_changes_nothing(self):
        def refuses(words, message):
            done = self.release(*words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertEqual(self.git("tag"), "")
            self.assertFalse(os.path.exists(self.path("out")))

        out = self.path("out")
        refuses((), "Usage: tools/release VERSION")
        refuses(("1.2", out), "'1.2' is no version")
        refuses(("1.2.4", out), "CMakeLists.txt: project() has another version")
        for name, text, message in (("CITATION.cff", "version: 1.2.2\n", "CITATION.cff"),
                                    ("CHANGELOG.md", "## 1.2.3 (not yet released)\n", "no heading '## 1.2.3 (YYYY-MM-DD)'")):
            self.change(name, text)
            refuses(("1.2.3", out), "not committed")
            self.commit()
            refuses(("1.2.3", out), message)
            self.git("revert", "--no-edit", "HEAD")
        os.mkdir(self.path("there"))
        refuses(("1.2.3", self.path("there")), "there exists")
        self.git("tag", "v1.2.3")
        done = self.release("1.2.3", out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the tag v1.2.3 exists", done.stderr)


main()
