/* Who is kept out of a host: networks, and the file of bans. */
#include "support/suite.h"

#include "door/gate.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ networks */

static const struct {
    const char *text, *written; /* written NULL: refused */
} networks[] = {
    {"192.0.2.0/24", "192.0.2.0/24"},
    {"192.0.2.7", "192.0.2.7/32"},
    {"0.0.0.0/0", "0.0.0.0/0"},
    {"2001:db8::/32", "2001:db8::/32"},
    {"2001:DB8:0:0::1", "2001:db8::1/128"},
    {"::/0", "::/0"},
    {"::ffff:192.0.2.0/120", "192.0.2.0/24"},
    {"192.0.2.1/24", NULL},
    {"192.0.2.0/33", NULL},
    {"192.0.2.0/", NULL},
    {"192.0.2.0/-1", NULL},
    {"192.0.2.0/24x", NULL},
    {"192.0.2/24", NULL},
    {"192.0.2.0.1", NULL},
    {"2001:db8::/129", NULL},
    {"2001:db8::1/64", NULL},
    {"fe80::1%lo", NULL},
    {"/8", NULL},
    {"", NULL},
    {"example.org", NULL},
};

TEST_ROWS(a_network_is_read_strictly_and_written_in_one_form, networks)
{
    struct cidr network = {.bits = -1};
    struct bg_error err = {.text = ""};
    char text[CIDR_TEXT] = "";
    enum bg_status status = cidr_read(&network, networks[_i].text, &err);

    if (networks[_i].written == NULL) {
        ck_assert_msg(status == BG_E_ARGUMENT, "%s", networks[_i].text);
        ck_assert_int_eq(network.bits, -1);
        ck_assert_str_ne(err.text, "");
    } else {
        ck_assert_msg(status == BG_OK, "%s: %s", networks[_i].text, err.text);
        cidr_write(text, &network);
        ck_assert_str_eq(text, networks[_i].written);
    }
}

static const struct {
    const char *network, *address;
    bool has;
} addresses[] = {
    {"192.0.2.0/24", "192.0.2.255", true},
    {"192.0.2.0/24", "192.0.3.0", false},
    {"192.0.2.0/24", "::ffff:192.0.2.9", true},
    {"192.0.2.0/31", "192.0.2.1", true},
    {"192.0.2.0/31", "192.0.2.2", false},
    {"0.0.0.0/0", "198.51.100.1", true},
    {"0.0.0.0/0", "2001:db8::1", false},
    {"::/0", "198.51.100.1", true},
    {"2001:db8::/33", "2001:db8:7fff::", true},
    {"2001:db8::/33", "2001:db8:8000::", false},
    {"fe80::/10", "fe80::1%eth0", true},
    {"192.0.2.0/24", "?", false},
    {"::/0", "", false},
};

static void fill(struct sockaddr_storage *out, const char *text)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

    *out = (struct sockaddr_storage){.ss_family = AF_UNSPEC};
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        memcpy(out, &v4, sizeof v4);
    } else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
        memcpy(out, &v6, sizeof v6);
    }
}

TEST_ROWS(an_address_is_in_its_networks, addresses)
{
    struct sockaddr_storage from;
    struct cidr network;

    ck_assert_int_eq(cidr_read(&network, addresses[_i].network, NULL), BG_OK);
    ck_assert_msg(cidr_has_text(&network, addresses[_i].address) == addresses[_i].has, "%s in %s",
                  addresses[_i].address, addresses[_i].network);
    fill(&from, addresses[_i].address);
    if (strchr(addresses[_i].address, '%') == NULL) {
        ck_assert_msg(cidr_has(&network, &from) == addresses[_i].has, "%s in %s",
                      addresses[_i].address, addresses[_i].network);
    }
}

/* ------------------------------------------------------------------ bans */

#define DIGITS "0a1ea2ccf4b0d2a0d5e5e5e5e5f4b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f700"

static struct gate_ban ban_of(const char *what, int64_t until_s)
{
    struct gate_ban ban = {.until_s = until_s, .reason = "why not"};

    ck_assert_int_eq(gate_read_what(&ban, what, NULL), BG_OK);
    return ban;
}

TEST(a_ban_is_about_a_name_a_key_or_a_network)
{
    struct gate_ban ban;

    ck_assert_int_eq(ban_of("anna", 0).kind, GATE_NAME);
    ck_assert_int_eq(ban_of("192.0.2.1", 0).kind, GATE_FROM);
    ck_assert_int_eq(ban_of("2001:db8::", 0).kind, GATE_FROM);
    ban = ban_of("0A1EA2CCF4B0D2A0D5E5E5E5E5F4B1C2D3E4F5A6B7C8D9E0F1A2B3C4D5E6F700", 0);
    ck_assert_int_eq(ban.kind, GATE_KEY);
    ck_assert_str_eq(ban.what, DIGITS);
    ck_assert_int_eq(gate_read_what(&ban, "a b", NULL), BG_E_ARGUMENT);
    ck_assert_int_eq(gate_read_what(&ban, "", NULL), BG_E_ARGUMENT);
}

