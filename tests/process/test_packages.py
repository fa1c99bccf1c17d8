"""The Debian packages: checked by lintian, installed into a bare Debian that has only what they depend on,
used there, removed and purged.

The root is made by mmdebstrap from the archive that this machine installs from; programs run in it by chroot,
in a namespace of processes and mounts of their own. No service manager runs there.
"""
import glob
import os
import re
import shutil
import stat
import subprocess
import unittest

from harness import BIN, Case, main, read

BUILD = os.path.dirname(BIN)
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The address of who makes packages is theirs to set, with DEBEMAIL.
ADDRESS = "bogus-mail-host,bogus-mail-host-in-debian-changelog,root-in-contact,mail-contact"
UNITS = os.path.join(SOURCE, "packaging", "systemd")
UNIT = os.path.join(SOURCE, "packaging", "systemd", "bgref-host.service")
HOST = """host:\n  folder: /var/lib/bgref\npage:\n  listen: tcp://127.0.0.1:0\nevents:\n  - {file: /etc/bgref/cup.yaml, start: always}\n"""
CUP = "event: cup\nbots: [random, greedy]\nlength: 1\npairs: 2\nseed: 1\n"
OTHERS = ("bgref-host.socket", "bgref-host-backup.service", "bgref-host-backup.timer")
OWN = ("etc/bgref", "var/lib/bgref", "var/backups/bgref", "text of ")
# What dpkg, the loader and logs keep for themselves.
KEPT = re.compile(r"^(proc|sys|dev|tmp|var/(lib/dpkg|log|cache)|run|etc/ld\.so\.cache)(/|$)|^etc/(passwd|group|g?shadow|subuid|subgid)-$")


def run(*words, **more):
    return subprocess.run(words, text=True, capture_output=True, timeout=300, check=False, **more)


def mirror():
    """The archive that this machine installs Debian's packages from, or None."""
    for target in run("apt-get", "indextargets", "Created-By: Packages").stdout.split("\n\n"):
        found = re.search(r"^Repo-URI: (.*)$", target, re.M)
        if found and "\nLabel: Debian\n" in target + "\n":
            return found[1]
    return None


