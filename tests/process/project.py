"""Projects of `bgref new-bot`, made and built as their README says."""
import os
import subprocess

from harness import BIN, Case

BUILD_S = 900  # Rust and its packages, beside other tests


class ProjectCase(Case):
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
