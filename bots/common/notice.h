/* notice.h - what a bot that joins a host by itself says to the person who started it. */
#ifndef BOTS_COMMON_NOTICE_H
#define BOTS_COMMON_NOTICE_H

#include <stdio.h>

/* For info.notice. */
static inline void notice_print(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "%s\n", text);
}

#endif
