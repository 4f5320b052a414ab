#!/bin/sh
# t0513-plot-plasma.t - defends: wilson-plot finds the rate and the frequency of waves that are known exactly to 0.1 % in a window
# that it chooses itself, without a bias from noise; draws energies, growth, maps, lines and phase space of a plasma with axes,
# units and legends, also of few nodes and of no numbers; draws averages with their errors and the phases of a period; takes means
# over time and places between nodes rightly; makes films; draws what was asked for and no more, on pages of at most 1600 x 1200
# pixels; prints the drift of the energy of closed systems alone; and ends with one clear line when the file does not hold what
# was asked for.  The files are synthetic, laid out as src/diag/integrals.c, src/diag/maps.c and src/diag/samples.c lay them out;
# the waves are the formulae below.
# shellcheck disable=SC2086 # the folder has no spaces
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
plot=$src/src/plot/wilson-plot

[ "${WN_FAST:-0}" != 1 ] || skip_all "WN_FAST=1: pictures do not depend on the build"
[ "${WN_PICTURES:-1}" != 0 ] || skip_all "WN_PICTURES=0: pictures are drawn in another turn"
find_python
[ -n "$python" ] || skip_all "no Python with netCDF4, xarray and matplotlib (set WN_PYTHON)"
python=$(command -v "$python")
scratch t0513-plot-plasma.tmp
MPLCONFIGDIR=$PWD/$dir
export MPLCONFIGDIR

cat >$dir/make.py <<'PY'
import sys
import netCDF4
import numpy as np

WP = 1.784e9  # rad/s, the plasma frequency of 1e15 m-3
rng = np.random.default_rng(1)


def put(d, name, dims, values, units):
    values = np.asarray(values, dtype=float)
    for dim, n in zip(dims, values.shape):
        if dim not in d.dimensions:
            d.createDimension(dim, n)
    v = d.createVariable(name, "f8", dims, fill_value=np.nan)
    v.units, v.long_name = units, name.replace("_", " ")
    v[...] = values


def names(d, name, dim, values):
    if dim not in d.dimensions:
        d.createDimension(dim, len(values))
    v = d.createVariable(name, str, (dim,))
    for i, value in enumerate(values):
        v[i] = value


def create(path, title, species):
    d = netCDF4.Dataset(path, "w")
    d.source, d.title = "Wilson 0.1.0 (git synthetic)", title
    names(d, "species_name", "species", species)
    names(d, "side_name", "side", ["x_low", "x_high", "y_low", "y_high", "z_low", "z_high"])
    return d


def integrals(d, t, field, kinetic, modes, number, taken=None):
    """Rows as of src/diag/integrals.c; modes: (numbers, complex amplitude)."""
    n, species = len(t), len(kinetic)
    put(d, "time", ("step",), t, "s")
    put(d, "field_energy", ("step",), field, "J")
    for name, units in (("total_charge", "C"), ("gauss_error", "C"), ("poisson_residual", "1")):
        put(d, name, ("step",), 1e-12 * rng.standard_normal(n), units)
    put(d, "kinetic_energy", ("step", "species"), np.stack(kinetic, 1), "J")
    put(d, "momentum", ("step", "species", "component"), np.zeros((n, species, 3)), "kg m s-1")
    put(d, "current", ("step", "species", "component"),
        np.cos(12 * np.arange(n) / n)[:, None, None] * np.ones((1, species, 1)) * [1e-3, 1e-5, 0],
        "A m")
    put(d, "particles", ("step", "species"), np.stack(number, 1), "1")
    wall = np.zeros((n, species, 6))
    if taken is not None:
        wall[:, :, 0] = np.stack(taken, 1)
    put(d, "wall_particles", ("step", "species", "side"), wall, "1")
    put(d, "wall_charge", ("step", "side"), -1.6e-19 * wall.sum(axis=1), "C")
    if modes:
        put(d, "mode_number", ("mode", "component"), [m for m, _ in modes], "1")
        c = np.stack([c for _, c in modes], 1)
        put(d, "potential_mode", ("step", "mode", "part"), np.stack([c.real, c.imag], 2), "V")


def maps(d, t, at, potential, charge, field, densities):
    """Maps as of src/diag/maps.c; each [map][z][y][x]."""
    put(d, "map_time", ("map",), t, "s")
    for axis, x in at.items():
        put(d, axis, (axis,), x, "m")
    dims = ("map",) + tuple(reversed(list(at)))
    put(d, "potential", dims, potential, "V")
    put(d, "charge_density", dims, charge, "C m-3")
    for axis, e in zip(at, field):
        put(d, "electric_field_" + axis, dims, e, "V m-1")
    for name, n in densities.items():
        put(d, "density_" + name, dims, n, "m-3")


