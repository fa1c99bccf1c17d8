#!/usr/bin/python3
"""Writes the man pages: bgref(1) and one page a command, from what the program itself says.

    man_pages.py PROGRAM RUNNING.md FOLDER

Everything comes from `--help`, so a page cannot say what the program does not; statuses and variables
come from the tables of docs/running.md, which people read too. Pages of commands that are gone go.
"""
import glob
import os
import re
import subprocess
import sys

# No line is broken and descriptions stand far to the right: what belongs together is on one line.
WIDE = "rmargin=4000,opt-doc-col=300,long-opt-col=6"
BOILERPLATE = "Mandatory or optional arguments to long options"


def said(program, *words):
    return subprocess.run([program, *words, "--help"], check=True, text=True, capture_output=True,
                          env={**os.environ, "ARGP_HELP_FMT": WIDE, "LC_ALL": "C.UTF-8"}).stdout


# ---- roff

def plain(text):
    """One line of running text: what roff would read as its own is not."""
    text = text.replace("\\", "\\e").replace("`", "\\(ga").replace("'", "\\(aq")
    text = re.sub(r"(?<![A-Za-z0-9])-(?=[A-Za-z0-9-])|(?<=-)-", r"\\-", text)
    return "\\&" + text if text.startswith(".") else text


def literal(lines):
    return [".PP", ".RS 2", ".EX", *(plain(line[2:])
                                     or "\\&" for line in lines), ".EE", ".RE"]


def prose(lines):
    """Paragraphs, and as they stand the lines that begin with blanks."""
    out, block, fresh = [], [], True
    for line in [*lines, ""]:
        if line.startswith("  ") and line.strip():
            block.append(line)
            continue
        if block:
            out += literal(block)
            block, fresh = [], True
        if line.strip():
            out += [".PP"] * fresh + [plain(line.strip())]
        fresh = not line.strip()
    return out


def heading(name, version):
    return [f'.TH {name.upper().replace("-", chr(92) + "-")} 1 "" "bgref {version}" "bgref"']


def option(line):
    """`  -q, --quiet      what it does`."""
    names, text = (re.split(r"\s{2,}", line.strip(), maxsplit=1) + [""])[:2]
    return [".TP", "\\fB" + names.strip().replace("-", "\\-") + "\\fR",
            plain(re.sub(r"\(default \d+, the cores\)", "(default: the cores)", text.strip()))]


# ---- one command

def is_option(line):
    return re.match(r"  +-[-\w?]", line) is not None


def split(text):
    """Usage lines, description, the options' lines with their headings, what is said at the end."""
    lines = text.splitlines()
    end = next(i for i, line in enumerate(lines)
               if i > 0 and not re.match(r"\s*or:|\s{7}", line))
    usage = [re.sub(r"^(usage:|\s*or:)\s*", "", line, flags=re.I) for line in lines[:end]]
    rest = [line for line in lines[end:] if not line.startswith(BOILERPLATE)]
    places = [i for i, line in enumerate(rest) if is_option(line)]
    if not places:
        return usage, rest, [], []
    first, last = places[0], places[-1]
    while last + 1 < len(rest) and rest[last + 1].startswith("    "):
        last += 1  # goes on under the last option
    if first > 0 and re.match(r" \S.*:$", rest[first - 1]):
        first -= 1
    return usage, rest[:first], rest[first:last + 1], rest[last + 1:]


def options(lines):
    out = [".SH OPTIONS"]
    for line in lines:
        if is_option(line):
            out += option(line)
        elif re.match(r" \S.*:$", line):
            out += [".SS " + plain(line.strip().rstrip(":"))]
        elif line.strip():  # goes on under its option
            out += [plain(line.strip())]
    return out


def usage_lines(usage):
    """`.B` for the command's name; what went on below a line belongs to it."""
    whole = []
    for line in map(str.strip, usage):
        if line.startswith("bgref") or not whole:
            whole.append(line)
        else:
            whole[-1] += " " + line
    out = []
    for line in whole:
        words = line.split(" ")
        out += [".PP", f"\\fB{words[0]} {words[1]}\\fR " + plain(" ".join(words[2:]))]
    return out


def command_page(program, version, name, short):
    usage, about, listed, end = split(said(program, name))
    short = re.sub(r"^[^:]*[A-Z][^:]*: ", "", short)  # its arguments are in the synopsis
    page = heading("bgref-" + name, version)
    page += [".SH NAME", f"bgref\\-{name} \\- {plain(short)}", ".SH SYNOPSIS", *usage_lines(usage)]
    page += [".SH DESCRIPTION", *prose(about)]
    page += options(listed) if listed else []
    page += [".SH NOTES", *prose(end)] if any(line.strip() for line in end) else []
    return page + [".SH SEE ALSO", ".BR bgref (1)"]


# ---- the program's own page

def table(markdown, title):
    """The two columns of the first table under a heading, each without its markup."""
    part = markdown.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+?) +\| (.+?) +\|$", part, flags=re.M)
    return [[re.sub(r"[`*]|\[(.*?)\]\(.*?\)", r"\1", cell) for cell in row] for row in rows]


def definitions(rows):
    return [line for name, text in rows
            for line in (".TP", f"\\fB{plain(name)}\\fR", plain(text[:1].upper() + text[1:]))]


def main_page(program, version, running):
    text = said(program)
    commands = re.findall(r"^  ([a-z][a-z-]*) +(.*)$", text, flags=re.M)
    end = text.splitlines()[-2:]
    page = heading("bgref", version)
    page += [".SH NAME", "bgref \\- the backgammon referee", ".SH SYNOPSIS",
             "\\fBbgref\\fR COMMAND [ARGUMENTS]", ".SH DESCRIPTION",
             "Lets programs play backgammon against each other and says which is better, and how "
             "sure that is.", *prose(end), ".SH COMMANDS"]
    for name, short in commands:
        page += [".TP", f".BR bgref\\-{name} (1)", plain(short)]
    page += [".SH EXIT STATUS", *definitions(table(running, "Exit status"))]
    page += [".SH ENVIRONMENT", "A bot finds in its environment:",
             *definitions(table(running, "What a bot gets"))]
    return page, commands


def write(folder, name, page):
    with open(os.path.join(folder, name + ".1"), "w", encoding="utf-8") as out:
        out.write("\n".join(page) + "\n")


def main(program, running_path, folder):
    os.makedirs(folder, exist_ok=True)
    for old in glob.glob(os.path.join(folder, "bgref*.1")):
        os.remove(old)
    with open(running_path, encoding="utf-8") as text:
        running = text.read()
    version = said(program).split()[1].rstrip(",")
    page, commands = main_page(program, version, running)
    for name, short in commands:
        write(folder, "bgref-" + name, command_page(program, version, name, short))
    write(folder, "bgref", page)


if __name__ == "__main__":
    main(*sys.argv[1:])
