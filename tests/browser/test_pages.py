#!/usr/bin/python3
"""The pages of bgref watch in a browser: the board by script is the one of C, keys and addresses, nothing from elsewhere, nothing said on the
console, no page wider than its window.

usage: test_pages.py build/release/bin     needs chromium (tools/setup browser)
"""
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BIN = os.path.abspath(sys.argv.pop(1))
BGREF, DRAWINGS = os.path.join(BIN, "bgref"), os.path.join(BIN, "board_drawings")
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
        drawings = subprocess.run((DRAWINGS,), capture_output=True, text=True, check=True).stdout.split("</svg>\n")[:-1]
        self.open(self.game())
        differ = self.evaluate("""(async (drawings) => {
            const { drawPos } = await import(document.querySelector("script").src.replace("replay", "board"));
            const box = document.createElement("template");
            return drawings.map((text) => text + "</svg>\\n").filter((text) => {
                box.innerHTML = text;
                const svg = box.content.firstElementChild, { pos, below } = svg.dataset;
                return drawPos(pos, Number(below), svg.getAttribute("aria-label")) !== text; });
            })(%s)""" % json.dumps(drawings))
        self.assertGreater(len(drawings), 26 * 10)
        self.assertTrue(any("!" in drawing for drawing in drawings), "no cube is offered")
        self.assertEqual(differ, [])

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

    def test_every_variant_replays_on_the_board(self):
        for variant, checkers in (("hypergammon", 6), ("plakoto", 30), ("fevga", 30)):
            self.bgref("duel", "random", "random", "--variant", variant, "--pairs", "1", "--seed", "1", "--results", f"{variant}.db", "--quiet")
            self.addCleanup(setattr, self, "origin", self.origin)
            self.origin = self.serve(f"{variant}.db")
            self.open(self.game() + "#t=1")
            seen = self.evaluate("document.querySelectorAll('svg.board .c0, svg.board .c1').length + "
                                 "[...document.querySelectorAll('svg.board .n0, svg.board .n1')].reduce((sum, number) => sum + Number(number.textContent) - 5, 0)")
            self.assertEqual(seen, checkers, variant)

    def test_no_page_is_wider_than_its_window_or_asks_elsewhere(self):
        for path in ("/", self.event(), self.event() + "games", self.game()):
            for width in WIDTHS:
                self.open(path, width)
                self.assertLessEqual(self.evaluate("document.documentElement.scrollWidth"), width, path)
            asked = self.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
            self.assertGreaterEqual(len(asked), 1)
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
