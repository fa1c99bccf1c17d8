"""The gallery of rogues for a user who is not root, and with few descriptors."""
import os

from gallery import DEEDS, ORDINARY_USER, Gallery
from harness import main

FEW = 256
AT_ONCE = 24  # this number of rogues fits beside the honest bots


class Elsewhere(Gallery):
    def test_all_at_once_as_an_ordinary_user(self):
        if os.geteuid() == 0:
            os.chmod(self.folder, 0o777)
            self.through = ["setpriv", f"--reuid={ORDINARY_USER}", f"--regid={ORDINARY_USER}",
                            "--clear-groups"]
        self.all_at_once(list(DEEDS))

    def test_few_descriptors(self):
        self.through = ["prlimit", f"--nofile={FEW}:{FEW}"]
        names = list(DEEDS)
        for first in range(0, len(names), AT_ONCE):
            self.event(names[first:first + AT_ONCE], ceiling="12s", start="20s",
                       concurrency=40)
            self.forget()


if __name__ == "__main__":
    main()
