#!/bin/sh
# Every public header compiles alone, as C11, C17, C++11 and C++17; libbgref exports the functions of the
# headers and no others, and its name ends in BG_ABI; the rules call no function that reads, writes, waits,
# uses random numbers or allocates.
# Usage: check_headers.sh INCLUDE-DIR LIBBGREF RULES-OBJECT...
set -u

include=$1
library=$2
shift 2
failed=0

complain() {
    echo "$*" >&2
    failed=1
}

count=0
for header in "$include"/bgref/*.h; do
    name=bgref/$(basename "$header")
    for language in "c -std=c11" "c -std=c17" "c++ -std=c++11" "c++ -std=c++17"; do
        # shellcheck disable=SC2086 # two words
        printf '#include <%s>\n#include <%s>\ntypedef int not_empty;\n' "$name" "$name" |
            ${CC:-cc} -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" - ||
            complain "$name does not compile alone as ${language#*=}"
    done
    count=$((count + 1))
done
[ "$count" -ge 10 ] || complain "only $count headers in $include/bgref"

case $library in
*.so*)
    # Declared: the name before the parenthesis of every declaration with BG_API.
    declared=$(cat "$include"/bgref/*.h | ${CC:-cc} -E -P -I "$include" -x c - | tr '\n' ' ' |
        grep -oE 'visibility\("default"\)\)\) [^;(]*\(' | grep -oE '[a-z0-9_]+ *\($' | tr -d '( ' | sort -u)
    exported=$(nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u)
    [ "$(echo "$declared" | wc -l)" -ge 50 ] || complain "few functions were read from the headers: $declared"
    foreign=$(echo "$exported" | grep -vxF "$declared")
    [ -z "$foreign" ] || complain "$library exports what no header has: $(echo "$foreign" | tr '\n' ' ')"
    missing=$(echo "$declared" | grep -vxF "$exported")
    [ -z "$missing" ] || complain "$library lacks $(echo "$missing" | tr '\n' ' ')"
    abi=$(sed -n 's/^#define BG_ABI //p' "$include/bgref/api.h")
    soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    [ "$soname" = "libbgref.so.$abi" ] || complain "$library is called $soname; BG_ABI is $abi"
    ;;
esac

# The list contains what is allowed, not what is forbidden: so every new call is noticed.
allowed='mem(cpy|move|set|cmp|chr)|stpcpy|str(len|nlen|cmp|ncmp|chr|rchr|spn|cspn|pbrk|str|cat|ncat|cpy|ncpy)'
allowed="$allowed|strtol|strtoul|strtoll|strtoull|v?snprintf|__(v?snprintf|mem[a-z]*|st[a-z]*)_chk"
allowed="$allowed|qsort|abort|__errno_location|__ctype_[a-z_]*|__isoc[0-9]*_[a-z]*"
allowed="$allowed|crypto_generichash[a-z_]*|sodium_[a-z0-9_]*|_GLOBAL_OFFSET_TABLE_"
allowed="$allowed|__cpu_model" # libgcc: which instructions the processor has
allowed="$allowed|__assert_fail|__stack_chk_fail|__(asan|ubsan|gcov|tls)_.*"
defined=$(nm --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort -u)
called=$(nm -u "$@" | awk '$1 == "U" { print $2 }' | sort -u)
impure=$(echo "$called" | grep -vxE "$allowed" | grep -vxF "$defined")
[ -z "$impure" ] || complain "the rules call $(echo "$impure" | tr '\n' ' ')"
echo "$called" | grep -q '^memcpy$' || complain "no undefined symbols were read: is nm there?"

exit $failed
