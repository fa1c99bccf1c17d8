typedef int begun_link_zmq;
