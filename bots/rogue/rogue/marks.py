"""Two confined bots that must have nothing in common: one leaves marks, the other looks for them.

A channel is two functions: leave(word) returns what has to be kept alive, is_found(word) looks. Both
are tried only inside a sandbox, where nothing of the machine can be changed by them.
"""
import ctypes
import fcntl
import os
import select
import socket as sockets
import struct
import sys
import zlib

from . import calls
from .base import Rogue
from .whispers import is_confined

LIBC = calls.LIBC
PROGRAM = os.path.realpath(sys.argv[0])
# Files that several sandboxes see. All sandboxes also share the file behind an eventfd, and the time
# namespace.
SHARED = {"own program": PROGRAM, "a program of the system": "/usr/bin/env", "/dev/null": "/dev/null",
          "/dev/urandom": "/dev/urandom", "the time namespace": "/proc/self/ns/time"}
FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev", "/", "/proc", "/run", "/etc", "/usr/local",
           os.path.dirname(PROGRAM))
LOCK = "hhqqi4x"  # struct flock of 64-bit Linux
GET_WRITE_HINT, IPC_CREATE, KEY_SEARCH, USER_KEYRING = 1035, 0o1600, 10, -4
IN_OPEN, NONBLOCK = 0x20, 0o4000


def add_options(parser):
    parser.add_argument("--word", metavar="WORD", help="what leave-marks and find-marks mark with; "
                        "without it they play and do nothing")
    parser.add_argument("--alone", action="store_true",
                        help="find-marks leaves them, too: those within a sandbox must be found")


def number(word, most=30000):
    return zlib.crc32(word.encode()) % most + 1


# ---- files

def file_in(folder):
    def path(word):
        return os.path.join(folder, f"bgref-mark-{word}")

    def leave(word):
        with open(path(word), "w", encoding="ascii"):
            pass
    return leave, lambda word: os.path.exists(path(word))


def time_of(path):
    def leave(word):
        os.utime(path, (number(word), number(word)))
    return leave, lambda word: int(os.stat(path).st_mtime) == number(word)


def write_hint():
    def hint(command, value):
        with open(PROGRAM, "rb") as file:
            return struct.unpack("Q", fcntl.fcntl(file, command, struct.pack("Q", value)))[0]

    return (lambda word: hint(calls.SET_WRITE_HINT, 1 + number(word, 5)),
            lambda word: hint(GET_WRITE_HINT, 0) == 1 + number(word, 5))


def socket_beside_the_referees():
    """Another bot's door."""
    own = os.environ["BGREF_ENDPOINT"].removeprefix("ipc://")
    return (lambda word: None,
            lambda word: any(name != os.path.basename(own)
                             for name in os.listdir(os.path.dirname(own))))


# ---- locks

def opened(path):
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC) if path else os.eventfd(0)


def flocked(path):
    def leave(_word):
        fd = opened(path)
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return fd

    def is_found(_word):
        try:
            leave(_word)
        except BlockingIOError:
            return True
        return False
    return leave, is_found


def record_locked(path, set_lock, get_lock):
    def ask(fd, command, kind):
        return struct.unpack(LOCK, fcntl.fcntl(fd, command, struct.pack(LOCK, kind, 0, 0, 1, 0)))[0]

    def leave(_word):
        fd = opened(path)
        ask(fd, set_lock, fcntl.F_RDLCK)
        return fd
    return leave, lambda _word: ask(opened(path), get_lock, fcntl.F_WRLCK) == fcntl.F_RDLCK


def leased(path):
    def leave(_word):
        return opened(path)

    def is_found(_word):
        fd = opened(path)
        try:
            fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except BlockingIOError:
            return True
        finally:
            os.close(fd)
        return False
    return leave, is_found


class Watch:
    """inotify: who opens this file? The watch is set before the other is asked to open it."""

    def __init__(self, path):
        self.path, self.fd = path, LIBC.inotify_init1(NONBLOCK)
        LIBC.inotify_add_watch(self.fd, path.encode(), IN_OPEN)

    def leave(self, _word):
        os.close(os.open(self.path, os.O_RDONLY))

    def is_found(self, _word):
        return self.fd >= 0 and bool(select.select([self.fd], [], [], 0)[0])


# ---- memory and messages of the system

def system_v(make):
    """A segment, queue or semaphore by its key: made, or there already."""
    def leave(word):
        if make(number(word, 1 << 30), IPC_CREATE) < 0:
            raise OSError(ctypes.get_errno(), "System V")
    return leave, lambda word: make(number(word, 1 << 30), 0) >= 0


def queue():
    def name(word):
        return f"/bgref-{word}".encode()

    def leave(word):
        return LIBC.mq_open(name(word), os.O_CREAT | os.O_RDWR, 0o600, None)
    return leave, lambda word: LIBC.mq_open(name(word), os.O_RDWR) >= 0


