#!/bin/sh
# t0005-wrongs.t - defends: each text of t/wrongs/list occurs exactly once in its file, and each test that should see it exists,
# so that the list can be put in (t/wrongs/run) after any change of the code.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
said=$(python3 -B "$src/t/wrongs/run" --check 2>&1)
report $? "the list of wrongs fits the code" "$said"
many=$(echo "$said" | sed -nE 's/^([0-9]+) wrongs, .*/\1/p')
[ "${many:-0}" -ge 64 ]
report $? "at least 64 wrongs" "$said"
sed 's/^- \(.*\)/- \1 is nowhere/' "$src/t/wrongs/list" >t0005.list
said=$(python3 -B "$src/t/wrongs/run" --check --list t0005.list 2>&1)
[ $? = 2 ] && [ "$(echo "$said" | grep -c 'occurs 0 times')" = "${many:-0}" ]
report $? "texts that do not occur are found, each" "$said"
rm -f t0005.list
finish
