package main

/*
#cgo pkg-config: libzmq
#include <errno.h>
#include <stdlib.h>
#include <zmq.h>
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// dealer is the one socket of a bot: a DEALER of libzmq, used by one goroutine.
type dealer struct {
	context, socket unsafe.Pointer
}

const lingerMS = 2000 // how long what was sent may still travel at the end

func dial(endpoint string) (*dealer, error) {
	text := C.CString(endpoint)
	defer C.free(unsafe.Pointer(text))
	d := &dealer{context: C.zmq_ctx_new()}
	d.socket = C.zmq_socket(d.context, C.ZMQ_DEALER)
	for option, value := range map[C.int]C.int{
		C.ZMQ_LINGER: lingerMS, C.ZMQ_SNDHWM: 0, C.ZMQ_RCVHWM: 0} {
		C.zmq_setsockopt(d.socket, option, unsafe.Pointer(&value), C.size_t(unsafe.Sizeof(value)))
	}
	if rc, err := C.zmq_connect(d.socket, text); rc != 0 {
		return nil, fmt.Errorf("connect %s: %w", endpoint, err)
	}
	return d, nil
}

func (d *dealer) send(frame []byte) error {
	if len(frame) == 0 {
		return fmt.Errorf("send: an empty message")
	}
	if rc, err := C.zmq_send(d.socket, unsafe.Pointer(&frame[0]), C.size_t(len(frame)), 0); rc < 0 {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// receive waits for a frame. It is tried again when a signal interrupts it.
func (d *dealer) receive() ([]byte, error) {
	var message C.zmq_msg_t
	C.zmq_msg_init(&message)
	defer C.zmq_msg_close(&message)
	for {
		rc, err := C.zmq_msg_recv(&message, d.socket, 0)
		if rc >= 0 {
			return C.GoBytes(C.zmq_msg_data(&message), rc), nil
		}
		if C.zmq_errno() != C.EINTR {
			return nil, fmt.Errorf("receive: %w", err)
		}
	}
}

func (d *dealer) close() {
	C.zmq_close(d.socket)
	C.zmq_ctx_term(d.context)
}
