"""A swarm in a gap across a capacitor: electrons that multiply discharge it, through a resistor it is charged again.

    python3 library.py [runaway.cfg]

The plates are d apart; N electrons of drift velocity v between them draw the current I = e N v/d (Shockley and Ramo), where N v
is their momentum over their mass.  So C dU/dt = (U0 - U)/R - I, and the field of the next step is U/d.  Each electron of the
simulation stands for EACH real ones.  A step takes voltage and current at its beginning: the plasma frequency of the gap,
(e^2 N/(m d^2 C))^1/2, times the step must be small against 1, which the loop checks.  At the end the energy that the circuit
gave, the integral of U I, is compared with what the electrons gained, flight by flight.  For the runaway.cfg of
`wilson new runaway` it prints

    0.5 ps  398.6 kV   3.8 kA  2.1e+14 electrons  18.1 eV
    1.0 ps  396.8 kV   3.8 kA  2.6e+14 electrons  21.6 eV
    1.5 ps  394.5 kV   6.5 kA  3.7e+14 electrons  22.4 eV
    2.0 ps  391.1 kV   8.2 kA  5.2e+14 electrons  21.9 eV
    2.5 ps  386.5 kV  11.2 kA  7.2e+14 electrons  21.8 eV
    3.0 ps  380.0 kV  16.9 kA  9.9e+14 electrons  22.3 eV
    3.5 ps  370.3 kV  23.0 kA  1.4e+15 electrons  22.4 eV
    4.0 ps  357.5 kV  30.6 kA    2e+15 electrons  21.6 eV
    the circuit gave 0.0167 J, the electrons gained 0.0168 J
"""
import sys

import wilson

E, M = 1.602176634e-19, 9.1093837015e-31  # C, kg
U0, D, C, R, EACH = 400e3, 0.01, 1e-12, 1e3, 2e12  # V, m, F, Ohm, real electrons

keys = {"fields": [f"{U0 / D!r} V/m"], "electrons": 100, "duration": "4 ps", "sampling.interval": "0.1 ps"}


def current(sums):
    """A, of the electrons in the gap."""
    return E * EACH * sums.momentum[2] / M / D


with wilson.Run(sys.argv[1] if len(sys.argv) > 1 else "runaway.cfg", keys) as run:
    u, given, seconds, now = U0, 0.0, 0.0, run.sums()
    while not run.case_is_over:
        before, begin = now, run.time
        run.set_field(u / D)
        run.step()
        now, dt = run.sums(), run.time - begin
        if (E * E * EACH * now.particles / (M * D * D * C)) ** 0.5 * dt > 0.3:
            sys.exit("the step is too long for this capacitor")
        given += u * 0.5 * (current(before) + current(now)) * dt
        seconds += 0.5 * EACH * (before.particles + now.particles) * dt
        u += ((U0 - u) / R - current(before)) / C * dt
        if run.n_steps % 5 == 0:
            print(f"{1e12 * run.time:.1f} ps {1e-3 * u:6.1f} kV {1e-3 * current(now):5.1f} kA {EACH * now.particles:8.2g} electrons "
                  f"{now.energy / now.particles / E:5.1f} eV")
    gained = float(run.finish()["energy_gained"].values[0]) * E * seconds  # the run's own account of its flights
    print(f"the circuit gave {given:.4f} J, the electrons gained {gained:.4f} J")