def samples(d, t, particles):
    """Samples as of src/diag/samples.c; particles: name -> (x, v), each [sample][particle][..]."""
    put(d, "sample_time", ("sample",), t, "s")
    for name, (x, v) in particles.items():
        put(d, "position_" + name, ("sample", "particle_" + name, "axis"), x, "m")
        put(d, "velocity_" + name, ("sample", "particle_" + name, "velocity_component"), v,
            "m s-1")


def noise(n, sigma):
    return sigma * (rng.standard_normal((n, 2)) @ [1, 1j])


def beams(path, n_maps=17):
    """Two streams: mode 1 grows at 0.35355 plasma frequencies up to 1 V and stays there, mode 2
    runs along x and grows, mode 3 is a standing wave that is damped."""
    d = create(path, "Two-stream instability, 1-D: two cold beams of 1000 km/s", ["right", "left"])
    t = (np.arange(1600) + 0.5) * 25e-12
    grown = np.minimum(1e-4 * np.exp(0.35355 * WP * t), 1.0)
    run = np.minimum(2e-5 * np.exp(0.2 * WP * t), 0.05) * np.exp(-0.7j * WP * t)
    stand = 1e-3 * np.exp(-0.02 * WP * t) * np.cos(1.1 * WP * t + 0.4) * np.exp(0.3j)
    field = 1e-5 * 0.2 * grown ** 2 + 1e-12
    kinetic = 0.5 * (1e-5 * (1 + 0.005 * t / t[-1]) - field)
    ones = np.full(len(t), 2.9e12)
    integrals(d, t, field, [kinetic, kinetic],
              [((1, 0, 0), grown * np.exp(0.7j)), ((2, 0, 0), run), ((3, 0, 0), stand)],
              [ones, ones])
    x = np.linspace(0, 5.751406e-3, 65)
    k = 2 * np.pi / x[-1]
    tm = np.linspace(0, 40e-9, n_maps)
    a = np.minimum(1e-4 * np.exp(0.35355 * WP * tm), 1.0)[:, None]
    phi = 2 * a * np.cos(k * x + 0.7)
    n = 5e14 * (1 + 0.9 * a * np.cos(k * x))
    maps(d, tm, {"x": x}, phi, 8.854e-12 * k * k * phi, [k * 2 * a * np.sin(k * x + 0.7)],
         {"right": n, "left": 5e14 * (1 + 0.9 * a * np.sin(k * x))})
    ts = np.linspace(5e-9, 40e-9, 8)
    x0 = rng.uniform(0, x[-1], (1, 4000))
    a = np.minimum(1e-4 * np.exp(0.35355 * WP * ts), 1.0)[:, None]
    shape = np.zeros((8, 4000, 3))
    right, left = shape.copy(), shape.copy()
    right[..., 0] = 1e6 * (1 - 1.2 * a * np.cos(k * x0) ** 2)
    left[..., 0] = -1e6 * (1 - 1.2 * a * np.sin(k * x0) ** 2)
    put_x = np.repeat(x0[..., None], 8, axis=0)
    samples(d, ts, {"right": (put_x, right), "left": (put_x, left)})
    d.close()


def landau(path):
    """Damped, k lambda_D = 0.5: in noise of 1e-4 and of 1e-2."""
    d = create(path, "Landau damping, k lambda_D = 0.5, 1-D", ["electrons"])
    t = (np.arange(300) + 0.5) * 50e-12
    c = 0.1 * np.exp(-0.15336 * WP * t) * np.cos(1.41566 * WP * t)
    field = 1e-9 * np.abs(c) ** 2
    integrals(d, t, field, [1e-7 - field],
              [((1, 0, 0), c + noise(300, 1e-5)), ((2, 0, 0), c + noise(300, 1e-3))],
              [np.full(300, 2.9e12)])
    d.close()


