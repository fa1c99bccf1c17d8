/* affinity.h - on which cores bots run: off (any), auto (one core for each process, in turn over
 * all cores; the referee's own with one table at once) or a list of cores. */
#ifndef REFEREE_CONFIG_AFFINITY_H
#define REFEREE_CONFIG_AFFINITY_H

#include <bgref/error.h>

#include <stddef.h>
#include <stdint.h>

enum { AFFINITY_CORES = 256 };

struct affinity {
    enum { AFFINITY_OFF, AFFINITY_AUTO, AFFINITY_LIST } kind;
    int count;                     /* cores in the list; AFFINITY_AUTO: set by affinity_read */
    uint16_t core[AFFINITY_CORES]; /* as the system numbers them */
};

/* Reads off, auto, or a list like 0,2-3. BG_E_ARGUMENT: the text, or a core that does not exist or
 * that this process may not use; the message lists those that it may. *out is then unchanged. */
enum bg_status affinity_read(struct affinity *out, const char *text, struct bg_error *err);
void affinity_write(char *out, size_t size, const struct affinity *affinity);

/* Returns the core of process `number` of an event's processes, counted from 0; -1: any core. */
int affinity_core(const struct affinity *affinity, int number);

#endif
