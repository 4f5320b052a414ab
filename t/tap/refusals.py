# t/tap/refusals.py - is what cannot be drawn refused?  Command lines of wilson-plot, in one process:
# each start of Python with matplotlib takes as long as many of them.
#
#   refusals.py WILSON-PLOT FOLDER LINES
#
# A line: exit status|name of the check|arguments, in FOLDER|regular expression for what is said.
# "STATUS NAME" of each goes to standard output: 0 where it ended so, said that in one line on standard
# error and nothing else, and left no picture.
import contextlib
import io
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[1]), "..", "..", "python"))
os.environ["MPLBACKEND"] = "Agg"
from wilson.plot import failure  # noqa: E402
lines = open(sys.argv[3]).readlines()
os.chdir(sys.argv[2])
for line in lines:
    want, name, words, text = line.rstrip("\n").split("|", 3)
    words = words.split()
    if not {"-o", "--film"} & set(words):
        words += ["-o", "refused.png"]
    out, err, got = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            got = failure.command(words)
        except SystemExit as e:
            got = e.code
    picture = words[words.index("--film" if "--film" in words else "-o") + 1]
    good = got == int(want) and re.search(text, err.getvalue().rstrip("\n")) and \
        err.getvalue().count("\n") == 1 and not out.getvalue() and not os.path.exists(picture)
    if not good:
        print("# status", got, "want", want, "and", text)
        print("#", err.getvalue().replace("\n", "\n# "))
    print(f"{not good:d} {name}")