def vortices(path, done=None):
    """In two dimensions: four vortices that turn and grow, particles lost to the walls."""
    d = create(path, "Diocotron instability of an annulus, l = 4, 2-D", ["electrons", "ions"])
    t = (np.arange(400) + 0.5) * 2.5e-9
    lost = 1e7 * t / t[-1]
    c = 0.3 * np.exp((6e6 - 2.2e7j) * (t - 1e-6))
    field, kinetic = 1e-8 * (1 + 0.1 * t / t[-1]), 3e-10 * (1 + t / t[-1])
    integrals(d, t, field, [kinetic, 0 * t], [((4, 0, 0), c), ((2, 1, 0), 1.4 * c.conj())],
              [5e8 - lost, 5e8 + 0 * t], [lost, 0 * t])
    x, y = np.linspace(0, 20e-3, 65), np.linspace(0, 16e-3, 49)
    tm = np.arange(10) * 1e-7
    dx, dy = x[None, None, :] - 10e-3, y[None, :, None] - 8e-3
    r, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
    turn = angle - 5e6 * tm[:, None, None]
    grow = (0.02 * np.exp(3e6 * tm))[:, None, None]
    n = 2.5e14 * np.exp(-((r - 4.5e-3 * (1 + grow * np.cos(4 * turn))) / 0.7e-3) ** 2)
    # A plane, of which means and places between nodes are known.
    plane = 3 + 200 * dx - 100 * dy + 1e7 * tm[:, None, None] + 0 * n
    if done is not None:
        n[done:], plane[done:], tm = np.nan, np.nan, np.where(np.arange(10) < done, tm, np.nan)
    maps(d, tm, {"x": x, "y": y}, plane, -1.6e-19 * (n - 1e13 * np.cos(dx / 3e-3) * (n >= 0)),
         [-200 + 0 * n, 100 + 0 * n], {"electrons": n, "ions": 1e13 + 0 * n})
    ts = np.array([0, 5e-7])
    angle = rng.uniform(0, 2 * np.pi, (2, 3000))
    r = rng.uniform(4e-3, 5e-3, (2, 3000)) * np.array([[1], [1.2]])
    place = np.stack([10e-3 + r * np.cos(angle), 8e-3 + r * np.sin(angle)], 2)
    place[1, :40] = np.nan  # have ended
    speed = 1e4 * rng.standard_normal((2, 3000, 3))
    samples(d, ts, {"electrons": (place, speed), "ions": (place, speed / 50)})
    d.close()


def box(path):
    """In three dimensions: a plane x + 2 y + 4 z in mm, and a ball."""
    d = create(path, "A ball in a box, 3-D", ["electrons"])
    x, y, z = np.linspace(0, 12e-3, 25), np.linspace(0, 10e-3, 21), np.linspace(0, 8e-3, 17)
    z3, y3, x3 = np.meshgrid(z, y, x, indexing="ij")
    plane = 1e3 * (x3 + 2 * y3 + 4 * z3)[None]
    ball = 1e15 * np.exp(-((x3 - 6e-3) ** 2 + (y3 - 5e-3) ** 2 + (z3 - 4e-3) ** 2) / 4e-6)[None]
    maps(d, [1e-9], {"x": x, "y": y, "z": z}, plane, -1.6e-19 * ball, [plane] * 3,
         {"electrons": ball})
    put(d, "moment_time", ("moment_time",), [1e-9, 2e-9], "s")
    for name, units in (("rho_electrons", "C m-3"), ("J_electrons_x", "A m-2"), ("P_electrons_xy", "Pa")):
        put(d, name, ("moment_time", "z", "y", "x"), np.concatenate([0 * plane, 3 * plane]), units)
    d.close()


def window(d, i, name, dims, quantities, phases=None):
    """A window of averages as of src/diag/averages.c; quantities: name -> (mean, error, units), a
    mean of all phases with them first."""
    for key, n in (("start", 1e-6), ("end", 2e-6), ("period", 1e-7), ("blocks", 10),
                   ("samples", 1000)):
        d["window_" + key][i] = n
    for q, (v, e, units) in quantities.items():
        of = v.mean(axis=0) if phases else v
        put(d, f"average_{name}_{q}", dims, of, units)
        put(d, f"average_{name}_{q}_error", dims, 0 * of + e, units)
        if phases:
            put(d, f"phase_average_{name}_{q}", ("phase_" + name,) + dims, v, units)
            put(d, f"phase_average_{name}_{q}_error", ("phase_" + name,) + dims, 0 * v + e, units)


def windows(d, names_of):
    names(d, "window_name", "window", names_of)
    for key in ("start", "end", "period", "blocks", "samples"):
        put(d, "window_" + key, ("window",), np.full(len(names_of), np.nan), "s")


def discharge(path):
    """Averages in one dimension, with phases; of two windows the second is not there yet."""
    d = create(path, "A discharge, 1-D", ["electrons", "ions"])
    x = np.linspace(0, 25e-3, 101)
    put(d, "x", ("x",), x, "m")
    turn = (2 * np.pi * (np.arange(20) + 0.5) / 20)[:, None]
    s = np.sin(np.pi * x / x[-1])
    phi = 100 * (s + 0.5 * np.cos(turn) * x / x[-1])
    n = 1e15 * s ** 2 * (1 + 0.2 * np.cos(turn - 3 * x / x[-1]))
    windows(d, ["last", "last_but_one"])
    window(d, 0, "last", ("x",), {
        "potential": (phi, 2.0, "V"), "density_electrons": (n, 4e13, "m-3"),
        "density_ions": (n * 1.1, 3e13, "m-3"),
        "flux_electrons_x": (1e19 * np.sin(turn) * s, 3e17, "m-2 s-1"),
        "flux_ions_x": (2e18 * (x / x[-1] - 0.5) + 0 * n, 1e17, "m-2 s-1"),
        "mean_energy_electrons": (np.where(n > 1e13, 3 + s + 0 * n, np.nan), 0.1, "eV")}, 20)
    put(d, "average_last_but_one_potential", ("x",), np.full(101, np.nan), "V")
    d.close()


