/* join_register.h - registers the bot of a key at the pages of a host (gallery/join). */
#ifndef HOST_CMD_JOIN_REGISTER_H
#define HOST_CMD_JOIN_REGISTER_H

struct join_registration {
    const char *page;       /* "https://bg.example.org", or that of /join there */
    const char *key;        /* file of the secret key, whose public half is sent */
    const char *contact;    /* NULL: none */
    const char *invitation; /* NULL: none */
};

/* Prints what the host answers. Returns the exit status, EXIT_START if the host refuses; says on
 * standard error why it is not 0. */
int join_register(const struct join_registration *wish);

#endif