def keyring():
    def leave(word):
        return calls.call("add_key", b"user", f"bgref-{word}".encode(), b"x", 1, USER_KEYRING)

    def is_found(word):
        return calls.call("keyctl", KEY_SEARCH, USER_KEYRING, b"user", f"bgref-{word}".encode(),
                          0) == 0
    return leave, is_found


def kernel_log():
    return lambda word: None, lambda word: calls.call("syslog", 10, 0, 0) == 0


def page_cache():
    """Which pages of a shared file others have read lately."""
    def is_found(_word):
        with open("/usr/bin/env", "rb") as file:
            try:
                os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
                return True
            except OSError:
                return calls.call("mincore", 0, 0, 0) == 0
    return lambda word: None, is_found


def host_name():
    return sockets.sethostname, lambda word: sockets.gethostname() == word


# ---- sockets and processes

def address(family, kind, of):
    def leave(word):
        end = sockets.socket(family, kind)
        end.bind(of(word))
        if kind == sockets.SOCK_STREAM:
            end.listen()
        return end

    def is_found(word):
        with sockets.socket(family, kind) as end:
            try:
                end.connect(of(word))
                end.send(b"x")  # UDP reports a missing listener only at the second packet
                end.send(b"x")
            except OSError:
                return False
            return True
    return leave, is_found


def machine_socket():
    """AF_VSOCK knows no network namespace."""
    def make():
        return sockets.socket(sockets.AF_VSOCK, sockets.SOCK_STREAM)

    def is_found(_word):
        make().close()
        return True
    return lambda word: make(), is_found


def process():
    def is_found(_word):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with open(f"/proc/{pid}/cmdline", "rb") as words:
                if b"leave-marks" in words.read():
                    return True
        return False
    return lambda word: None, is_found


def abstract(word):
    return f"\0bgref-{word}"


def port(word):
    return "127.0.0.1", 20000 + number(word)


def channels():
    """name -> (leave, is_found)."""
    table = {f"file in {folder}": file_in(folder) for folder in FOLDERS}
    table |= {f"time of {name}": time_of(path) for name, path in SHARED.items()}
    for name, path in {**SHARED, "an eventfd": None}.items():
        table[f"flock on {name}"] = flocked(path)
        table[f"lock on {name}"] = record_locked(path, fcntl.F_SETLK, fcntl.F_GETLK)
        table[f"OFD lock on {name}"] = record_locked(path, fcntl.F_OFD_SETLK, fcntl.F_OFD_GETLK)
    table |= {f"lease on {name}": leased(SHARED[name]) for name in ("own program", "/dev/null")}
    for name in ("own program", "/dev/null"):
        watch = Watch(SHARED[name])
        table[f"inotify on {name}"] = watch.leave, watch.is_found
    table |= {
        "write hint of own program": write_hint(),
        "door of another bot": socket_beside_the_referees(),
        "System V memory": system_v(lambda key, flags: LIBC.shmget(key, 4096, flags)),
        "System V messages": system_v(LIBC.msgget),
        "System V semaphores": system_v(lambda key, flags: LIBC.semget(key, 1, flags)),
        "POSIX messages": queue(), "keyring": keyring(), "log of the kernel": kernel_log(),
        "page cache": page_cache(), "name of the host": host_name(),
        "abstract socket": address(sockets.AF_UNIX, sockets.SOCK_STREAM, abstract),
        "abstract datagram socket": address(sockets.AF_UNIX, sockets.SOCK_DGRAM, abstract),
        "TCP port": address(sockets.AF_INET, sockets.SOCK_STREAM, port),
        "UDP port": address(sockets.AF_INET, sockets.SOCK_DGRAM, port),
        "socket of the machine": machine_socket(), "list of processes": process(),
    }
    return table


class Marks(Rogue):
    """At every play; what it left is kept open."""

    def __init__(self, options):
        super().__init__(options)
        self.kept = []
        self.channels = channels() if options.word and is_confined() else {}
        self.on_channels()

    def misdeed(self, ask, out):
        self.on_channels()
        return self.plain(ask, out)

    def on_channels(self):
        """Once before its Hello, so that the first play finds both there; then at plays."""

    def leave_marks(self):
        for name, (leave, _) in self.channels.items():
            if self.plays > 0 and "inotify" not in name:
                continue
            try:
                self.kept.append(leave(self.options.word))
            except OSError:
                pass


class LeaveMarks(Marks):
    does = "leaves a mark on every channel that another bot could look at: nothing happens to it"

    def on_channels(self):
        self.leave_marks()


class FindMarks(Marks):
    does = "looks for the marks of leave-marks: plays on, for there are none"

    def on_channels(self):
        found = []
        if self.options.alone:
            self.leave_marks()
        if self.plays == 0:
            return
        for name, (_, is_found) in self.channels.items():
            try:
                found += [name] if is_found(self.options.word) else []
            except OSError:
                pass
        if found:
            raise SystemExit(f"rogue: open {len(found)} of {len(self.channels)}: {'; '.join(found)}")


DEEDS = {"leave-marks": LeaveMarks, "find-marks": FindMarks}
