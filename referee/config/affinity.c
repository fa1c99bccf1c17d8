/* The cores come from sched_getaffinity(), not from the number that are online: a container or
 * `taskset` may allow only some of them, and pinning a bot to another one fails. A list is kept
 * in the order given, because `auto` and lists are walked in turn by the number of the process. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "affinity.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends "2" or "2-5". */
static void range_write(char *out, size_t size, int first, int last)
{
    size_t used = strlen(out);

    snprintf(out + used, size - used, first == last ? "%s%d" : "%s%d-%d", used == 0 ? "" : ",",
             first, last);
}

static void cores_write(char *out, size_t size, const uint16_t *core, int count)
{
    out[0] = '\0';
    for (int first = 0, last; first < count; first = last + 1) {
        last = first;
        while (last + 1 < count && core[last + 1] == core[last] + 1) {
            last++;
        }
        range_write(out, size, core[first], core[last]);
    }
}

/* Sets *out to all cores that this process may use. */
static void cores_of_machine(struct affinity *out)
{
    cpu_set_t set;

    out->kind = AFFINITY_AUTO;
    out->count = 0;
    CPU_ZERO(&set);
    /* EINVAL: the kernel counts more than CPU_SETSIZE cores. One core is then used rather than
     * none. */
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        CPU_SET(0, &set);
    }
    for (size_t i = 0; i < CPU_SETSIZE && out->count < AFFINITY_CORES; i++) {
        if (CPU_ISSET(i, &set)) {
            out->core[out->count++] = (uint16_t)i;
        }
    }
}

static bool has(const struct affinity *affinity, long core)
{
    for (int i = 0; i < affinity->count; i++) {
        if (affinity->core[i] == core) {
            return true;
        }
    }
    return false;
}

/* Reads a number; returns what follows it, NULL if there is none. */
static const char *core_read(long *out, const char *text)
{
    char *end;

    if (text[0] < '0' || text[0] > '9') {
        return NULL;
    }
    *out = strtol(text, &end, 10);
    return end;
}

static enum bg_status core_add(struct affinity *list, const struct affinity *machine, long core,
                               struct bg_error *err)
{
    char known[200];

    if (!has(machine, core)) {
        cores_write(known, sizeof known, machine->core, machine->count);
        return bg_error_set(err, BG_E_ARGUMENT,
                            "core %ld does not exist here or may not be used; there are %s", core,
                            known);
    }
    if (has(list, core)) {
        return bg_error_set(err, BG_E_ARGUMENT, "core %ld is given twice", core);
    }
    list->core[list->count++] = (uint16_t)core; /* at most as many as the machine has */
    return BG_OK;
}

enum bg_status affinity_read(struct affinity *out, const char *text, struct bg_error *err)
{
    struct affinity list = {.kind = AFFINITY_LIST}, machine;
    const char *at = text;
    enum bg_status status = BG_OK;

    cores_of_machine(&machine);
    if (strcmp(text, "off") == 0) {
        *out = (struct affinity){.kind = AFFINITY_OFF};
        return BG_OK;
    }
    if (strcmp(text, "auto") == 0) {
        *out = machine;
        return BG_OK;
    }
    for (bool more = true; more && status == BG_OK;) {
        long first = 0, last;

        at = core_read(&first, at);
        last = first;
        if (at != NULL && at[0] == '-') {
            at = core_read(&last, at + 1);
        }
        if (at == NULL || last < first || (at[0] != ',' && at[0] != '\0')) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "'%.40s' is neither off, auto nor a list of cores like 0,2-3",
                                text);
        }
        status = core_add(&list, &machine, first, err);
        while (first < last && status == BG_OK) {
            status = core_add(&list, &machine, ++first, err);
        }
        more = at[0] == ',';
        at += more;
    }
    if (status == BG_OK) {
        *out = list;
    }
    return status;
}

void affinity_write(char *out, size_t size, const struct affinity *affinity)
{
    if (affinity->kind == AFFINITY_LIST) {
        cores_write(out, size, affinity->core, affinity->count);
    } else {
        snprintf(out, size, "%s", affinity->kind == AFFINITY_AUTO ? "auto" : "off");
    }
}

int affinity_core(const struct affinity *affinity, int number)
{
    return affinity->count == 0 ? -1 : affinity->core[number % affinity->count];
}
