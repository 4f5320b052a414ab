# wilson/plot/waves.py - rate and frequency of a wave from its complex amplitude over time.
# Units: s, s-1, rad/s.  Only numbers, no pictures.
#
# Two models, with time measured from the middle of the window, tau = t - (t0 + t1) / 2:
#   single  c = C exp((gamma - i omega) tau): a wave that grows or decays without a beat,
#           standing still or running along k (omega > 0) or against it.  Straight lines
#           through log|c| and the phase, every row with the same weight.
#   pair    c = exp(gamma tau) (A cos(omega tau) + B sin(omega tau)), A and B complex: the
#           standing wave that a perturbation leaves, two running waves of the same rate;
#           omega < 0 where the one against k is more than twice the other.
#           Least squares in gamma and omega; A and B follow from them (variable
#           projection).  The start comes from linear prediction, c(t + l) + q c(t - l) =
#           p c(t) with q = exp(2 gamma l), p = 2 exp(gamma l) cos(omega l), at a lag l of a
#           quarter of a period, where p is about 0 and neither is lost in noise.  Alone it
#           would not do: noise pulls the rate of a prediction down.
# Derived here; t/plot/t0513-plot-plasma.t has waves of known rates.
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from .kinds import Complexes, Floats, Ints

    Model = Callable[[Floats], Complexes]  # amplitudes at times (s)

FEWEST = 8      # fewest rows for a fit
# rms of log|c| about a line: below the first value the amplitude does not beat, above the second
# it does; between them the better model is used.
STRAIGHT, BEATING = 0.05, 0.35


class Fit(NamedTuple):
    """gamma, omega: s-1, rad/s.  gamma_spread, omega_spread: the greatest difference to the same
    fit over the first and over the last three quarters of the window.  model(t): the fitted c."""
    kind: str
    gamma: float
    omega: float
    gamma_spread: float
    omega_spread: float
    t0: float
    t1: float
    rows: int
    model: Model