def averages(path):
    """Averages in two dimensions: a plane."""
    d = create(path, "Averages, 2-D", ["electrons"])
    x, y = np.linspace(0, 20e-3, 41), np.linspace(0, 16e-3, 33)
    put(d, "x", ("x",), x, "m")
    put(d, "y", ("y",), y, "m")
    turn = (np.arange(8) - 3.5)[:, None, None]
    plane = 1e3 * (x + 2 * y[:, None]) + turn
    windows(d, ["last"])
    window(d, 0, "last", ("y", "x"), {"potential": (plane, 0.5, "V"),
                                      "density_electrons": (1e13 * plane ** 2, 1e14, "m-3")}, 8)
    d.close()


def driven(path, closed):
    """Energies that grow, with a scenario: between a driven wall and another, or with both earthed."""
    d = create(path, "Two walls", ["electrons"])
    d.scenario = "\n".join(["title = \"amplitude = 3;\";", "walls = {", "  x_low = {", "    field = \"dirichlet\";",
                            "    voltage = \"0 V\";", f"    amplitude = \"{0 if closed else 250} V\";", "  };",
                            "};", "species = {", "  electrons = {", "    collisions = \"none\";", "  };", "};"])
    t = (np.arange(2000) + 0.5) * 1e-9
    kinetic = 1e-6 * (1 + 2e5 * t)
    integrals(d, t, 1e-6 * (1 + 0.9 * np.cos(2e9 * t)), [kinetic], [], [np.full(2000, 1e8)])
    d.close()


def circuit(path):
    """Two earthed walls, of which one is in a circuit, as of src/diag/circuits.c."""
    driven(path, True)
    d = netCDF4.Dataset(path, "a")
    names(d, "wall_name", "wall", ["x_low", "x_high"])
    t = (np.arange(2000) + 0.5) * 1e-9
    sine, zero = 50 * np.sin(2e7 * t), np.zeros(2000)
    for name, low, high, units in (("wall_potential", 0.5 * sine, zero, "V"), ("source_voltage", sine, zero, "V"),
                                   ("circuit_current", 1e-2 * sine, -1e-2 * sine, "A m-2"),
                                   ("circuit_energy", 1e-9 * sine ** 2, zero, "J m-2")):
        put(d, name, ("step", "wall"), np.stack([low, high], 1), units)
    d.close()


def scarce(path, cells):
    """Few nodes, one particle, one map; densities of zero, a mean energy of nothing."""
    d = create(path, "Few nodes", ["electrons", "ions"])
    integrals(d, np.array([1e-9]), np.zeros(1), [np.zeros(1)] * 2, [], [np.ones(1), np.zeros(1)])
    at = {a: np.linspace(0, 1e-3, n) for a, n in zip("xyz", cells)}
    zero = np.zeros((1,) + tuple(reversed(cells)))
    maps(d, [1e-9], at, zero + 1.0, zero, [zero] * len(cells), {"electrons": zero, "ions": np.nan * zero})
    windows(d, ["last"])
    window(d, 0, "last", tuple(reversed(list(at))), {"density_electrons": (zero[0], 0.0, "m-3"),
                                                     "mean_energy_electrons": (np.nan * zero[0], np.nan, "eV")})
    d.close()


where = sys.argv[1]
driven(where + "/driven.nc", False)
driven(where + "/earthed.nc", True)
circuit(where + "/circuit.nc")
scarce(where + "/node.nc", [1])
scarce(where + "/nodes.nc", [2, 1])
scarce(where + "/nodes3.nc", [3, 2, 1])
discharge(where + "/discharge.nc")
averages(where + "/averages.nc")
beams(where + "/beams.nc")
landau(where + "/landau.nc")
vortices(where + "/vortices.nc")
vortices(where + "/killed.nc.part", 4)
box(where + "/box.nc")
beams(where + "/few.nc", 4)
PY
forked $dir/make.py $dir
report $? "synthetic result files"

# ---- numbers ----
cat >$dir/taken.py <<'PY'
# taken.py SRC FOLDER: what the panels take from the files, without drawing.  A check a line.
import sys
from types import SimpleNamespace

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
where = sys.argv[2]

import numpy as np  # noqa: E402
from wilson.plot import averages, integrals, maps, waves  # noqa: E402
from wilson.plot.choice import Choice  # noqa: E402
from wilson.plot.results import Results  # noqa: E402

WP = 1.784e9


def check(good, name, *why):
    if not good:
        print("#", *why)
    print(f"{not good:d} {name}")


def choice(**given):
    return Choice(SimpleNamespace(**given))


