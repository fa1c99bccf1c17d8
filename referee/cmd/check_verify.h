/* check_verify.h - `bgref check --verify`: a certificate's signature, and what has changed since.
 */
#ifndef REFEREE_CMD_CHECK_VERIFY_H
#define REFEREE_CMD_CHECK_VERIFY_H

/* Prints what it finds; signer may be NULL. Returns the exit status. */
int check_verify(const char *path, const char *signer);

#endif
