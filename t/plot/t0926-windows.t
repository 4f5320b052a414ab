#!/bin/sh
# t0926-windows.t - defends: a window has the name of its file and lies on the screen, tools and all, also where a page is larger than a
# small screen, and something is drawn in it; a display that does not answer and no toolkit are said in words, and the picture is
# written.  The axes of r-z are r and z in pictures, and its particles are all, not those of a metre.  Windows by Xvfb and Tk, where they are.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
need_wilson
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: pictures do not depend on the build"
[ "${WN_PICTURES:-1}" != 0 ] || skip_all "WN_PICTURES=0: pictures are drawn in another turn"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
scratch t0926-windows.tmp
cd "$dir" || exit 1
unset DISPLAY WAYLAND_DISPLAY WILSON_PLOT MPLBACKEND
export MPLCONFIGDIR="$PWD" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$src/python"

"$wilson" run "$src/data/scenarios/negative-streamer-air.cfg" --quiet --device cpu --threads 1 --set 'duration="4 ps"' \
  --set 'plasma.fields_interval="2 ps"' --output rz.nc >out 2>&1
report $? "a run in r-z" "$(cat out)"

cat >look.py <<'PY'
import matplotlib
matplotlib.use("Agg")
import wilson
from wilson.plot import window

def axes(what, **options):
    return [(ax.get_xlabel(), ax.get_ylabel()) for f in wilson.plot.figures("rz.nc", what=what, **options) for ax in f.axes if ax.get_xlabel()]

maps, times = axes("maps"), axes("particles") + axes("energies")
assert maps and all(x.startswith("r (") and y.startswith("z (") for x, y in maps), maps
assert times and not any(" per m" in y for _, y in times), times
line = wilson.plot.figures("rz.nc", what="lines", line=["x=0.1mm"], map="density_electrons")[0].axes[0]
assert line.get_xlabel().startswith("z ("), line.get_xlabel()
said = line.get_title() + line.get_legend().get_title().get_text() if line.get_legend() else line.get_title()
assert "r = 100 µm" in said, said
for screen in (1024, 600), (1366, 768), (1920, 1080):
    for size in (7.6, 4.8), (12.3, 5.0), (12.3, 9.2):
        dpi = window.fitting_dpi(size, 130, screen)
        assert dpi <= 130 and size[0] * dpi <= screen[0] and size[1] * dpi + 100 <= screen[1], (size, screen, dpi)
assert window.fitting_dpi((4.0, 3.0), 104, (1920, 1080)) == 104 and window.fitting_dpi((40, 30), 104, None) == 104
PY
"$python" look.py >out 2>&1
report $? "r and z, all particles, and pages that fit" "$(cat out)"

said() { # said NAME WANT COMMAND...
  name=$1 want=$2
  shift 2
  rm -f rz.png
  "$@" >out 2>&1 && grep -q -e "$want" out && [ -s rz.png ]
  report $? "$name" "$(cat out)"
}
plot=$src/src/plot/wilson-plot
# a folder with modules of this name hides the toolkits
mkdir none && for m in tkinter PyQt5 PyQt6 PySide2 PySide6 gi wx; do echo 'raise ImportError("hidden")' >"none/$m.py"; done
said "no toolkit" '^rz.png: matplotlib has no toolkit for windows here (Debian package: ' env DISPLAY=:6234 PYTHONPATH="$PWD/none" "$python" "$plot" --show rz.nc
if ! "$python" -c 'import tkinter' 2>out; then
  skip "a display that does not answer" "no Tk (Debian: python3-tk)"
else
  said "a display that does not answer" '^rz.png: the display :6234 does not answer, so the picture is in this file$' env DISPLAY=:6234 "$python" "$plot" --show rz.nc
fi

cat >shown.py <<'PY'
import sys

import numpy

from wilson.plot import main, window

def shown():
    for n in window.plt.get_fignums():
        manager = window.plt.figure(n).canvas.manager
        manager.show()
        manager.window.update()
        w = manager.window
        right, low = w.winfo_rootx() + w.winfo_width(), w.winfo_rooty() + w.winfo_height()
        inside = right <= w.winfo_screenwidth() and low <= w.winfo_screenheight()
        print(w.title(), "on the screen" if inside and w.winfo_width() > 500 else f"to {right} x {low}", "drawn" if numpy.asarray(manager.canvas.buffer_rgba())[..., :3].std() > 20 else "empty")

window.TOOLKITS = ("TkAgg",)
window.plt.show = shown
status = main.main(["--show", sys.argv[1]])
window.plt.close("all")
sys.exit(status or main.main(["--show", "--what", "energies,particles,lines", "--line", "x=0.1mm", sys.argv[1]]))
PY
if command -v Xvfb >/dev/null 2>&1 && "$python" -c 'import tkinter, PIL.ImageTk' 2>out; then
  screens=1024x600
  [ "${WN_LONG:-0}" != 2 ] || screens="$screens 1366x768 1920x1080"
  for screen in $screens; do
    mkfifo "at-$screen"
    Xvfb -noreset -displayfd 3 -screen 0 ${screen}x24 3>"at-$screen" >"xvfb-$screen" 2>&1 &
    server=$!
    read -r number <"at-$screen"
    DISPLAY=:$number "$python" shown.py rz.nc >out 2>err
    [ $? = 0 ] && [ "$(sed -n 1p out)" = "wilson: rz.nc on the screen drawn" ] && [ "$(grep -c . out)" -ge 3 ] &&
      [ "$(grep -c '^wilson: rz.nc, page [0-9] of [0-9] on the screen drawn$' out)" = "$(($(grep -c . out) - 1))" ]
    report $? "the overview and pages on $screen" "$(cat out err)"
    kill $server
    wait $server 2>/dev/null
  done
else
  skip "windows" "no Xvfb or no Tk with Pillow (Debian: xvfb, python3-tk, python3-pil.imagetk)"
fi
cd .. && rm -rf t0926-windows.tmp
finish
