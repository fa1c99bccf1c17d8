#!/usr/bin/python3
"""A bot that misbehaves on request, to try referees: one deed per word of the command line.

Until its deed is due it plays the first legal result, rolls, takes and accepts. `--list` prints
every deed with what must happen to it, by tabs: deed, fault ("-": none; two by a comma: either),
rule ("-": none), and a line for people.
"""
import argparse
import os

from rogue import answers, base, clocks, dice, doors, greeting, plays, process, sandbox, text, wire

MODULES = (base, greeting, clocks, plays, answers, wire, doors, text, process, sandbox, dice)
DEEDS = {name: deed for module in MODULES for name, deed in module.DEEDS.items()}
assert len(DEEDS) == sum(len(module.DEEDS) for module in MODULES), "two deeds have one name"


def call(function, argument):
    """In every module that has it."""
    for module in MODULES:
        if hasattr(module, function):
            getattr(module, function)(argument)


def parse():
    parser = argparse.ArgumentParser(prog="bgref-rogue", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deed", nargs="?", choices=DEEDS, metavar="DEED")
    parser.add_argument("--list", action="store_true", help="every deed and what must happen to it")
    parser.add_argument("--after", type=int, default=3, metavar="N",
                        help="the deed comes with every Nth play (default 3)")
    parser.add_argument("--sleep", type=float, default=1.0, metavar="SECONDS",
                        help="how long the late deeds sleep (default 1)")
    parser.add_argument("--starts", metavar="FILE", help="append a line for every start")
    parser.add_argument("--matches", metavar="FILE", help="append a line for every change of match")
    parser.add_argument("--opponent", metavar="NAME", help="end when this opponent is named to it")
    call("add_options", parser)
    options = parser.parse_args()
    if not options.list and options.deed is None:
        parser.error("a deed is needed; --list shows them")
    if not options.list and "BGREF_ENDPOINT" not in os.environ:
        parser.error("the referee starts this program, as in bgref duel greedy "
                     "-engine cmd=\"bgref-rogue late\"")
    return options


def main():
    options = parse()
    if options.list:
        for name, deed in DEEDS.items():
            print(name, deed.fault, deed.rule, deed.does, sep="\t")
        return
    if options.starts:
        with open(options.starts, "a", encoding="ascii") as starts:
            starts.write(f"{os.getpid()}\n")
    call("prepare", options)
    DEEDS[options.deed](options).run()


if __name__ == "__main__":
    main()
