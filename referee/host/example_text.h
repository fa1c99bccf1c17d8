/* example_text.h - docs/host.yaml inside the program: a host's file with every key. */
#ifndef REFEREE_HOST_EXAMPLE_TEXT_H
#define REFEREE_HOST_EXAMPLE_TEXT_H

/* The bytes of host.yaml, terminated. */
extern const unsigned char example_text[];

#endif
