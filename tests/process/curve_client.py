"""Clients on libzmq that connect to a door with any key."""
import os

import zmq
import zmq.utils.monitor
import zmq.utils.z85

from door_case import DoorCase
from harness import read


class CurveClients(DoorCase):
    SUCCEEDED = zmq.EVENT_HANDSHAKE_SUCCEEDED
    DISCONNECTED = zmq.EVENT_DISCONNECTED

    def stranger(self, context, name="anna", own="127.0.0.1"):
        """A DEALER that connects with a key, once; and what happens to it."""
        dealer = context.socket(zmq.DEALER)
        dealer.curve_serverkey = zmq.utils.z85.encode(bytes.fromhex(self.public("host")))
        dealer.curve_publickey = zmq.utils.z85.encode(bytes.fromhex(self.public(name)))
        dealer.curve_secretkey = zmq.utils.z85.encode(bytes.fromhex(read(self.path(f"{name}.key")).split()[3].decode()))
        dealer.linger = 0
        dealer.routing_id = b"bgref-join-0-" + os.urandom(8)
        dealer.reconnect_ivl = -1
        # an address of its own: libzmq frees that of a closed socket, which has its descriptor in it, some time later
        monitor = dealer.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_HANDSHAKE_FAILED_AUTH |
                                            zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_DISCONNECTED,
                                            f"inproc://{dealer.routing_id.hex()}")
        dealer.connect("tcp://%s:0;%s:%d" % (own, *self.address()))
        self.addCleanup(self.close_all, dealer, monitor)
        return dealer, monitor

    @staticmethod
    def close_all(*sockets):
        for each in sockets:
            each.close()

    @staticmethod
    def next_event(monitor, seconds=20):
        """Returns 0 if nothing happens."""
        return zmq.utils.monitor.recv_monitor_message(monitor)["event"] if monitor.poll(seconds * 1000) else 0

    def context(self):
        context = zmq.Context()
        self.addCleanup(context.term)
        return context
