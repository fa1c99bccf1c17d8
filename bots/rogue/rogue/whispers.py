"""Ways by which the predictor tells others what it rolled. Each has tell(rolls), a list of numbers or
None by turn, and hear(), the lists that it finds; each may raise OSError where the system forbids it.

Files, memory, messages, sockets and keyrings carry lines of JSON. Locks, semaphores and inotify carry
bits: a bit that is set says "in turn t the roll was v pips".
"""
import ctypes
import fcntl
import functools
import json
import os
import select
import socket as sockets
import struct
import sys
import zlib

from . import calls

LIBC = calls.LIBC
PROGRAM = os.path.realpath(sys.argv[0])
TURNS, VALUES, SLOTS = 60, 25, 3   # the ranges of a bit's number; slots keep senders apart
BITS = TURNS * VALUES
KEY = zlib.crc32(b"bgref-predictor") >> 1
SHARED_BYTES, IPC_CREATE = 1 << 16, 0o1666
LOCK = "hhqqi4x"                   # struct flock of 64-bit Linux
IN_OPEN, NONBLOCK = 0x20, 0o4000
SET_VALUE, GET_ALL = 16, 13        # semctl
KEY_SEARCH, KEY_READ, USER_KEYRING = 10, 11, -4
PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/run/lock")
DATAGRAM = 32768
LIBC.shmat.restype = ctypes.c_void_p
LIBC.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


def checked(result):
    if result is None or result in (-1, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "refused")
    return result


def bits_of(rolls):
    return [turn * VALUES + value for turn, value in enumerate(rolls[:TURNS])
            if value is not None and value < VALUES]


