#!/bin/sh
# t0518-overview.t - defends: `wilson open` hands its file to the wilson-plot beside it, to that of $WILSON_PLOT or to that in $PATH; without options
# wilson-plot draws, for each job, the two or three panels that matter, with results of real runs, on a picture that fits a screen; and where
# no window can be, it says where the picture is.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
need_wilson
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
scratch t0518-overview.tmp
cd "$dir" || exit 1
dir=. # of the functions of tap.sh
unset DISPLAY WAYLAND_DISPLAY WILSON_PLOT

# ---- who is called
mkdir bin path "a folder"
for place in bin path "a folder"; do
  printf '#!/bin/sh\necho "%s: $0" "$@"\nexit 7\n' "$place" >"$place/wilson-plot"
  chmod +x "$place/wilson-plot"
done
cp "$wilson" bin/wilson
asked() { # asked NAME WANT STATUS COMMAND...
  name=$1 want=$2 expected=$3
  shift 3
  "$@" >out 2>&1
  got=$?
  [ $got = "$expected" ] && grep -q -e "$want" out
  report $? "$name" "status $got, want $expected and: $want
$(cat out)"
}
asked "the one beside the program" "^bin: $PWD/bin/wilson-plot --show x.nc\$" 7 env PATH="$PWD/path:$PATH" bin/wilson open x.nc
asked "the one of \$WILSON_PLOT" '^a folder: .*/a folder/wilson-plot --show x y.nc$' 7 env WILSON_PLOT="$PWD/a folder/wilson-plot" bin/wilson open "x y.nc"
asked "a name with a minus sign is no option" 'wilson-plot --show ./-x.nc$' 7 bin/wilson open -- -x.nc
rm bin/wilson-plot
asked "the one in \$PATH" '^path: ' 7 env PATH="$PWD/path:$PATH" bin/wilson open x.nc
asked "none" 'wilson: error: wilson-plot cannot be started: .*WILSON_PLOT' 1 env PATH="$PWD/bin" bin/wilson open x.nc
asked "no file is named" 'needs a file' 2 bin/wilson open

if [ "${WN_FAST:-0}" = 1 ] || [ "${WN_PICTURES:-1}" = 0 ]; then
  skip "the pictures" "WN_FAST=1 or WN_PICTURES=0: they do not depend on the build"
else
  find_python
  if [ -z "$python" ]; then
    skip "the pictures" "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
  else
    MPLCONFIGDIR=$PWD
    export MPLCONFIGDIR
    new=$src/data/new
    run() { # run NAME FILE KEY=VALUE...
      name=$1 file=$2
      shift 2
      for key in "$@"; do set -- "$@" --set "$key"; shift; done
      "$wilson" run "$file" --quiet --threads 1 --output "$name.nc" "$@" >out 2>&1
      report $? "a run: $name" "$(cat out)"
    }
    run swarm "$new/swarm.cfg" electrons=64 accuracy=0.4 'fields=["200 Td", "800 Td"]'
    run single "$new/swarm.cfg" electrons=64 accuracy=0.4 'fields=["400 Td"]'
    run runaway "$new/runaway.cfg" electrons=40 'duration="2 ps"'
    run wave "$new/plasma.cfg" species.electrons.per_cell=4 'duration="8 ns"'
    run two-d "$new/plasma.cfg" 'grid.cells=[8, 8]' 'grid.length=["1 cm", "1 cm"]' species.electrons.per_cell=4 \
      'species.electrons.mode=[1, 0]' 'plasma.modes=( [1, 0] )' 'duration="3 ns"'
    run ccp "$new/ccp.cfg" 'grid.cells=[20]' 'plasma.time_step="147.49264 ps"' 'duration="2 periods"' species.electrons.per_cell=4 \
      species.ions.per_cell=4 plasma.averages.last.periods=1 plasma.averages.last.every=5
    "$wilson" xs builtin:argon --output xs.nc >out 2>&1
    report $? "cross sections" "$(cat out)"
    cat >look.py <<'PY'
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
os.environ["MPLBACKEND"] = "Agg"
import matplotlib.image  # noqa: E402
import wilson  # noqa: E402
from wilson.plot import failure, main, window  # noqa: E402

