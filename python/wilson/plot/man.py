# wilson/plot/man.py - the manual page wilson-plot(1), from the table of options.
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Action, ArgumentParser

DATE = "2026-11-27"  # of its last change


def roff(text: str) -> str:
    """Text escaped for roff: no line begins with a request, and - is a minus sign."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def entry(action: Action) -> list[str]:
    names = ", ".join(f"\\fB{roff(o)}\\fR" for o in action.option_strings)
    value = str(action.metavar or ("WORD" if action.choices else ""))
    head = " ".join(x for x in (names, f"\\fI{roff(value)}\\fR" if value else "") if x)
    text = (action.help or "").replace("%%", "%")
    if action.choices:
        text += "; one of " + ", ".join(action.choices)
    return [".TP", head, roff(text)]


def page(parser: ArgumentParser) -> list[str]:
    """Lines of the page of a parser of argparse, without options that have no help."""
    out = [".\\\" Written by `wilson-plot --man` from the table of options in python/wilson/plot/main.py; edit that.",
           f'.TH WILSON\\-PLOT 1 {DATE} "Wilson" "User Commands"',
           ".SH NAME", f"{roff(parser.prog)} \\- draw what a result file of Wilson holds",
           ".SH SYNOPSIS", f".B {roff(parser.prog)}", ".RI [ OPTION ]...", ".I FILE.nc", "\\&...",
           ".SH DESCRIPTION", roff(parser.description or "")]
    for group in parser._action_groups:
        actions = [a for a in group._group_actions if a.help != "==SUPPRESS=="]
        if not actions:
            continue
        title = group.title or ""
        plain = actions[0].option_strings and title.startswith("option")  # older versions: "optional arguments"
        out += [".SS " + ("Options" if plain else roff(title.capitalize()))]
        out += [roff(group.description)] if group.description else []
        for action in actions:
            out += entry(action)
    return out + [".SH EXIT STATUS", roff((parser.epilog or "").replace("Exit status: ", "")),
                  ".SH SEE ALSO", ".BR wilson (1)"]
