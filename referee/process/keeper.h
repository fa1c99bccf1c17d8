/* keeper.h - the messages between the referee and a bot's keeper.
 *
 * Every bot runs under a small program of its own, keeper: it starts the bot in a session without a
 * terminal, collects the orphans of the bot's processes (it is their subreaper) and reaps them,
 * watches their memory, and ends all of them when the bot ends, when it is ordered to, and when the
 * referee is gone, however that happened: the referee's end of their socket then closes. What
 * descends from a keeper belongs to its bot. It exits with 0 when nothing of the bot is left.
 *
 *     keeper FOLDER NICENESS MEMORY GROUPS PROGRAM [WORD...]
 *
 * with the bot's environment, null as descriptors 0 and 1, the pipe of the bot's standard error as
 * 2, a socket that keeps messages apart as KEEPER_SOCKET, perhaps what PROGRAM is to find as
 * KEEPER_FILTER, and every signal blocked. FOLDER "" is
 * the present one, MEMORY 0 no limit. GROUPS is the folder below which the bot gets a cgroup
 * (cgroup.h), "" none.
 */
#ifndef REFEREE_PROCESS_KEEPER_H
#define REFEREE_PROCESS_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

enum {
    KEEPER_SOCKET = 3,
    KEEPER_FILTER = 4, /* the same number as SANDBOX_FILTER_FD */
    KEEPER_WORDS = 5   /* number of its own words, before PROGRAM */
};

/* The step that failed before the bot ran. */
enum keeper_stage { KEEPER_SETUP, KEEPER_FOLDER, KEEPER_PROGRAM, KEEPER_ITSELF };

enum keeper_news {
    KEEPER_STARTED, /* pid: the bot's first process, its program runs */
    KEEPER_FAILED,  /* stage, error (errno); nothing follows */
    KEEPER_ENDED,   /* the first process has ended: code, status as in siginfo_t */
    KEEPER_OVER     /* bytes: the bot holds more memory than MEMORY; once */
};

/* A message from keeper to referee. */
struct keeper_report {
    enum keeper_news news;
    pid_t pid;
    enum keeper_stage stage;
    int error;
    int code, status;
    uint64_t bytes;
};

/* A message from referee to keeper: a signal for the group of the bot's first process. When the
 * referee closes its end, the keeper ends everything. */
struct keeper_order {
    int signal;
};

#endif
