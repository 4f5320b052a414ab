"""The notebooks of the manual, without Jupyter: code cells run in order, in one namespace each, and what they print is compared.

    notebooks.py run NOTEBOOK...      a line of TAP for each cell that prints something, and for each notebook
    notebooks.py write NOTEBOOK...    stores what the cells print now, and nothing else: pictures are not kept

Cells are plain Python: no magic, no shell.  The last expression of a cell, which Jupyter shows, is evaluated as the rest is.
WN_LONG=0 or WN_PICTURES=0: cells with the tag `picture` are compiled, not run.
"""
import ast
import contextlib
import io
import json
import os
import sys
import traceback
from pathlib import Path

number = 0


def report(good, what, more=""):
    global number
    number += 1
    print(f"{'ok' if good else 'not ok'} {number} - {what}")
    for line in more.splitlines() if not good else []:
        print("# " + line)
    return good


def text(lines):
    return lines if isinstance(lines, str) else "".join(lines)


def stored(cell):
    return "".join(text(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream" and o["name"] == "stdout")


def run_cell(cell, space, name):
    code = compile(ast.parse(text(cell["source"]), name), name, "exec")
    if "picture" in cell["metadata"].get("tags", ()) and (os.environ.get("WN_LONG", "0") == "0" or os.environ.get("WN_PICTURES") == "0"):
        return ""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, space)
    return out.getvalue()


def go_through(path, write):
    book = json.loads(Path(path).read_text(encoding="utf-8"))
    name, good, space = Path(path).stem, True, {"__name__": "__main__"}
    cells = [c for c in book["cells"] if c["cell_type"] == "code"]
    for i, cell in enumerate(cells, 1):
        try:
            said = run_cell(cell, space, f"{name}, cell {i}")
        except Exception:
            return report(False, f"{name}: cell {i} runs", traceback.format_exc())
        if write:
            lines = said.splitlines(keepends=True)
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
            cell["execution_count"] = None
        elif said or stored(cell):
            good &= report(said == stored(cell), f"{name}: cell {i} prints what is stored",
                           f"stored:\n{stored(cell)}\nnow:\n{said}")
    if write:
        Path(path).write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    kept = {o["output_type"] for c in cells for o in c["outputs"]}
    return good & report(kept == {"stream"}, f"{name}: {len(cells)} cells run; text alone is kept", f"kept: {kept}")


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("run", "write"):
        sys.exit(__doc__)
    good = [go_through(path, sys.argv[1] == "write") for path in sys.argv[2:]]
    print(f"1..{number}")
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
