# t/tap/forked.py - programs in Python, each in a copy of one process that has loaded matplotlib and netCDF4, which takes longer than
# most of them.  The function `forked` of t/tap/tap.sh asks for one.
#
# A line of standard input: the file for what it prints, the file for what it says on standard error, the program and its
# arguments, each ended by the byte 31.  The answer is its exit status.
import os
import runpy
import sys
import traceback

import matplotlib
import netCDF4  # noqa: F401

sys.dont_write_bytecode = True
matplotlib.use("Agg")
import matplotlib.pyplot  # noqa: E402,F401


def status_of(program, words):
    """As of a Python that was started for it."""
    sys.argv, sys.path[0] = [program, *words], os.path.dirname(os.path.abspath(program))
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as e:
        if isinstance(e.code, str):
            print(e.code, file=sys.stderr)
        return 1 if isinstance(e.code, str) else e.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


for line in sys.stdin:
    out, err, program, *words = line.rstrip("\n").split("\x1f")[:-1]
    child = os.fork()
    if child == 0:
        for fd, path in ((0, os.devnull), (1, out), (2, err)):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644), fd)
        # New ones: the old one has read ahead.
        sys.stdin, sys.stdout, sys.stderr = open(0, closefd=False), open(1, "w", closefd=False), open(2, "w", closefd=False)
        sys.exit(status_of(program, words))  # and not os._exit(), which leaves what was written to files in its buffers
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
