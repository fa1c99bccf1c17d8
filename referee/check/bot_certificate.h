/* bot_certificate.h - the file that `bgref check --out` writes: what an examination found, of which
 * program, signed.
 *
 *     bgref-certificate 1
 *     bgref VERSION
 *     date 2026-11-27T03:14:02Z
 *     bot NAME
 *     version TEXT          of its Hello, "-" none; so are options
 *     options TEXT
 *     game GAME             or "all"
 *     level REACHED of ASKED             REACHED is "none" if it does not play
 *     findings HEX          the last line of `bgref check`
 *     digest HEX            of the program (bot/program.h), "-" unknown
 *     program SIZE HEX PATH         files that its command names
 *     file SIZE HEX PATH            files that its options name, and others that it opened
 *     signed NAME KEY SIGNATURE
 *
 * Digests are BLAKE2b-256 of the bytes (b2sum -l 256). The signature (Ed25519) covers everything
 * before it.
 */
#ifndef REFEREE_CHECK_BOT_CERTIFICATE_H
#define REFEREE_CHECK_BOT_CERTIFICATE_H

#include <stdint.h>

#include "certificate.h"
#include "bot/program.h"
#include "opened.h"
#include "proof/key_pair.h"

enum {
    BOT_CERTIFICATE_BYTES = 4 << 20, /* of the whole file */
    BOT_CERTIFICATE_TEXT = 1100
};

/* One file of the bot. */
struct bot_file {
    bool is_program; /* its command names it */
    uint64_t size;
    char digest[PROGRAM_DIGEST];
    char *path; /* owned */
};

struct bot_certificate {
    char bgref[BOT_CERTIFICATE_TEXT], date[BOT_CERTIFICATE_TEXT], bot[BOT_CERTIFICATE_TEXT],
        version[BOT_CERTIFICATE_TEXT], options[BOT_CERTIFICATE_TEXT], game[BOT_CERTIFICATE_TEXT],
        level[BOT_CERTIFICATE_TEXT], findings[BOT_CERTIFICATE_TEXT], digest[BOT_CERTIFICATE_TEXT];
    struct bot_file *file; /* owned */
    size_t files, room;
    struct key_public by; /* who signed it; set by reading */
};

void bot_certificate_deinit(struct bot_certificate *certificate); /* accepts a zeroed one */

/* Fills everything in but the signer: digests every file. Ones that cannot be read, or whose name
 * has a control character, are left out. */
void bot_certificate_make(struct bot_certificate *out, const struct certificate *examined,
                          const char *game, const struct competitor *bot, struct opened *opened);

/* Writes and signs it. */
void bot_certificate_write(FILE *out, const struct bot_certificate *certificate,
                           const struct sign_secret *secret);

/* Reads it, and checks its signature by the key that it names. BG_E_FORMAT: not a whole
 * certificate; BG_E_MISMATCH: the signature is not that of these bytes. */
enum bg_status bot_certificate_read(struct bot_certificate *out, const char *text, size_t size,
                                    struct bg_error *err);

#endif
