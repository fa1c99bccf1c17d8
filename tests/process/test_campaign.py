"""Two hundred random games of every game of the rule book through the real referee."""
import os
import re
import subprocess

from harness import BIN, Case, main

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CAMPAIGN = os.path.join(ROOT, "tools", "campaign-games")


class Campaign(Case):
    def test_random_games_of_every_game_end_without_a_fault(self):
        done = subprocess.run([CAMPAIGN, "--games", "200", "--bin", BIN], text=True,
                              capture_output=True, env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = re.search(r"^game  .*\n\n?((?:.+\n)+)", done.stdout, re.M).group(1).count("\n")
        self.assertGreaterEqual(rows, 25)
        self.assertIn(f"\n{rows} of {rows} games as they should be\n", done.stdout)


main()
