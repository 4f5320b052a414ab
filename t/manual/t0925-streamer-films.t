#!/bin/sh
# t0925-streamer-films.t - defends: doc/gallery/streamers makes a picture and a film of a scenario in r-z from one run, the film with a frame of each
# map; it takes settings, keeps the result if asked to, and ends with one line for a name that it does not have.  The shortest scenario, in part.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
need_wilson
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
scratch t0925-streamer-films.tmp
WILSON=$wilson
PYTHONDONTWRITEBYTECODE=1
MPLCONFIGDIR=$PWD/$dir
export WILSON PYTHONDONTWRITEBYTECODE MPLCONFIGDIR
"$python" "$src/doc/gallery/streamers" --only avalanche-to-streamer --folder "$dir/films" --set 'duration="60 ps"' --set 'plasma.fields_interval="20 ps"' \
  >"$dir/out" 2>"$dir/err"
report $? "a small version is run and drawn" "$(cat "$dir/err" "$dir/out")"
grep -q '^avalanche-to-streamer: [0-9]* s of a processor; streamer-avalanche-to-streamer.gif: 3 frames' "$dir/out"
report $? "the film has a frame of each map" "$(cat "$dir/out")"
[ "$(find "$dir/films" -name 'streamer-*.png' -size +8k | wc -l)" = 1 ] && [ "$(find "$dir/films" -name 'streamer-*.gif' -size +8k | wc -l)" = 1 ] &&
  [ "$(find "$dir/films" -type f | wc -l)" = 2 ]
report $? "a picture, a film, nothing else" "$(ls -l "$dir/films")"
"$python" "$src/doc/gallery/streamers" --only streamer --folder "$dir/none" >"$dir/out" 2>"$dir/err"
report "$([ $? = 2 ] && grep -q 'streamer is none of planar-front, ' "$dir/err" && [ ! -e "$dir/none" ] && echo 0 || echo 1)" "another name is refused" "$(cat "$dir/err")"
rm -rf "$dir"
finish
