#!/bin/sh
# t0904-guard.t - defends: bench/guard compares what programs print with what is recorded, or two builds, in the right sense
# (faster is above 1), ends with 1 when something is slower or failed, with 2 when it is called wrongly or nothing can be
# measured.  The programs are scripts that print lines as bench/schedulers and the others do; nothing is timed.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
scratch t0904-guard.tmp
case $dir in /*) ;; *) dir=$PWD/$dir ;; esac

script() { # script FILE LINE...: a program that prints the lines
  file=$1
  shift
  {
    echo '#!/bin/sh'
    for line; do echo "echo '$line'"; done
  } >"$file"
  chmod +x "$file"
}

build() { # build NAME CANDIDATES MS: a folder with programs that print these speeds
  mkdir -p "$dir/$1/bench"
  {
    echo '#!/bin/sh'
    # shellcheck disable=SC2016
    echo 'case "$*" in'
    echo "*split-remove*) echo 'split-remove dynamic                -     table    1000000      10   1000    3      90.000      $3  1.2e+11          -   0.008'; exit;;"
    echo 'esac'
    echo "echo 'mcc          dynamic                -         -   10000000      10      1    3      229.65      229.58   5.05e+08  $2       1.98     0.0198        -  3630255   276436  13353819  - GPU'"
  } >"$dir/$1/bench/schedulers"
  chmod +x "$dir/$1/bench/schedulers"
}

guard() { # guard STATUS TEXT ARGUMENT...: exit status and a line that matches TEXT
  want=$1
  text=$2
  shift 2
  PATH=$dir/bin:$PATH "$src/bench/guard" --best "$dir/best" --repeat 2 "$@" >"$dir/out" 2>&1 </dev/null
  code=$?
  [ "$code" = "$want" ] && grep -qE -e "$text" "$dir/out"
  report $? "bench/guard $(echo "$*" | sed "s#$dir/##g"): $want, $text" "ended with $code
$(cat "$dir/out")"
}

mkdir "$dir/bin"
script "$dir/bin/nvidia-smi" 'Test GPU'
build old 5.0e+10 84.00
build new 4.0e+10 80.00
build none x 84.00
rm -r "$dir/none/bench"
cat >"$dir/best" <<'END'
# headline  value  unit  device  date  commit
mcc-1e7        5.0e10  candidates/s  Test GPU     2026-11-24  abcdef0
mcc-1e7        9.0e10  candidates/s  Another GPU  2026-11-24  abcdef0
split-remove   84.0    ms            Test GPU     2026-11-24  abcdef0
END
guard 0 '^mcc-1e7 .* 5e\+10 +5e\+10 +1\.000$' --only mcc-1e7,split-remove "$dir/old"
guard 0 '^split-remove .* 84 +80 +1\.050$' --only split-remove "$dir/new"
guard 1 '^mcc-1e7 .* 5e\+10 +4e\+10 +0\.800  SLOWER$' --only mcc-1e7,split-remove "$dir/new"
guard 1 '^split-remove .* 80 +84 +0\.952  SLOWER$' --only split-remove "$dir/new" "$dir/old"
guard 0 '^mcc-1e7 .* 4e\+10 +5e\+10 +1\.250$' --only mcc-1e7 "$dir/new" "$dir/old"
guard 0 'mcc-short .* none recorded on Test GPU$' --only mcc-short "$dir/old"
guard 2 'is not built: make bench/schedulers$' --only mcc-1e7 "$dir/none"
guard 2 'no headline `mcc`; there are mcc-1e7, ' --only mcc "$dir/old"
guard 2 'nowhere: no such folder$' "$dir/nowhere"
guard 2 '^bench/guard: --repeat takes a number from 1 on$' --repeat 0 "$dir/old"
guard 0 '^curve +GPU +whole run' --list
guard 0 '^split-remove .* 84 +80 +1\.050$' --record --only split-remove "$dir/new"
grep -qE '^split-remove +80 +ms +Test GPU +[0-9-]+ ' "$dir/best" && grep -q 'Another GPU' "$dir/best"
report $? "what is faster is recorded, the rest is kept" "$(cat "$dir/best")"
echo 'exit 3' >>"$dir/new/bench/schedulers"
guard 1 '^mcc-1e7 .* failed: ended with 3: no message$' --only mcc-1e7 "$dir/new"
echo 'mcc-1e7 many' >"$dir/best"
guard 2 'best:1: not `headline  value' --only mcc-1e7 "$dir/old"
script "$dir/bin/nvidia-smi"
echo 'exit 9' >>"$dir/bin/nvidia-smi"
: >"$dir/best"
script "$dir/old/bench/candidates" 'air: 1000 electrons' 'ceiling   1 threads    20.0 ns   5.00e+07 candidates/s' \
  'serial    1 threads    40.0 ns   2.50e+07 candidates/s  2.5e+07 a core   2.66 per real' \
  'openmp    1 threads    21.0 ns   4.75e+07 candidates/s  4.8e+07 a core   2.66 per real'
guard 0 '^cpu-openmp .* 0\.95 ' "$dir/old"
guard 2 'left out: no GPU$' --only mcc-1e7 "$dir/old"
rm -rf "$dir"
finish
