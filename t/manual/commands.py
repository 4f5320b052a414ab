#!/usr/bin/env python3
"""The commands of the manual: what t/manual/t0921-tutorials.t and t0922-recipes.t run of its pages.

    commands.py run TOP WILSON PAGE...     TAP: the commands of each page in a folder of its own, their output compared with the page's
    commands.py write TOP WILSON PAGE...   the same, and the page gets what was printed

A block of code "cfg", "text" or "python" whose first line is "# NAME - ..." is the file NAME.  A block "console" has lines
"$ command" and what the command writes to standard output; a line "..." stands for any lines, "..." at the end of a
line for its rest.  Where a line begins with "wilson: error" the command fails, with that message.  "wilson" is WILSON, data/ is that of TOP.  wilson-plot and python3 need Python with matplotlib, which $WN_PYTHON names;
without it, and of wilson-plot without WN_LONG=1 or with WN_PICTURES=0, the command is a skip.  Only the standard library is used.
"""
import os
import re
import shutil
import subprocess
import sys

TIMES = re.compile(r"^(# run of|# written by) .*")


def blocks(lines):
    """(first line, last line, language) of the blocks of code, counted from 0, without the fences."""
    begin = None
    for n, line in enumerate(lines):
        if begin is None and re.match(r"```\S", line):
            begin, language = n + 1, line[3:].strip()
        elif begin is not None and line.rstrip() == "```":
            yield begin, n, language
            begin = None


def same(want, got):
    """Index of the first line of want that got has not; None: they agree."""
    at = 0
    for i, line in enumerate(want):
        if line == "...":
            if i + 1 == len(want):
                return None
            while at < len(got) and same_line(want[i + 1], got[at]) is False:
                at += 1
            continue
        if at >= len(got) or not same_line(line, got[at]):
            return i
        at += 1
    return None if at == len(got) else len(want)


def same_line(want, got):
    if want.endswith("...") and len(want) > 3:
        return got.startswith(want[:-3])
    return TIMES.sub(r"\1", want.rstrip()) == TIMES.sub(r"\1", got.rstrip())


class Runner:
    def __init__(self, top, wilson, write):
        self.top, self.wilson, self.write = os.path.abspath(top), os.path.abspath(wilson), write
        self.n, self.failed = 0, False
        self.python = os.environ.get("WN_PYTHON_MANUAL", "")

    def report(self, good, what, more=()):
        self.n += 1
        self.failed |= not good
        print(f"{'ok' if good else 'not ok'} {self.n} - {what}")
        for line in list(more)[:30]:
            print(f"# {line}")
        sys.stdout.flush()

    def skip(self, what, why):
        self.n += 1
        print(f"ok {self.n} - {what} # skip {why}")

    def page(self, name):
        with open(os.path.join(self.top, name), encoding="utf-8") as f:
            lines = f.read().split("\n")
        folder = os.path.abspath("manual." + re.sub(r"\W", "_", name))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "bin"))
        os.symlink(os.path.join(self.top, "data"), os.path.join(folder, "data"))
        env = dict(os.environ, PATH=os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"], WILSON=self.wilson, MPLCONFIGDIR=folder,
                   PYTHONPATH=os.path.join(self.top, "python"), PYTHONDONTWRITEBYTECODE="1", OMP_WAIT_POLICY="passive", LC_ALL="C")
        python = self.python or "false"
        for program, text in (("python3", f'exec {python} "$@"'), ("wilson-plot", f'exec {python} {self.top}/src/plot/wilson-plot "$@"'),
                              # plasmas have other roundings on a GPU
                              ("wilson", f'case $1 in run | check | converge) exec {self.wilson} "$@" --device cpu ;; esac\nexec {self.wilson} "$@"')):
            path = os.path.join(folder, "bin", program)
            with open(path, "w", encoding="utf-8") as f:
                f.write(f"#!/bin/sh\n{text}\n")
            os.chmod(path, 0o755)
        made, found = list(lines), 0
        for begin, end, language in list(blocks(lines)):
            body = lines[begin:end]
            head = re.match(r"# ([\w.-]+) - ", body[0]) if body else None
            if language in ("cfg", "text", "python") and head:
                with open(os.path.join(folder, head.group(1)), "w", encoding="utf-8") as f:
                    f.write("\n".join(body) + "\n")
            elif language == "console":
                found += 1
                made[begin:end] = [None] * (end - begin)
                made[begin] = "\n".join(self.console(name, begin, body, folder, env))
        self.report(found > 0, f"{name} has commands")
        if self.write:
            with open(os.path.join(self.top, name), "w", encoding="utf-8") as f:
                f.write("\n".join(line for line in made if line is not None))
        shutil.rmtree(folder)

    def console(self, name, begin, body, folder, env):
        out, i = [], 0
        while i < len(body):
            if not body[i].startswith("$ "):
                self.report(False, f"{name}:{begin + i + 1}: a block begins with a command")
                return body
            line, at = body[i][2:], begin + i + 1
            i += 1
            while line.endswith("\\"):
                line += "\n" + body[i]
                i += 1
            want = []
            while i < len(body) and not body[i].startswith("$ "):
                want.append(body[i])
                i += 1
            out += ["$ " + line] + self.command(f"{name}:{at}", line, want, folder, env)
        return out

    def command(self, where, line, want, folder, env):
        what = f"{where}: {line}".replace("\n", " ").replace("#", "")
        first = line.split()[0]
        if first in ("python3", "wilson-plot") and not self.python:
            self.skip(what, "no Python with netCDF4, xarray and matplotlib")
            return want
        if first == "wilson-plot" and not self.write and (os.environ.get("WN_LONG", "0") == "0" or os.environ.get("WN_PICTURES") == "0"):
            self.skip(what, "draws pictures; WN_LONG=1 without WN_PICTURES=0 runs it")
            return want
        if first == "ncdump" and shutil.which("ncdump") is None:
            self.skip(what, "ncdump was not found")
            return want
        to = subprocess.PIPE
        done = subprocess.run(["sh", "-c", line], cwd=folder, env=env, stdout=to, stderr=to, stdin=subprocess.DEVNULL, check=False, text=True)
        got = done.stdout.split("\n")[:-1]
        fails = any(w.startswith("wilson: error") for w in want) or (self.write and done.returncode != 0)
        if fails:  # what is shown is the message
            got += [e for e in done.stderr.split("\n") if e.startswith("wilson: error")]
        bad = same(want, got)
        if self.write and bad is not None:
            keep = want.index("...") if "..." in want else None
            want = got if keep is None else got[:keep] + want[keep:]
            want = [w if len(w) < 170 or not fails else w[:120] + "..." for w in want]
            bad = None
        good = (done.returncode != 0) == fails and bad is None
        more = [f"status {done.returncode}"] + done.stderr.split("\n")[:6] if (done.returncode != 0) != fails else []
        if bad is not None:
            more += [f"the page has:  {want[bad] if bad < len(want) else '(no more lines)'}", "printed:"] + got[:24]
        self.report(good, what, [] if good else more)
        return want


def main():
    if len(sys.argv) < 5 or sys.argv[1] not in ("run", "write"):
        sys.exit(__doc__)
    runner = Runner(sys.argv[2], sys.argv[3], sys.argv[1] == "write")
    for name in sys.argv[4:]:
        runner.page(name)
    print(f"1..{runner.n}")
    sys.exit(runner.failed)


main()
