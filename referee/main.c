/* main.c - the table of commands. */
#include <stdio.h>
#include <string.h>

#include <bgref/api.h>

#include "cmd.h"

int main(int argc, char **argv)
{
    (void)argv;
    puts("bgref " BG_VERSION);
    return argc > 1 ? 2 : 0;
}
