#include "moves_file.h"

#include <stdlib.h>
#include <string.h>

int moves_row_next(struct moves_row *row, FILE *file)
{
    int results = 0;

    do {
        if (fgets(row->line, sizeof row->line, file) == NULL) {
            return 0;
        }
    } while (row->line[0] == '#');
    row->line[strcspn(row->line, "\n")] = '\0';
    if (sscanf(row->line, "%15s %d %d %d %n", row->position, &row->die[0], &row->die[1],
               &row->count, &results) != 4 ||
        results == 0) {
        fprintf(stderr, "cannot read row: %.80s\n", row->line);
        abort();
    }
    row->results = row->line + results;
    row->results[strcspn(row->results, "\t")] = '\0'; /* then the kind of row follows */
    return 1;
}
