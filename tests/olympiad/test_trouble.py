"""A short season of trouble: tools/campaign-trouble plays longer ones."""
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "process"))

from harness import BIN, Case, main  # noqa: E402 (needs the path above)

CAMPAIGN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "campaign-trouble")


class Trouble(Case):
    def test_a_season_is_as_it_has_to_be(self):
        done = subprocess.run([CAMPAIGN, "--seeds", "1-1", "--troubles", "8", "--bin", BIN], text=True, capture_output=True,
                              cwd=self.folder, env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("\n1 of 1 seasons were as they have to be\n", done.stdout)


if __name__ == "__main__":
    main()
