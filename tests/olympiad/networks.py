"""Where the host and the authors are: each in a network namespace of its own, joined by a bridge in the host's. Where that is not
permitted, all are on the loopback device, each author with an address of its own, and a printed line says so."""
import os
import signal
import socket
import subprocess

NET = "198.18.61"  # of the range for tests between networks; it exists in the namespaces only


class Namespaces:
    """The host has the address .1, and the author number N the address .(N + 10)."""
    name = "network namespaces"
    port = 5555

    def __init__(self):
        self.made = []
        self.hub = self.add("hub")
        try:
            for words in ("link add bridge type bridge", f"addr add {NET}.1/24 dev bridge", "link set bridge up"):
                ip("-n", self.hub, *words.split())
        except OSError:
            self.close()
            raise

    def add(self, name):
        full = f"bgref-day-{os.getpid()}-{name}"
        ip("netns", "add", full)
        self.made.append(full)
        ip("-n", full, "link", "set", "lo", "up")
        return full

    def author(self, name, number):
        """A namespace with a line to the host."""
        own = self.add(name)
        ip("-n", self.hub, "link", "add", f"to{number}", "type", "veth", "peer", "name", "line", "netns", own)
        for space, words in ((self.hub, f"link set to{number} master bridge"), (self.hub, f"link set to{number} up"),
                             (own, f"addr add {NET}.{number + 10}/24 dev line"), (own, "link set line up")):
            ip("-n", space, *words.split())
        return Place(("ip", "netns", "exec", own), f"{NET}.{number + 10}")

    @staticmethod
    def set_line(place, is_up, _):
        """A line that is down loses everything, and nobody is told."""
        ip("-n", place.through[-1], "link", "set", "line", "up" if is_up else "down")

    def host(self):
        return Place(("ip", "netns", "exec", self.hub), f"{NET}.1")

    def living(self):
        """Processes that still run in a namespace."""
        return [int(pid) for name in self.made for pid in ip("netns", "pids", name).split()]

    def close(self):
        for name in reversed(self.made):
            ip("netns", "del", name)
        self.made = []


class Loopback:
    """All on 127.0.0.1; the relays of the authors (relay.py) give them addresses of their own."""
    name = "the loopback device"

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def author(self, _, number):
        return Place((), f"127.0.0.{number + 10}")

    @staticmethod
    def set_line(_, is_up, relay):
        relay.send_signal(signal.SIGCONT if is_up else signal.SIGSTOP)

    def host(self):
        return Place((), "127.0.0.1")

    def living(self):
        return []

    def close(self):
        pass


class Place:
    """through: the words before a command that run it there."""

    def __init__(self, through, address):
        self.through = through
        self.address = address


def ip(*words):
    done = subprocess.run(("ip", *words), capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def best():
    """Namespaces if this machine permits them."""
    try:
        return Namespaces()
    except OSError as why:
        print(f"no network namespaces here ({why}): the authors join over the loopback device, from 127.0.0.11 and so on",
              flush=True)
        return Loopback()
