#!/usr/bin/python3
"""Writes the completions of bash and zsh from what the program itself says.

    completion.py PROGRAM FOLDER    writes FOLDER/bgref (bash) and FOLDER/_bgref (zsh)

Commands and options come from `--help`, as the man pages do, so a completion cannot offer what is not
there, nor lack what is. Bots and games are asked of the program when they are completed.
"""
import os
import re
import sys

from man_pages import is_option, said, split

BOTS = ("duel", "check", "ask", "join", "serve", "bots")

BASH = """\
# Completion of bgref for bash. Made by docs/man/completion.py from --help.
_bgref()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} program=${COMP_WORDS[0]} options= words= more= old
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "@COMMANDS@" -- "$current"))
        return
    fi
    [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}
    [ "$current" != = ] || current=
    case $command in
@CASES@
    esac
    case $before in
    --variant | -variant) words=$("$program" rules 2>/dev/null | sed -n @GAMES@) ;;
    *)
        case $current in
        -*) words=$options ;;
        *)
            case $command in
            @BOTS@) more=$("$program" bots 2>/dev/null | cut -f 1) ;;
            rules) more=$("$program" rules 2>/dev/null | sed -n @GAMES@) ;;
            help) more="@COMMANDS@" ;;
            esac
            words=$more
            ;;
        esac
        ;;
    esac
    old=$IFS
    IFS=$' \\t\\n'
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    IFS=$old
}
complete -o bashdefault -o default -F _bgref bgref
"""

ZSH = """\
#compdef bgref
# Completion of bgref for zsh. Made by docs/man/completion.py from --help.
_bgref_bots() {
    local -a names
    names=(${(f)"$(_call_program bots $words[1] bots 2>/dev/null | cut -f 1)"})
    _describe bot names
}

_bgref_games() {
    local -a names
    names=(${(f)"$(_call_program games $words[1] rules 2>/dev/null | sed -n @GAMES@)"})
    _describe game names
}

_bgref() {
    local -a commands
    commands=(
@COMMANDS@
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case $words[2] in
@CASES@
    (*) _files ;;
    esac
}

_bgref "$@"
"""

# The ids in the list of `bgref rules`: the second word of a line whose first is a rule's number.
GAMES = r"'s/^  [A-Z][0-9]* *\([a-z][^ ]*\).*/\1/p'"


def options(program, name):
    """[(long names and letters of one option, whether it has to have a value, what it does)]"""
    found = []
    for line in split(said(program, name))[2]:
        if is_option(line):
            names, text = (re.split(r"\s{2,}", line.strip(), maxsplit=1) + [""])[:2]
            words = re.findall(r"-[-\w?][-\w]*", names)
            found.append((words, "[=" not in names and ("=" in names or " " in names.replace(", ", ",")), text))
    return found


def commands(program):
    return re.findall(r"^  ([a-z][a-z-]*) +(.*)$", said(program), flags=re.M)


def bash(program, named):
    cases = []
    for name, _ in named:
        words = [word for names, _, _ in options(program, name) for word in names if word != "-?"]
        cases.append(f'    {name}) options="{" ".join(words)}" ;;')
    return (BASH.replace("@CASES@", "\n".join(cases)).replace("@GAMES@", GAMES)
            .replace("@COMMANDS@", " ".join(name for name, _ in named))
            .replace("@BOTS@", " | ".join(BOTS)))


def quoted(text):
    return text.replace("'", "'\\''")


def zsh_option(names, takes, text):
    about = re.sub(r"([\[\]:\\])", r"\\\1", text)[:100]
    action = ("game:_bgref_games" if "--variant" in names else "value:_files") if takes else ""
    return [f"        '{name}{'=' if takes and name.startswith('--') else ''}[{quoted(about)}]"
            f"{':' + action if takes else ''}'" for name in names if name != "-?"]


def zsh(program, named):
    cases = []
    for name, _ in named:
        lines = [line for option in options(program, name) for line in zsh_option(*option)]
        last = ("bot:_bgref_bots" if name in BOTS else
                "game:_bgref_games" if name == "rules" else "file:_files")
        cases.append("    (%s) _arguments \\\n%s ;;" % (
            name, " \\\n".join([*lines, f"        '*:{last}'"])))
    listed = [f"        '{name}:{quoted(short.replace(':', chr(92) + ':'))}'" for name, short in named]
    return (ZSH.replace("@CASES@", "\n".join(cases)).replace("@GAMES@", GAMES)
            .replace("@COMMANDS@", "\n".join(listed)))


def main(program, folder):
    named = commands(program)
    os.makedirs(folder, exist_ok=True)
    for name, text in (("bgref", bash(program, named)), ("_bgref", zsh(program, named))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