def rolls_of(bits):
    """None where nothing, or two things, were said of a turn."""
    said = [[] for _ in range(TURNS)]
    for bit in bits:
        said[bit // VALUES].append(bit % VALUES)
    rolls = [values[0] if len(values) == 1 else None for values in said]
    while rolls and rolls[-1] is None:
        rolls.pop()
    return [rolls] if rolls else []


def lines_of(text):
    found = []
    for line in text.rstrip(b"\0").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            pass
    return found


def line_of(rolls):
    return json.dumps(rolls).encode() + b"\n"


# ---- lines

class Files:
    """In every folder that might be everybody's."""

    def __init__(self, _slot):
        self.name = "bgref-predictor-" + os.urandom(4).hex()
        self.file, self.reached = None, {}
        for place in PLACES:
            try:
                self.file = open(os.path.join(place, self.name), "ab")
                break
            except OSError:
                continue

    def tell(self, rolls):
        self.file.write(line_of(rolls))
        self.file.flush()

    def hear(self):
        found = []
        for place in filter(os.path.isdir, PLACES):
            for name in os.listdir(place):
                if name.startswith("bgref-predictor-"):
                    found += self.read(os.path.join(place, name))
        return found

    def read(self, path):
        with open(path, "rb") as file:
            file.seek(self.reached.get(path, 0))
            text = file.read()
            self.reached[path] = file.tell()
        return lines_of(text)

    def end(self):
        if self.file:
            os.remove(self.file.name)


class Memory:
    """System V shared memory: a ring of lines."""

    def __init__(self, _slot):
        number = checked(LIBC.shmget(KEY, SHARED_BYTES, IPC_CREATE))
        self.at, self.number = checked(LIBC.shmat(number, None, 0)), number

    def tell(self, rolls):
        old = ctypes.string_at(self.at, SHARED_BYTES).rstrip(b"\0")
        new = (old + line_of(rolls))[-SHARED_BYTES // 2:]
        ctypes.memmove(self.at, new.ljust(SHARED_BYTES, b"\0"), SHARED_BYTES)

    def hear(self):
        return lines_of(ctypes.string_at(self.at, SHARED_BYTES))

    def end(self):
        LIBC.shmctl(self.number, 0, None)


class PosixMemory(Memory):
    def __init__(self, _slot):
        self.fd = checked(LIBC.shm_open(b"/bgref-predictor-memory", os.O_CREAT | os.O_RDWR, 0o666))

    def tell(self, rolls):
        os.lseek(self.fd, 0, os.SEEK_END)
        os.write(self.fd, line_of(rolls))

    def hear(self):
        return lines_of(os.pread(self.fd, SHARED_BYTES, max(0, os.fstat(self.fd).st_size - SHARED_BYTES)))

    def end(self):
        LIBC.shm_unlink(b"/bgref-predictor-memory")


class Messages:
    """A POSIX message queue: what is taken out is put back."""
    name = b"/bgref-predictor"

    def __init__(self, _slot):
        self.queue = checked(LIBC.mq_open(self.name, os.O_CREAT | os.O_RDWR | os.O_NONBLOCK, 0o666, None))

    def tell(self, rolls):
        line = line_of(rolls)
        while LIBC.mq_send(self.queue, line, len(line), 0) < 0:
            room = ctypes.create_string_buffer(8192)
            checked(LIBC.mq_receive(self.queue, room, 8192, None))  # the oldest one

    def hear(self):
        room, found = ctypes.create_string_buffer(8192), []
        while (size := LIBC.mq_receive(self.queue, room, 8192, None)) > 0:
            found += lines_of(room.raw[:size])
        for rolls in found:
            self.tell(rolls)
        return found

    def end(self):
        LIBC.mq_unlink(self.name)


class Sockets:
    """Datagrams to every teller's address: abstract names, or paths."""

    def __init__(self, slot, place=""):
        self.place, self.slot = place, slot
        self.end_point = sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM)
        self.end_point.setblocking(False)
        if place:
            self.end()
        self.end_point.bind(self.address(slot))

    def address(self, slot):
        name = f"bgref-predictor-{slot}.sock"
        return os.path.join(self.place, name) if self.place else "\0" + name

    def tell(self, rolls):
        for slot in range(SLOTS):
            try:
                self.end_point.sendto(line_of(rolls), self.address(slot))
            except OSError:
                pass

    def hear(self):
        found = []
        while select.select([self.end_point], [], [], 0)[0]:
            found += lines_of(self.end_point.recv(DATAGRAM))
        return found

    def end(self):
        if self.place and os.path.exists(self.address(self.slot)):
            os.remove(self.address(self.slot))


class Keyring:
    def __init__(self, slot):
        self.name, self.lines = f"bgref-predictor-{slot}".encode(), []
        self.add(b"\n")

    def add(self, text):
        if calls.call("add_key", b"user", self.name, text, len(text), USER_KEYRING):
            raise OSError("refused")

    def tell(self, rolls):
        self.lines = [*self.lines[-12:], line_of(rolls)]
        self.add(b"".join(self.lines))

    def hear(self):
        found, number = [], calls.NUMBERS["keyctl"][os.uname().machine != "x86_64"]
        for slot in range(SLOTS):
            key = LIBC.syscall(calls.LONG(number), calls.LONG(KEY_SEARCH), calls.LONG(USER_KEYRING),
                               b"user", f"bgref-predictor-{slot}".encode(), calls.LONG(0))
            room = ctypes.create_string_buffer(DATAGRAM)
            if key > 0 and LIBC.syscall(calls.LONG(number), calls.LONG(KEY_READ), calls.LONG(key), room,
                                        calls.LONG(DATAGRAM)) > 0:
                found += lines_of(room.value)
        return found


class MemoryFiles:
    """A file without a name, found through /proc."""

    def __init__(self, slot):
        self.fd = os.memfd_create(f"bgref-predictor-{slot}")

    def tell(self, rolls):
        os.write(self.fd, line_of(rolls))

    def hear(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                for name in os.listdir(f"/proc/{pid}/fd"):
                    path = f"/proc/{pid}/fd/{name}"
                    if os.readlink(path).startswith("/memfd:bgref-predictor"):
                        with open(path, "rb") as file:
                            found += lines_of(file.read())
            except OSError:
                continue
        return found


# ---- bits

class Semaphores:
    def __init__(self, slot):
        self.number = checked(LIBC.semget(KEY, SLOTS * BITS, IPC_CREATE))
        self.first, self.said = slot * BITS, set()

    def tell(self, rolls):
        said = set(bits_of(rolls))
        for bit in said ^ self.said:
            LIBC.semctl(self.number, self.first + bit, SET_VALUE, int(bit in said))
        self.said = said

    def hear(self):
        values = (ctypes.c_ushort * (SLOTS * BITS))()
        checked(LIBC.semctl(self.number, 0, GET_ALL, values))
        return [rolls for slot in range(SLOTS) for rolls in rolls_of(
            bit for bit in range(BITS) if values[slot * BITS + bit])]

    def end(self):
        LIBC.semctl(self.number, 0, 0)


class RecordLocks:
    """fcntl's locks of an open file: a byte of a file that all see is a bit."""

    def __init__(self, slot):
        self.first, self.fd = slot * BITS, os.open(PROGRAM, os.O_RDONLY | os.O_CLOEXEC)
        self.held = None

    def tell(self, rolls):
        if self.held is not None:
            os.close(self.held)
        self.held = os.open(PROGRAM, os.O_RDONLY | os.O_CLOEXEC)
        for bit in bits_of(rolls):
            fcntl.fcntl(self.held, fcntl.F_OFD_SETLK,
                        struct.pack(LOCK, fcntl.F_RDLCK, 0, self.first + bit, 1, 0))

    def locked(self, start, end):
        """Those within the range; the kernel names one of them, somewhere in it."""
        if start >= end:
            return []
        kind, _, at, size, _ = struct.unpack(LOCK, fcntl.fcntl(
            self.fd, fcntl.F_OFD_GETLK, struct.pack(LOCK, fcntl.F_WRLCK, 0, start, end - start, 0)))
        if kind == fcntl.F_UNLCK:
            return []
        last = at + size
        return [*self.locked(start, at), *range(max(at, start), min(last, end)), *self.locked(last, end)]

    def hear(self):
        return [rolls for slot in range(SLOTS) for rolls in rolls_of(
            bit - slot * BITS for bit in self.locked(slot * BITS, (slot + 1) * BITS))]


@functools.cache
def shared_files():
    """As many files that all see as there are bits of all tellers, always the same ones."""
    files = []
    for folder, folders, names in os.walk("/usr/share"):
        folders.sort()
        files += [path for name in sorted(names)
                  if os.path.isfile(path := os.path.join(folder, name)) and not os.path.islink(path)]
        if len(files) >= SLOTS * BITS:
            return files[:SLOTS * BITS]
    raise OSError("too few files")


class Flock:
    """A locked file is a bit."""

    def __init__(self, slot):
        self.files, self.first, self.held = shared_files(), slot * BITS, {}
        self.try_out()

    def try_out(self):
        """Where a lock locks nothing there is no use in looking at thousands."""
        self.tell([0])
        if not self.is_locked(self.first):
            raise OSError("it locks nothing")

    def open(self, bit):
        return os.open(self.files[bit], os.O_RDONLY | os.O_CLOEXEC)

    def tell(self, rolls):
        said = set(bits_of(rolls))
        for bit in [bit for bit in self.held if bit not in said]:
            os.close(self.held.pop(bit))
        for bit in said - set(self.held):
            self.held[bit] = self.open(self.first + bit)
            fcntl.flock(self.held[bit], fcntl.LOCK_SH | fcntl.LOCK_NB)

    def is_locked(self, bit):
        fd = self.open(bit)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(fd)
        return False

    def hear(self):
        return [rolls for slot in range(SLOTS) for rolls in rolls_of(
            bit for bit in range(BITS) if self.is_locked(slot * BITS + bit))]


class Inotify(Flock):
    """A file that somebody opens is a bit: heard once, by those who watch its folder."""

    def __init__(self, slot):
        super().__init__(slot)
        self.fd = checked(LIBC.inotify_init1(NONBLOCK))
        watch = {folder: checked(LIBC.inotify_add_watch(self.fd, folder.encode(), IN_OPEN))
                 for folder in {os.path.dirname(path) for path in self.files}}
        self.bits = {(watch[os.path.dirname(path)], os.path.basename(path)): bit
                     for bit, path in enumerate(self.files)}

    def try_out(self):
        """Nothing: inotify is there or not."""

    def tell(self, rolls):
        for bit in bits_of(rolls):
            os.close(self.open(self.first + bit))

    def hear(self):
        slots = [set() for _ in range(SLOTS)]
        while select.select([self.fd], [], [], 0)[0]:
            text = os.read(self.fd, 1 << 16)
            while text:
                watch, _, _, size = struct.unpack("iIII", text[:16])
                bit = self.bits.get((watch, text[16:16 + size].rstrip(b"\0").decode()))
                if bit is not None:
                    slots[bit // BITS].add(bit % BITS)
                text = text[16 + size:]
        return [rolls for bits in slots for rolls in rolls_of(bits)]


WAYS = {"files": Files, "memory": Memory, "posix-memory": PosixMemory, "messages": Messages,
        "abstract-sockets": Sockets, "path-sockets": lambda slot: Sockets(slot, "/tmp"),
        "keyring": Keyring, "memory-files": MemoryFiles, "semaphores": Semaphores,
        "record-locks": RecordLocks, "flock": Flock, "inotify": Inotify}


def is_confined():
    with open("/proc/1/comm", encoding="utf-8") as name:
        return name.read().strip() == "bwrap"


class Whispers:
    """One way, or all of them at once: those only in a sandbox, for a kill would leave them behind."""

    def __init__(self, slot, only=None):
        self.ways = {}
        for name, way in WAYS.items():
            try:
                if name == only or (only is None and (is_confined() or name == "files")):
                    self.ways[name] = way(slot)
            except OSError:
                continue  # this machine does not have it

    def tell(self, rolls):
        for way in self.ways.values():
            try:
                way.tell(rolls)
            except OSError:
                continue

    def hear(self):
        found = []
        for way in self.ways.values():
            try:
                found += way.hear()
            except OSError:
                continue
        return [rolls for rolls in found if isinstance(rolls, list)]

    def end(self):
        for way in self.ways.values():
            if hasattr(way, "end"):
                way.end()
