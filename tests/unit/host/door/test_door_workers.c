/* What a gateway is told before it lets anybody in. It is this program under another name, which
 * says what it was told where a gateway says why it cannot begin. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "door/ban_list.h"
#include "door/door.h"
#include "door/gateway.h"
#include "door/inside.h"
#include "support/suite.h"

static void be_gateway(void)
{
    struct pollfd wait = {INSIDE_FD, POLLIN, 0};
    char told[200] = "";
    int kind = -1;

    while (kind != INSIDE__KIND__LISTEN && poll(&wait, 1, 10000) > 0) {
        Inside__Message *message;

        if (inside_take(&message, INSIDE_FD, "referee") != INSIDE_MESSAGE) {
            break;
        }
        kind = message->kind;
        snprintf(told + strlen(told), sizeof told - strlen(told), " %s",
                 protobuf_c_enum_descriptor_get_value(&inside__kind__descriptor, kind)->name);
        inside__message__free_unpacked(message, NULL);
    }
    inside_send(inside_own(), INSIDE__KIND__FAILED, NULL, 0, told);
    _exit(0);
}

TEST(a_gateway_knows_keys_and_bans_before_it_listens)
{
    static struct competitor bots[2] = {{.name = "anna", .remote = true},
                                        {.name = "ben", .remote = true}};
    char base[] = "/tmp/bgref-unit-XXXXXX", bans[64];
    struct door *door = NULL;
    struct loop *loop;
    FILE *out;

    ck_assert_ptr_nonnull(mkdtemp(base));
    snprintf(bans, sizeof bans, "%s/%s", base, BAN_LIST_OF_HOST);
    out = fopen(bans, "w");
    ck_assert(out != NULL && fputs("bgref-gate 1\nban\tname\tben\t0\tit cheats\n", out) >= 0);
    ck_assert_int_eq(fclose(out), 0);
    for (int i = 0; i < 2; i++) {
        memset(bots[i].key, 'a' + i, sizeof bots[i].key - 1);
    }
    assert_ok(loop_create(&loop, &error));
    const struct door_setup setup = {.name = "spring",
                                     .listen = "tcp://127.0.0.1:0",
                                     .address = "",
                                     .key = "none",
                                     .file = "",
                                     .bans = bans,
                                     .bots = bots,
                                     .bot_count = 2,
                                     .loop = loop};
    ck_assert_int_eq(door_open(&door, &setup, &error), BG_E_CONFIG);
    ck_assert_str_eq(error.text, "door:  ALLOW ALLOW UNBAR BAR LISTEN");
    loop_destroy(loop);
    ck_assert_int_eq(unlink(bans), 0);
    ck_assert_int_eq(rmdir(base), 0);
}

void suite_begin(TCase *tests)
{
    if (strcmp(program_invocation_short_name, GATEWAY_NAME) == 0) {
        be_gateway();
    }
}
