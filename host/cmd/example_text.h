/* example_text.h - docs/host.yaml inside the program: a host's file with every key. */
#ifndef HOST_CMD_EXAMPLE_TEXT_H
#define HOST_CMD_EXAMPLE_TEXT_H

/* The bytes of host.yaml, terminated. */
extern const unsigned char example_text[];

#endif
