#!/bin/sh
# t0923-gallery.t - defends: the table of the verification gallery, doc/gallery/table.md, is what doc/gallery/run finds, digit for digit.
# Without WN_LONG=2 the four shortest cases.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
need_wilson
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
scratch t0923-gallery.tmp
WILSON=$wilson
PYTHONDONTWRITEBYTECODE=1
MPLCONFIGDIR=$PWD/$dir
export WILSON PYTHONDONTWRITEBYTECODE MPLCONFIGDIR
only="--only reid-ramp,friction-air,plasma-oscillation,two-stream"
[ "${WN_LONG:-0}" != 2 ] || only=
# shellcheck disable=SC2086 # words
"$python" "$src/doc/gallery/run" $only --check "$src/doc/gallery/table.md" --pictures "$dir/pictures" >"$dir/out" 2>"$dir/err"
report $? "rows are those of doc/gallery/table.md" "$(cat "$dir/err" "$dir/out")"
report "$([ "$(grep -c '^[a-z-]*: | ' "$dir/out")" -ge 9 ] && echo 0 || echo 1)" "nine rows and more were compared" "$(cat "$dir/out")"
report "$([ "$(find "$dir/pictures" -name 'gallery-*.png' -size +8k | wc -l)" -ge 4 ] && echo 0 || echo 1)" "each case has a picture" \
  "$(ls -l "$dir/pictures")"
sed 's/| frequency | 1\./| frequency | 1.0/' "$src/doc/gallery/table.md" >"$dir/wrong.md"
"$python" "$src/doc/gallery/run" --only plasma-oscillation --check "$dir/wrong.md" >"$dir/out" 2>"$dir/err"
report "$([ $? = 1 ] && grep -q 'another row for: frequency' "$dir/err" && echo 0 || echo 1)" "another number is seen" "$(cat "$dir/err")"
rm -rf "$dir"
finish
