"""The program `wilson`: where it is, how it is called, and its errors as exceptions."""
from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Error(Exception):
    """A message of the program.  `messages` has its lines, without `wilson: error:`."""

    def __init__(self, messages: Sequence[str]):
        self.messages = list(messages)
        super().__init__("\n".join(self.messages) or "wilson ended without a message")


class InputError(Error):
    """Exit status 2: a scenario, an option or a file is wrong.  Each message names file, line, key and what is allowed."""


class RunError(Error):
    """Exit status 1: the run failed.  Records that were finished are in OUTPUT.part."""


class LimitReached(Error):
    """Exit status 3: the run reached a limit of the key `checkpoint`.  With the same `output`, restart="auto" goes on."""

    output: str | None = None


ERRORS = {1: RunError, 2: InputError, 3: LimitReached}


def program() -> str:
    """Path of the program: $WILSON, the one in the package, one built in the source tree, or the one in $PATH.

    Raises FileNotFoundError, with the places that were searched, if there is none.
    """
    named = os.environ.get("WILSON")
    if named:
        found = shutil.which(named)
        if not found:
            raise FileNotFoundError(f"$WILSON is {named}, which is no program")
        return found
    tree = HERE.parent.parent
    places = [HERE / "bin" / "wilson", tree / "build" / "wilson", tree / "wilson", tree.parent.parent / "bin" / "wilson"]
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    found = shutil.which("wilson")
    if not found:
        raise FileNotFoundError("no program wilson in $PATH nor at " + ", ".join(map(str, places)) +
                                "; build it, or set $WILSON to its path")
    return found


def messages_of(text: str, kind: str) -> list[str]:
    """The messages of a kind ("error", "warning", "info") in what the program printed."""
    start = f"wilson: {kind}: "
    return [line[len(start):] for line in text.splitlines() if line.startswith(start)]


def call(arguments: Sequence[str | os.PathLike[str]], *, on_line: Callable[[str], None] | None = None,
         command: Sequence[str] = (), cwd: str | os.PathLike[str] | None = None) -> tuple[str, str]:
    """Runs the program and returns what it printed on (standard output, standard error).

    on_line: called with each line on standard error as it comes.  command: what starts the program, as
    ["mpirun", "-n", "4"].  An exit status above 0 raises one of the errors of this module.  If the caller is
    interrupted (Ctrl-C, the stop button of a notebook), the program is, too: it keeps its finished records and a checkpoint.
    """
    words = [*command, program(), *(os.fspath(a) for a in arguments)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          cwd=cwd) as child:
        try:
            out, err = _read(child, on_line)
        except BaseException:
            child.send_signal(signal.SIGTERM)
            child.wait()
            raise
    if child.returncode:
        messages = messages_of(err, "error") or messages_of(err, "warning") or err.splitlines()[-5:]
        if child.returncode < 0:
            messages.append(f"wilson was ended by signal {-child.returncode}")
        raise ERRORS.get(child.returncode, RunError)(messages)
    return out, err


def _read(child: subprocess.Popen[str], on_line: Callable[[str], None] | None) -> tuple[str, str]:
    if on_line is None:
        return child.communicate()
    import threading
    assert child.stdout is not None and child.stderr is not None  # both are pipes
    out: list[str] = []
    stdout = child.stdout
    reader = threading.Thread(target=lambda: out.append(stdout.read()), daemon=True)
    reader.start()
    lines = []
    for line in child.stderr:  # universal newlines: a progress line that ends with \r is a line, too
        lines.append(line)
        on_line(line.rstrip("\n"))
    reader.join()
    child.wait()
    return "".join(out), "".join(lines)


def version() -> str:
    """First line of `wilson --version`."""
    return call(["--version"])[0].splitlines()[0]


def main() -> None:
    """The command `wilson` of an installed package: the program itself."""
    import sys
    path = program()
    plot = Path(sys.argv[0]).with_name("wilson-plot")  # for `wilson open`: beside this command, which may not be in $PATH
    if plot.is_file():
        os.environ.setdefault("WILSON_PLOT", str(plot))
    os.execv(path, [path, *sys.argv[1:]])
