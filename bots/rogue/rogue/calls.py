"""System calls that no confined bot may make, each tried in a way that harms nobody where it works."""
import ctypes
import errno
import fcntl
import os
import platform
import signal
import socket as sockets

LIBC = ctypes.CDLL(None, use_errno=True)
LONG = ctypes.c_long
# Numbers of x86_64 and of the table that newer architectures share.
NUMBERS = {
    "clone": (56, 220), "clone3": (435, 435), "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "fsopen": (430, 430), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "kcmp": (312, 272), "pidfd_getfd": (438, 438),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "init_module": (175, 105), "syslog": (103, 116), "name_to_handle_at": (303, 264),
    "ioctl": (16, 29), "fcntl": (72, 25), "socket": (41, 198), "futex_wait": (455, 455),
    "cachestat": (451, 451),
}
NEW_USER, TIOCSTI, TIOCLINUX = 0x10000000, 0x5412, 0x541c
HIGH = 1 << 32  # the kernel ignores it, and so must a filter


def call(name, *arguments):
    """0, or the errno; None where numbers are not known."""
    machine = platform.machine()
    if machine not in ("x86_64", "aarch64", "riscv64"):
        return None
    ctypes.set_errno(0)
    number = NUMBERS[name][machine != "x86_64"]
    result = LIBC.syscall(LONG(number), *(LONG(a) if isinstance(a, int) else a for a in arguments))
    if name.startswith("clone") and result == 0:
        os._exit(0)  # the child
    if name.startswith("clone") and result > 0:
        os.waitpid(result, 0)
    if result < 0:
        return ctypes.get_errno()
    if name in ("open_tree", "fsopen", "userfaultfd", "perf_event_open", "io_uring_setup",
                "socket"):
        os.close(result)
    return 0


def attempts():
    """name -> (arguments, what it must fail with)."""
    room = ctypes.create_string_buffer(4096)
    null = os.open("/dev/null", os.O_RDWR)
    me = os.getpid()
    yield "clone", (NEW_USER | signal.SIGCHLD, 0, 0, 0, 0), errno.EPERM
    yield "clone3", (room, 88), errno.ENOSYS
    yield "unshare", (NEW_USER,), errno.EPERM
    yield "setns", (null, 0), errno.EPERM
    yield "mount", (0, 0, 0, 0, 0), errno.EPERM
    yield "umount2", (0, 0), errno.EPERM
    yield "pivot_root", (0, 0), errno.EPERM
    yield "chroot", (0,), errno.EPERM
    yield "open_tree", (-100, b"/", 0), errno.EPERM
    yield "fsopen", (b"tmpfs", 0), errno.EPERM
    yield "ptrace", (0xffff, me, 0, 0), errno.EPERM
    yield "process_vm_readv", (me, 0, 0, 0, 0, 0), errno.EPERM
    yield "kcmp", (me, me, 0, 0, 0), errno.EPERM
    yield "pidfd_getfd", (-1, 0, 0), errno.EPERM
    yield "add_key", (0, 0, 0, 0, 0), errno.EPERM
    yield "request_key", (0, 0, 0, 0), errno.EPERM
    yield "keyctl", (0, -4, 0), errno.EPERM
    yield "bpf", (0, 0, 0), errno.EPERM
    yield "perf_event_open", (0, 0, 0, 0, 0), errno.EPERM
    yield "userfaultfd", (1,), errno.EPERM
    yield "io_uring_setup", (1, room), errno.ENOSYS
    yield "init_module", (0, 0, 0), errno.EPERM
    yield "syslog", (10, 0, 0), errno.EPERM
    yield "name_to_handle_at", (-100, b"/usr", room, room, 0), errno.EPERM
    yield "cachestat", (null, 0, 0, 0), errno.ENOSYS
    yield "futex_wait", (0, 0, 0, 0, 0, 0), errno.ENOSYS
    for high in (0, HIGH):
        yield "ioctl", (null, TIOCSTI | high, b"x"), errno.EPERM
        yield "ioctl", (null, TIOCLINUX | high, b"x"), errno.EPERM
        yield "fcntl", (null, fcntl.F_SETLEASE | high, fcntl.F_RDLCK), errno.EINVAL
    for family in (sockets.AF_PACKET, sockets.AF_VSOCK, sockets.AF_ALG, 44):  # 44: AF_XDP
        yield "socket", (family, sockets.SOCK_DGRAM, 0), errno.EAFNOSUPPORT
    yield "socket", (sockets.AF_NETLINK, sockets.SOCK_RAW, 15), errno.EPROTONOSUPPORT


def that_work():
    """Calls that do not fail as they must."""
    return [f"{name}{arguments[1:2] if name in ('ioctl', 'fcntl', 'socket') else ''}: {got}"
            for name, arguments, wanted in attempts()
            if (got := call(name, *arguments)) not in (wanted, None)]
