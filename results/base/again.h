/* again.h - splits the `reproduce` text of a fault into its commands. */
#ifndef RESULTS_BASE_AGAIN_H
#define RESULTS_BASE_AGAIN_H

/* The command that checks the rules (bgref plays ...), and the one that asks the bot about the
 * position again (bgref ask ...). Both are copies to free; NULL if missing. */
struct again {
    char *rules, *bot;
};

void again_init(struct again *out, const char *reproduce); /* NULL: none */
void again_deinit(struct again *again);

#endif
