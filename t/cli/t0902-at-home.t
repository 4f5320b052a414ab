#!/bin/sh
# t0902-at-home.t - defends: the manual pages are what the tables of the program say and man renders them without a warning; the
# shells complete commands, options, their words, keys and files, which bash does here as on a terminal, by COMP_WORDS; and nothing
# that the program prints has colours or other orders to a terminal, whatever NO_COLOR says, on a terminal either.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
need_wilson
scratch t0902-at-home.tmp
cd "$dir" || exit 1

# ---- manual pages
"$wilson" list man >wilson.1 && diff wilson.1 "$src/doc/wilson.1" >err
report $? "doc/wilson.1 is what \`wilson list man\` writes" "$(head -n 6 err)"
find_python
if [ -n "$python" ]; then
  MPLCONFIGDIR=$PWD "$python" "$src/src/plot/wilson-plot" --man >wilson-plot.1 && diff wilson-plot.1 "$src/doc/wilson-plot.1" >err
  report $? "doc/wilson-plot.1 is what \`wilson-plot --man\` writes" "$(head -n 6 err)"
else
  skip "doc/wilson-plot.1" "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
fi
missing=
for word in $("$wilson" list options | sed -n 's/^\([^ :]*\):.*/\1/p; s/^  \(--[^ ]*\).*/\1/p') $("$wilson" list keys | sed 's/ .*//'); do
  grep -qF -e "$(printf '%s\n' "$word" | sed 's/-/\\-/g')" wilson.1 || missing="$missing $word"
done
[ -z "$missing" ]
report $? "wilson(1) has every command, option and key" "missing:$missing"
for page in wilson wilson-plot; do
  if command -v groff >/dev/null 2>&1; then
    groff -man -ww -Tutf8 "$src/doc/$page.1" >text 2>err && [ ! -s err ] && [ "$(wc -l <text)" -gt 60 ]
    report $? "groff renders $page(1) without a warning" "$(head -n 6 err)"
  else
    skip "groff renders $page(1)" "there is no groff"
  fi
  if command -v mandoc >/dev/null 2>&1; then
    mandoc -Tlint -Wwarning "$src/doc/$page.1" >err 2>&1
    report $? "mandoc finds nothing in $page(1)" "$(head -n 6 err)"
  else
    skip "mandoc finds nothing in $page(1)" "there is no mandoc"
  fi
done

# ---- completion.  completes LINE WANTED: the line is split at its blanks; a blank at its end begins a new word.
mkdir bin here
touch here/a.cfg here/a.nc here/b.txt
ln -s "$wilson" bin/wilson
PATH=$PWD/bin:$PATH
cat >ask.bash <<'END'
. "$1/data/completion/wilson"
read -ra COMP_WORDS <<<"$2"
case $2 in *' ') COMP_WORDS+=('') ;; esac
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_wilson wilson
[ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
END
cat >ask.zsh <<'END'
compadd() { # as much of it as the completion uses: words that begin as the last one
  local end='' w
  [[ $1 == -S ]] && { end=$2; shift 2 }
  shift
  for w in "$@"; do [[ $w == ${words[CURRENT]}* ]] && print -r -- "$w$end"; done
  return 0
}
_files() { local f; for f in *(N); do compadd -- $f; done }
line=$2
words=(${=line})
[[ $line == *' ' ]] && words+=('')
CURRENT=$#words
source $1/data/completion/_wilson | sort | tr '\n' ' '
END
completes() {
  got=$(cd here && bash ../ask.bash "$src" "$1" 2>../err)
  [ "$got" = "${2:+$2 }" ] && [ ! -s err ]
  report $? "bash: $1..." "got: $got wanted: $2 $(cat err)"
  if command -v zsh >/dev/null 2>&1; then
    got=$(cd here && zsh -f ../ask.zsh "$src" "$1" 2>../err)
    [ "$got" = "${2:+$2 }" ] && [ ! -s err ]
    report $? "zsh: $1..." "got: $got wanted: $2 $(cat err)"
  else
    skip "zsh: $1..." "there is no zsh"
  fi
  if command -v fish >/dev/null 2>&1; then # where no word begins so, it offers words that have the letters inside
    got=$(cd here && fish --no-config -c 'source $argv[1]/data/completion/wilson.fish; complete -C $argv[2]' "$src" "$1" 2>../err |
      awk -F '\t' -v w="${1##* }" 'index($1, w) == 1 { print $1 }' | sort | tr '\n' ' ')
    [ "$got" = "${2:+$2 }" ] && [ ! -s err ]
    report $? "fish: $1..." "got: $got wanted: $2 $(cat err)"
  else
    skip "fish: $1..." "there is no fish"
  fi
}
if command -v bash >/dev/null 2>&1; then
  completes 'wilson r' 'run'
  completes 'wilson c' 'check converge'
  completes 'wilson --v' '--version'
  completes 'wilson run --s' '--scheduler --seed --set'
  completes 'wilson xs --s' ''
  completes 'wilson run a' 'a.cfg a.nc'
  completes 'wilson run a.cfg --quiet b' 'b.txt'
  completes 'wilson run a.cfg --device c' 'cpu cuda'
  completes 'wilson run --scheduler ser' 'serial'
  completes 'wilson run a.cfg --set gas.press' 'gas.pressure='
  completes 'wilson table a.nc --format ' 'afivo bolsig combined csv'
  completes 'wilson run a.cfg --restart a' 'a.cfg a.nc auto'
  completes 'wilson converge --levels ' '2 3'
  completes 'wilson help gas.press' 'gas.pressure'
  completes 'wilson help conv' 'converge'
  completes 'wilson list sch' 'schedulers'
  completes 'wilson n' 'new'
  completes 'wilson new ' 'ccp plasma runaway swarm'
  completes 'wilson run a.cfg --seed ' ''
else
  skip "completion" "there is no bash"
fi

# ---- colours: no escape, into a pipe or on a terminal (but for the progress line, which erases itself with \r)
cat >c.cfg <<'END'
job = "runaway"; fields = ["1000 Td"]; electrons = 100; duration = "1 ps"; sampling = { interval = "0.5 ps"; };
gas = { components = { N2 = { file = "builtin:air"; }; }; };
END
for how in "" "NO_COLOR=1" "CLICOLOR_FORCE=1"; do
  cat >one.sh <<END
$how "$wilson" run c.cfg --output c.nc; $how "$wilson" run no-such.cfg; $how "$wilson" --help; $how "$wilson" check c.cfg
END
  sh one.sh >out 2>&1
  [ "$(grep -c 'usage or input' out)" = 1 ] && ! LC_ALL=C grep -q "$(printf '\033')" out
  report $? "no colours in a pipe, ${how:-as it is}" "$(head -n 6 out)"
done
if command -v script >/dev/null 2>&1 && TERM=xterm-256color script -qec "sh one.sh" /dev/null >out 2>&1 </dev/null; then
  [ "$(grep -c 'usage or input' out)" = 1 ] && ! LC_ALL=C grep -q "$(printf '\033')\[[0-9;]*m" out
  report $? "no colours on a terminal" "$(head -n 6 out)"
else
  skip "no colours on a terminal" "there is no script(1)"
fi
cd .. && rm -rf t0902-at-home.tmp
finish
