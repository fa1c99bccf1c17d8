/* Without a default, so that the compiler says where a new status has no exit status. BG_E_BUSY
 * is misuse: the remedy is the caller's, to wait or to choose another file. */
#include "exit_status.h"

int exit_status_of(enum bg_status status)
{
    switch (status) {
    case BG_OK:
        return EXIT_DONE;
    case BG_E_ARGUMENT:
    case BG_E_FORMAT:
    case BG_E_CONFIG:
    case BG_E_BUSY:
        return EXIT_MISUSE;
    case BG_E_START:
    case BG_E_REFUSED:
        return EXIT_START;
    case BG_E_MISMATCH:
        return EXIT_CHECK;
    case BG_E_MEMORY:
    case BG_E_SYSTEM:
    case BG_E_LINK:
    case BG_E_STORE:
    case BG_E_CLOSED:
    case BG_E_TIMEOUT:
    case BG_STATUS_COUNT:
        break;
    }
    return EXIT_SURROUNDINGS;
}

int exit_status_of_results(enum bg_status status)
{
    return status == BG_E_MISMATCH ? EXIT_VERIFY : exit_status_of(status);
}