WANT = {  # labels of the axes, y then x of each panel
    "swarm": ["mean electron energy", "drift velocity", "reduced coefficient"],
    "single": ["energy distribution", "first anisotropy"],
    "runaway": ["runaway rate", "distribution at the end"],
    "wave": ["density of electrons", "electric field $E_x$", "amplitude of the potential"],
    "two-d": ["y (", "y (", "amplitude of the potential"],
    "ccp": ["density", "electric field $E_x$", "real particles"],
    "xs": ["cross section", "friction"]}


def check(good, name, *why):
    if not good:
        print("#", *why)
    print(f"{not good:d} {name}")


def status_of(*words):
    try:
        return main.main(list(words))
    except failure.PlotError as e:
        return f"{e.status} {e}"


for name, want in WANT.items():
    status = failure.command([f"{name}.nc"])
    high, wide = matplotlib.image.imread(f"{name}.png").shape[:2]
    check(status == 0 and 600 < wide <= 1280 and 400 < high <= 620, f"{name}: a picture of {wide} x {high} fits a screen", status)
    check(not os.path.exists(f"{name}-page2.png"), f"{name}: there is one")
    [fig] = wilson.plot.figures(f"{name}.nc")
    labels = [ax.get_ylabel() for ax in fig.axes if ax.get_label() != "<colorbar>"]
    check(len(labels) == len(want) and all(a.startswith(b) for a, b in zip(labels, want)), f"{name}: {', '.join(want)}", labels)
check("mean energy" in wilson.plot.figures("single.nc")[0]._suptitle.get_text(), "the numbers of one field are in the title")

ccp = main.Results("ccp.nc")
check(len(main.build(ccp, ["all"])) > 1, "all: more pages")
args = main.options().parse_args(["ccp.nc", "--time", "70ns"])
check([text for _, text in main.build(ccp, main.whats_of(args.what), main.Choice(args))] == ["lines"],
      "an option: what it is for")
check("2 --time: has no effect" in str(status_of("wave.nc", "--what", "overview", "--time", "1ns")), "an option that has no effect on an overview")
check("overview stands alone" in str(status_of("wave.nc", "--what", "overview,lines")), "an overview stands alone")

rates = wilson.plot.notes("wave.nc", what="waves")
check(len(rates) == 1 and rates[0].startswith("mode 1: gamma = ") and wilson.plot.notes("wave.nc", what="waves") == rates,
      "the rates of waves, as notes", rates)
wilson.plot.figures("wave.nc", what="waves")
check(wilson.plot.notes("xs.nc", what="friction") == [], "and none of other pictures")

# windows: what a toolkit would get
shown = []
window.plt.show = lambda: shown.append(window.plt.get_fignums())
window.has_display, window.toolkit = (lambda: True), (lambda: "")
os.remove("wave.png")
window.plt.close("all")
check(main.main(["--show", "wave.nc"]) == 0 and shown == [[1]] and not os.path.exists("wave.png"), "a window, and no file", shown)
window.toolkit = lambda: "no toolkit"
check(main.main(["--show", "wave.nc"]) == 0 and os.path.exists("wave.png") and len(shown) == 1, "no toolkit: a file", shown)
PY
    forked look.py "$src/python" >said 2>err
    report $? "pictures were looked at" "$(cat err)"
    grep '^#' said
    grep '^[01]' said >results
    while read -r bad name; do report "$bad" "$name"; done <results
    [ "$(grep -c . results)" -eq 30 ]
    report $? "all of them" "$(grep -c . results)"
    asked "no display: where the picture is" '^swarm.png: there is no display, so the picture is in this file$' 0 \
      env WILSON_PLOT="$src/src/plot/wilson-plot" PATH="$(dirname "$python"):$PATH" "$wilson" open swarm.nc
    asked "no such file" '^wilson-plot: none.nc: no such file' 2 \
      env WILSON_PLOT="$src/src/plot/wilson-plot" PATH="$(dirname "$python"):$PATH" "$wilson" open none.nc
  fi
fi
cd .. && rm -rf t0518-overview.tmp
finish