def rates(name, mode, gamma, omega, **given):
    t, modes = integrals.fits(Results(where + "/" + name), choice(**given))
    f = modes[mode][2]
    bad = abs(f.gamma - gamma) > 1e-3 * abs(gamma) or \
        abs(f.omega - omega) > 1e-3 * max(abs(omega), abs(gamma))
    check(not bad, f"{name}, {modes[mode][0]} {given or ''}: gamma and omega to 0.1 %",
          f"gamma {f.gamma:.6g}, want {gamma:.6g}; omega {f.omega:.6g}, want {omega:.6g}")
    return f


rates("beams.nc", 0, 0.35355 * WP, 0.0)
rates("beams.nc", 1, 0.2 * WP, 0.7 * WP)
rates("beams.nc", 2, -0.02 * WP, 1.1 * WP)
rates("beams.nc", 0, 0.35355 * WP, 0.0, window="3:8ns")
rates("landau.nc", 0, -0.15336 * WP, 1.41566 * WP)
rates("landau.nc", 0, -0.15336 * WP, 1.41566 * WP, window="1ns:6ns")
rates("vortices.nc", 0, 6e6, 2.2e7)
rates("vortices.nc", 1, 6e6, -2.2e7)
# Without a bias: 60 waves in noise of 1 %.  The mean may miss by 4 of its standard errors,
# which happens to a right one once in 16000 (each of the two).
rng = np.random.default_rng(3)
t = (np.arange(300) + 0.5) * 50e-12
c = np.exp((-0.15336 + 0j) * WP * t) * np.cos(1.41566 * WP * t)
found = []
for _ in range(60):
    f = waves.fit(t, c + 1e-2 * (rng.standard_normal((300, 2)) @ [1, 1j]), (0, 12e-9))
    found.append((f.gamma / (-0.15336 * WP) - 1, f.omega / (1.41566 * WP) - 1))
mean, error = np.mean(found, 0), np.std(found, 0, ddof=1) / np.sqrt(len(found))
print("# mean deviation of gamma and omega:", mean, "errors", error)
check((np.abs(mean) < 4 * error).all() and (error < 2e-3).all(), "noise gives the fit no bias",
      mean, error)
# A decay that comes back, as in velocities that are too few: nothing of it is left 4 ns before.
f = waves.fit(t, c + 0.5 * np.exp(-((t - 12e-9) / 1e-9) ** 2) * np.cos(1.41566 * WP * t))
check(abs(f.gamma / (-0.15336 * WP) - 1) < 1e-3 and abs(f.omega / (1.41566 * WP) - 1) < 1e-3,
      "the window ends before a decay comes back", f)
constant = waves.fit(t, np.zeros(300, complex))
check(constant is None, "no fit of nothing")

m = maps.Maps(Results(where + "/vortices.nc"), choice(line=["y=3.21mm"]))
axis, fixed = m.line()
got = m.values("potential", [2, 3, 4], fixed, "--line")
want = 3 + 200 * (m.at["x"] - 10e-3) - 100 * (3.21e-3 - 8e-3) + 1e7 * 3e-7
check(axis == "x" and np.abs(got - want).max() < 1e-12, "a line between nodes, mean of three maps",
      got - want)
m = maps.Maps(Results(where + "/vortices.nc"), choice(map="electric_field"))
got = m.values("electric_field", [2, 3], {}, "--map")
of = [m.r.get("electric_field_" + a)[2:4] for a in "xy"]
check(m.drawn == ["electric_field"] and m.units("electric_field") == "V m-1" and
      np.abs(got - np.hypot(*of).mean(axis=0)).max() < 1e-12 * got.max() and got.max() > 0,
      "the electric field is its magnitude", got)
ks = maps.Maps(Results(where + "/vortices.nc"), choice(mean="150:420ns")).when()[0][0]
check(list(ks) == [2, 3, 4], "the maps of a window of time", ks)
m = maps.Maps(Results(where + "/box.nc"), choice(map="rho_electrons"))
got = m.values("rho_electrons", m.when()[0][0], {}, "--map")
check(m.drawn == ["rho_electrons"] and m.when()[0][1] == "2.0 ns" and
      np.abs(got - 3 * m.r.get("potential")[0]).max() < 1e-9, "moments at the last of their times", m.when())
m = maps.Maps(Results(where + "/box.nc"), choice(line=["x=1mm", "z=3.3mm"]))
axis, fixed = m.line()
got = m.values("potential", [0], fixed, "--line")
check(axis == "y" and np.abs(got - (1 + 2e3 * m.at["y"] + 13.2)).max() < 1e-12,
      "a line in three dimensions")
axes, fixed = maps.Maps(Results(where + "/box.nc"), choice(slice="x=6.1mm")).plane()
got = m.values("potential", [0], fixed, "--slice")
want = 6.1 + 2e3 * m.at["y"][None, :] + 4e3 * m.at["z"][:, None]
check(axes == ["y", "z"] and np.abs(got - want).max() < 1e-12, "a slice in three dimensions")
axes, fixed = maps.Maps(Results(where + "/box.nc"), choice()).plane()
check(axes == ["x", "y"] and fixed == {"z": 4e-3}, "the middle of z unless said otherwise")

