#!/bin/sh
# t0528-leaves-grid.t - defends: a discharge that reaches a side without an electrode behind it (neumann, open) is said to leave
# the grid, once, with the time, the side and what helps, and the run goes on; one that reaches an electrode, or a side that
# reflects, or has not come to a side, is let alone.  Electrons drift to x_high in N2 at some MV/m, by a sheet of charge, or by a
# voltage.  Fixed seeds, no chance.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
case $wilson in /*) ;; *) wilson=$PWD/$wilson ;; esac
scratch t0528-leaves-grid.tmp
need_wilson
cd "$dir" || exit 1

# Electrons in the middle of 0.2 mm; a sheet of positive charge beside x_high makes E = -2e6 V/m, with none at x_high.
cat >leaves.cfg <<'END'
model = "plasma"; duration = "0.5 ns"; device = "cpu"; scheduler = "serial";
grid = { cells = 40; length = "0.2 mm"; };
walls = { x_low = { field = "dirichlet"; particles = "absorb"; }; x_high = { field = "neumann"; particles = "absorb"; }; };
gas = { components = { N2 = { file = "builtin:air"; }; }; };
species = {
  e = { density = "1e12 m-3"; macroparticles = 400; temperature = "3 eV"; loading = "random"; collisions = "gas"; ions = "i";
        profile = "slab"; centre = "0.15 mm"; width = "20 um"; };
  i = { density = "0 m-3"; charge = 1.0; mass = "28 u"; mobile = false; };
  sheet = { density = "2.2e19 m-3"; per_cell = 100; charge = 1.0; mass = "28 u"; mobile = false; profile = "slab"; centre = "197.5 um"; width = "5 um"; };
};
plasma = { time_step = "0.5 ps"; allow = ["cell-crossing"]; };
END

# run WARNINGS NAME ARGUMENT...: how often it is said to leave, in a run that ends well; the messages are in err.
run() {
  warnings=$1
  name=$2
  shift 2
  "$wilson" run "${scenario:-leaves.cfg}" "$@" --output run.nc >out 2>err
  code=$?
  [ $code = 0 ] && [ "$(grep -c 'leaves the grid' err)" = "$warnings" ]
  report $? "$name: said $warnings times" "exit status $code
$(head -c 1500 err)"
}

run 1 "electrons that reach a side without an electrode"
grep -q 'warning: at [0-9.e-]* s the discharge leaves the grid by side x_high, which is no electrode and has taken at least 0.01 of the electrons: .*larger grid.length' err
report $? "the side is named, and what helps" "$(head -c 1500 err)"
at=$(sed -n 's/.*warning: at \([0-9.e-]*\) s the discharge.*/\1/p' err)
awk -v t="$at" 'BEGIN { exit !(t > 5e-11 && t < 4.5e-10) }'
report $? "and when, $at s: after they came there, and before the end"
grep -q '^ *1000 ' out
report $? "the run goes on to its end" "$(tail -n 3 out)"
run 0 "before they come there" --set 'duration="50 ps"'
run 0 "an electrode takes them" --set walls.x_high.field=dirichlet --set 'walls.x_high.voltage="400 V"' --set 'species.sheet.density="1 m-3"'
awk '$1 == 1000 { exit !($6 > 1e6) }' out
report $? "it has taken many" "$(tail -n 3 out)"
run 0 "a side that reflects takes none" --set walls.x_high.particles=reflect
sed 's/profile = "slab"; centre = "0.15 mm"; width = "20 um";//' leaves.cfg >background.cfg
scenario=background.cfg
run 0 "electrons that were there leave by diffusion" --set 'species.sheet.density="1 m-3"'
scenario=
awk '$1 == 1000 { exit !($6 > 1e6) }' out
report $? "though more than 1 of 100 do" "$(tail -n 3 out)"
run 1 "an open side" --set walls.x_low.field=open --set walls.x_high.field=open
cd .. && rm -rf t0528-leaves-grid.tmp
finish
