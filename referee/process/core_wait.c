/* The counters alone do not suffice: a thread's run delay is added when it gets a core, so a
 * wait that lasts is in none of them. The letter of its state says that it is ready (R); with no
 * turn since the first look it has waited all the time. Both bounds are kept, what is certain
 * and what is possible. */
#include "core_wait.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tree.h"

/* Threads of one bot: each costs the loop about 10 us a look. A bot that has more is charged what
 * passes: else five hundred idle threads would cost every other table time. */
enum { THREADS_MOST = 64 };

/* ------------------------------------------------------------------ the arithmetic */

/* Finds a thread among those of the first look; NULL: it is newer. Both lists are in the same order
 * unless processes have come and gone: *from is where the last one was. */
static const struct core_thread *find(const struct core_look *look, pid_t tid, size_t *from)
{
    for (size_t i = 0; i < look->count; i++) {
        size_t at = (*from + i) % look->count;

        if (look->threads[at].tid == tid) {
            *from = at + 1;
            return &look->threads[at];
        }
    }
    return NULL;
}

static int64_t within(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value < most ? value : most;
}

/* The wait of one thread that has not ended. */
static int64_t pending(const struct core_thread *now, const struct core_thread *then,
                       int64_t passed_ns, int64_t used_ns, int64_t delayed_ns)
{
    if (!now->is_ready) {
        return 0;
    }
    if (then != NULL && then->is_ready && then->turns == now->turns && used_ns == 0) {
        return passed_ns; /* it has not had a core at all */
    }
    return within(passed_ns - used_ns - delayed_ns, passed_ns);
}

struct core_wait core_wait_between(const struct core_look *before, const struct core_look *after,
                                   int64_t sent_ns)
{
    /* The time of children that were reaped is in ticks: the sum may seem to shrink. */
    const int64_t cpu_ns = within(after->cpu_ns - before->cpu_ns, INT64_MAX);
    /* A bot that waits at the first look has perhaps waited since it was asked; none of that is
     * counted before it ends. So the limit is the whole time, not the time between the looks. */
    const int64_t passed_ns = after->at_ns - sent_ns;
    const int64_t most_ns = within(passed_ns - cpu_ns, CORE_WAIT_MOST_NS);
    struct core_wait wait = {0, 0};
    size_t from = 0;

    for (size_t i = 0; i < after->count; i++) {
        const struct core_thread *now = &after->threads[i];
        const struct core_thread *then = find(before, now->tid, &from);
        int64_t used_ns = now->cpu_ns - (then == NULL ? 0 : then->cpu_ns);
        int64_t delayed_ns = now->delay_ns - (then == NULL ? 0 : then->delay_ns);
        int64_t others_ns = cpu_ns - used_ns; /* what the bot's other threads have used */
        int64_t known_ns, possible_ns;

        if (used_ns < 0 || delayed_ns < 0) {
            continue; /* another thread has this number now */
        }
        others_ns = others_ns < 0 ? 0 : others_ns;
        known_ns = within(delayed_ns - others_ns, most_ns);
        possible_ns = within(
            delayed_ns + pending(now, then, passed_ns, used_ns, delayed_ns) - others_ns, most_ns);
        wait.known_ns = known_ns > wait.known_ns ? known_ns : wait.known_ns;
        wait.possible_ns = possible_ns > wait.possible_ns ? possible_ns : wait.possible_ns;
    }
    return wait;
}

/* ------------------------------------------------------------------ reading /proc */

static bool add(struct core_look *look, const struct core_thread *thread)
{
    look->threads = memory_list(look->threads, &look->room, look->count + 1, sizeof *thread);
    look->threads[look->count++] = *thread;
    return look->count <= THREADS_MOST;
}

/* folder: of a thread in /proc. The state stands behind the name, which may hold anything. */
static char state_of(const char *folder)
{
    char path[128], text[512];
    const char *end;

    snprintf(path, sizeof path, "%s/stat", folder);
    return tree_read_file(text, sizeof text, path) > 0 && (end = strrchr(text, ')')) != NULL &&
                   end[1] == ' '
               ? end[2]
               : '?';
}

/* Adds a thread, and the children that it has started to the list. A thread that has just ended is
 * left out. Returns false if there are too many. */
static bool take_thread(struct core_look *look, struct tree_list *list, pid_t pid, const char *tid)
{
    char folder[96], path[128], text[96];
    struct core_thread thread = {.tid = (pid_t)strtol(tid, NULL, 10)};
    char state;

    snprintf(folder, sizeof folder, "/proc/%d/task/%.20s", (int)pid, tid);
    snprintf(path, sizeof path, "%s/schedstat", folder);
    if (tree_read_file(text, sizeof text, path) <= 0 ||
        sscanf(text, "%" SCNd64 " %" SCNd64 " %" SCNu64, &thread.cpu_ns, &thread.delay_ns,
               &thread.turns) != 3) {
        return true;
    }
    state = state_of(folder);
    thread.is_ready = state == 'R';
    look->is_stopped |= state == 'T' || state == 't';
    snprintf(path, sizeof path, "%s/children", folder);
    (void)tree_numbers(list, path);
    return add(look, &thread) && list->count <= THREADS_MOST;
}

static bool take_process(struct core_look *look, struct tree_list *list, pid_t pid)
{
    char path[64];
    DIR *threads;
    struct dirent *entry;
    bool good = true;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    threads = opendir(path);
    while (good && threads != NULL && (entry = readdir(threads)) != NULL) {
        good = entry->d_name[0] == '.' || take_thread(look, list, pid, entry->d_name);
    }
    if (threads != NULL) {
        closedir(threads);
    }
    look->cpu_ns += tree_process_cpu_ns(pid);
    return good;
}

static void core_look_destroy(struct core_look *look)
{
    if (look != NULL) {
        free(look->threads);
        free(look);
    }
}

struct core_look *core_look_take(pid_t keeper, int64_t now_ns)
{
    struct core_look *look = memory_zeroed(1, sizeof *look);
    struct tree_list list = {.pids = NULL};
    struct tree_process process;
    bool good = tree_children(&list, keeper) && tree_read(&process, keeper);

    if (good) { /* what the keeper itself uses is ours */
        look->at_ns = now_ns;
        look->cpu_ns = process.children_cpu_ns;
    }
    for (size_t i = 0; good && i < list.count; i++) {
        good = take_process(look, &list, list.pids[i]);
    }
    if (!good || look->count == 0) {
        core_look_destroy(look);
        look = NULL;
    }
    tree_list_deinit(&list);
    return look;
}

void core_look_release(struct core_look *look)
{
    if (look != NULL && --look->uses <= 0) {
        core_look_destroy(look);
    }
}
