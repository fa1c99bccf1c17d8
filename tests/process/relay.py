"""A line that can be cut: passes bytes on between an author and the host. SIGUSR1 ends all its connections at once; SIGUSR2
lets no new ones in, or lets them in again; each that was not let in is a line `refused`.

usage: relay.py HOST-ADDRESS PORT OWN-ADDRESS [near]     listens on a free port of OWN-ADDRESS, prints it, and connects from
there; near: SIGUSR1 ends the author's side only, so that the host believes in its connection
"""
import selectors
import signal
import socket
import sys

host, port, own = sys.argv[1], int(sys.argv[2]), sys.argv[3]
other = {}  # socket: its other side
chooser = selectors.DefaultSelector()
is_cut = []
near = []  # sockets of the author's side
held = []  # not empty: lets nobody in
kept = []  # the host's side of what was cut near


def end(line):
    """Closes both sides; both see a reset or an end."""
    for each in (line, other.get(line)):
        if each in other:
            chooser.unregister(each)
            each.close()
    other.pop(other.pop(line, None), None)


def cut():
    for line in near if "near" in sys.argv else list(other):
        if line in other and "near" in sys.argv:
            kept.append(other[line])
            chooser.unregister(other.pop(kept[-1]))
            chooser.unregister(kept[-1])
            del other[line]
            line.close()
        else:
            end(line)
    near.clear()


def hold(*_):
    held[:] = [] if held else [True]


def connect(listener):
    line, _ = listener.accept()
    try:
        far = None if held else socket.create_connection((host, port), source_address=(own, 0), timeout=10)
    except OSError:
        far = None
    if far is None:
        line.close()
        print("refused", flush=True)
        return
    near.append(line)
    other[line], other[far] = far, line
    for line in (line, far):
        line.settimeout(30)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        chooser.register(line, selectors.EVENT_READ)


def carry(line):
    try:
        data = line.recv(65536)
        if data:
            other[line].sendall(data)
    except OSError:
        data = b""
    if not data:
        end(line)


def main():
    wake, waker = socket.socketpair()
    waker.setblocking(False)
    signal.set_wakeup_fd(waker.fileno())
    signal.signal(signal.SIGUSR1, lambda *_: is_cut.append(True))
    signal.signal(signal.SIGUSR2, hold)
    listener = socket.create_server((own, 0))
    for each in (wake, listener):
        chooser.register(each, selectors.EVENT_READ)
    print(listener.getsockname()[1], flush=True)
    while True:
        for key, _ in chooser.select():
            if key.fileobj is wake:
                wake.recv(100)
            elif key.fileobj is listener:
                connect(listener)
            elif key.fileobj in other:
                carry(key.fileobj)
        if is_cut:
            is_cut.clear()
            cut()


if __name__ == "__main__":
    main()
