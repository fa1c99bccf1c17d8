#define _GNU_SOURCE /* environ */
#include "browser.h"

#include <spawn.h>
#include <stdio.h>
#include <unistd.h>

bool browser_open(const char *address)
{
    char program[] = "xdg-open", url[512];
    char *argv[] = {program, url, NULL};
    pid_t pid;

    snprintf(url, sizeof url, "%s", address);
    return posix_spawnp(&pid, program, NULL, NULL, argv, environ) == 0;
}
