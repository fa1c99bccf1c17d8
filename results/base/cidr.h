/* cidr.h - networks as text: "192.0.2.0/24", "2001:db8::/32", or one address without a length.
 *
 * An IPv4 network is the one of its mapped IPv6 addresses ("::ffff:192.0.2.0/120"), so that an IPv4
 * client of an IPv6 socket is recognised.
 */
#ifndef RESULTS_BASE_CIDR_H
#define RESULTS_BASE_CIDR_H

#include <bgref/error.h>

#include <stdbool.h>
#include <stdint.h>

struct sockaddr_storage;

enum {
    CIDR_BYTES = 16,
    CIDR_TEXT = 56 /* a network as text with its terminator */
};

struct cidr {
    uint8_t bytes[CIDR_BYTES]; /* all beyond the first `bits` bits are 0 */
    int bits;
};

/* Reads a network. BG_E_ARGUMENT: what is wrong, also if bits are set beyond its length. */
enum bg_status cidr_read(struct cidr *out, const char *text, struct bg_error *err);
/* Writes it in one form, with its length. */
void cidr_write(char out[CIDR_TEXT], const struct cidr *network);

/* Return whether an address is in the network. Other families than IPv4 and IPv6, and text that is
 * not an address, are in none. */
bool cidr_has(const struct cidr *network, const struct sockaddr_storage *address);
bool cidr_has_text(const struct cidr *network, const char *address);

#endif
