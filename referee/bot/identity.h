/* identity.h - what a bot's processes said of themselves in their Hello. */
#ifndef REFEREE_BOT_IDENTITY_H
#define REFEREE_BOT_IDENTITY_H

/* Lent texts. A zeroed value is a bot that does not play in this run. */
struct identity {
    const char *version; /* name and version, "" none; NULL: it does not play */
    const char *author;  /* "" or NULL: unknown */
};

#endif
