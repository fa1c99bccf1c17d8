"""Two hundred random games of every game of the rule book through the real referee."""
import os
import subprocess

from harness import BIN, Case, main

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CAMPAIGN = os.path.join(ROOT, "tools", "campaign-games")


class Campaign(Case):
    def test_random_games_of_every_game_end_without_a_fault(self):
        done = subprocess.run([CAMPAIGN, "--games", "200", "--bin", BIN], text=True,
                              capture_output=True, env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("25 of 25 games as they should be", done.stdout)


if __name__ == "__main__":
    main()
