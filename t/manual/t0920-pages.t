#!/bin/sh
# t0920-pages.t - defends: every page of the manual is reachable from doc/index.md, by links and in the tree of Sphinx; every link and
# anchor resolves; all pages are installed; pages of more than 600 lines have contents with every section; the figures of bench/RESULTS.md stand in its history; words
# are in the dictionary of aspell or in doc/words.txt; `make html` makes pages without a warning, with the version in the title, and a
# search without a network.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $src in /*) ;; *) src=$PWD/$src ;; esac
scratch t0920-pages.tmp
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"

python3 "$src/t/manual/pages.py" check "$src" >"$dir/out" 2>"$dir/err"
checked=$?
sed -n 's/^ok [0-9]* - //p' "$dir/out" >"$dir/good"
while read -r name; do report 0 "$name"; done <"$dir/good"
[ "$checked" = 0 ] || report 1 "$(sed -n 's/^not ok [0-9]* - //p' "$dir/out" | head -n 1)" "$(grep '^#' "$dir/out"; cat "$dir/err")"

# The checker sees what it is to see: a page that nothing names, with a link to nowhere.
mkdir -p "$dir/tree/bench"
cp -R "$src/doc" "$dir/tree/"
cp "$src/bench/RESULTS.md" "$src/bench/guard.best" "$dir/tree/bench/"
mkdir -p "$dir/tree/data" && ln -s "$src/data/scenarios" "$dir/tree/data/scenarios"
chmod -R u+w "$dir/tree/doc"
printf '# Alone\n\n[nowhere](output.md#no-such-heading) and [no file](none.md)\n' >"$dir/tree/doc/alone.md"
python3 "$src/t/manual/pages.py" check "$dir/tree" >"$dir/out" 2>&1
report "$(grep -q 'doc/alone.md: no chain of links' "$dir/out" && grep -q 'alone.md:3: output.md#no-such-heading' "$dir/out" &&
  grep -q 'there is no file doc/none.md' "$dir/out" && grep -q 'doc/alone.md: not in a list' "$dir/out" && echo 0 || echo 1)" "a page alone and links to nowhere are found" "$(cat "$dir/out")"

# ---- spelling
if command -v aspell >/dev/null 2>&1 && aspell dump dicts | grep -qx en_GB-ize; then
  sed '/^#/d; /^$/d' "$src/doc/words.txt" >"$dir/field"
  { printf 'personal_ws-1.1 en 0 utf-8\n'; cat "$dir/field"; } >"$dir/personal"
  spelled() { # spelled FILE: of FILE:LINE:word those that are in no dictionary
    cut -d : -f 3 "$1" | sort -u | aspell -d en_GB-ize --encoding=utf-8 --personal="$PWD/$dir/personal" list | sort -u >"$dir/unknown"
    awk -F : 'NR == FNR { bad[$1] = 1; next } bad[$3] && !seen[$3]++' "$dir/unknown" "$1"
  }
  python3 "$src/t/manual/pages.py" words "$src" >"$dir/words"
  cut -d : -f 3 "$dir/words" | sort -u >"$dir/used"
  bad=$(spelled "$dir/words")
  report "$([ -z "$bad" ] && [ "$(wc -l <"$dir/words")" -gt 20000 ] && echo 0 || echo 1)" "every word is known" "$bad"
  echo 'x.md:1:electorn' >"$dir/words"
  report "$([ -n "$(spelled "$dir/words")" ] && echo 0 || echo 1)" "a wrong word is not"
  unused=$(tr 'A-Z' 'a-z' <"$dir/used" | sort -u >"$dir/lower"; tr 'A-Z' 'a-z' <"$dir/field" | sort -u | comm -23 - "$dir/lower")
  report "$([ -z "$unused" ] && echo 0 || echo 1)" "doc/words.txt has no word that no page uses" "$unused"
else
  skip "spelling" "there is no aspell with the dictionary en_GB-ize (Debian: aspell, aspell-en)"
fi

# ---- HTML: 7 s of a processor
if [ "${WN_LONG:-0}" = 0 ]; then
  skip "make html" "takes 7 s; WN_LONG=1 makes it"
elif command -v sphinx-build >/dev/null 2>&1 && $(sed -n '1s/^#! *//p' "$(command -v sphinx-build)") -c 'import myst_parser' 2>/dev/null; then
  sphinx-build -q -W --keep-going -b html -d "$dir/trees" -D release=0.0.t0920 "$src/doc" "$dir/html" >"$dir/out" 2>&1
  report $? "Sphinx makes the manual without a warning" "$(cat "$dir/out")"
  bad=
  for page in "$src"/doc/*.md "$src"/doc/tutorials/*.md; do
    html=$dir/html/${page#"$src"/doc/}
    grep -q 'Wilson 0.0.t0920' "${html%.md}.html" 2>/dev/null || bad="$bad $page"
  done
  report "$([ -z "$bad" ] && echo 0 || echo 1)" "every page has the version in its title" "$bad"
  report "$(grep -q '"*bremsstrahlung\|bremsstrahl' "$dir/html/searchindex.js" && echo 0 || echo 1)" "there is an index for the search"
  bad=$(grep -rnoE '(src|href)="(https?:)?//[^"]*\.(js|css)' "$dir/html" --include='*.html' | head -n 5)
  report "$([ -z "$bad" ] && echo 0 || echo 1)" "no page loads a script or a style from a network" "$bad"
  python3 "$src/t/manual/pages.py" html "$dir/html" >"$dir/out" 2>&1
  report $? "every link and anchor of the HTML resolves" "$(cat "$dir/out")"
else
  skip "make html" "there is no sphinx-build with myst-parser (Debian: python3-sphinx, python3-myst-parser)"
fi
rm -rf "$dir"
finish
