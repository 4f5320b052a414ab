/* physics/constants.h - the constants of nature, CODATA 2018; the only place that defines
 * them.  Exact by the definition of the SI unless an uncertainty is given. */
#ifndef WN_PHYSICS_CONSTANTS_H
#define WN_PHYSICS_CONSTANTS_H

#define WN_C          299792458.0       /* m/s, speed of light */
#define WN_E          1.602176634e-19   /* C, elementary charge */
#define WN_KB         1.380649e-23      /* J/K, Boltzmann */
#define WN_ME         9.1093837015e-31  /* kg, electron mass (28 in the last digits) */
#define WN_AMU        1.66053906660e-27 /* kg, atomic mass constant (50) */
#define WN_EPS0       8.8541878128e-12  /* F/m, vacuum permittivity (13) */
#define WN_HBAR       1.054571817e-34   /* J s */
#define WN_A0         5.29177210903e-11 /* m, Bohr radius (80) */
#define WN_ALPHA      7.2973525693e-3   /* fine-structure constant (11) */
#define WN_RYDBERG_EV 13.605693122994   /* eV (26) */
#define WN_RE         2.8179403262e-15  /* m, classical electron radius (13) */
#define WN_PI         3.14159265358979323846

/* Derived */
#define WN_MC2_EV 510998.95000   /* eV, electron rest energy (15) */
#define WN_QM     (WN_E / WN_ME) /* C/kg, charge to mass of the electron, magnitude */
#define WN_TD     1e-21          /* V m2, one townsend */
#define WN_HX     1e-27          /* T m3, one huxley */
#define WN_ATM    101325.0       /* Pa */
#define WN_TORR   (WN_ATM / 760.0) /* Pa */

#endif