r = Results(where + "/averages.nc")
m = averages.Means(r, choice(line=["y=3.3mm"]), 0)
axis, fixed = m.line()
want = 1e3 * m.at["x"] + 6.6
got = m.values("potential", None, fixed, "--line")
error = m.values("potential_error", None, fixed, "--line")
check(np.abs(got - want).max() < 1e-12 and np.abs(error - 0.5).max() < 1e-12,
      "a line through a mean and its error", got - want)
m = averages.Means(r, choice(line=["x=1.2mm"]), 0, "phase_average_")
got = m.values("potential", None, m.line()[1], "--line")
want = 1.2 + 2e3 * m.at["y"] + (np.arange(8) - 3.5)[:, None]
check(got.shape == (8, 33) and np.abs(got - want).max() < 1e-12, "the same of each phase")
r = Results(where + "/discharge.nc")
m = averages.Means(r, choice(), 0)
check(m.names == ["potential", "density_electrons", "density_ions", "flux_electrons_x",
                  "flux_ions_x", "mean_energy_electrons"], "the averages of a window", m.names)
check([len(g) for g in averages.groups_of(m.names)] == [1, 2, 2, 1], "species share a panel")
check(len(averages.panels_of(r, "averages", choice())) == 4 and
      len(averages.panels_of(r, "phases", choice())) == 6,
      "a window that is not there yet is not drawn")
check("20" not in m.text() and "10 periods, 10 blocks" in m.text(), "what a window is", m.text())
PY
forked $dir/taken.py "$src/python" $dir >$dir/numbers 2>$dir/err
report $? "numbers are taken from all files" "$(cat $dir/err)"
grep '^#' $dir/numbers
grep '^[01]' $dir/numbers >$dir/results
while read -r bad name; do report "$bad" "$name"; done <$dir/results
[ "$(wc -l <$dir/results)" -eq 24 ]
report $? "all numbers were looked at"

# pages of all panels are drawn below
forked "$plot" $dir/beams.nc --what energies,waves -o $dir/default.png >$dir/out 2>$dir/err
report $? "pictures of energies and waves" "$(cat $dir/err)"
grep -qx 'total energy: 1e-05 J at the beginning, +0.5 % at the end, 0.5 % at most' $dir/out
report $? "the drift of the energy is printed" "$(cat $dir/out)"
grep -q '^mode 1: gamma = 6.307[0-9]*e+08 s-1 (spread .*), omega = .* rad/s (spread .*), .* s to .* s, [0-9]* rows$' $dir/out &&
  [ "$(grep -c '^mode ' $dir/out)" -eq 3 ]
report $? "and the rates of the waves" "$(cat $dir/out)"

forked "$plot" $dir/driven.nc --what energies -o $dir/driven.png >$dir/out 2>$dir/err && [ ! -s $dir/out ]
report $? "of a driven system the change of the total is no error, and is not printed" "$(cat $dir/out $dir/err)"
forked "$plot" $dir/earthed.nc --what energies -o $dir/earthed.png >$dir/out 2>$dir/err && grep -q '^total energy: ' $dir/out
report $? "between earthed walls that take nothing it is" "$(cat $dir/out $dir/err)"
forked "$plot" $dir/circuit.nc --what energies -o $dir/circuit.png >$dir/out 2>$dir/err && [ ! -s $dir/out ]
report $? "where one of them is in a circuit it is not" "$(cat $dir/out $dir/err)"
forked "$plot" $dir/vortices.nc --what energies -o $dir/taken.png >$dir/out 2>$dir/err && [ ! -s $dir/out ]
report $? "where walls take particles it is not" "$(cat $dir/out $dir/err)"

# ---- what is drawn is what was asked for ----
cat >$dir/asked.py <<'PY'
# A line: name|command line|labels of the panels, in order.
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[1]), "..", "..", "python"))
os.environ["MPLBACKEND"] = "Agg"
from wilson.plot import main as plot  # noqa: E402
os.chdir(sys.argv[2])
for line in sys.stdin:
    name, words, want = line.rstrip("\n").split("|")
    args = plot.options().parse_args(words.split())
    got = []
    for make, _ in plot.build(plot.Results(args.files[0]), plot.whats_of(args.what), plot.Choice(args)):
        with plot.plt.rc_context(plot.STYLE):
            for ax in make().axes:
                bar = [c.get_ylabel() for c in ax.child_axes if c.get_label() == "<colorbar>"]
                got.append((bar or [ax.get_ylabel()])[0].split(" (")[0].replace("$|E|$", "E").replace("$", ""))
    bad = "; ".join(got) != want
    if bad:
        print("#", name, "; ".join(got))
    print(f"{bad:d} {name}")
