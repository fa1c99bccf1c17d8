"""Every command has a manual page with all of its help's content, and groff reports no error."""
import os
import re
import subprocess

from harness import BIN, Case, main

PAGES = os.path.join(os.path.dirname(BIN), "man", "man1")


class Pages(Case):
    def rendered(self, name):
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-Kutf8", "-P-cbou",
                               "-rLL=4000n", "-dAD=l", "-rHY=0", os.path.join(PAGES, name + ".1")],
                              text=True, capture_output=True, timeout=60, check=True)
        self.assertEqual(done.stderr, "", name)
        return re.sub(r"[\s\u2010]+", " ", done.stdout.replace("\u2019", "'"))

    def commands(self):
        return re.findall(r"^  ([a-z][a-z-]*) +(.*)$", self.must("--help")[0], flags=re.M)

    def test_every_command_has_a_page(self):
        names = {name for name, _ in self.commands()}
        self.assertGreater(len(names), 15)
        self.assertEqual({f"bgref-{name}.1" for name in names} | {"bgref.1"},
                         set(os.listdir(PAGES)))

    def test_the_pages_contain_the_help(self):
        for name, _ in self.commands():
            with self.subTest(name):
                page = self.rendered("bgref-" + name)
                for heading in ("NAME", "SYNOPSIS", "DESCRIPTION"):
                    self.assertIn(f" {heading} ", page)
                # The number of cores is this machine's, but the page is for all machines.
                said = re.sub(r"\d+,\s+the\s+cores", "the cores", self.must(name, "--help")[0])
                words = said.split("Mandatory or optional")
                end = words[1].split("short options.")[1] if len(words) > 1 else ""
                # Words, not lines: --help breaks lines elsewhere.
                for word in (words[0] + end).split()[1:]:
                    if word not in ("or:", "What", "How"):
                        self.assertIn(word.rstrip(":"), page)

    def test_the_first_page(self):
        page = self.rendered("bgref")
        for name, short in self.commands():
            self.assertIn(f"bgref-{name}(1) {short}", page)
        for part in ("EXIT STATUS 0 Done", "5 The referee's environment failed", "BGREF_ENDPOINT"):
            self.assertIn(part, page)


main()
