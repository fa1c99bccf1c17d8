"""A stranger who floods the door with connections, one after the other, and says nothing.

usage: stranger.py HOST-ADDRESS PORT OWN-ADDRESS COUNT     prints how many were made
"""
import socket
import struct
import sys

RESET = struct.pack("ii", 1, 0)  # closing sends a reset, so that no port is used up


def connect(host, port, own):
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        line.settimeout(20)
        line.bind((own, 0))
        try:
            line.connect((host, port))
        except OSError:  # it is over before it has begun
            pass


for _ in range(int(sys.argv[4])):
    connect(sys.argv[1], int(sys.argv[2]), sys.argv[3])
print(f"{sys.argv[4]} connections", flush=True)
