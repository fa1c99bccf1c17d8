"""What a confined bot must not see, reach or do. It looks, and ends at once when it finds something."""
import errno
import os
import socket as sockets
import stat
import sys

from . import calls

QUICK = ("/proc", "/sys", "/usr")  # not searched for a secret file by file
LINKS = ("root", "cwd", "exe", "map_files", "fd")
KERNEL = ("/proc/keys", "/proc/key-users", "/proc/timer_list", "/proc/vmallocinfo", "/proc/slabinfo")


def add_options(parser):
    parser.add_argument("--unseen", metavar="PATH", help="end when this, a network, a terminal, a "
                        "capability or a stranger's process can be seen")
    parser.add_argument("--secret", metavar="TEXT", help="end when a file with this text can be found")
    parser.add_argument("--secret-file", metavar="DEVICE:INODE", help="or this file, by any name")
    parser.add_argument("--calls", action="store_true",
                        help="end when a system call works that confinement forbids")


def prepare(options):
    if options.unseen:
        end_for(spy(options.unseen))
    if options.secret or options.secret_file:
        end_for(search(options.secret, options.secret_file))
    if options.calls:
        end_for([f"call {name}" for name in calls.that_work()], "do")


def end_for(found, verb="see"):
    if found:  # as one short line: only the end of the last words is shown
        some = ", ".join(ascii(str(thing))[:80] for thing in found[:5])
        raise SystemExit(f"rogue: it can {verb} {some} ({len(found)} in all)")


def spy(path):
    """More than a confined bot should see."""
    seen = [path] if os.path.exists(path) else []
    seen += [name for _, name in sockets.if_nameindex() if name != "lo"]
    seen += strangers()
    writable = [name for name in ("/", "/etc", "/dev", "/proc/sys/kernel/core_pattern", sys.argv[0],
                                  os.path.dirname(sys.argv[0])) if os.access(name, os.W_OK)]
    seen += [f"{name} to write to" for name in writable]
    seen += [line for line in lines("/proc/self/status") if line.startswith("Cap")
             and line.split()[1].strip("0")]
    if opens("/dev/tty"):
        seen.append("a terminal")
    seen += [name for name in KERNEL if opens(name, os.O_RDONLY)]
    if changes("/dev/null"):
        seen.append("the times of /dev/null to change")
    seen += [f"no {name}" for name in ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/full")
             if not opens(name)]
    if os.readlink("/proc/self/fd/0") != "/dev/null" or len(os.listdir("/proc/self/fd")) > 4:
        seen.append("descriptors of others")
    return seen


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def opens(path, how=os.O_RDWR):
    try:
        os.close(os.open(path, how | os.O_NOCTTY))
        return True
    except OSError:
        return False


def changes(path):
    """A file that root owns, also the machine's: who can set its times can set its mode."""
    about = os.stat(path)
    try:
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
        return True
    except OSError:
        return False


def strangers():
    """Processes but for its own two: that of bwrap, and the bot's."""
    seen = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words:
                seen += [words.read().decode()] if int(pid) != os.getpid() and int(pid) > 2 else []
        except (FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            continue
    return seen


class Search:
    """Through everything that can be reached, by number and by content."""

    def __init__(self, text, number):
        self.text = (text or "").encode()
        self.number = tuple(map(int, number.split(":"))) if number else None
        self.socket = os.environ["BGREF_ENDPOINT"].removeprefix("ipc://")
        self.found, self.been, self.proc = [], set(), os.stat("/proc").st_dev

    def look(self, path, about):
        if (about.st_dev, about.st_ino) == self.number:
            self.found.append(path)
        elif stat.S_ISSOCK(about.st_mode) and not os.path.samefile(path, self.socket):
            self.found.append(f"socket {path}")
        elif (stat.S_ISREG(about.st_mode) and self.text and about.st_size < 1 << 20
              and about.st_dev != self.proc):
            with open(path, "rb") as file:
                if self.text in file.read():
                    self.found.append(path)

    def walk(self, top):
        pending = [top]
        while pending:  # links lead to other searched places, or to invisible ones
            path = pending.pop()
            try:
                about = os.stat(path, follow_symlinks=path == top)
                if stat.S_ISDIR(about.st_mode):
                    here = (about.st_dev, about.st_ino)
                    if here not in self.been and path not in QUICK:
                        pending += [os.path.join(path, name) for name in os.listdir(path)]
                    self.been.add(here)
                if self.number == (about.st_dev, about.st_ino) or not stat.S_ISDIR(about.st_mode):
                    self.look(path, about)
            except OSError as error:
                if error.errno not in (errno.ENOENT, errno.EACCES, errno.EPERM, errno.ELOOP,
                                       errno.ENXIO, errno.EINVAL, errno.ENOTDIR, errno.EIO):
                    raise


def search(text, number):
    """The paths under which the secret is. Every process's view of the files is tried, too."""
    looking = Search(text, number)
    looking.walk("/")
    for pid in [*filter(str.isdigit, os.listdir("/proc")), "self", "thread-self"]:
        for link in LINKS:
            looking.walk(f"/proc/{pid}/{link}")
        looking.walk(f"/proc/{pid}/cwd/..")
    return looking.found


DEEDS = {}
