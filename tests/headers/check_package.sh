#!/bin/sh
# The installed package is enough for an author: the first bot is built against it with pkg-config alone, and a
# C++ program with all its headers.
# Usage: check_package.sh BUILD-DIR SOURCE-DIR [COMPILER-FLAG...]
set -eu

build=$1
source=$2
shift 2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

cmake --install "$build" --prefix "$place/root" >"$place/log" || {
    cat "$place/log" >&2
    exit 1
}
PKG_CONFIG_PATH=$(dirname "$(find "$place/root" -name bgref.pc)")
export PKG_CONFIG_PATH
# With a shared library nothing else is needed: an author has no headers of the libraries below it.
if [ -n "$(find "$place/root" -name libbgref.so)" ]; then
    export PKG_CONFIG_LIBDIR="$PKG_CONFIG_PATH"
fi
directory=$(pkg-config --variable=libdir bgref)
flags=$(pkg-config --cflags bgref)
libraries=$(pkg-config --libs bgref)

# shellcheck disable=SC2086 # flags are words
${CC:-cc} -std=c17 -Wall -Wextra -Werror "$@" $flags "$source/bots/first/main.c" \
    -o "$place/first" $libraries -Wl,-rpath,"$directory"
for header in "$place"/root/include/bgref/*.h; do
    echo "#include <bgref/$(basename "$header")>"
done >"$place/all.cpp"
echo 'int main() { bg_bot_info info = BG_BOT_INFO_INIT; return info.name[0] + bg_status_name(BG_OK)[0] - 111; }' >>"$place/all.cpp"
# shellcheck disable=SC2086
${CXX:-c++} -std=c++17 -Wall -Wextra -Wno-missing-field-initializers -Werror "$@" $flags \
    "$place/all.cpp" -o "$place/all" $libraries -Wl,-rpath,"$directory"
"$place/all"

# Outside a referee the bot prints how it is meant to be started.
status=0
env -u BGREF_ENDPOINT "$place/first" 2>"$place/said" || status=$?
if [ "$status" != 1 ] || ! grep -q 'BGREF_ENDPOINT is not set' "$place/said"; then
    echo "first: exit $status, said: $(cat "$place/said")" >&2
    exit 1
fi
for file in share/bgref/bgref.proto libexec/bgref/bgref-random libexec/bgref/bgref-python \
    libexec/bgref/python/bgref_pb2.py; do
    [ -e "$place/root/$file" ] || {
        echo "not installed: $file" >&2
        exit 1
    }
done

# The installed program finds its bots and their keeper, also as an ordinary user.
duel() {
    through=$1
    sandbox=$2
    results=$place/results-$sandbox${through:+-ordinary}
    mkdir "$results"
    chmod 777 "$results"
    # shellcheck disable=SC2086 # through is words
    (cd "$results" && env HOME="$results" $through "$place/root/bin/bgref" duel random greedy --pairs 2 \
        --length 1 --sandbox "$sandbox" --quiet --results r.db) >"$place/log" 2>&1 || {
        echo "duel from the installed tree, sandbox $sandbox, $through:" >&2
        cat "$place/log" >&2
        exit 1
    }
}
chmod 755 "$place"
ordinary=
if [ "$(id -u)" = 0 ] && command -v setpriv >"$place/log"; then
    ordinary="setpriv --reuid=65534 --regid=65534 --clear-groups"
fi
duel "" off
# Not with the sanitizers: bwrap's limits do not work with them. The line of doctor shows whether bots can be
# confined.
if "$place/root/bin/bgref" doctor "$place" | grep -q '^ok .*sandbox'; then
    duel "" on
else
    echo "skipped: headers_package, a confined duel: bots cannot be confined here; bgref doctor says why"
fi
if [ -n "$ordinary" ]; then
    duel "$ordinary" off
else
    echo "skipped: headers_package, a duel of an ordinary user: takes root and setpriv"
fi
