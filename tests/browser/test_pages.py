#!/usr/bin/python3
"""The pages of bgref watch in a browser: the board by script is the one of C, keys and addresses, nothing from elsewhere, nothing said on the
console, no page wider than its window.

usage: test_pages.py build/release/bin     needs chromium (tools/setup browser)
"""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BGREF = os.path.join(os.path.abspath(sys.argv.pop(1)), "bgref")
WIDTHS = (320, 390, 900, 1280)
POISON = "<img src=x onerror=document.title='poisoned'>"


def pictures():
    """tools/pictures, which knows how to speak to the browser."""
    loader = importlib.machinery.SourceFileLoader("pictures", os.path.join(HERE, "..", "..", "tools", "pictures"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("pictures", loader))
    loader.exec_module(module)
    return module


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.bgref("duel", "greedy", "random", "--pairs", "8", "--seed", "3", "--results", "r.db", "--quiet")
        cls.bgref("judge", "r.db", "--judge", "td", "--errors")
        cls.origin = cls.serve("r.db")
        cls.browser = pictures().Chromium(os.path.join(cls.folder.name, "home"))
        cls.addClassCleanup(cls.browser.process.wait)
        cls.addClassCleanup(cls.browser.process.kill)
        for domain in ("Runtime", "Network", "Log"):
            cls.browser.call(f"{domain}.enable")

    @classmethod
    def serve(cls, results):
        """Starts bgref watch; returns its origin."""
        def end():
            server.terminate()
            assert server.wait(30) == 0
            server.stdout.close()

        server = subprocess.Popen((BGREF, "watch", results), cwd=cls.folder.name, stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(end)
        return server.stdout.readline().strip().rstrip("/")

    @classmethod
    def bgref(cls, *words):
        done = subprocess.run((BGREF, *words), cwd=cls.folder.name, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def evaluate(self, script):
        answer = self.browser.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        self.assertNotIn("exceptionDetails", answer, script)
        return answer["result"].get("value")

    def open(self, path, width=1280):
        """Opens a page and waits for its script."""
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.call("Page.navigate", url=self.origin + path)
        self.assertEqual(self.evaluate("new Promise((done) => document.readyState === 'complete' ? done(1) : addEventListener('load', () => done(1)))"), 1)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key)

    def caption(self):
        return self.evaluate("document.querySelector('.position figcaption').textContent")

    def game(self):
        self.open(self.event() + "games")
        return self.evaluate("new URL(document.querySelector('td a[href*=\"/g/\"], th a[href*=\"/g/\"]').href).pathname")

    def event(self):
        self.open("/")
        return self.evaluate("new URL(document.querySelector('a[href^=\"./e/\"]').href).pathname")

    def test_the_script_draws_as_the_program_does(self):
        self.open(self.event())
        differ = self.evaluate("""(async () => {
            const { drawXgid } = await import(document.querySelector("script").src);
            const same = (one, other) => { const box = document.createElement("template"); box.innerHTML = one;
                return box.content.firstElementChild.outerHTML === other.outerHTML; };
            const figures = [...document.querySelectorAll("figure.position:has(svg)")];
            const wrong = figures.filter((figure) => {
                const svg = figure.querySelector("svg"), label = svg.getAttribute("aria-label");
                const xgid = [...figure.querySelectorAll("code")].map((code) => code.textContent).find((text) => text.startsWith("XGID="));
                return ![0, 1].some((below) => same(drawXgid(xgid, below, label), svg)); });
            return [figures.length, wrong.map((figure) => figure.textContent)]; })()""")
        self.assertGreater(differ[0], 5)
        self.assertEqual(differ[1], [])

    def test_keys_and_addresses_lead_to_a_step(self):
        path = self.game()
        self.open(path)
        last = self.caption()
        steps = self.evaluate("document.querySelectorAll('table[data-table=turns] tbody tr').length")
        self.press("Home")
        self.assertRegex(self.caption(), r"\Astep 1: opening")
        self.press("ArrowRight")
        self.press("ArrowRight")
        self.assertRegex(self.caption(), r"\Astep 3: ")
        self.press("ArrowLeft")
        self.assertRegex(self.caption(), r"\Astep 2: \w+ plays ")
        self.assertEqual(self.evaluate("location.hash"), "#t=2")
        before = self.evaluate("document.querySelector('svg.board').outerHTML")
        self.press("f")
        self.assertNotEqual(self.evaluate("document.querySelector('svg.board').outerHTML"), before)
        self.press("f")
        self.assertEqual(self.evaluate("document.querySelector('svg.board').outerHTML"), before)
        self.press("End")
        self.assertEqual(self.caption(), last)
        self.open(path + "#t=12")
        self.assertRegex(self.caption(), r"\Astep 12: ")
        self.evaluate(f"document.querySelectorAll('table[data-table=turns] tbody tr')[{steps - 1}].click()")
        self.assertRegex(self.caption(), rf"\Astep {steps}: ")
        self.assertEqual(self.evaluate("document.querySelectorAll('tr[data-now]').length"), 1)

    def test_a_game_of_three_checkers_has_none_off_at_first(self):
        self.bgref("duel", "random", "random", "--variant", "hypergammon", "--pairs", "1", "--seed", "1", "--results", "three.db", "--quiet")
        self.addCleanup(setattr, self, "origin", self.origin)
        self.origin = self.serve("three.db")
        self.open(self.game() + "#t=2")
        self.assertEqual(self.evaluate("document.querySelectorAll('svg.board circle[r=\"9\"]').length"), 6)
        self.assertEqual(self.evaluate("document.querySelectorAll('svg.board rect[height=\"4\"]').length"), 0)

    def test_no_page_is_wider_than_its_window_or_asks_elsewhere(self):
        for path in ("/", self.event(), self.event() + "games", self.game()):
            for width in WIDTHS:
                self.open(path, width)
                self.assertLessEqual(self.evaluate("document.documentElement.scrollWidth"), width, path)
            asked = self.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
            self.assertGreaterEqual(len(asked), 2)
            self.assertTrue(all(name.startswith(self.origin + "/") for name in asked), asked)

    def test_a_name_with_markup_is_text(self):
        self.bgref("export", "r.db", "--format", "mat", "--out", "games.mat")
        path = os.path.join(self.folder.name, "games.mat")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("greedy", POISON))
        self.bgref("import", "games.mat", "--results", "poisoned.db")
        self.addCleanup(setattr, self, "origin", self.origin)
        self.origin = self.serve("poisoned.db")
        for page in ("/", self.event(), self.game()):
            self.open(page)
            self.assertEqual(self.evaluate("document.querySelectorAll('img').length"), 0)
            self.assertNotEqual(self.evaluate("document.title"), "poisoned")
        self.open(self.event())
        self.assertIn("<img", self.evaluate("document.body.textContent"))

    def test_the_console_stays_empty(self):
        for path in ("/", self.event(), self.event() + "games", self.game()):
            self.open(path)
        self.assertEqual(self.browser.said, [])


if __name__ == "__main__":
    unittest.main()