class Packages(Case):
    @classmethod
    def setUpClass(cls):
        for tool in ("cpack", "dpkg-shlibdeps", "dpkg-deb"):
            if shutil.which(tool) is None:
                raise unittest.SkipTest(f"needs {tool}; tools/packages.txt, group package, has it")
        cls.base = os.path.join(BUILD, "packages-test")
        cls.discard()
        cls.addClassCleanup(cls.discard)
        done = run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", cls.base)
        assert done.returncode == 0, done.stdout + done.stderr
        cls.debs = {os.path.basename(path).split("_")[0]: path for path in sorted(glob.glob(cls.base + "/*.deb"))}
        cls.root = os.path.join(cls.base, "root")

    @classmethod
    def discard(cls):
        shutil.rmtree(cls.base, ignore_errors=True)

    def field(self, package, name):
        return run("dpkg-deb", "--field", self.debs[package], name).stdout.strip()

    # ---- the packages as files

    def test_the_packages_and_what_they_need(self):
        self.assertEqual(set(self.debs), {"bgref", "libbgref1", "libbgref-dev", "bgref-host"})
        needs = self.field("bgref", "Depends")
        for library in ("libc6", "libsqlite3-0", "libzmq5", "libyaml-0-2", "libsodium23", "libseccomp2", r"libmicrohttpd12(?:t64)?", "zlib1g"):
            self.assertRegex(needs, rf"\b{library} \(>= |\b{library}(,|$)")
        self.assertEqual(self.field("libbgref-dev", "Depends"), f"libbgref1 (= {self.field('bgref', 'Version')})")
        listed = run("dpkg-deb", "--contents", self.debs["bgref"]).stdout
        self.assertIn("./usr/share/man/man1/bgref-tournament.1.gz\n", listed)
        self.assertNotRegex(listed, r"man1/.*\.1\n|\./usr/local|include/bgref/run\.h\n.*libbgref\.so\n")

    @unittest.skipUnless(shutil.which("lintian"), "needs lintian")
    def test_lintian_finds_no_error(self):
        done = run("lintian", "--allow-root", "--fail-on", "error", "--suppress-tags", ADDRESS, *self.debs.values())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    # ---- the service unit

    def analyze(self, *words):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("needs systemd-analyze")
        return run("systemd-analyze", *words)

    def with_unit(self, name):
        """A folder with the unit, whose program is the one that was built; returns the unit's path."""
        folder = os.path.join(self.base, name)
        os.makedirs(folder)
        with open(UNIT, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("ExecStart=/usr/bin/bgref host /etc/bgref/HOST.yaml\n", text)
        path = os.path.join(folder, "bgref-host.service")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("=/usr/bin/bgref ", f"={BIN}/bgref "))
        for other in OTHERS:
            with open(os.path.join(folder, other), "w", encoding="utf-8") as file:
                file.write(read(os.path.join(UNITS, other)).decode().replace("/usr/local/bin", UNITS))
        return path

    def test_the_unit_is_valid_and_hardened(self):
        unit = self.with_unit("plain")
        done = self.analyze("verify", "--man=no", unit)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        for other in OTHERS:
            done = self.analyze("verify", "--man=no", os.path.join(os.path.dirname(unit), other))
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        # A host that ends with games cut off, as `systemctl stop` may, has not failed (test_host.py has that status).
        self.assertIn("\nSuccessExitStatus=143\n", read(UNIT).decode())
        self.assertIn("\nOOMPolicy=continue\n", read(UNIT).decode())
        done = self.analyze("security", "--offline=yes", "--threshold=27", unit)  # tenths
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_drop_in_for_local_bots_relaxes_what_it_says(self):
        unit = self.with_unit("local")
        os.makedirs(unit + ".d")
        shutil.copy(os.path.join(os.path.dirname(UNIT), "local-bots.conf"), unit + ".d")
        done = self.analyze("verify", "--man=no", unit)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        done = self.analyze("security", "--offline=yes", "--threshold=34", unit)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotEqual(self.analyze("security", "--offline=yes", "--threshold=27", unit).returncode, 0)

    # ---- installed

    def make_root(self):
        """A Debian with the packages that every one has, and those that ours depend on."""
        if os.getuid() != 0:
            self.skipTest("needs root to make a Debian root")
        can = run("unshare", "--mount", "--pid", "--fork", "true")
        if can.returncode != 0:
            self.skipTest(f"needs mounts of its own to make a Debian root: {can.stderr.strip()}")
        if shutil.which("mmdebstrap") is None:
            self.skipTest("needs mmdebstrap; tools/packages.txt, group package, has it")
        archive = mirror()
        suite = run("sh", "-c", ". /etc/os-release && echo $VERSION_CODENAME").stdout.strip()
        needs = {re.split(r"[ (|]", need.strip())[0] for package in self.debs
                 for need in self.field(package, "Depends").split(",") if need.strip()} - set(self.debs)
        done = run("mmdebstrap", "--mode=root", "--variant=essential", "--include=" + ",".join(sorted(needs)), suite,
                   self.root, *([archive] if archive else []))
        if done.returncode != 0 and re.search("Temporary failure|Could not (resolve|connect)|Failed to fetch", done.stderr):
            self.skipTest("no archive of Debian packages answers")
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])

    def inside(self, *words, user="root", status=0):
        done = run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
                   'mount -t proc proc "$1/proc" && root=$1 user=$2 && shift 2 && exec chroot --userspec="$user" "$root" "$@"',
                   "sh", self.root, user, *words, stdin=subprocess.DEVNULL,
                   env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                        "HOME": "/tmp", "TMPDIR": "/tmp"})
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def files(self):
        """Every file of the root with its kind, rights and owner; of the files of users its text."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            for name in folders + names:
                path = os.path.join(folder, name)
                inner = os.path.relpath(path, self.root)
                if not KEPT.search(inner):
                    about = os.lstat(path)
                    found[inner] = (stat.filemode(about.st_mode), about.st_uid, about.st_gid)
        for name in ("passwd", "group", "shadow", "gshadow"):
            path = os.path.join(self.root, "etc", name)
            found["text of " + name] = read(path) if os.path.exists(path) else b""
        return found

    def compile_bot(self):
        """A bot of an author, built against what the package -dev has installed in the root."""
        source = os.path.join(SOURCE, "bots", "first", "main.c")
        libraries = glob.glob(self.root + "/usr/lib/**/libbgref.so", recursive=True)
        self.assertEqual(len(libraries), 1, libraries)
        done = run("cc", "-std=c17", "-I", self.root + "/usr/include", source, "-o", self.root + "/tmp/bot",
                   libraries[0], f"-Wl,-rpath-link,{os.path.dirname(libraries[0])},--allow-shlib-undefined")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_installed_used_removed_and_purged(self):
        self.make_root()
        before = self.files()
        for path in self.debs.values():
            shutil.copy(path, self.root + "/tmp")
        self.inside("sh", "-c", "dpkg --install /tmp/*.deb")
        self.assertIn("bgref ", self.inside("bgref", "--version"))
        self.compile_bot()
        self.inside("bgref", "duel", "/tmp/bot", "random", "--pairs", "2", "--results", "/tmp/r.db", "--quiet")
        self.inside("bgref", "duel", "greedy", "random", "--pairs", "2", "--results", "/tmp/s.db", "--quiet")
        self.assertIn("all ", self.inside("bgref", "verify", "/tmp/r.db"))
        self.assertIn("4 games", self.inside("bgref", "backup", "/tmp/r.db", "/tmp/copy.db"))
        self.host()
        self.inside("dpkg", "--remove", *self.debs)
        self.assertEqual({path for path in set(self.files()) - set(before) if not path.startswith(OWN)}, set())
        self.assertIn("/var/lib/bgref is not empty and stays", self.inside("dpkg", "--purge", *self.debs))
        self.assertTrue(os.path.exists(self.root + "/var/lib/bgref/cup.db"), "results were removed")
        self.inside("sh", "-c", "rm -r /var/lib/bgref/* /etc/bgref/* && dpkg --install /tmp/*.deb")
        self.inside("dpkg", "--purge", *self.debs)
        self.assertEqual(self.files(), before)

    def host(self):
        """What the unit starts, as its user, until its event is played."""
        self.assertEqual(self.inside("stat", "-c", "%U:%G %a", "/etc/bgref", "/var/lib/bgref", "/var/backups/bgref").split("\n")[:3],
                         ["root:bgref 750", "bgref:bgref 700", "bgref:bgref 700"])
        enabled = self.inside("find", "/etc/systemd", "-name", "bgref*")
        self.assertEqual(enabled, "", "a unit is enabled that its admin did not enable")
        self.inside("test", "-f", "/lib/systemd/system/bgref-host.socket")
        for name, text in (("HOST.yaml", HOST), ("cup.yaml", CUP)):
            with open(f"{self.root}/etc/bgref/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        start = re.search(r"^ExecStart=(.*)$", read(UNIT).decode(), re.M)[1]
        said = self.inside("bash", "-c", f"""{start} >/tmp/said 2>&1 & host=$!; cd /tmp
            for ((tries = 300; tries > 0; tries--)); do
                bgref show /var/lib/bgref/cup.db 2>&1 | grep -q '4 games' && break
                sleep 0.2
            done
            exec 3<>/dev/tcp/$(sed -n 's,^pages .*http://\\(.*\\):\\(.*\\)/$,\\1/\\2,p' /tmp/said)
            printf 'GET /e/cup/ HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n' >&3; cat <&3
            kill -TERM $host; wait $host; status=$?
            cat /tmp/said /var/lib/bgref/cup.log; exit $status""", user="bgref:bgref")
        self.assertTrue(os.path.exists(self.root + "/var/lib/bgref/cup.db"), said)
        self.assertIn("4 games", self.inside("bgref", "verify", "/var/lib/bgref/cup.db"))
        self.assertIn("HTTP/1.1 200 OK", said)
        self.inside("bgref", "publish", "/var/lib/bgref/cup.db", "/tmp/pages", user="bgref:bgref")


main()
