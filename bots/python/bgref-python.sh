#!/bin/sh
# The bot is beside this launcher, with the messages that protoc made for it.
exec /usr/bin/python3 "$(dirname "$(readlink -f "$0")")/python/bgref_bot.py" "$@"
