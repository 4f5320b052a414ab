#!/bin/sh
# t0927-first-line.t - defends: after the line with which the how-to and the tutorials begin, a shell that knew nothing of Wilson finds
# `wilson` and `wilson-plot`, and Python the module, in a tree as a user has it, with the program in build/.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
need_wilson
scratch t0927-first-line.tmp
cd "$dir" || exit 1
mkdir "a tree" "a tree/build" && ln -s "$wilson" "a tree/build/wilson" && ln -s "$src/src" "$src/python" "a tree/"
for page in howto.md tutorials/swarm-table.md; do
  line=$(sed -n '/^```sh$/{n;p;q;}' "$src/doc/$page")
  case $line in 'export PATH='*) ;; *) line="false no such line" ;; esac
  printf 'cd "a tree" && %s || exit 1\ncommand -v wilson && command -v wilson-plot && wilson --version\n' "$line" >ask
  env -i PATH=/usr/bin:/bin sh ask >out 2>&1
  [ $? = 0 ] && grep -qx "$PWD/a tree/build/wilson" out && grep -qx "$PWD/a tree/src/plot/wilson-plot" out && grep -q '^wilson [0-9]' out
  report $? "doc/$page: the shell finds wilson and wilson-plot" "$line
$(cat out)"
  find_python
  if [ -n "$python" ]; then
    printf 'cd "a tree" && %s || exit 1\nexec "$0" -c "import wilson; print(wilson.__file__)"\n' "$line" >ask
    env -i PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 sh -c "$(cat ask)" "$python" >out 2>&1
    [ $? = 0 ] && grep -q '/a tree/python/wilson/__init__.py$' out
    report $? "doc/$page: Python finds the module" "$(cat out)"
  else
    skip "doc/$page: Python finds the module" "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
  fi
done
cd .. && rm -rf t0927-first-line.tmp
finish