PY
"$python" $dir/asked.py "$plot" $dir >$dir/out 2>$dir/err <<'END'
a component of the field and no potential|vortices.nc --map electric_field_y|electric field E_y
the magnitude of the field in a slice|box.nc --what maps --map electric_field|electric field E
a map beside energies that were not asked for|discharge.nc --map potential|potential; potential
potentials and currents of walls in a circuit|circuit.nc --what walls|potential of the walls; current density of the circuit
two kinds of results in the order asked for|beams.nc --what waves,energies|amplitude of the potential; energy per m^2; change of energy
lines of the field alone|beams.nc --map electric_field_x|electric field E_x
lines at a time, not phase space|beams.nc --time 10ns --map potential|potential
phase space and lines at a time|beams.nc --time 10ns|potential; charge density; electric field E_x; density; \gamma v_x
all maps, one of them the field|vortices.nc --what maps|potential; charge density; electric field E; density of electrons; density of ions
ten moments, which have times of their own|box.nc --map rho_electrons,J_electrons_x,P_electrons_xy|charge density of electrons; current density x of electrons; momentum flux xy of electrons
END
report $? "panels were looked into" "$(cat $dir/err)"
grep '^#' $dir/out
grep '^[01]' $dir/out >$dir/results
while read -r bad name; do report "$bad" "$name"; done <$dir/results
[ "$(wc -l <$dir/results)" -eq 10 ]
report $? "all of them"

cat >$dir/empty.py <<'PY'
# Panels of means that are no numbers say so, others do not.
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from wilson.plot import averages  # noqa: E402
from wilson.plot.choice import Choice  # noqa: E402
from wilson.plot.draw import plt  # noqa: E402
from wilson.plot.results import Results  # noqa: E402

for name in "node", "nodes", "nodes3":
    said = []
    for draw, _ in averages.panels_of(Results(f"{sys.argv[2]}/{name}.nc"), "averages", Choice()):
        ax = plt.figure().subplots()
        draw(ax)
        said.append([t.get_text() for t in ax.texts])
    print(f"{said != [[], ['no values']]:d} {name}: only a panel without numbers says so")
PY
forked $dir/empty.py "$src/python" $dir >$dir/results 2>$dir/err
report $? "panels of few nodes" "$(cat $dir/err)"
while read -r bad name; do report "$bad" "$name"; done <$dir/results
[ "$(wc -l <$dir/results)" -eq 3 ]
report $? "of one to three dimensions"

# ---- pictures ----
set -- beams.nc:all "beams.nc:lines:--time=5,10,20,40ns --map=potential" vortices.nc:all killed.nc.part:maps box.nc:all \
  "box.nc:maps:--slice=x=6mm --map=potential,electric_field_x" "box.nc:lines:--line=x=6mm --line=y=5mm" discharge.nc:all \
  driven.nc:all circuit.nc:walls node.nc:all nodes3.nc:all averages.nc:all "averages.nc:phases:--line=y=5mm"
# with WN_LONG=2 those, too, of which others have the panels
[ "${WN_LONG:-0}" != 2 ] || set -- "$@" beams.nc:waves:--window=3:8ns landau.nc:all "vortices.nc:maps:--time=0.3us" \
  "vortices.nc:all:--line=y=8mm" beams.nc:particles vortices.nc:currents discharge.nc:averages earthed.nc:all nodes.nc:all \
  "beams.nc:lines:--mean=20:40ns" "vortices.nc:maps:--map=electric_field" "vortices.nc:phase-space:--axes=x,y --time=0" \
  "discharge.nc:phases:--map=density_electrons,mean_energy_electrons" "averages.nc:averages:--line=y=5mm"
