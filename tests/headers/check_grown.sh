#!/bin/sh
# Structs may grow: the library is built with extra members at the end of every struct that may grow, and fills
# them. A bot built with today's headers plays and judges with it. All runs under the sanitizers, so that a
# byte written or read past the end is found.
# Usage: check_grown.sh BUILD-DIR SOURCE-DIR
set -eu

build=$1
source=$2
here=$source/tests/headers
# shellcheck disable=SC2034 # used by probe_plays.sh
bgref=$build/bin/bgref
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
sanitize='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'

fail() {
    echo "$*" >&2
    exit 1
}

mkdir -p grown objects
cp -r "$source/sdk/include/bgref" grown
grown=0
grow() { # HEADER STRUCT: members at its end
    awk -v head="struct $2 {" '
        $0 == head { inside = 1 }
        inside && $0 == "};" { print "    uint64_t grown[64];"; inside = 0; done = 1 }
        { print }
        END { exit !done }' "grown/bgref/$1" >new || fail "$1 has no struct $2"
    mv new "grown/bgref/$1"
    grown=$((grown + 1))
}
take() { # HEADER STRUCT WORDS: a member in place of a reserved word
    awk -v head="struct $2 {" -v words="$3" '
        $0 == head { inside = 1 }
        inside && sub("uint64_t reserved\\[" words "\\];", "uint64_t grown; uint64_t reserved[" words - 1 "];") {
            inside = 0; done = 1 }
        { print }
        END { exit !done }' "grown/bgref/$1" >new || fail "$1: struct $2 has no reserved[$3]"
    mv new "grown/bgref/$1"
    grown=$((grown + 1))
}
grow ask.h bg_ask
grow ask.h bg_ask_played
grow bot.h bg_option
grow bot.h bg_bot_info
grow run.h bg_callbacks
grow thought.h bg_thought
take match.h bg_rules 8
take match.h bg_match 8
take match.h bg_start 4
sed 's/^    } of;$/        double grown[200];\n    } of;/' "grown/bgref/evaluate.h" >new
! cmp -s new grown/bgref/evaluate.h || fail "evaluate.h: bg_value has no union of"
mv new grown/bgref/evaluate.h

includes="-I$place/grown -I$source/sdk -I$source/sdk/rules -I$build/proto $(pkg-config --cflags libzmq libsodium libprotobuf-c)"
# shellcheck disable=SC2086 # flags are words
printf '%s\n' "$source"/sdk/rules/*.c "$source"/sdk/wire/*.c "$source"/sdk/client/*.c "$build/proto/bgref.pb-c.c" |
    (cd objects && xargs -P 2 -n 8 ${CC:-cc} -std=c17 -D_POSIX_C_SOURCE=200809L -fPIC -fvisibility=hidden $sanitize \
        $includes -c) || fail "the library is not built"
# shellcheck disable=SC2046,SC2086
${CC:-cc} -shared $sanitize -Wl,-soname,libbgref.so.1 -Wl,--version-script="$source/sdk/bgref.map" objects/*.o \
    -o libbgref.so.1 $(pkg-config --libs libzmq libsodium libprotobuf-c) -lm
ln -s libbgref.so.1 libbgref.so
# shellcheck disable=SC2086
${CC:-cc} -std=c17 -Wall -Wextra $sanitize -I "$source/sdk/include" "$here/probe_1.c" -o probe_1 -L . -lbgref \
    -Wl,-rpath,"$place"
# shellcheck source=/dev/null
. "$here/probe_plays.sh"
[ $grown = 9 ]
