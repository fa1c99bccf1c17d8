/* keeper.h - the messages between the referee and a bot's keeper.
 *
 * Every bot runs under a small program of its own, keeper: it starts the bot in a session without a
 * terminal, collects the orphans of the bot's processes (it is their subreaper) and reaps them,
 * and watches their memory. It ends all of them when the bot ends, on an order, and when the
 * referee ends for any reason, because the referee's end of the socket then closes. A keeper's
 * descendants belong to its bot. It exits with 0 when nothing of the bot is left.
 *
 *     keeper FOLDER NICENESS MEMORY GROUPS CHARGES PROGRAM [WORD...]
 *
 * It gets the bot's environment, with every signal blocked, and these descriptors: null as 0 and 1,
 * the pipe of the bot's standard error as 2, a socket with message boundaries as KEEPER_SOCKET, and
 * for a confined bot PROGRAM's filter as KEEPER_FILTER. FOLDER "": the current folder. MEMORY 0: no
 * limit. GROUPS: the folder below which the bot gets a cgroup (cgroup.h), CHARGES: the same of the
 * memory controller of version 1, for a bot with a limit; "": none.
 *
 * Two fixed structs need no parsing, and both programs are of one build: proto/inside.proto would
 * only bring protobuf-c into a program of the C library alone, of which there is one a bot.
 */
#ifndef REFEREE_PROCESS_KEEPER_H
#define REFEREE_PROCESS_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

enum {
    KEEPER_SOCKET = 3,
    KEEPER_FILTER = 4, /* the same number as SANDBOX_FILTER_FD */
    KEEPER_WORDS = 6   /* number of its own words, before PROGRAM */
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
