"""What a confined bot must not see or reach."""
import os
import socket as sockets
import sys


def add_options(parser):
    parser.add_argument("--unseen", metavar="PATH", help="end when this, a network or a stranger's "
                        "process can be seen")


def prepare(options):
    if options.unseen:
        spy(options.unseen)


def spy(path):
    """Ends at once when more can be seen than a confined bot should see."""
    seen = [path] if os.path.exists(path) else []
    seen += [name for _, name in sockets.if_nameindex() if name != "lo"]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words:
                seen += [words.read().decode()] if int(pid) != os.getpid() and int(pid) > 2 else []
        except FileNotFoundError:  # it ended meanwhile
            continue
    if os.access("/etc", os.W_OK) or os.access(sys.argv[0], os.W_OK):
        seen.append("what can be written")
    if seen:
        raise SystemExit(f"rogue: it can see {seen}")


DEEDS = {}
