"""Rogues all at once, for a user who is not root, and those at the door with few descriptors."""
import os

from gallery import DEEDS, DOORS, ORDINARY_USER, SILENT, Gallery, those
from harness import main

FEW = 256
AT_ONCE = 24  # this number of rogues fits beside the honest bots


class Elsewhere(Gallery):
    def test_all_at_once_as_an_ordinary_user(self):
        if os.geteuid() == 0:
            os.chmod(self.folder, 0o777)
            self.through = ["setpriv", f"--reuid={ORDINARY_USER}", f"--regid={ORDINARY_USER}",
                            "--clear-groups"]
        self.all_at_once(those(lambda name, faults, rule: faults or name in DOORS))

    def test_few_descriptors(self):
        self.through = ["prlimit", f"--nofile={FEW}:{FEW}"]
        names = [*DOORS, *(name for name in DEEDS if name not in DOORS | SILENT | {"slow-start"})]
        self.event(names[:AT_ONCE], ceiling="60s", start="20s", concurrency=40)


main()