TEST(a_bot_is_found_by_name_and_by_key)
{
    struct gate gate = {.bans = NULL};
    struct gate_ban name = ban_of("anna", 0), key = ban_of(DIGITS, 0), from = ban_of("::/0", 0);

    ck_assert_int_eq(gate_add(&gate, &from, NULL), BG_OK);
    ck_assert_ptr_null(gate_find(&gate, "anna", DIGITS));
    ck_assert_int_eq(gate_add(&gate, &key, NULL), BG_OK);
    ck_assert_int_eq(gate_find(&gate, "bert", DIGITS)->kind, GATE_KEY);
    ck_assert_int_eq(gate_add(&gate, &name, NULL), BG_OK);
    ck_assert_int_eq(gate_find(&gate, "anna", "00")->kind, GATE_NAME);
    ck_assert(gate_remove(&gate, GATE_NAME, "anna"));
    ck_assert(!gate_remove(&gate, GATE_NAME, "anna"));
    ck_assert_ptr_null(gate_find(&gate, "anna", "00"));
    ck_assert_int_eq(gate_add(&gate, &key, NULL), BG_OK);
    ck_assert_int_eq(gate.ban_count, 2); /* replaced */
    gate_deinit(&gate);
}

TEST(a_ban_ends_when_its_time_has_come)
{
    struct gate gate = {.bans = NULL};
    struct gate_ban bans[] = {ban_of("c", 300), ban_of("never", 0), ban_of("a", 100),
                              ban_of("b", 200)};
    struct gate_ban ended;

    for (size_t i = 0; i < sizeof bans / sizeof bans[0]; i++) {
        ck_assert_int_eq(gate_add(&gate, &bans[i], NULL), BG_OK);
    }
    ck_assert_int_eq(gate_due(&gate), 100);
    ck_assert(!gate_expire(&ended, &gate, 99));
    ck_assert(gate_expire(&ended, &gate, 100));
    ck_assert_str_eq(ended.what, "a");
    ck_assert(!gate_expire(&ended, &gate, 199));
    ck_assert(gate_expire(&ended, &gate, 1000));
    ck_assert(gate_expire(&ended, &gate, 1000));
    ck_assert(!gate_expire(&ended, &gate, INT64_MAX));
    ck_assert_int_eq(gate_due(&gate), 0);
    ck_assert_int_eq(gate.ban_count, 1);
    gate_deinit(&gate);
}

TEST(there_are_at_most_so_many_bans)
{
    struct gate gate = {.bans = NULL};
    struct gate_ban ban = ban_of("x", 0);

    for (int i = 0; i < GATE_BANS; i++) {
        snprintf(ban.what, sizeof ban.what, "bot%d", i);
        ck_assert_int_eq(gate_add(&gate, &ban, NULL), BG_OK);
    }
    ck_assert_int_eq(gate_add(&gate, &ban, NULL), BG_OK); /* in the place of itself */
    snprintf(ban.what, sizeof ban.what, "one-more");
    ck_assert_int_eq(gate_add(&gate, &ban, NULL), BG_E_ARGUMENT);
    gate_deinit(&gate);
}

/* ------------------------------------------------------------------ the file */

TEST(a_stored_gate_is_read_back)
{
    char folder[] = "/tmp/bgref-gate-XXXXXX", path[64], draft[80];
    struct gate gate = {.bans = NULL}, back;
    struct gate_ban bans[] = {ban_of("anna", 0), ban_of(DIGITS, 4000000000),
                              ban_of("192.0.2.0/24", 7)};

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/gate", folder);
    ck_assert_int_eq(gate_load(&back, path, NULL), BG_OK); /* not there: empty */
    ck_assert_int_eq(back.ban_count, 0);
    for (size_t i = 0; i < sizeof bans / sizeof bans[0]; i++) {
        ck_assert_int_eq(gate_add(&gate, &bans[i], NULL), BG_OK);
    }
    gate.kick_number = 12;
    snprintf(gate.kicked, sizeof gate.kicked, "bert");
    ck_assert_int_eq(gate_save(&gate, path, NULL), BG_OK);
    ck_assert_int_eq(gate_load(&back, path, NULL), BG_OK);
    ck_assert_int_eq(back.ban_count, 3);
    for (int i = 0; i < back.ban_count; i++) {
        ck_assert_int_eq(back.bans[i].kind, gate.bans[i].kind);
        ck_assert_str_eq(back.bans[i].what, gate.bans[i].what);
        ck_assert_int_eq(back.bans[i].until_s, gate.bans[i].until_s);
        ck_assert_str_eq(back.bans[i].reason, "why not");
    }
    ck_assert_uint_eq(back.kick_number, 12);
    ck_assert_str_eq(back.kicked, "bert");
    gate_deinit(&back);
    gate_deinit(&gate);
    snprintf(draft, sizeof draft, "%s.new", path);
    ck_assert_int_ne(unlink(draft), 0); /* nothing is left beside it */
    unlink(path);
    rmdir(folder);
}

static const char *const broken[] = {
    "bgref-gate 2\n",
    "bgref-gate 1\nban\tname\tanna\t0\n",
    "bgref-gate 1\nban\tname\tanna\t0\twhy\tmore\n",
    "bgref-gate 1\nban\tkey\tanna\t0\twhy\n",
    "bgref-gate 1\nban\tfrom\t10.0.0.1/8\t0\twhy\n",
    "bgref-gate 1\nban\tname\tanna\tsoon\twhy\n",
    "bgref-gate 1\nkick\t1\n",
    "bgref-gate 1\nkick\t0\tanna\n",
    "bgref-gate 1\nporch\ttcp://h:5556\n",
    "bgref-gate 1\n\n",
};

TEST_ROWS(a_broken_file_is_refused, broken)
{
    struct gate gate;
    struct bg_error err = {.text = ""};
    FILE *in = fmemopen((void *)(uintptr_t)broken[_i], strlen(broken[_i]), "r");

    ck_assert_msg(gate_read(&gate, in, "gate", &err) == BG_E_FORMAT, "%s", broken[_i]);
    ck_assert_ptr_nonnull(strstr(err.text, "gate:"));
    ck_assert_ptr_null(gate.bans);
    fclose(in);
}
