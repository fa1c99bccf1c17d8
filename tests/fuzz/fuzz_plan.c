/* fuzz_plan - foreign bytes as the schedule of an event: they are refused with a reason, or read,
 * and then written in a form that is read as the same plan.
 */
#include <string.h>

#include "season/plan.h"

#include "fuzz.h"

static void compare(const struct plan *plan)
{
    static const char *const names[] = {"ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal"};
    static struct plan again;
    struct bg_error err = {.text = ""};
    char text[PLAN_TEXT], second[PLAN_TEXT], words[300];

    plan_write(text, plan);
    if (plan_read(&again, text, 3, &err) != BG_OK) {
        abort();
    }
    plan_write(second, &again);
    require(strcmp(text, second) == 0);
    for (int i = 0; i < plan->stages; i++) {
        plan_stage_text(words, sizeof words, &plan->stage[i]);
        require(words[0] != '\0');
    }
    if (plan_check(plan, names, 8, &err) != BG_OK && err.text[0] == '\0') {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct plan plan;
    struct bg_error err = {.text = ""};
    char *text = malloc(size + 1);

    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    if (plan_read(&plan, text, 7, &err) == BG_OK) {
        compare(&plan);
    } else if (err.text[0] == '\0') {
        abort(); /* a refusal without a reason */
    }
    free(text);
    return 0;
}
