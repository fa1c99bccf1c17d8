#!/usr/bin/python3
"""tools/house reports each kind of problem in small source trees made for it, and finds none in this tree.

    test_house.py ROOT
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = sys.argv.pop(1)
GUARD = "#ifndef {0}\n#define {0}\n{1}\n#endif\n"


class House(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.put("tools/rooms.txt", "sdk/rules low\nresults/record middle\nresults/store high\nreferee/log a file\n")
        self.put("tools/decision.txt", "rules sdk/rules/play.c play_step a step\n")
        self.put("sdk/rules/play.c", "int play_step(void)\n{\n    return 0;\n}\n")
        self.put("results/record/record.h", GUARD.format("RESULTS_RECORD_RECORD_H", "int record(void);"))
        self.put("results/store/store.h", GUARD.format("RESULTS_STORE_STORE_H", '#include "record/record.h"'))
        self.house("--pictures")

    def put(self, path, text):
        path = pathlib.Path(self.folder, path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def house(self, *words):
        os.makedirs(os.path.join(self.folder, "docs/pictures"), exist_ok=True)
        return subprocess.run([os.path.join(ROOT, "tools/house"), "--root", self.folder, *words],
                              capture_output=True, text=True, timeout=60, check=False)

    def finds(self, words):
        done = self.house()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(words, done.stdout)

    def test_a_clean_tree_passes(self):
        done = self.house()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_figure_over_its_limit(self):
        self.put("tools/figures.txt", "code 30 3 lines of code\nmodules 1 1 sources in the largest room\n")
        self.assertEqual(self.house().returncode, 0)
        self.put("sdk/rules/board.c", "/* no code */\nint board;\n")
        self.finds("tools/figures.txt: sources in the largest room: 2, the limit is 1")
        self.assertRegex(self.house("--figures").stdout, r"lines of code +\d+ +30 +3\n")

    def test_an_include_from_a_higher_room(self):
        self.put("results/record/record.c", "#include <store/store.h>\n")
        self.finds("results/record/record.c:1: results/record includes results/store/store.h, which lies higher")

    def test_an_include_from_a_higher_folder(self):
        self.put("referee/log.h", GUARD.format("REFEREE_LOG_H", ""))
        self.put("results/store/store.c", '#include "store.h"\n#include "../../referee/log.h"\n')
        self.finds("results/store/store.c:2: results/store includes referee/log.h, which lies higher")

    def test_a_file_in_no_room(self):
        self.put("results/loose.c", "int loose;\n")
        self.finds("results/loose.c: lies in no room")

    def test_a_bot_that_includes_what_is_not_installed(self):
        self.put("bots/greedy/main.c", '#include "../../results/record/record.h"\n')
        self.finds("bots/greedy/main.c:1: a bot includes results/record/record.h")

    def test_a_strangers_process_that_includes_a_seat(self):
        self.put("tools/rooms.txt", "sdk/rules low\nresults/record middle\nresults/store high\nreferee/seat a\nhost/door b\n")
        self.put("referee/seat/session.h", GUARD.format("REFEREE_SEAT_SESSION_H", ""))
        self.put("host/door/limits.h", GUARD.format("HOST_DOOR_LIMITS_H", ""))
        self.put("host/door/doorman.c", '#include "limits.h"\n')
        self.put("host/door/limits.c", '#include "limits.h"\n#include "seat/session.h"\n')
        self.finds("host/door/limits.c:2: a process that meets strangers includes referee/seat/session.h")

    def test_a_long_source_and_a_long_function(self):
        self.put("sdk/rules/long.c", "int a;\n" * 801)
        self.finds("sdk/rules/long.c: 801 lines")
        self.put("sdk/rules/tall.c", "void tall(void)\n{\n" + "    ;\n" * 59 + "}\n")
        self.finds("sdk/rules/tall.c:2: a function of 61 lines")
        self.put("sdk/rules/tall.c", "void tall(void)\n{\n" + "    ;\n" * 58 + "}\n")
        self.assertNotIn("tall.c", self.house().stdout)

    def test_many_parameters_need_a_reason(self):
        wide = "void wide(int a, int b, int c, int d, int (*e)(int x, int y), int f,\n          int g, int h)\n{\n}\n"
        self.put("sdk/rules/wide.c", wide)
        self.finds("sdk/rules/wide.c:3: 8 parameters")
        self.put("sdk/rules/wide.c", "/* Eight parameters: those of the system call. */\n" + wide)
        self.assertEqual(self.house().stdout, "")

    def test_a_guard_that_is_not_the_path(self):
        self.put("results/store/other.h", GUARD.format("OTHER_H", ""))
        self.finds("results/store/other.h: its guard is OTHER_H, should be RESULTS_STORE_OTHER_H")
        self.put("results/store/other.h", "int other;\n")
        self.finds("results/store/other.h: has no guard")

    def test_a_missing_function_of_the_decision_and_a_missing_file_of_the_page(self):
        self.put("sdk/rules/play.c", "int play_stride(void)\n{\n    return 0;\n}\n")
        self.finds("sdk/rules/play.c has no function play_step")
        self.put("docs/architecture.md", "A variant is `x.c` beside `rules/play.c`.\nNext `rules/plan.c`.\n")
        self.finds("docs/architecture.md:2: there is no rules/plan.c\n")

    def test_an_old_picture(self):
        self.put("tools/rooms.txt", "sdk/rules low\nresults/record another\nresults/store high\nreferee/log a file\n")
        self.finds("docs/pictures/rooms.svg: not the house as it is")

    def test_this_tree_passes(self):
        done = self.house("--root", ROOT)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


if __name__ == "__main__":
    unittest.main()
