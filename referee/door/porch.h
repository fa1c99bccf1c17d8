/* porch.h - the process where strangers ask to be registered.
 *
 * It is started by the host (door.h, is_porch) and has its own port, behind a doorman of its
 * own. Any key passes: CURVE proves only that the asker owns it. It knows one message (register.h),
 * takes one a minute of an address, and hands it to the host, which answers. It holds the host's
 * secret key and no list of anything; of a token it passes on only the hash.
 */
#ifndef REFEREE_DOOR_PORCH_H
#define REFEREE_DOOR_PORCH_H

/* argv[0] of the process; the program's main recognises it. */
#define PORCH_NAME "bgref-porch"

enum {
    PORCH_EVERY_S = 60,    /* between two requests of an address */
    PORCH_PER_ADDRESS = 4, /* connections of an address, and in all */
    PORCH_CONNECTIONS = 64
};

/* Arguments as of the gateway (gateway.h). Returns the exit status: 0 when the host is gone. */
int porch_main(int argc, char **argv);

#endif
