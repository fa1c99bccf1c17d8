"""A line that can be cut: passes bytes on between an author and the host. SIGUSR1 ends all its connections at once.

usage: relay.py HOST-ADDRESS PORT OWN-ADDRESS     listens on a free port of OWN-ADDRESS, prints it, and connects from there
"""
import selectors
import signal
import socket
import sys

host, port, own = sys.argv[1], int(sys.argv[2]), sys.argv[3]
other = {}  # socket: its other side
chooser = selectors.DefaultSelector()
is_cut = []


def end(line):
    """Closes both sides; both see a reset or an end."""
    for each in (line, other.get(line)):
        if each in other:
            chooser.unregister(each)
            each.close()
    other.pop(other.pop(line, None), None)


def connect(listener):
    near, _ = listener.accept()
    try:
        far = socket.create_connection((host, port), source_address=(own, 0), timeout=10)
    except OSError:
        near.close()
        return
    other[near], other[far] = far, near
    for line in (near, far):
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
            for line in list(other):
                end(line)


if __name__ == "__main__":
    main()