forked "$src/t/tap/pictures.py" "$plot" $dir $dir/results "$@" >$dir/out 2>$dir/err
report $? "all pictures are drawn" "$(cat $dir/err)"
grep '^#' $dir/out
while read -r bad name; do report "$bad" "$name"; done <$dir/results
[ "$(wc -l <$dir/results)" -eq $((2 * $#)) ]
report $? "all pictures were looked at"

# ---- films ----
cat >$dir/frames.py <<'PY'
import sys
import numpy as np
from PIL import Image, ImageSequence
frames = [np.asarray(f.convert("RGB"), dtype=int)
          for f in ImageSequence.Iterator(Image.open(sys.argv[1]))]
moved = [np.mean(np.abs(a - b) > 30) for a, b in zip(frames, frames[1:])]
ink = [np.mean(f.min(axis=2) < 230) for f in frames]
print(len(frames), "frames, ink", min(ink), "to", max(ink), "moved", min(moved), "to", max(moved))
sys.exit(not (len(frames) == int(sys.argv[2]) and min(ink) > 0.01 and min(moved) > 0))
PY
film() { # film FRAMES NAME FILE OPTION...: a film of so many frames, in each of which something is drawn and moves
  frames=$1 name=$2
  shift 2
  forked "$plot" "$@" --film $dir/film.gif >$dir/out 2>&1 &&
    grep -qx "$dir/film.gif: $frames frames" $dir/out &&
    forked $dir/frames.py $dir/film.gif "$frames" >>$dir/out 2>&1
  report $? "$name" "$(cat $dir/out)"
  rm -f $dir/film.gif
}
[ "${WN_LONG:-0}" != 2 ] || film 10 "a film of maps" $dir/vortices.nc --map density_electrons # below there is one of four
film 4 "a film of lines" $dir/few.nc --rate 5 --map potential
film 8 "a film of phase space" $dir/beams.nc --what phase-space
film 4 "a film of a run that was killed" $dir/killed.nc.part --map density_electrons
report "$(grep -q 'left out' $dir/out && echo 1 || echo 0)" "which leaves nothing out" "$(cat $dir/out)"
film 4 "a film of five panels has the first page of them" $dir/killed.nc.part
grep -qx "$dir/film.gif: a film is one page of panels; left out: density_ions; --map NAME,NAME draws these" $dir/out
report $? "and says which is not on it, and how to choose" "$(cat $dir/out)"
if command -v ffmpeg >/dev/null 2>&1; then
  forked "$plot" $dir/killed.nc.part --map density_electrons --film $dir/film.mp4 >$dir/out 2>&1 && [ -s $dir/film.mp4 ]
  report $? "a film by ffmpeg" "$(cat $dir/out)"
else
  skip "a film by ffmpeg" "ffmpeg was not found"
fi

# ---- errors ----
refusals 28 <<'END'
2|no maps|landau.nc --what maps|holds no results for --what maps; it holds: energies, waves$
2|no modes|box.nc --what waves|no results for --what waves; it holds: maps$
2|a window without waves|box.nc --window 1:2ns|--window: is for waves
2|a window beyond the end|landau.nc --window 20:30ns|--window: 0 rows .* go from 2.5e-11 s to 1.498e-08 s
2|a window backwards|landau.nc --window 3:2ns|ends before it begins
2|a window that is none|landau.nc --window 3ns|not T0:T1
2|a unit that is none|landau.nc --window 3:4eV|not a number with one of the units
2|a map that is not there|vortices.nc --map density_muons|has no map or average density_muons; nearest: density_.*; it has: potential, charge_density
2|moments beside maps|box.nc --map potential,rho_electrons|rho_electrons is one of the ten moments, .*: rho_electrons, J_electrons_x, P_electrons_xy
2|a time beyond the end|vortices.nc --what maps --time 2us|--time: .* goes from 0 s to 9e-07 s
2|a mean of nothing|vortices.nc --what maps --mean 2:3us|--mean: no map .* is in it
2|a line outside|vortices.nc --line x=21mm|--line: x goes from 0 m to 0.02 m
2|a line along no axis|vortices.nc --line z=1mm|has no axis z; it has: x, y
2|a line in three dimensions by one place|box.nc --line z=1mm|takes 2 options --line
2|axes that are none|beams.nc --axes x,w|not two of x, y, z
2|axes that are not there|beams.nc --axes y,vx|have no y
2|a window that is misspelt|discharge.nc --average lst|has no window lst; nearest: last.*; it has
2|a kind of result that is misspelt|beams.nc --what wave|--what: 'wave' is none of the results; nearest: waves.*; there are: varying
2|two times|vortices.nc --time 0 --mean 0:1us|--time and --mean: one of the two
2|no averages|beams.nc --what averages|no results for --what averages; it holds: energies
2|a window that is not there|discharge.nc --average first|has no window first; it has: last, last_but_one
2|an average that is not there|discharge.nc --what averages --map flux_electrons_y|has no average flux_electrons_y; nearest: flux_electrons_x, .*it has: pot
2|phases without a line|averages.nc --what phases|a line in 2 dimensions takes 1 options --line
2|a window of averages without any|beams.nc --average last|--average: is for averages and phases
2|a rate without a film|vortices.nc --rate 5|--rate: is for --film
2|a film of no series|landau.nc --film film.gif|no series for a film; the keys plasma.fields_interval
2|a film of another kind|vortices.nc --film film.avi|neither in .gif nor in .mp4
1|a film in a missing folder|killed.nc.part --map density_electrons --film absent/film.gif|cannot be written
END
env PATH=$dir "$python" "$plot" $dir/vortices.nc --film $dir/film.mp4 >$dir/out 2>$dir/err
[ $? -eq 1 ] && [ "$(wc -l <$dir/err)" -eq 1 ] && grep -q 'Debian package: ffmpeg' $dir/err && [ ! -e $dir/film.mp4 ]
report $? "a film without ffmpeg" "$(cat $dir/err)"

[ -n "$WN_KEEP" ] || rm -rf $dir
finish