def half_period(c: Complexes) -> float:
    """Rows in half a period of the strongest frequency of c; len(c) if it does not
    oscillate."""
    n = len(c)
    size = 1 << int(np.ceil(np.log2(8 * n)))
    power = np.abs(np.fft.fft(c, size)) ** 2
    power = power[1:size // 2] + power[:size // 2:-1]
    # Less than half a turn in all is no oscillation.
    least = size // (2 * n)
    k = int(np.argmax(power)) + 1
    return size / (2 * k) if k > least else float(n)


def envelope(a: Floats, half: float) -> tuple[Ints, Floats]:
    """Positions and heights of the maxima of blocks of `half` rows."""
    size = max(int(np.ceil(half)), 1)
    begins = range(0, max(len(a) - size // 2, 1), size)
    at = np.array([b + int(np.argmax(a[b:b + size])) for b in begins])
    return at, a[at]


def line(x: Floats, y: Floats) -> tuple[float, float, float]:
    """Slope, value at x = 0 and sum of squared deviations of a straight line."""
    slope, offset = np.polyfit(x, y, 1) if len(x) > 1 else (0.0, y[0])
    return slope, offset, float(np.sum((y - offset - slope * x) ** 2))


def first_rise(x: Floats, y: Floats) -> int:
    """Number of points before two consecutive ones that are 1.5 times as high as the line
    through all earlier points, and above it by more than their scatter."""
    for k in range(3, len(x) - 1):
        slope, offset, squares = line(x[:k], y[:k])
        above = y[k:k + 2] - offset - slope * x[k:k + 2]
        if above.min() > max(np.log(1.5), 4 * np.sqrt(squares / k)):
            return k
    return len(x)


def end_of_decay(x: Floats, y: Floats) -> int:
    """Number of points of a decaying envelope (y: logarithms) before it bends into noise or
    grows again.  It ends where it rises, or where two lines fit much better than one that
    deviates by more than a tenth."""
    n = first_rise(x, y)
    for _ in range(4):
        best, at = line(x[:n], y[:n])[2], None
        bound = 0.25 * best if best > 0.01 * n else 0.0
        for k in range(3, n - 2):
            one, two = line(x[:k], y[:k]), line(x[k:n], y[k:n])
            if one[2] + two[2] < min(bound, best) and one[0] < two[0] and one[0] < 0:
                best, at, lines = one[2] + two[2], k, (one, two)
        if at is None:
            return n
        # Not into the noise: a factor of two above what follows.
        floor = np.mean(y[at:n])
        fitted = lines[0][1] + lines[0][0] * x[:at]
        n = max(int(np.count_nonzero(fitted > floor + np.log(2.0))), 3)
    return n


def window_of_growth(t: Floats, a: Floats, last: int) -> tuple[float, float]:
    """Between 0.5 and 10 per cent of the largest amplitude, above three times the first: after
    other modes of the perturbation, before saturation bends the line (amplitude
    X / sqrt(1 + X^2) of growing X: 1 per cent at the end).  If less than a factor of 4 would
    remain, up to 30 per cent."""
    at, height = envelope(a[:last + 1], min(half_period(a[:last + 1] + 0j), (last + 1) / 40))
    top, bottom = 0.1 * a[last], max(0.005 * a[last], 3 * height[0])
    if bottom > top / 4:
        top = 0.3 * a[last]
        bottom = max(min(bottom, top / 4), 1.05 * height[0])
    above = np.flatnonzero(height > top)
    end = above[0] if above.size else len(at) - 1
    below = np.flatnonzero(height[:end] < bottom)
    begin = below[-1] + 1 if below.size else 0
    return t[at[begin]], t[at[end]]


def default_window(t: Floats, c: Complexes) -> tuple[float, float]:
    """The time window in which c grows or decays exponentially, as estimated from c."""
    a = np.abs(c)
    last = int(np.argmax(a))
    half = min(half_period(c), len(c) / 12)
    at, height = envelope(a, half)
    if a[last] > 3 * height[0]:
        t0, t1 = window_of_growth(t, a, last)
    else:
        positive = height > 0
        at, height = at[positive], height[positive]
        n = end_of_decay(t[at] / (t[-1] - t[0]), np.log(height)) if len(at) > 4 else len(at)
        # The first half period contains faster-decaying modes.
        t0 = t[at[1]] if n > 4 else t[0]
        t1 = t[at[n - 1]] if n < len(at) else t[-1]
    if np.count_nonzero((t >= t0) & (t <= t1)) < 2 * FEWEST:
        return t[0], t[-1]
    return t0, t1


def fit_single(tau: Floats, c: Complexes) -> tuple[float, float, complex, float]:
    """gamma, omega, C and the rms deviation of log|c|."""
    use = np.abs(c) > 0
    log = np.log(np.abs(c[use]))
    gamma, height, squares = line(tau[use], log)
    omega, phase, _ = line(tau[use], np.unwrap(np.angle(c[use])))
    return gamma, -omega, np.exp(height + 1j * phase), np.sqrt(squares / len(log))


def pair_residual(s: Floats, tau: Floats, c: Complexes) -> tuple[Floats, Complexes]:
    """Deviations from the best pair with gamma, omega = s, real and imaginary parts, and its
    A, B."""
    e = np.exp(s[0] * tau)
    basis = np.stack([e * np.cos(s[1] * tau), e * np.sin(s[1] * tau)], axis=1)
    ab = np.linalg.lstsq(basis, c, rcond=None)[0]
    d = c - basis @ ab
    return np.concatenate([d.real, d.imag]), ab


def predicted(tau: Floats, c: Complexes) -> tuple[float, float]:
    """gamma, omega of a pair by linear prediction at a lag of a quarter of a period."""
    dt = (tau[-1] - tau[0]) / (len(tau) - 1)
    lag = int(round(half_period(c) / 2))
    lag = min(max(lag, 1), (len(c) - 1) // 3)
    now, after, before = c[lag:-lag], c[2 * lag:], c[:-2 * lag]
    # Real p and q of complex rows: real and imaginary parts are rows of their own.
    rows = np.concatenate([np.stack([now.real, -before.real], 1),
                           np.stack([now.imag, -before.imag], 1)])
    p, q = np.linalg.lstsq(rows, np.concatenate([after.real, after.imag]), rcond=None)[0]
    if q <= 0:
        return 0.0, np.pi / (2 * lag * dt)
    return (np.log(q) / (2 * lag * dt),
            np.arccos(np.clip(p / (2 * np.sqrt(q)), -1, 1)) / (lag * dt))


def fit_pair(tau: Floats, c: Complexes) -> tuple[float, float, Complexes, float]:
    """gamma, omega, (A, B) and the sum of squared deviations.  Levenberg's method in gamma T
    and omega T, derivatives by differences."""
    long = tau[-1] - tau[0]
    scaled = tau / long
    s = np.array(predicted(tau, c)) * long
    s[0] = np.clip(s[0], -50.0, 50.0)
    d, ab = pair_residual(s, scaled, c)
    damping = 1e-3
    for _ in range(60):
        step = 1e-6 * np.maximum(np.abs(s), 1.0)
        j = np.stack([(pair_residual(s + step * e, scaled, c)[0] -
                       pair_residual(s - step * e, scaled, c)[0]) / (2 * step @ e)
                      for e in np.eye(2)], axis=1)
        normal = j.T @ j
        move = -np.linalg.lstsq(normal + damping * np.diag(np.diag(normal)), j.T @ d,
                                rcond=None)[0]
        trial = np.clip(s + move, -1e6, 1e6)
        trial[0] = np.clip(trial[0], -50.0, 50.0)
        new, new_ab = pair_residual(trial, scaled, c)
        if new @ new <= d @ d:
            done = np.all(np.abs(trial - s) < 1e-10 * np.maximum(np.abs(s), 1.0))
            s, d, ab, damping = trial, new, new_ab, damping / 5
            if done:
                break
        else:
            damping *= 5
            if damping > 1e8:
                break
    if s[1] < 0:
        s[1], ab = -s[1], ab * np.array([1, -1])
    # The part along k is (A + i B) / 2, that against it (A - i B) / 2.
    if np.abs(ab[0] - 1j * ab[1]) > 2 * np.abs(ab[0] + 1j * ab[1]):
        s[1], ab = -s[1], ab * np.array([1, -1])
    return s[0] / long, s[1] / long, ab, float(d @ d)


def fit_rows(t: Floats, c: Complexes, kind: str | None = None) -> tuple[str, float, float, Model]:
    """(kind, gamma, omega, model) of the rows t, c."""
    middle = 0.5 * (t[0] + t[-1])
    tau = t - middle
    gamma, omega, big, rough = fit_single(tau, c)
    single = ("single", gamma, omega,
              lambda x: big * np.exp((gamma - 1j * omega) * (x - middle)))
    if kind == "single":
        return single
    scale = np.max(np.abs(c))
    gamma2, omega2, ab, squares = fit_pair(tau, c / scale)

    def model(x: Floats) -> Complexes:
        return scale * np.exp(gamma2 * (x - middle)) * (
            ab[0] * np.cos(omega2 * (x - middle)) + ab[1] * np.sin(omega2 * (x - middle)))
    pair = ("pair", gamma2, omega2, model)
    if kind == "pair":
        return pair
    # A pair of less than half a turn would only bend the line of a single one.
    missed = np.sum(np.abs(c - single[3](t)) ** 2) / scale ** 2
    better = abs(omega2) * (t[-1] - t[0]) > np.pi and squares < 0.25 * missed
    return pair if rough > BEATING or (rough > STRAIGHT and better) else single


def fit(t: Floats, c: Complexes, window: tuple[float, float] | None = None) -> Fit | None:
    """The Fit of the rows with window[0] <= t <= window[1]; None if there are too few.
    t: s, at constant intervals; c: complex."""
    if len(t) < FEWEST or not np.any(np.abs(c) > 0):
        return None
    t0, t1 = window if window is not None else default_window(t, c)
    use = (t >= t0) & (t <= t1)
    t, c = t[use], c[use]
    n = len(t)
    if n < FEWEST or np.count_nonzero(np.abs(c) > 0) < FEWEST:
        return None
    kind, gamma, omega, model = fit_rows(t, c)
    spread = np.zeros(2)
    part = max(3 * n // 4, FEWEST)
    for cut in (slice(0, part), slice(n - part, n)):
        if np.count_nonzero(np.abs(c[cut]) > 0) >= FEWEST:
            other = fit_rows(t[cut], c[cut], kind)
            spread = np.maximum(spread, np.abs([other[1] - gamma, other[2] - omega]))
    return Fit(kind, gamma, omega, spread[0], spread[1], t[0], t[-1], n, model)
