#!/bin/sh
# t0006-calls.t - defends: calls run downwards as includes do (t0002).  By nm over the objects of the build: what an object
# calls lies in its own folder or in one below it; and objects that call each other in a circle are at most 6, of one folder,
# and stand here with the reason.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
build=${WN_BUILDDIR:-.}
nm=${NM:-nm}
command -v "$nm" >/dev/null 2>&1 || skip_all "$nm was not found"
command -v python3 >/dev/null 2>&1 || skip_all "python3 was not found"

# From below.
floors='base crosssections particles device fields schedulers src/stats src/io src/config src/sim src/diag src/jobs src/run
  src/results src/library src/cli'

# Circles: the folder, the reason, the objects.
cat >t0006.known <<'KNOWN'
base: an allocation that fails is logged, and the log allocates and is freed at the end: alloc clean log
device: a store uses what sums over it, sorts it and takes out the dead, which read it: compaction node_sums sample store tiles
particles: particles move between ranks for balance, and a store knows how it is divided: particles load_balance
schedulers: the list names the schedulers of the host, which share its functions: openmp scheduler serial
src/config: rules between groups of keys call each other: check collisions config plasma scan
src/diag: moments of a swarm are corrected by each other's sums: moments momentum reduced tensor transport
src/io: a file is written, continued or sent to rank 0 by one interface: output_continue output_journal output_netcdf
src/results: kinds of tables, and what they share: table table_runaway_rate table_swarm
src/sim: messages of broken bounds name species and field: particle_bounds plasma sim
KNOWN

# shellcheck disable=SC2086 # words
(cd "$build" && find $floors -name '*.o' | sort | xargs "$nm" -A -g 2>/dev/null) >t0006.nm
grep -q 'src/sim/sim\.o' t0006.nm || skip_all "no objects in the build folder"

# A line of findings: FOLDER or CIRCLE, what is wrong with it, in words; nothing after the tab where all is well.
# shellcheck disable=SC2086 # words
python3 - $floors >t0006.found <<'PY'
import collections, re, sys

floors = sys.argv[1:]
sys.setrecursionlimit(10000)
home, wants = {}, collections.defaultdict(set)
for line in open("t0006.nm", encoding="utf-8"):
    m = re.match(r"(\S+)\.o:\S* +([A-Za-z]) (\S+)$", line)
    if m and m[2] in "TDBRC":
        home[m[3]] = m[1]
    elif m and m[2] == "U":
        wants[m[1]].add(m[3])


def floor(o):
    folder = o.rsplit("/", 1)[0]
    return max((i for i, f in enumerate(floors) if folder == f or folder.startswith(f + "/")), default=None)


calls, up = collections.defaultdict(set), collections.defaultdict(list)
for o, symbols in wants.items():
    for s in sorted(symbols):
        to = home.get(s)
        if to is None or to == o:
            continue
        calls[o].add(to)
        if floor(to) > floor(o):
            up[floors[floor(o)]].append(f"{o}.o calls {s} of {to}.o")
for f in floors:
    print(f"{f}/ calls itself and the folders below it", "; ".join(up[f]), sep="\t")

# Tarjan 1972: objects that reach each other
index, low, stack, circles = {}, {}, [], []


def visit(o):
    index[o] = low[o] = len(index)
    stack.append(o)
    for to in sorted(calls[o]):
        if to not in index:
            visit(to)
            low[o] = min(low[o], low[to])
        elif to in stack:
            low[o] = min(low[o], index[to])
    if low[o] == index[o]:
        circle = set()
        while o not in circle:
            circle.add(stack.pop())
        if len(circle) > 1:
            circles.append(sorted(circle))


for o in sorted(wants):
    if o not in index:
        visit(o)
known = []
for line in open("t0006.known", encoding="utf-8"):
    folder, reason, objects = line.split(": ")
    known.append({f"{folder}/{o}" for o in objects.split()})
for c in circles:
    bad = "" if any(set(c) <= k for k in known) else "not named in this test: " + ", ".join(c)
    bad = bad or ("" if len(c) <= 6 else "more than 6 objects")
    print(f"the circle of {', '.join(c)} is named, of one folder, at most 6", bad, sep="\t")
for k in known:
    if k <= set(wants):  # not without CUDA, or OpenMP
        print(f"the circle named with {min(k)} is there", "" if any(set(c) <= k for c in circles) else "it is gone: take its line out", sep="\t")
PY
code=$?
report $code "the calls of the objects can be read"
while IFS="$(printf '\t')" read -r name bad; do
  [ -z "$bad" ]
  report $? "$name" "$(printf '%s' "$bad" | sed 's/; /\n/g')"
done <t0006.found
rm -f t0006.nm t0006.known t0006.found
finish
