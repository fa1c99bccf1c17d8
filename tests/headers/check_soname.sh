#!/bin/sh
# Bots that were compiled with earlier headers. Same ABI: the layout of those headers is still valid, and a bot
# built with them plays, judges and says goodbye. Other ABI: the bot is refused with a message, by the system's
# linker or, if a link leads it to today's library, by bg_bot_open.
# Usage: check_soname.sh BUILD-DIR SOURCE-DIR [COMPILER-FLAG...]
set -eu

build=$1
source=$2
shift 2
here=$source/tests/headers
bgref=$build/bin/bgref
library=$build/bin/bots/lib
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
for abi in 0 1; do
    tar -xJf "$here/soname-$abi.tar.xz"
done

fail() {
    echo "$*" >&2
    exit 1
}

compile() {
    # shellcheck disable=SC2086 # CC may be words
    ${CC:-cc} -std=c17 -Wall -Wextra -Werror "$@"
}

# This ABI: the old layout of the structs is still valid.
compile -I soname-1 "$here/layout.c" -o layout_then
compile -I "$source/sdk/include" "$here/layout.c" -o layout_now
./layout_then >layout.then
./layout_now >layout.now
[ "$(wc -l <layout.then)" -gt 100 ] || fail "only $(wc -l <layout.then) lines of layout"
diff layout.then layout.now >moved || fail "a struct moved under compiled bots; grow it as api.h says, or raise BG_ABI:
$(cat moved)"

# A bot that was built with the first headers, together with its library, plays and judges with today's
# library.
compile "$@" -I soname-1 "$here/probe_1.c" -o probe_1 -L "$library" -lbgref -Wl,-rpath,"$library"
# shellcheck source=/dev/null
. "$here/probe_plays.sh"

# Another ABI: linking needs a library of that name; its functions are never called.
compile "$@" -I soname-0 -c "$here/probe_0.c" -o probe_0.o
mkdir other
nm -u probe_0.o | sed -n 's/.* \(bg_[a-z_]*\)$/void \1(void); void \1(void) {}/p' >stub.c
compile -shared -fPIC -Wl,-soname,libbgref.so.0 stub.c -o other/libbgref.so
compile "$@" probe_0.o -o probe_0 -L other -lbgref -Wl,-rpath,"$place/other"
status=0
"$bgref" duel ./probe_0 random --pairs 1 --sandbox off --quiet --results none.db >said 2>&1 || status=$?
if [ $status = 0 ] || ! grep -q 'libbgref\.so\.0: cannot open' said ||
    ! grep -q 'what to do: .*compile the bot again' said; then
    fail "a bot of libbgref.so.0, exit $status: $(cat said)"
fi
# The trap: an old link that points to the new file.
ln -s "$library/libbgref.so.1" other/libbgref.so.0
status=0
"$bgref" duel ./probe_0 random --pairs 1 --sandbox off --quiet --results none.db >said 2>&1 || status=$?
if [ $status = 0 ] || ! grep -q 'headers of an older bgref.*compile it again' said || grep -qi 'signal' said; then
    fail "a bot of libbgref.so.0 with the library of another, exit $status: $(cat said)"
fi
