#include "join_words.h"

#include <stdio.h>

void join_words_absent(char out[JOIN_WORDS], const struct host_file *host, const char *why)
{
    snprintf(out, JOIN_WORDS, "nobody listens at %.200s yet (%.200s)", host->endpoint, why);
}

void join_words_unproven(char out[JOIN_WORDS], const struct host_file *host)
{
    snprintf(out, JOIN_WORDS,
             "%.200s does not prove that it is %s: the key in the host file is not its key, or "
             "another program listens there; ask the host for its present host file",
             host->endpoint, host->name);
}

void join_words_forbidden(char out[JOIN_WORDS], const struct host_file *host, const char *name)
{
    snprintf(out, JOIN_WORDS,
             "%s does not know this key: send %s.pub to its operator, or give the key that is "
             "known there",
             host->name, name);
}
